package ignite_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestSweepOfTheFixedVariant(t *testing.T) {
	scenarios.Sweep(t, ignite.Protocol, scenarios.SweepOptions{Variants: []string{"fixed"},
		Seeds: scenarios.Seeds{From: 1, To: 500}})
}

// soon are wrong variants that random runs come upon within a few hundred seeds: one of each part
// of the protocol.
var soon = []string{"deaf", "tags-dropped", "signs-on", "npr-unsigned", "no-included", "hasty",
	"primary-signs", "one-vote-short", "eager-backup", "unlogged", "unordered-backup", "mute",
	"leavers-taken", "twice-published", "told-early", "finishless"}

func TestWrongVariantsAreCaughtByThePropertyTheyNameInRandomRuns(t *testing.T) {
	for _, name := range soon {
		t.Run(name, func(t *testing.T) {
			c, err := scenarios.NewCampaign(ignite.Protocol, name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if seed := firstCaught(t, c, 600); seed > 0 {
				t.Logf("%s breaks %s first under seed %d", name, c.Variant.Breaks, seed)
				return
			}
			t.Errorf("%s breaks %s under none of 600 seeds", name, c.Variant.Breaks)
		})
	}
}

// firstCaught is the first seed under which the variant breaks what it names, and nothing of a
// lower layer, 0 if there is none.
func firstCaught(t *testing.T, c *scenarios.Campaign, seeds uint64) uint64 {
	t.Helper()
	w := new(sim.World)
	for seed := uint64(1); seed <= seeds; seed++ {
		plan, err := c.Plan(seed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := w.Execute(plan, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		broken := checker.Judge(run, ignite.Protocol.Properties).Broken()
		if slices.Contains(broken, c.Variant.Breaks) {
			return seed
		}
	}
	return 0
}

// implied are properties that others imply, so that none of the wrong variants gets past those: what
// is before one cut and after a later one has either two decisions (oracle) or a mark in the wrong
// place (sets, marks); where a sum is wrong a key is (restored).
var implied = []string{"nesting", "sum"}

func TestEveryPropertyIsTheFirstToCatchSomeWrongVariant(t *testing.T) {
	named := map[string]bool{}
	for _, v := range ignite.Protocol.Variants {
		if v.Mutant() {
			named[v.Breaks] = true
		}
	}
	for _, p := range ignite.Protocol.Properties {
		if is := slices.Contains(implied, p.Name); named[p.Name] == is {
			t.Errorf("%s: named by a wrong variant is %v, want %v", p.Name, named[p.Name], !is)
		}
	}
}
