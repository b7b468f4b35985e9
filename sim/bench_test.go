package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// ball is the message of the benchmarks: plain, without keys.
type ball struct{ hops int64 }

func (ball) Kind() string { return "ball" }

// thrower sends a ball on to its neighbour, for ever.
type thrower struct {
	sim.Idle
	flight int
}

func (t *thrower) Start(env *sim.Env) {
	for range t.flight {
		env.Send(next(env), theBall)
	}
}

func (t *thrower) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) { env.Send(next(env), m) }

var theBall sim.Message = ball{1}

func next(env *sim.Env) sim.NodeID {
	if int(env.ID)+1 == len(env.Nodes) {
		return 0
	}
	return env.ID + 1
}

// ring is a plan in which flight balls circle over nodes for so many events.
func ring(nodes, flight, events int) *sim.Plan {
	names := make([]string, nodes)
	for i := range names {
		names[i] = fmt.Sprintf("N%d", i)
	}
	proto := &sim.Protocol{Name: "ring"}
	per := max(1, flight/nodes)
	return &sim.Plan{
		Protocol: proto,
		Variant: sim.Variant{Name: "plain", New: func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
			if int(id)*per >= flight {
				return &thrower{}
			}
			return &thrower{flight: per}
		}},
		Nodes: names,
		Timed: true,
		Seed:  7,
		Network: sim.Network{Links: []sim.Link{{From: "*", To: "*",
			Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 9 * time.Millisecond}, Loss: 1}}},
		Budget: sim.Budget{Events: events, Time: 1 << 60, Bytes: 1 << 40, Linger: 1 << 60},
	}
}

// row is what the reference loop R1 keeps in its heap: 48 bytes.
type row struct {
	at, seq uint64
	_       [4]uint64
}

// reference is R1: a binary heap of 48-byte values, held at one length.
type reference struct{ h []row }

func (r *reference) push(x row) {
	r.h = append(r.h, x)
	i := len(r.h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !less(&r.h[i], &r.h[up]) {
			break
		}
		r.h[i], r.h[up] = r.h[up], r.h[i]
		i = up
	}
}

func (r *reference) pop() row {
	first := r.h[0]
	end := len(r.h) - 1
	r.h[0] = r.h[end]
	r.h = r.h[:end]
	i := 0
	for {
		kid := 2*i + 1
		if kid >= end {
			return first
		}
		if kid+1 < end && less(&r.h[kid+1], &r.h[kid]) {
			kid++
		}
		if !less(&r.h[kid], &r.h[i]) {
			return first
		}
		r.h[i], r.h[kid] = r.h[kid], r.h[i]
		i = kid
	}
}

func less(a, b *row) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (r *reference) fill(n int) uint64 {
	x := uint64(88172645463325252)
	for i := range n {
		x = xorshift(x)
		r.push(row{at: x >> 40, seq: uint64(i)})
	}
	return x
}

func xorshift(x uint64) uint64 {
	x ^= x << 13
	x ^= x >> 7
	return x ^ x<<17
}

// BenchmarkReference is R1: one push and one pop an event.
func BenchmarkReference(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("queued=%d", n), func(b *testing.B) {
			r := &reference{}
			x := r.fill(n)
			b.ResetTimer()
			for i := range b.N {
				e := r.pop()
				x = xorshift(x)
				r.push(row{at: e.at + x>>44, seq: uint64(n + i)})
			}
		})
	}
}

// BenchmarkEvent is G1, G2 and G7: whole events, ns an event.
func BenchmarkEvent(b *testing.B) {
	for _, c := range []struct {
		nodes, flight int
		opt           sim.Options
		name          string
	}{
		{10, 10, sim.Options{NoTrace: true}, "nodes=10/queued=10/trace=off"},
		{10, 100, sim.Options{NoTrace: true}, "nodes=10/queued=100/trace=off"},
		{10, 1_000, sim.Options{NoTrace: true}, "nodes=10/queued=1000/trace=off"},
		{10, 10_000, sim.Options{NoTrace: true}, "nodes=10/queued=10000/trace=off"},
		{1_000, 1_000, sim.Options{NoTrace: true}, "nodes=1000/queued=1000/trace=off"},
		{10_000, 10_000, sim.Options{NoTrace: true}, "nodes=10000/queued=10000/trace=off"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			events := max(b.N, c.flight*2)
			p := ring(c.nodes, c.flight, events)
			w := new(sim.World)
			execute(b, w, ring(c.nodes, c.flight, c.flight*2), c.opt)
			b.ResetTimer()
			execute(b, w, p, c.opt)
		})
	}
}

// BenchmarkTrace is G2: the same with the trace on, in runs of 20,000 events, as checked runs are.
func BenchmarkTrace(b *testing.B) {
	const events = 20_000
	for _, flight := range []int{100, 1_000} {
		b.Run(fmt.Sprintf("nodes=10/queued=%d/trace=on", flight), func(b *testing.B) {
			w := new(sim.World)
			p := ring(10, flight, events)
			execute(b, w, p, sim.Options{})
			b.ReportAllocs()
			b.ResetTimer()
			for range max(1, b.N/events) {
				execute(b, w, p, sim.Options{})
			}
		})
	}
}

// BenchmarkTenMillion is G8: ten million events on 10,000 nodes.
func BenchmarkTenMillion(b *testing.B) {
	w := new(sim.World)
	for range b.N {
		execute(b, w, ring(10_000, 10_000, 10_000_000), sim.Options{NoTrace: true})
	}
}

// BenchmarkSetup is G6: a run of 500 events against one of 1, in a world that is reused.
func BenchmarkSetup(b *testing.B) {
	for _, events := range []int{1, 500} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			w := new(sim.World)
			p := ring(5, 10, events)
			b.ReportAllocs()
			for range b.N {
				execute(b, w, p, sim.Options{})
			}
		})
	}
}

func execute(tb testing.TB, w *sim.World, p *sim.Plan, opt sim.Options) {
	run, err := w.Execute(p, opt)
	if err != nil {
		tb.Fatal(err)
	}
	if run.Events < p.Budget.Events {
		tb.Fatalf("%d events handled, want %d: %s", run.Events, p.Budget.Events, run.Why)
	}
}
