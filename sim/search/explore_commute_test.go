package search_test

import (
	"testing"

	"github.com/downset/downset/sim"
)

// reducedLikeFull compares a story of blank machines as it is explored in full with what is left of
// it when moves are left out: the same final states and verdicts must come of both.
func reducedLikeFull(t *testing.T, x tiny, states int) {
	t.Helper()
	p := blanks(x)
	plan := x.plan(p, p.Variants[0])
	all, every := explored(t, plan, x.opt, true, 1)
	few, some := explored(t, plan, x.opt, false, 1)
	if why := few.against(all); why != "" {
		t.Errorf("reduced: %s", why)
	}
	if len(all.states) != states {
		t.Errorf("%d final states, want %d: the order that matters is not there", len(all.states), states)
	}
	t.Logf("%d states in full, %d reduced", every.States, some.States)
}

// TestTwoInputsThatSendOnOneStreamDoNotCommute has two messages cross, each of which makes Q send R
// another one on a stream that is there: R gets them in the order in which Q got the first two.
func TestTwoInputsThatSendOnOneStreamDoNotCommute(t *testing.T) {
	reducedLikeFull(t, tiny{model: "probes", nodes: "P Q R",
		rules: []reaction{{"Q got x", "flow R 1"}, {"Q got y", "flow R 2"},
			{"R got 1", "note a"}, {"R got 2", "note b"}},
		script: []string{"1 Q flow R 0", "1 P send Q x; send Q y"}}, 2)
}

// TestTwoInputsThatSendOnTwoStreamsCommute is the same with a stream each, to nodes that note it:
// nothing tells the orders apart.
func TestTwoInputsThatSendOnTwoStreamsCommute(t *testing.T) {
	x := tiny{model: "probes", nodes: "P Q R",
		rules: []reaction{{"Q got x", "flow R 1"}, {"Q got y", "flow P 2"},
			{"R got 1", "note a"}, {"P got 2", "note b"}},
		script: []string{"1 Q flow R 0; flow P 0", "1 P send Q x; send Q y"}}
	reducedLikeFull(t, x, 1)
	p := blanks(x)
	_, every := explored(t, x.plan(p, p.Variants[0]), sim.WalkOptions{}, true, 1)
	_, some := explored(t, x.plan(p, p.Variants[0]), sim.WalkOptions{}, false, 1)
	if some.States >= every.States {
		t.Errorf("%d states reduced, %d in full, want fewer", some.States, every.States)
	}
}
