package main

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// next is the property that a word is said to the next node, and to no other.
var next = sim.Property{Name: "next", Check: func(run *sim.Run) (premises int, v *sim.Violation) {
	for i, e := range run.Trace {
		s, is := e.Body.(say)
		if e.Kind != sim.EntrySent || !is || s.Back {
			continue
		}
		premises++
		if int(e.Peer) != (int(e.Node)+1)%len(run.Nodes) {
			return premises, &sim.Violation{Witness: []int{i},
				Reason: fmt.Sprintf("%s says %s to %s", run.Name(e.Node), s.Word, run.Name(e.Peer))}
		}
	}
	return premises, nil
}}

func TestWordsGoToTheNextNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := &sim.Plan{Protocol: Protocol, Variant: Protocol.Variants[0], Timed: true}
		plan.Nodes = []string{"A", "B", "C", "D"}[:rapid.IntRange(2, 4).Draw(t, "nodes")]
		plan.Seed = rapid.Uint64Min(1).Draw(t, "seed") // of all that chance decides
		for _, word := range rapid.SliceOf(rapid.StringMatching("[a-z]+")).Draw(t, "words") {
			plan.Script = append(plan.Script, sim.Action{Verb: sim.Request, Words: []string{word},
				Node: rapid.SampledFrom(plan.Nodes).Draw(t, "who")})
		}
		run, err := sim.Execute(plan)
		if err != nil {
			t.Fatal(err)
		}
		if broken := checker.Judge(run, []sim.Property{next, Protocol.Properties[0]}).Broken(); len(broken) > 0 {
			t.Fatalf("it breaks %s", broken)
		}
	})
}
