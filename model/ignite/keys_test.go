package ignite_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// What names a message is asked for in two ways; each kind that has both must be met, in rough runs
// of the modes.
func TestBothWaysToAskForKeysGiveTheSame(t *testing.T) {
	met := map[string]bool{}
	for _, name := range []string{"merged", "fixed"} {
		v, err := ignite.Protocol.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		w := new(sim.World)
		for seed := uint64(1); seed <= 30; seed++ {
			run, err := w.Execute(scenarios.Rough(ignite.Protocol, v, seed), sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range run.Trace {
				a, ok := e.Body.(sim.KeyAppender)
				if !ok {
					continue
				}
				met[a.Kind()] = true
				got, want := a.AppendKeys(nil), a.Keys()
				if !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d: AppendKeys of %s gives %q, Keys %q", name, seed, a.Kind(), got, want)
				}
			}
		}
	}
	for _, kind := range []string{"NPQ", "NPR", "NFQ", "NFR", "DPQ", "DPR", "DFQ", "DFR", "LQ", "LR",
		"GQ", "GR", "start", "start-result", "end", "end-result", "single-start", "single-end", "commit"} {
		if !met[kind] {
			t.Errorf("no run has a body of kind %s with AppendKeys", kind)
		}
	}
}
