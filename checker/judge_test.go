package checker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// claim is a property that comes to what it is told.
func claim(name string, layer uint8, premises int, reason string) sim.Property {
	return sim.Property{Name: name, Layer: layer, Check: func(*sim.Run) (int, *sim.Violation) {
		if reason == "" {
			return premises, nil
		}
		return premises, &sim.Violation{Reason: reason}
	}}
}

func atEnd(p sim.Property) sim.Property {
	p.Scope = sim.ScopeEnd
	return p
}

func panics(name string, with any) sim.Property {
	return sim.Property{Name: name, Check: func(*sim.Run) (int, *sim.Violation) { panic(with) }}
}

func TestJudge(t *testing.T) {
	holds, idle := claim("good", 0, 3, ""), claim("idle", 0, 0, "")
	low, high := claim("low", 1, 1, "low fails"), claim("high", 2, 1, "high fails")
	lower := claim("below", 1, 1, "below fails")
	gaveUp := panics("long", sim.Undecided{Reason: "2,000,000 steps were not enough"})
	settled, unsettled := &sim.Run{}, &sim.Run{End: sim.Unsettled, Why: "100 events were not enough"}
	for _, c := range []struct {
		name       string
		run        *sim.Run
		properties []sim.Property
		outcome    checker.Outcome
		layer      uint8
		broken     string
		undecided  string // of all findings
	}{
		{"what has a premise and no violation holds", settled, []sim.Property{holds, idle},
			checker.Holds, 0, "", ""},
		{"a run is vacuous if no property has a premise", settled, []sim.Property{idle, idle},
			checker.Vacuous, 0, "", ""},
		{"nothing asked is nothing broken", settled, nil, checker.Holds, 0, "", ""},
		{"the lowest broken layer is named, sorted", settled, []sim.Property{high, low, holds, lower},
			checker.Broken, 1, "below low", ""},
		{"a name is named once", settled, []sim.Property{low, low}, checker.Broken, 1, "low", ""},
		{"broken wins over undecided", settled, []sim.Property{gaveUp, high}, checker.Broken, 2, "high",
			"2,000,000 steps were not enough"},
		{"undecided wins over vacuous", settled, []sim.Property{idle, gaveUp}, checker.Undecided, 0, "",
			"2,000,000 steps were not enough"},
		{"undecided wins over holds", settled, []sim.Property{holds, gaveUp}, checker.Undecided, 0, "",
			"2,000,000 steps were not enough"},
		{"a claim about the end wants a run that settled", unsettled,
			[]sim.Property{holds, atEnd(high)}, checker.Undecided, 0, "", "100 events were not enough"},
		{"and is judged if it did", settled, []sim.Property{atEnd(high)}, checker.Broken, 2, "high", ""},
		{"another claim is judged all the same", unsettled, []sim.Property{high}, checker.Broken, 2,
			"high", ""},
		{"a check that panics has decided nothing", settled, []sim.Property{holds, panics("x", "oops")},
			checker.Undecided, 0, "", "check panicked: oops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := checker.Judge(c.run, c.properties)
			var undecided []string
			for _, f := range v.Findings {
				if f.Undecided != "" {
					undecided = append(undecided, f.Undecided)
				}
			}
			got := fmt.Sprintf("%v %d %v %s", v.Outcome, v.Layer, v.Broken(), undecided)
			want := fmt.Sprintf("%v %d %v [%s]", c.outcome, c.layer, strings.Fields(c.broken),
				c.undecided)
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if len(v.Findings) != len(c.properties) {
				t.Errorf("got %d findings of %d properties", len(v.Findings), len(c.properties))
			}
		})
	}
}

func TestAMachinesPanicIsAViolation(t *testing.T) {
	run := forwards().run
	run.End, run.Why = sim.Panicked, "Q panicked"
	run.Panic = &sim.Panic{Node: 1, Entry: 3, Value: "index out of range"}
	v := checker.Judge(run, []sim.Property{atEnd(claim("end", 0, 1, ""))})
	if got := v.Broken(); v.Outcome != checker.Broken || !slices.Equal(got, []string{"panic"}) {
		t.Fatalf("got %v %v, want panic broken", v.Outcome, got)
	}
	f := v.Lowest()[0].Violation
	if want := "Q panicked: index out of range"; f.Reason != want || !slices.Equal(f.Witness, []int{3}) {
		t.Errorf("got %q %v, want %q [3]", f.Reason, f.Witness, want)
	}
	run.Panic.Entry = len(run.Trace)
	if w := checker.Judge(run, nil).Lowest()[0].Violation.Witness; w != nil {
		t.Errorf("got witness %v for an entry that the trace lacks, want none", w)
	}
}

func TestClaimsThatMachinesSayFailedAreViolations(t *testing.T) {
	tp := newTape("P", "Q")
	tp.ask("P")
	first := tp.effect(sim.EntryFailed, sim.Failure{Claim: "one-leader", Why: "two lead term 3"})
	tp.effect(sim.EntryFailed, sim.Failure{Claim: "log-grows", Why: "it shrank"})
	tp.ask("Q")
	tp.effect(sim.EntryFailed, sim.Failure{Claim: "one-leader", Why: "two lead term 4"})
	v := checker.Judge(tp.run, []sim.Property{claim("other", 0, 1, "")})
	if got := v.Broken(); !slices.Equal(got, []string{"log-grows", "one-leader"}) {
		t.Fatalf("got %v, want both claims broken", got)
	}
	f := v.Findings[0]
	if want := "P says that one-leader fails: two lead term 3"; f.Violation.Reason != want {
		t.Errorf("got %q, want %q", f.Violation.Reason, want)
	}
	if !slices.Equal(f.Violation.Witness, []int{first}) || f.Violation.Count != 2 || f.Premises != 2 {
		t.Errorf("got witness %v, count %d, premises %d, want [%d] 2 2", f.Violation.Witness,
			f.Violation.Count, f.Premises, first)
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	got := fmt.Sprint(checker.Holds, checker.Broken, checker.Undecided, checker.Vacuous)
	if want := "holds broken undecided vacuous"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
