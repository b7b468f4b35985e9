package cut_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
)

// right are the forms that hold whatever the weather; wrong are published forms that do not, with
// what breaks.
var (
	right = []string{"signed", "signed/channel=stream", "signed/start=told", "markers"}
	wrong = map[string]string{
		"unsigned": "consistent-cut", "unsigned/start=told": "consistent-cut",
		"markers/channel=datagram": "channel-state",
	}
)

// seeds is how many random plans a test plays.
func seeds(most uint64) uint64 {
	if testing.Short() {
		return most / 5
	}
	return most
}

func TestRightVariantsHoldOnRandomPlans(t *testing.T) {
	for _, name := range right {
		t.Run(name, func(t *testing.T) {
			w := new(sim.World)
			for seed := uint64(1); seed <= seeds(400); seed++ {
				run, verdict := played(t, w, randomPlan(t, name, seed))
				if verdict.Outcome != checker.Holds {
					t.Fatalf("%s, random plan %d: got %v, want holds\n%s", name, seed, verdict.Outcome,
						complaint(run, verdict))
				}
			}
		})
	}
}

func TestWrongVariantsBreakOnRandomPlans(t *testing.T) {
	for _, name := range []string{"unsigned", "unsigned/start=told", "markers/channel=datagram"} {
		t.Run(name, func(t *testing.T) { killed(t, name, wrong[name]) })
	}
}

func TestEveryMutantIsCaughtByThePropertyItNamesOnRandomPlans(t *testing.T) {
	count := 0
	for _, v := range cut.Protocol.Variants {
		if !v.Mutant() {
			continue
		}
		count++
		t.Run(v.Name, func(t *testing.T) { killed(t, v.Name, v.Breaks) })
	}
	if count < 10 {
		t.Errorf("%d mutants, want at least 10", count)
	}
}

// killed plays random plans until a variant has broken a property among those of the lowest layer.
func killed(t *testing.T, name, property string) {
	t.Helper()
	w, runs, broken := new(sim.World), uint64(0), 0
	for seed := uint64(1); seed <= 3000 && (broken == 0 || seed <= seeds(200)); seed++ {
		_, verdict := played(t, w, randomPlan(t, name, seed))
		runs++
		if slices.Contains(verdict.Broken(), property) {
			broken++
		}
	}
	if broken == 0 {
		t.Fatalf("%s broke %s in none of %d random plans", name, property, runs)
	}
	t.Logf("%s breaks %s in %d of %d random plans", name, property, broken, runs)
}

func TestRandomPlansReachEveryGoal(t *testing.T) {
	reached := make([]int, len(cut.Protocol.Goals))
	for _, name := range []string{"signed", "markers"} {
		for seed := uint64(1); seed <= 200; seed++ {
			run, _ := played(t, new(sim.World), randomPlan(t, name, seed))
			for i, g := range cut.Protocol.Goals {
				reached[i] += g.Count(run)
			}
		}
	}
	for i, g := range cut.Protocol.Goals {
		if reached[i] == 0 {
			t.Errorf("goal %s (%s) reached in none of 400 random plans", g.Name, g.Doc)
		}
	}
}

func TestEveryPropertyMeetsItsPremiseOnRandomPlans(t *testing.T) {
	premises := map[string]int{}
	for seed := uint64(1); seed <= 100; seed++ {
		_, verdict := played(t, new(sim.World), randomPlan(t, "signed", seed))
		for _, f := range verdict.Findings {
			premises[f.Property.Name] += f.Premises
		}
	}
	for _, p := range cut.Protocol.Properties {
		if premises[p.Name] == 0 {
			t.Errorf("%s met its premise in none of 100 random plans of signed", p.Name)
		}
	}
}

// complaint is what was found wrong with a run, a line each.
func complaint(run *sim.Run, v checker.Verdict) string {
	text := ""
	for _, f := range v.Findings {
		switch {
		case f.Violation != nil:
			text += "\t" + f.Property.Name + ": " + f.Violation.Reason + "\n"
		case f.Undecided != "":
			text += "\t" + f.Property.Name + " undecided: " + f.Undecided + "\n"
		}
	}
	return text
}
