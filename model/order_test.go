package model_test

import (
	"fmt"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// ordered: the vector clocks of a run say of two entries that one happened before the other if, and
// only if, steps of one node and the causes that carry lead from one to the other.
func ordered(p *sim.Plan) (name, why string) {
	run, err := sim.Execute(p)
	if err != nil {
		return "playable", err.Error()
	}
	if len(run.Trace) > 400 {
		return "", "" // every pair is looked at
	}
	past, order := reached(run), checker.NewOrder(run)
	for b := range run.Trace {
		for a := range run.Trace {
			if got, want := order.Before(a, b), past[b][a]; got != want {
				return "order", fmt.Sprintf("Before(%d, %d) = %v, want %v", a, b, got, want)
			}
			x, y := order.Clock(a), order.Clock(b)
			if x == nil || y == nil || a == b {
				continue
			}
			if got, want := less(x, y), past[b][a]; got != want {
				return "order", fmt.Sprintf("%d has %v and %d has %v: less is %v, want %v", a, x, b, y,
					got, want)
			}
		}
	}
	return "", ""
}

// reached is, for each entry, which entries a walk back from it comes to.
func reached(run *sim.Run) [][]bool {
	past := make([][]bool, len(run.Trace))
	last := make([]int, len(run.Nodes)) // by node: its last step, plus one
	for i, e := range run.Trace {
		past[i] = make([]bool, len(run.Trace))
		from := func(k int) {
			past[i][k] = true
			for at, is := range past[k] {
				past[i][at] = past[i][at] || is
			}
		}
		if e.Kind.Carries() && e.Cause >= 0 {
			from(int(e.Cause))
		}
		if e.Kind.Local() && int(e.Node) < len(run.Nodes) {
			if last[e.Node] > 0 {
				from(last[e.Node] - 1)
			}
			last[e.Node] = i + 1
		}
	}
	return past
}

// less says that a vector clock is below another one.
func less(x, y []int32) bool {
	below := false
	for i := range x {
		if x[i] > y[i] {
			return false
		}
		below = below || x[i] < y[i]
	}
	return below
}
