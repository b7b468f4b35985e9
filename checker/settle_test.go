package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// showing makes a tape's run one of a protocol that shows these observations.
func showing(t *tape, seen ...sim.Observation) *sim.Run {
	p := &sim.Protocol{Observe: func(*sim.Run) []sim.Observation { return seen }}
	t.run.Plan = &sim.Plan{Protocol: p}
	return t.run
}

func TestConverged(t *testing.T) {
	p := checker.Converged("converged", "data")
	both := func() *tape { return newTape("P", "Q") }
	for _, c := range []struct {
		name     string
		run      *sim.Run
		premises int
		reason   string
	}{
		{"equal values have converged", showing(both(), sim.Observation{Node: "P", Name: "data", Value: "x"},
			sim.Observation{Node: "Q", Name: "data", Value: "x"}), 1, ""},
		{"different values have not", showing(both(), sim.Observation{Node: "P", Name: "data", Value: "x"},
			sim.Observation{Node: "Q", Name: "data", Value: "y"}), 1, "P shows data x, but Q shows data y"},
		{"each key is compared", showing(both(),
			sim.Observation{Node: "P", Name: "data a", Value: "1"},
			sim.Observation{Node: "P", Name: "data b", Value: "2"},
			sim.Observation{Node: "Q", Name: "data a", Value: "1"},
			sim.Observation{Node: "Q", Name: "data b", Value: "3"}), 2,
			"P shows data b 2, but Q shows data b 3"},
		{"a key that the other lacks is a difference", showing(both(),
			sim.Observation{Node: "P", Name: "data a", Value: "1"},
			sim.Observation{Node: "Q", Name: "data a", Value: "1"},
			sim.Observation{Node: "Q", Name: "data b", Value: "3"}), 2,
			"Q shows data b 3, but P shows none"},
		{"other observations are not asked", showing(both(),
			sim.Observation{Node: "P", Name: "database", Value: "1"},
			sim.Observation{Node: "Q", Name: "role", Value: "2"}), 0, ""},
		{"a node that shows nothing is no replica", showing(newTape("P", "Q", "R"),
			sim.Observation{Node: "P", Name: "data", Value: "x"},
			sim.Observation{Node: "Q", Name: "data", Value: "x"}), 1, ""},
		{"a node that is down is not asked", func() *sim.Run {
			t := both()
			t.crash("Q", 0)
			return showing(t, sim.Observation{Node: "P", Name: "data", Value: "x"},
				sim.Observation{Node: "Q", Name: "data", Value: "y"})
		}(), 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			premises, v := p.Check(c.run)
			reason := ""
			if v != nil {
				reason = v.Reason
				if len(v.Witness) != 2 {
					t.Errorf("got witness %v, want the last steps of both", v.Witness)
				}
			}
			if premises != c.premises || reason != c.reason {
				t.Errorf("got %d %q, want %d %q", premises, reason, c.premises, c.reason)
			}
		})
	}
}

func TestConvergenceIsUndecidedInARunThatDidNotSettle(t *testing.T) {
	run := showing(newTape("P", "Q"), sim.Observation{Node: "P", Name: "data", Value: "x"},
		sim.Observation{Node: "Q", Name: "data", Value: "y"})
	run.End, run.Why = sim.Unsettled, "100 events were not enough"
	v := checker.Judge(run, []sim.Property{checker.Converged("converged", "data")})
	if v.Outcome != checker.Undecided {
		t.Errorf("got %v, want undecided", v.Outcome)
	}
}

func TestSettles(t *testing.T) {
	p := checker.Settles("settles")
	run := fine().run
	if premises, v := p.Check(run); premises != 1 || v != nil {
		t.Errorf("a settled run: got %d %v, want 1 and no violation", premises, v)
	}
	run.End, run.Why = sim.Unsettled, "100 events were not enough"
	_, v := p.Check(run)
	want := "the run did not come to rest: 100 events were not enough"
	if v == nil || v.Reason != want {
		t.Errorf("an unsettled run: got %+v, want %q", v, want)
	}
}
