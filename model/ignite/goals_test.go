package ignite_test

import (
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// reached counts in how many drawn runs of a variant each goal is reached, until all are or there
// are no more seeds.
func reached(t *testing.T, variant string, seeds uint64) (counts []int, last uint64) {
	t.Helper()
	v, err := ignite.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	counts = make([]int, len(ignite.Protocol.Goals))
	missing := len(counts)
	w := new(sim.World)
	for last = 1; last <= seeds && missing > 0; last++ {
		run, err := w.Execute(search.Random(ignite.Protocol, v, last, search.Mix), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run.Memo = map[any]any{}
		for i, g := range ignite.Protocol.Goals {
			if g.Count(run) > 0 {
				if counts[i]++; counts[i] == 1 {
					missing--
				}
			}
		}
	}
	return counts, last - 1
}

func TestEveryGoalIsReachedByDrawnRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a few runs come to a few things")
	}
	counts, last := reached(t, "fixed", 2000)
	t.Logf("the last goal is reached under seed %d", last)
	for i, g := range ignite.Protocol.Goals {
		if counts[i] == 0 {
			t.Errorf("no run of 2000 reached %s: %s", g.Name, g.Doc)
		}
	}
}

func TestGoalsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range ignite.Protocol.Goals {
		if seen[g.Name] || g.Doc == "" {
			t.Errorf("goal %q: want a name of its own and a doc, got the doc %q", g.Name, g.Doc)
		}
		seen[g.Name] = true
	}
}

func TestARunWithoutRequestsReachesNoGoal(t *testing.T) {
	plan := search.Random(ignite.Protocol, ignite.Protocol.Variants[0], 7, search.Calm)
	plan.Load = nil
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range ignite.Protocol.Goals {
		if n := g.Count(run); n != 0 {
			t.Errorf("a run without requests reached %s %d times", g.Name, n)
		}
	}
}
