package checker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

func TestWhatStepsDoNotDecideIsUndecided(t *testing.T) {
	w := checker.Workload{Clients: 6, Ops: 80, Keys: 1, Swaps: true}
	run := w.Run(1)
	spec := w.Spec()
	spec.Steps = 60
	_, v, panicked := check(checker.Linearizable(spec), run)
	want := sim.Undecided{Reason: "no verdict on 80 operations on a, 0 of them open, within 60 steps"}
	if v != nil || panicked != want {
		t.Errorf("60 steps: got %v, panic %v, want panic %v", v, panicked, want)
	}
	spec.Steps = 0
	if premises, v, panicked := check(checker.Linearizable(spec), run); v != nil || panicked != nil || premises != 80 {
		t.Errorf("2,000,000 steps: got %d premises, %v, panic %v, want 80, none", premises, v, panicked)
	}
}

func TestAllPartsShareTheSteps(t *testing.T) {
	steps := strings.Split("1 add x a;1 ok;1 add x b;1 ok;2 add y a;2 ok;2 add y b;2 ok;2 add y c;2 ok", ";")
	spec := registers
	for n, want := range map[int]bool{4: false, 5: true} {
		spec.Steps = n
		_, v, panicked := check(checker.Linearizable(spec), tell(steps...))
		if v != nil || (panicked == nil) != want {
			t.Errorf("5 operations one after the other, %d steps: got %v, panic %v, want decided: %v", n, v,
				panicked, want)
		}
	}
}

func TestOpenWritesThatNobodyReadCostNothing(t *testing.T) {
	steps := []string{"1 set x 1", "1 ok", "1 set x 2", "1 ok", "1 set x 1", "1 ok"} // twice, so no zones
	for i := range 30 {
		steps = append(steps, fmt.Sprintf("2 set x %d", 100+i), "2 ?")
	}
	steps = append(steps, "1 get x", "1 = 2")
	spec := registers
	spec.Steps = 1000
	if _, v, panicked := check(checker.Linearizable(spec), tell(steps...)); v == nil || panicked != nil {
		t.Errorf("a stale read after 30 open writes: got %v, panic %v, want a violation", v, panicked)
	}
}

func TestAWrongPartIsFoundBesideAnUndecidedOne(t *testing.T) {
	steps := []string{"1 get x", "1 = 9"}
	for _, c := range "23456789" {
		steps = append(steps, string(c)+" add y "+string(c))
	}
	for _, c := range "23456789" {
		steps = append(steps, string(c)+" ok")
	}
	steps = append(steps, "1 get y", "1 = 98765432")
	spec := registers
	spec.Steps = 5
	_, v, panicked := check(checker.Linearizable(spec), tell(steps...))
	if v == nil || v.Count != 1 || !strings.HasPrefix(v.Reason, "get x -> 9 (call 1) returned before") {
		t.Errorf("got %v, panic %v, want get x blamed", v, panicked)
	}
	_, v, panicked = check(checker.Linearizable(spec), tell(steps[2:]...))
	if _, undecided := panicked.(sim.Undecided); v != nil || !undecided {
		t.Errorf("without get x: got %v, panic %v, want undecided", v, panicked)
	}
}

func TestAThousandOperationsOfTwentyClientsAreDecided(t *testing.T) {
	w := checker.Workload{Clients: 20, Ops: 1000, Keys: 1, Open: 5}
	wrong := w
	wrong.Stale = 10
	spec := w.Spec()
	spec.Steps = 20_000 // far too few for a search
	property := checker.Linearizable(spec)
	broken := 0
	for seed := range uint64(15) {
		premises, v, panicked := check(property, w.Run(seed))
		if premises < 900 || v != nil || panicked != nil {
			t.Errorf("seed %d: got %d premises, %v, panic %v, want it to hold", seed, premises, v, panicked)
		}
		_, v, panicked = check(property, wrong.Run(seed))
		if panicked != nil {
			t.Errorf("seed %d, stale: got panic %v, want a verdict", seed, panicked)
		}
		if v != nil {
			broken++
		}
	}
	if broken < 10 {
		t.Errorf("%d of 15 histories with stale reads are wrong, want most", broken)
	}
}
