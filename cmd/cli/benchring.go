package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/downset/downset/sim"
)

// errInterrupted ends a command that has nothing to show for what it did so far.
var errInterrupted = errors.New("interrupted")

// engineContenders are events of the engine, against a loop that does nothing but hold a queue of
// the same length.
func engineContenders() []*contender {
	var all []*contender
	for _, queued := range []int{100, 1000} {
		base := fmt.Sprintf("reference/queued=%d", queued)
		all = append(all,
			&contender{name: base, unit: "events", round: reference(queued)},
			&contender{name: fmt.Sprintf("event/trace=off/queued=%d", queued), unit: "events", against: base,
				round: circling(queued, sim.Options{NoTrace: true})},
			&contender{name: fmt.Sprintf("event/trace=on/queued=%d", queued), unit: "events", against: base,
				round: circling(queued, sim.Options{})})
	}
	return all
}

// circled is how many events a round has.
const circled = 20_000

// circling plays a ring of ten nodes in which so many balls circle.
func circling(balls int, o sim.Options) func() int {
	world, plan := new(sim.World), ring(balls)
	return func() int {
		run, err := world.Execute(plan, o)
		if err != nil {
			panic(err)
		}
		return run.Events
	}
}

func ring(balls int) *sim.Plan {
	plan := &sim.Plan{
		Protocol: &sim.Protocol{Name: "ring"},
		Variant: sim.Variant{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine {
			return &thrower{balls: balls / 10}
		}},
		Timed: true,
		Seed:  7,
		Network: sim.Network{Links: []sim.Link{{From: "*", To: "*", Loss: 1,
			Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 9 * time.Millisecond}}}},
		Budget: sim.Budget{Events: circled, Time: 1 << 60, Bytes: 1 << 30, Linger: 1 << 60},
	}
	for i := range 10 {
		plan.Nodes = append(plan.Nodes, fmt.Sprintf("N%d", i))
	}
	return plan
}

// thrower sends balls on to its neighbour, until the run is over.
type thrower struct {
	sim.Idle
	balls int
}

// ball is what is thrown.
type ball struct{ _ int64 }

func (ball) Kind() string { return "ball" }

func (t *thrower) Start(env *sim.Env) {
	for range t.balls {
		env.Send(neighbour(env), ball{})
	}
}

func (t *thrower) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) { env.Send(neighbour(env), m) }

func neighbour(env *sim.Env) sim.NodeID {
	if int(env.ID)+1 == len(env.Nodes) {
		return 0
	}
	return env.ID + 1
}

// due is what the reference loop keeps in its heap: 48 bytes, as an event has at least.
type due struct {
	at, seq uint64
	_       [4]uint64
}

// reference is the loop to compare with: a binary heap of values held at one length, one pop and
// one push an event.
func reference(queued int) func() int {
	h, x := heap{}, uint64(88172645463325252)
	seq := uint64(0)
	for range queued {
		x = xorshift(x)
		h.push(due{at: x >> 40, seq: seq})
		seq++
	}
	return func() int {
		for range circled {
			e := h.pop()
			x = xorshift(x)
			h.push(due{at: e.at + x>>44, seq: seq})
			seq++
		}
		return circled
	}
}

func xorshift(x uint64) uint64 {
	x ^= x << 13
	x ^= x >> 7
	return x ^ x<<17
}

type heap []due

func (h *heap) push(x due) {
	*h = append(*h, x)
	list := *h
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if !list[i].before(&list[up]) {
			break
		}
		list[i], list[up] = list[up], list[i]
		i = up
	}
}

func (h *heap) pop() due {
	list := *h
	first, end := list[0], len(list)-1
	list[0] = list[end]
	list = list[:end]
	*h = list
	for i := 0; ; {
		kid := 2*i + 1
		if kid >= end {
			return first
		}
		if kid+1 < end && list[kid+1].before(&list[kid]) {
			kid++
		}
		if !list[kid].before(&list[i]) {
			return first
		}
		list[i], list[kid] = list[kid], list[i]
		i = kid
	}
}

func (a *due) before(b *due) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }
