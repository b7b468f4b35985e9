package synchro_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// harmless are the negative controls of section 5: other ways to do what the rules leave open. One
// more, origins=swapped, has a story of its own, control-origins-swapped.
var harmless = []string{"raft-messages=twice", "rows=twice", "acks=twice", "acks-due=joined",
	"worker=later"}

// played is a drawn workload of a variant.
func played(t *testing.T, variant string, seed uint64) *sim.Run {
	t.Helper()
	v, err := synchro.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	plan := search.Random(synchro.Protocol, v, seed, search.Mix)
	run, err := new(sim.World).Execute(plan, sim.Options{Digest: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestWhatTheRulesLeaveOpenIsNoFault(t *testing.T) {
	for _, rule := range harmless {
		t.Run(rule, func(t *testing.T) {
			differs := false
			for seed := uint64(201); seed <= 210; seed++ {
				sound, run := played(t, synchro.Sound, seed), played(t, synchro.Sound+"/"+rule, seed)
				differs = differs || run.Digest != sound.Digest
				was := checker.Judge(sound, synchro.Protocol.Properties).Broken()
				for _, b := range checker.Judge(run, synchro.Protocol.Properties).Broken() {
					if !slices.Contains(was, b) {
						t.Errorf("seed %d breaks %s, want what %s breaks: %v", seed, b, synchro.Sound, was)
					}
				}
			}
			if !differs {
				t.Errorf("10 runs are the same with %s as without, want some that differ", rule)
			}
		})
	}
}

func TestEveryWrongVariantIsTheSoundOneButForItsRule(t *testing.T) {
	same := map[string]string{}
	for _, m := range synchro.Mutants() {
		if m.Of != synchro.Sound || m.Same {
			t.Errorf("%s is a copy of %s and has its rules: %v, want another rule than those of %s",
				m.Name, m.Of, m.Same, synchro.Sound)
		}
		if other, is := same[m.Rules]; is {
			t.Errorf("%s has the rules of %s, want others", m.Name, other)
		}
		same[m.Rules] = m.Name
	}
}
