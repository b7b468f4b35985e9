package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// The protocol of these tests: a node that is asked to put an item writes it down, tells the others,
// and answers. It uses all that chance can decide about: datagrams, streams, own work, timers, the
// log lane, slow disks, draws.

type (
	put  struct{ Item string } // request and record
	item struct{ Item string } // datagram
	row  struct{ Item string } // on a stream, or taken without own work
	work struct{ Item string } // own work
	tick struct{}              // timer
	has  struct{ Item string } // fact
	news struct{ Item string } // on the log lane
	tag  struct{ Word string } // set-up, with which nodes tick
)

func (put) Kind() string  { return "put" }
func (item) Kind() string { return "item" }
func (row) Kind() string  { return "row" }
func (work) Kind() string { return "work" }
func (tick) Kind() string { return "tick" }
func (has) Kind() string  { return "has" }
func (news) Kind() string { return "news" }

func (p put) Keys() []string  { return []string{p.Item} }
func (i item) Keys() []string { return []string{i.Item} }
func (r row) Keys() []string  { return []string{r.Item} }
func (w work) Keys() []string { return []string{w.Item} }
func (h has) Keys() []string  { return []string{h.Item} }
func (n news) Keys() []string { return []string{n.Item} }

func (t tag) String() string { return "tag " + t.Word }

// relay is one node. How it tells the others is its way.
type relay struct {
	sim.Idle
	way   string
	skip  string // an item of others that it does not take
	items []string
	ticks int
}

// after is the node with some ticks behind it.
func (r *relay) after(ticks int) *relay {
	r.ticks = ticks
	return r
}

func (r *relay) Start(env *sim.Env) {
	for n := env.Disk.First(); n <= env.Disk.Last(); n++ {
		if p, ok := env.Disk.At(n).(put); ok {
			r.items = append(r.items, p.Item)
		}
	}
	if len(env.Setup) > 0 || r.ticks > 0 {
		env.After(3*time.Millisecond*time.Duration(1+r.ticks), tick{})
	}
}

func (r *relay) Timeout(env *sim.Env, _ sim.Timer) {
	if r.ticks++; r.ticks < 4 {
		env.After(3*time.Millisecond+time.Duration(env.Draw("jitter", 1000)), tick{})
	}
	env.Disk.Flush()
}

func (r *relay) Invoke(env *sim.Env, c sim.Call) {
	p := c.Op.(put)
	r.take(env, p.Item)
	r.tell(env, p.Item)
	env.Return(c.ID, has(p))
}

func (r *relay) tell(env *sim.Env, what string) {
	if r.way == "log" {
		env.Publish(news{what})
		return
	}
	for _, to := range env.Nodes {
		switch {
		case to == env.ID:
		case r.way == "direct":
			env.Send(to, row{what})
		case r.way == "stream":
			env.Stream(to, 0).Send(row{what})
		default:
			env.Send(to, item{what})
		}
	}
}

func (r *relay) take(env *sim.Env, what string) {
	if slices.Contains(r.items, what) {
		return
	}
	r.items = append(r.items, what)
	env.Disk.Append(put{what})
	env.Disk.Sync()
	env.Note(has{what})
}

func (r *relay) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case item:
		if m.Item != r.skip {
			env.Later(work(m))
		}
	case row:
		r.take(env, m.Item)
	case work:
		r.take(env, m.Item)
	}
}

func (r *relay) Notice(env *sim.Env, n sim.Notice) {
	if m, ok := n.Body.(news); ok && n.What == sim.Logged {
		r.take(env, m.Item)
	}
}

func relays(way, skip string) func(sim.NodeID, []sim.NodeID) sim.Machine {
	return func(sim.NodeID, []sim.NodeID) sim.Machine { return &relay{way: way, skip: skip} }
}

// relaying is the protocol. The way is a rule.
var relaying = &sim.Protocol{
	Name:  "relay",
	Lanes: []sim.LaneSpec{{Name: "rows"}},
	Log:   true,
	Variants: []sim.Variant{
		{Name: "plain", New: relays("datagram", "")},
		{Name: "rows", New: relays("stream", "")},
		{Name: "skips-x", Of: "plain", Breaks: "everywhere", New: relays("datagram", "x")},
	},
	Rules: []sim.Rule{{Name: "way", Values: []string{"datagram", "direct", "stream", "log"}}},
	Apply: func(v sim.Variant, rules []sim.RuleValue) (sim.Variant, error) {
		v.New = relays(rules[0].Value, "")
		return v, nil
	},
	Properties: []sim.Property{
		{Name: "everywhere", Scope: sim.ScopeEnd, Check: everywhere},
		{Name: "same-order", Layer: 1, Check: sameOrder},
	},
	SetupWords: []string{"tag"},
	ParseSetup: func(words, _ []string) (any, error) {
		if len(words) != 2 {
			return nil, fmt.Errorf("want tag WORD, got %q", strings.Join(words, " "))
		}
		return tag{words[1]}, nil
	},
	OpWords: []string{"put"},
	ParseOp: func(words []string) (sim.Op, error) {
		if len(words) != 2 {
			return nil, fmt.Errorf("want put ITEM, got %q", strings.Join(words, " "))
		}
		return put{words[1]}, nil
	},
	Observe: func(run *sim.Run) []sim.Observation {
		var all []sim.Observation
		for id, items := range noted(run) {
			all = append(all, sim.Observation{Node: run.Nodes[id], Name: "items", Value: strings.Join(items, " ")})
		}
		return all
	},
	Draw: func(d *sim.Draws) []sim.Action {
		var all []sim.Action
		for i := range d.Ops {
			all = append(all, sim.Action{
				Verb: sim.Request, Node: d.Node("node", i), Words: []string{"put", fmt.Sprintf("i%d", i)},
				Client: 1 + i%d.Clients, Place: sim.At, Offset: d.At("at", i),
			})
		}
		return all
	},
}

// noted is the items of each node, in the order in which it noted them first.
func noted(run *sim.Run) [][]string {
	all := make([][]string, len(run.Nodes))
	for _, e := range run.Trace {
		if h, ok := e.Body.(has); ok && e.Kind == sim.EntryNoted && !slices.Contains(all[e.Node], h.Item) {
			all[e.Node] = append(all[e.Node], h.Item)
		}
	}
	return all
}

func everywhere(run *sim.Run) (premises int, v *sim.Violation) {
	all := noted(run)
	for i, e := range run.Trace {
		h, ok := e.Body.(has)
		if !ok || e.Kind != sim.EntryNoted {
			continue
		}
		premises++
		for id := range all {
			if !slices.Contains(all[id], h.Item) {
				return premises, &sim.Violation{
					Reason:  fmt.Sprintf("%s is not on %s", h.Item, run.Nodes[id]),
					Witness: []int{i},
				}
			}
		}
	}
	return premises, nil
}

func sameOrder(run *sim.Run) (premises int, v *sim.Violation) {
	all := noted(run)
	for id := range all[1:] {
		a, b := all[id], all[id+1]
		for i := range min(len(a), len(b)) {
			premises++
			if a[i] != b[i] {
				return premises, &sim.Violation{Reason: fmt.Sprintf("%s has %s where %s has %s",
					run.Nodes[id], a[i], run.Nodes[id+1], b[i])}
			}
		}
	}
	return premises, nil
}
