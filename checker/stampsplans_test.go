package checker_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/downset/downset/checker"
	twophase "github.com/downset/downset/model/commit"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// skewed adds to a plan's load changes of clocks, in order of time.
func skewed(t *rapid.T, plan *sim.Plan) {
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		a := sim.Action{Verb: sim.Jump, Node: rapid.SampledFrom(plan.Nodes).Draw(t, "node"), Place: sim.At,
			Offset: time.Duration(rapid.Int64Range(0, 20_000_000).Draw(t, "at")),
			Amount: rapid.Int64Range(-5_000_000, 5_000_000).Draw(t, "jump")}
		if rapid.Bool().Draw(t, "drift") {
			a.Verb, a.Amount = sim.Drift, a.Amount/10
		}
		plan.Load = append(plan.Load, a)
	}
	slices.SortStableFunc(plan.Load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
}

// TestStampsKeepTheClockConditionsInRunsOfModels plays random plans, with crashes, losses and copies,
// and clocks that jump and drift: the stamps are those that Order and the clocks call for.
func TestStampsKeepTheClockConditionsInRunsOfModels(t *testing.T) {
	const most = 400 // entries of which all pairs are looked at
	ordered, blind, dragged := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]*sim.Protocol{register.Protocol, twophase.Protocol}).Draw(t, "model")
		plan := search.Random(p, p.Variants[0], rapid.Uint64Range(1, 1000).Draw(t, "seed"), search.Storm)
		skewed(t, plan)
		run, err := sim.Execute(plan)
		if err != nil {
			t.Fatal(err)
		}
		s, o, clocks := checker.NewStamps(run), checker.NewOrder(run), run.Clocks()
		end := min(len(run.Trace), most)
		for b := range end {
			if !s.Step(b) {
				continue
			}
			switch l := s.Hybrid(b).L; {
			case l < clocks[b]:
				t.Fatalf("hybrid time of %d has L %v, its node's clock shows %v", b, l, clocks[b])
			case l > clocks[b]:
				dragged++
			}
			for a := range b {
				if !s.Step(a) {
					continue
				}
				before := o.Before(a, b)
				if wrong := clockwise(s, a, b, before); wrong != "" {
					t.Fatalf("%d happened before %d: %v, but %s", a, b, before, wrong)
				}
				if before {
					ordered++
				} else if s.Lamport(a) < s.Lamport(b) {
					blind++
				}
			}
		}
	})
	if ordered == 0 || blind == 0 || dragged == 0 {
		t.Errorf("%d pairs ordered, %d not but by Lamport's clock, %d steps ahead of their node's clock: want some of each",
			ordered, blind, dragged)
	}
}
