package search_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Moves that meet what is on its way to another node, where a reduction might think that they do
// not.

type letter string

func (l letter) Kind() string { return string(l) }

// poster sends bad to B and ping to C; when C answers, good takes the place of bad if that is still
// on its way.
type poster struct{ sim.Idle }

func (poster) Invoke(env *sim.Env, c sim.Call) {
	env.Stream(1, 0).Send(letter("bad"))
	env.Send(2, letter("ping"))
	env.Return(c.ID, nil)
}

func (poster) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m.Kind() {
	case "ping":
		env.Send(from, letter("pong"))
	case "pong":
		env.Stream(1, 0).Send(letter("good"))
	default:
		env.Note(m)
	}
}

func posters() *sim.Protocol {
	return &sim.Protocol{
		Name:     "posters",
		Lanes:    []sim.LaneSpec{{Name: "box", Mailbox: true}},
		Variants: []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &poster{} }}},
		ParseOp:  func(words []string) (sim.Op, error) { return letter(words[0]), nil },
		Properties: []sim.Property{{Name: "never-bad", Check: func(run *sim.Run) (int, *sim.Violation) {
			for i, e := range run.Trace {
				if e.Kind == sim.EntryNoted && e.Body.Kind() == "bad" {
					return 1, &sim.Violation{Reason: "B got bad", Witness: []int{i}}
				}
			}
			return 1, nil
		}}},
	}
}

func TestAReplacementInAMailboxIsNoMoveOfItsNodeAlone(t *testing.T) {
	p := posters()
	plan := &sim.Plan{Protocol: p, Variant: p.Variants[0], Nodes: []string{"A", "B", "C"},
		Script: []sim.Action{{Verb: sim.Request, Node: "A", Words: []string{"go"}}}}
	judge := func(run *sim.Run) search.Finding {
		return search.Finding{Broken: checker.Judge(run, p.Properties).Broken()}
	}
	for _, full := range []bool{true, false} {
		x, err := search.Explore(search.Exploration{Plan: plan, Judge: judge, Full: full, All: true,
			Jobs: 1, Walk: sim.WalkOptions{Deep: true}})
		if err != nil || !x.Complete || len(x.Broken) != 1 {
			t.Errorf("full %v: complete %v, broken %v, error %v; want never-bad found in a whole space",
				full, x.Complete, x.Broken, err)
		}
	}
}

// bell notes in a step of its own that it was rung.
type bell struct{ sim.Idle }

func (bell) Invoke(env *sim.Env, c sim.Call) {
	env.Later(letter("rung"))
	env.Return(c.ID, nil)
}

func (bell) Receive(env *sim.Env, _ sim.NodeID, m sim.Message) { env.Note(m) }

func TestTheOrderOfFactsOfDifferentNodesIsKeptApartWhereItIsAskedFor(t *testing.T) {
	p := posters()
	v := sim.Variant{Name: "bells", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &bell{} }}
	plan := &sim.Plan{Protocol: p, Variant: v, Nodes: []string{"A", "B"}, Script: []sim.Action{
		{Verb: sim.Request, Node: "A", Words: []string{"go"}, Client: 1},
		{Verb: sim.Request, Node: "B", Words: []string{"go"}, Client: 1},
	}}
	for _, full := range []bool{true, false} {
		first := map[sim.NodeID]int{}
		judge := func(run *sim.Run) search.Finding {
			for _, e := range run.Trace {
				if e.Kind == sim.EntryNoted {
					first[e.Node]++
					break
				}
			}
			return search.Finding{}
		}
		x, err := search.Explore(search.Exploration{Plan: plan, Judge: judge, Full: full, Jobs: 1,
			Walk: sim.WalkOptions{Deep: true, Order: true}})
		if err != nil || !x.Complete || len(first) != 2 {
			t.Errorf("full %v: complete %v, first to note %v, error %v; want either node", full,
				x.Complete, first, err)
		}
	}
}
