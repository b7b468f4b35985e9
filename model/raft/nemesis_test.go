package raft_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// What a nemesis is for it finds in some of a few seeds.
func TestEachNemesisFindsWhatItIsFor(t *testing.T) {
	for _, c := range []struct {
		nemesis, variant, property string
		seeds                      uint64
	}{
		{"elections", "vote-forgotten", "one-vote", 60},
		{"members", "early-change", "quorums-meet", 10},
		{"transfers", "unproven-read", "read-fresh", 60},
		{"isolation", "local-read", "read-fresh", 60},
	} {
		t.Run(c.nemesis, func(t *testing.T) {
			if n := seedsThatBreak(t, c.variant, c.nemesis, c.property, c.seeds); n == 0 {
				t.Errorf("%s broke %s under %s on none of %d seeds", c.variant, c.property, c.nemesis,
					c.seeds)
			} else {
				t.Logf("%s breaks %s under %s on %d of %d seeds", c.variant, c.property, c.nemesis, n,
					c.seeds)
			}
		})
	}
}

// seedsThatBreak are how many seeds of a nemesis break a property, all others left aside.
func seedsThatBreak(t *testing.T, variant, nemesis, property string, seeds uint64) int {
	t.Helper()
	c, err := scenarios.NewCampaign(raft.Protocol, variant, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Nemesis = nemesis
	only := slices.DeleteFunc(slices.Clone(raft.Protocol.Properties),
		func(p sim.Property) bool { return p.Name != property })
	w, n := new(sim.World), 0
	for seed := uint64(1); seed <= seeds; seed++ {
		plan, err := c.Plan(seed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := w.Execute(plan, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if checker.Judge(run, only).Outcome == checker.Broken {
			n++
		}
	}
	return n
}
