package metastore_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func TestSweepOfTheRightVariants(t *testing.T) {
	scenarios.Sweep(t, metastore.Protocol, scenarios.SweepOptions{Goals: true,
		Variants: []string{"etcd", "ignite"}, Seeds: scenarios.Seeds{From: 201, To: 800}})
}

// The store stands on a log, not on one of its engines.
func TestDrawnRunsOnTheLibraryHold(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 6
	}
	w := new(sim.World)
	for _, name := range []string{"etcd/log=library", "ignite/log=library"} {
		v, err := metastore.Protocol.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := uint64(201); seed < 201+seeds; seed++ {
			run, err := w.Execute(search.Random(metastore.Protocol, v, seed, search.Mix), sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := checker.Judge(run, metastore.Protocol.Properties); got.Outcome != checker.Holds {
				t.Errorf("%s, seed %d: %v %v, want that it holds", name, seed, got.Outcome, got.Broken())
			}
		}
	}
}
