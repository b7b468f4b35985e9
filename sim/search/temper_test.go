package search_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// standing is a protocol that stands every kind of fault.
func standing() *sim.Protocol {
	p := *passing
	p.Stands, p.Joins = ^sim.Faults(0), true
	p.Moments = []sim.Moment{{What: sim.Notes, Kind: "item"}}
	return &p
}

// kinds are the kinds of fault that a plan has.
func kinds(p *sim.Plan) []string {
	n := &p.Network
	all := []struct {
		name string
		has  bool
	}{
		{"loss", n.Links[0].Loss > 0}, {"duplicates", n.Links[0].Duplicate > 0},
		{"breaks", n.Break > 0}, {"crashes", n.Crash > 0}, {"torn records", n.Torn > 0},
		{"slow disks", n.DiskSlow}, {"late timers", n.Late.High > 0},
		{"partition", acts(p.Load, sim.Partition)}, {"pause", acts(p.Load, sim.Pause)},
		{"crash", acts(p.Load, sim.Crash)}, {"clock", acts(p.Load, sim.Jump)},
		{"leave", acts(p.Load, sim.Leave)}, {"moment", len(p.Script) > 0},
	}
	var names []string
	for _, k := range all {
		if k.has {
			names = append(names, k.name)
		}
	}
	return names
}

func acts(actions []sim.Action, v sim.Verb) bool {
	return slices.ContainsFunc(actions, func(a sim.Action) bool { return a.Verb == v })
}

func TestACalmHasNoFaultsAStormHasAllAndASwarmMostlyFew(t *testing.T) {
	p := standing()
	swarms, joined := 0, false
	for seed := uint64(1); seed <= 300; seed++ {
		plan := func(t search.Temperament) *sim.Plan {
			return search.Random(p, p.Variants[0], seed, t)
		}
		calm := plan(search.Calm)
		if got := kinds(calm); len(got) > 0 {
			t.Errorf("seed %d: a calm has %v, want no fault", seed, got)
		}
		joined = joined || acts(calm.Load, sim.Join)
		want := 13
		if len(calm.Nodes) < 3 {
			want = 12 // nobody leaves two
		}
		if got := kinds(plan(search.Storm)); len(got) != want {
			t.Errorf("seed %d: a storm has %v, want all %d kinds", seed, got, want)
		}
		swarms += len(kinds(plan(search.Swarm)))
	}
	if mean := swarms / 3; mean < 300 || mean > 500 {
		t.Errorf("swarms have %d.%02d of 13 kinds of fault, want three to five", mean/100, mean%100)
	}
	if !joined {
		t.Error("no node joins in a calm: that is no fault")
	}
}

// What a temperament leaves open is as in the mix, so that a difference is its own.
func TestATemperamentOfDelaysLeavesTheFaultsOfTheMixAndTheOtherWayRound(t *testing.T) {
	p := standing()
	for seed := uint64(1); seed <= 300; seed++ {
		mix := search.Random(p, p.Variants[0], seed, search.Mix)
		for i := range search.Temperaments() {
			temperament := search.Temperament(i)
			plan := search.Random(p, p.Variants[0], seed, temperament)
			delays := plan.Network.Links[0].Delay == mix.Network.Links[0].Delay
			faults := slices.Equal(kinds(plan), kinds(mix)) && reflect.DeepEqual(plan.Load, mix.Load)
			if temperament < search.Calm && !faults || temperament >= search.Calm && !delays {
				t.Errorf("seed %d, %v: faults %v, delays %v as in the mix", seed, temperament, faults, delays)
			}
		}
	}
}

func TestTheMixHasTheSharesThatItSays(t *testing.T) {
	const seeds = 8000
	p := standing()
	shapes, weathers := map[sim.Shape]int{}, map[string]int{}
	for seed := uint64(1); seed <= seeds; seed++ {
		plan := search.Random(p, p.Variants[0], seed, search.Mix)
		shapes[plan.Network.Links[0].Delay.Shape]++
		switch n := len(kinds(plan)); {
		case n == 0:
			weathers["calm"]++
		case n >= 12:
			weathers["storm"]++
		default:
			weathers["swarm"]++
		}
	}
	for _, c := range []struct {
		name        string
		got, eights int
	}{
		{"constant", shapes[sim.Constant], 1}, {"uniform", shapes[sim.Uniform], 1},
		{"ranked", shapes[sim.Ranked], 1}, {"heavy", shapes[sim.Heavy], 5},
		{"calm", weathers["calm"], 2}, {"swarm", weathers["swarm"], 3}, {"storm", weathers["storm"], 3},
	} {
		if want := c.eights * seeds / 8; c.got < want-200 || c.got > want+200 {
			t.Errorf("%s: %d of %d seeds, want about %d", c.name, c.got, seeds, want)
		}
	}
}
