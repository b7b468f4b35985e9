package search_test

import (
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// haunted is a protocol that stands every kind of fault and has a nemesis of its own.
func haunted() *sim.Protocol {
	p := standing()
	p.Nemeses = []sim.Nemesis{{Name: "pest", Doc: "pauses whoever notes item", Draw: func(d *sim.Draws) sim.Strike {
		n := d.Node("whom")
		return sim.Strike{Setup: []any{"pest"},
			Armed: []sim.Action{{Verb: sim.Pause, Node: n,
				When: &sim.Trigger{Event: sim.Event{Node: n, What: sim.Notes, Kind: "item"}}}},
			Load: []sim.Action{{Verb: sim.Resume, Node: n, Offset: time.Millisecond}}}
	}}}
	return p
}

// pested says whether the nemesis of haunted is in a plan, with all that belongs to it.
func pested(p *sim.Plan) bool {
	whole := len(p.Setup) == 1 && len(p.Script) > 0 && p.Script[0].Verb == sim.Pause &&
		p.Script[0].Maybe && acts(p.Load, sim.Resume)
	return whole
}

func TestANemesisThatIsAskedForComesAloneAndInEverySeed(t *testing.T) {
	p := haunted()
	for seed := uint64(1); seed <= 300; seed++ {
		plan := search.Adversity{Nemesis: "pest"}.Random(p, p.Variants[0], seed)
		if got := kinds(plan); !pested(plan) || !slices.Equal(got, []string{"moment"}) || len(plan.Script) != 1 {
			t.Fatalf("seed %d: got faults %v, script %v, want the pest alone", seed, got, plan.Script)
		}
	}
}

func TestTheMixHasANemesisInSomeSeedsACalmNeverAStormAlways(t *testing.T) {
	p := haunted()
	for _, c := range []struct {
		of          search.Temperament
		least, most int // of 300 seeds
	}{{search.Mix, 120, 220}, {search.Swarm, 60, 140}, {search.Storm, 300, 300}, {search.Calm, 0, 0}} {
		n := 0
		for seed := uint64(1); seed <= 300; seed++ {
			if pested(search.Random(p, p.Variants[0], seed, c.of)) {
				n++
			}
		}
		if n < c.least || n > c.most {
			t.Errorf("%v: %d of 300 seeds have the pest, want %d to %d", c.of, n, c.least, c.most)
		}
	}
}

func TestFaultsByChanceHaveNoFactsAndFaultsByFactsNothingElse(t *testing.T) {
	p, struck := haunted(), 0
	for seed := uint64(1); seed <= 300; seed++ {
		chance := search.Adversity{Temperament: search.Storm, Nemesis: search.ByChance}.Random(p, p.Variants[0], seed)
		if got := kinds(chance); len(chance.Script) > 0 || len(got) < 10 {
			t.Fatalf("seed %d: by chance there is %v and a script %v, want a storm without triggers", seed,
				got, chance.Script)
		}
		facts := search.Adversity{Nemesis: search.ByFacts}.Random(p, p.Variants[0], seed)
		for _, a := range facts.Script {
			if a.When == nil || !a.Maybe {
				t.Fatalf("seed %d: %+v is not set off by a fact", seed, a)
			}
		}
		if n := &facts.Network; n.Crash+n.Break+n.Links[0].Loss > 0 || n.DiskSlow {
			t.Fatalf("seed %d: by facts the network is %+v, want no fault of it", seed, n)
		}
		struck += len(facts.Script)
	}
	if struck < 600 {
		t.Errorf("300 seeds by facts have %d strikes, want three of most", struck)
	}
}

func TestANemesisThatIsNoneIsRefusedByName(t *testing.T) {
	p := haunted()
	for name, want := range map[string]string{"": "", "random": "", "facts": "", "pest": "",
		"pets": `passing has no nemesis "pets"; did you mean "pest"?`} {
		got := ""
		if err := (search.Adversity{Nemesis: name}).Fits(p); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
