package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// shelf is a set-up: a thing, and the nodes that have it.
type shelf struct {
	thing string
	on    []sim.NodeID
	text  string
}

func (s shelf) String() string { return s.text }

// keeper notes what it is asked for if it is the last that has it, else passes it on to the next.
type keeper struct{ sim.Idle }

func (k keeper) Invoke(env *sim.Env, c sim.Call) {
	k.Receive(env, env.ID, c.Op)
	env.Return(c.ID, item("ok"))
}

func (keeper) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) {
	for _, s := range env.Setup {
		s := s.(shelf)
		if s.thing != string(m.(item)) {
			continue
		}
		if at := slices.Index(s.on, env.ID); at < len(s.on)-1 {
			env.Send(s.on[at+1], m)
			return
		}
		env.Note(m)
	}
}

// keeping draws a shelf for each thing: a and b on one node, all others on two, and old.
var keeping = &sim.Protocol{
	Name: "keeping",
	Variants: []sim.Variant{{Name: "plain",
		New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &keeper{} }}},
	ParseOp: func(w []string) (sim.Op, error) { return item(w[0]), nil },
	ParseSetup: func(w, nodes []string) (any, error) {
		s := shelf{thing: w[0], text: strings.Join(w, " ")}
		for i, n := range w[1:] {
			if n == "aged" && i == len(w)-3 {
				break // what follows says how old it is
			}
			at := slices.Index(nodes, n)
			if at < 0 {
				return nil, fmt.Errorf("no node %s", n)
			}
			s.on = append(s.on, sim.NodeID(at))
		}
		if len(s.on) == 0 {
			return nil, fmt.Errorf("want nodes")
		}
		return s, nil
	},
	Cluster: func(d *sim.Draws) []any {
		var all []any
		for i, thing := range []string{"a", "b", "c", "d"} {
			first := int(d.Int(int64(len(d.Nodes)), "first", i))
			s := shelf{thing, []sim.NodeID{sim.NodeID(first)}, thing + " " + d.Nodes[first]}
			if i > 1 {
				next := (first + 1) % len(d.Nodes)
				s.on, s.text = append(s.on, sim.NodeID(next)), s.text+" "+d.Nodes[next]+" aged 7"
			}
			all = append(all, s)
		}
		return all
	},
	Draw: func(d *sim.Draws) []sim.Action {
		var load []sim.Action
		for i := range d.Ops {
			s := d.Setup[d.Int(int64(len(d.Setup)), "thing", i)].(shelf)
			load = append(load, sim.Action{Verb: sim.Request, Node: d.Node("n", i), Words: []string{s.thing},
				Place: sim.At, Offset: time.Duration(i) * time.Millisecond})
		}
		return load
	},
}

// shared says that the first who has a thing was asked for it, and the second notes it, and that
// there is something else as well.
func shared(p *sim.Plan, run *sim.Run) bool {
	for _, e := range run.Trace {
		if e.Kind != sim.EntryArrived || len(p.Setup) < 2 {
			continue
		}
		for _, s := range p.Setup {
			s := s.(shelf)
			if s.thing == string(e.Body.(item)) && len(s.on) > 1 && s.on[0] == e.Node {
				return true
			}
		}
	}
	return false
}

func TestADrawnClusterShrinksWithItsSetup(t *testing.T) {
	tried := 0
	for seed := uint64(201); seed <= 320; seed++ {
		plan := search.Random(keeping, keeping.Variants[0], seed, search.Calm)
		if len(plan.Nodes) < 4 {
			continue
		}
		s := &search.Shrinking{Same: shared}
		small := s.Shrink(plan)
		if small == nil {
			continue
		}
		tried++
		p := small.Plan
		one, other := p.Setup[0].(shelf), p.Setup[1].(shelf)
		if other.thing == "x" {
			one, other = other, one
		}
		got := fmt.Sprintln(p.Nodes, len(p.Setup), one, one.on, other.thing, len(other.on),
			len(p.Script)+len(p.Load), p.Timed)
		if want := "[P Q] 2 x P Q [0 1] y 1 1 false\n"; got != want {
			t.Errorf("seed %d: shrunk to nodes, lines, the shelf and its nodes, the other one and how many "+
				"nodes, requests, timed: %s, want %s", seed, got, want)
		}
	}
	if tried < 10 {
		t.Errorf("%d plans of four nodes or more failed and were shrunk, want at least 10", tried)
	}
}

func TestASetupIsDrawnFromTheSeedAlone(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		one := search.Random(keeping, keeping.Variants[0], seed, search.Mix)
		other := search.Random(keeping, keeping.Variants[0], seed, search.Mix)
		if len(one.Setup) != 4 || fmt.Sprint(one.Setup) != fmt.Sprint(other.Setup) {
			t.Errorf("seed %d: set-ups %v and %v, want two equal ones of four lines", seed, one.Setup,
				other.Setup)
		}
	}
}

func TestARequestOfAShrunkPlanSpeaksOfNodesThatAreThere(t *testing.T) {
	p := *passing
	p.OpNodes = func(op sim.Op) []string { return []string{string(op.(item))} }
	plan := losing(sim.Losses)
	plan.Protocol, plan.Script = &p, []sim.Action{asked("A", "C"), asked("B", "C")}
	s := &search.Shrinking{Same: func(p *sim.Plan, _ *sim.Run) bool { return len(p.Script) == 2 }}
	out := s.Shrink(plan)
	if out == nil {
		t.Fatal("the plan does not fail, want that it does")
	}
	for _, a := range out.Plan.Script {
		if !slices.Contains(out.Plan.Nodes, a.Words[0]) {
			t.Errorf("shrunk to %q among nodes %v, want none but these in it", brief(out.Plan), out.Plan.Nodes)
		}
	}
}
