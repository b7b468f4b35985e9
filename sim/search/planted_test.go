package search_test

import (
	"testing"

	"github.com/downset/downset/sim"
)

// prunedBy goes through the states of a story once each, as Explore does, with what next leaves of
// the moves.
func prunedBy(t *testing.T, plan *sim.Plan, opt sim.WalkOptions, next func(*sim.World, *sim.State, []sim.Move) []sim.Move) *ends {
	t.Helper()
	w, found, seen := new(sim.World), newEnds(opt.Deep), map[uint64]bool{}
	opt.Trace = true
	root, err := w.Walk(plan, opt)
	if err != nil {
		t.Fatal(err)
	}
	var visit func(*sim.State)
	visit = func(s *sim.State) {
		if seen[s.Sum] {
			return
		}
		seen[s.Sum] = true
		w.Load(s)
		moves := next(w, s, w.Moves(nil))
		if s.Quiet {
			found.add(w.End(s), "")
		}
		for i := 0; i < len(moves); i++ {
			m := moves[i]
			w.Load(s)
			tails, ok := w.Move(m)
			if !ok {
				found.add(w.Fallen(), "")
				continue
			}
			if m.Crash == 0 && m.Kind != sim.MoveCrash && s.MayCrash() {
				moves = append(moves, m.Within(tails, opt.Keep)...)
			}
			visit(w.Save(nil))
		}
	}
	visit(root)
	return found
}

func TestAPruningThatTakesAllDeliveriesForIndependentIsFound(t *testing.T) {
	everything := func(_ *sim.World, _ *sim.State, moves []sim.Move) []sim.Move { return moves }
	firstOnly := func(_ *sim.World, _ *sim.State, moves []sim.Move) []sim.Move {
		kept, met := moves[:0], false
		for _, m := range moves {
			if m.Kind == sim.MoveDeliver && met {
				continue
			}
			met = met || m.Kind == sim.MoveDeliver
			kept = append(kept, m)
		}
		return kept
	}
	caught := map[string]int{}
	for _, x := range tinies {
		p := x.protocol()
		for _, v := range p.Variants[:1] {
			plan, opt := x.plan(p, v), x.opt
			for _, opt.Deep = range []bool{x.opt.Crashes == 0} {
				all := newEnds(opt.Deep)
				if _, ok := unpruned(plan, opt, all); !ok {
					continue
				}
				if why := prunedBy(t, plan, opt, everything).against(all); why != "" {
					t.Errorf("%s, every move: %s", x.name(v.Name), why)
				}
				if prunedBy(t, plan, opt, firstOnly).against(all) != "" {
					caught[p.Name]++
				}
			}
		}
	}
	t.Logf("stories that show it: %v", caught)
	for _, name := range []string{"cut", "commit", "probes"} {
		if caught[name] == 0 {
			t.Errorf("no story of %s shows it", name)
		}
	}
}

func TestACompleteExplorationDoesNotDependOnJobs(t *testing.T) {
	for _, x := range tinies {
		p := x.protocol()
		v := p.Variants[len(p.Variants)-1]
		plan, opt := x.plan(p, v), x.opt
		for _, full := range []bool{true, false} {
			opt.Deep = !opt.Deep
			_, one := explored(t, plan, opt, full, 1)
			_, two := explored(t, plan, opt, full, 2)
			if one.States != two.States || one.Transitions != two.Transitions ||
				one.Ends != two.Ends {
				t.Errorf("%s, full %v: two jobs came to %d states, %d moves, %d ends, one to %d, %d,"+
					" %d", x.name(v.Name), full, two.States, two.Transitions, two.Ends, one.States,
					one.Transitions, one.Ends)
			}
		}
	}
}
