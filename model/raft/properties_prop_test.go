package raft_test

import (
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// drawn is the run of a plan that a seed draws: three to six nodes, faults of all kinds.
func drawn(t testing.TB, variant string, seed uint64) *sim.Run {
	t.Helper()
	v, err := raft.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	d := &sim.Draws{Nodes: []string{"A", "B", "C", "D", "E", "F"}, Seed: seed}
	d.Nodes = d.Nodes[:3+d.Int(4, "nodes")]
	d.Clients, d.Ops = 2+int(d.Int(4, "clients")), 10+int(d.Int(30, "operations"))
	d.Span = time.Duration(d.Ops) * 10 * time.Millisecond
	p := &sim.Plan{Protocol: raft.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed}
	p.Setup = raft.Protocol.Cluster(d)
	d.Setup = p.Setup
	p.Load = raft.Protocol.Draw(d)
	search.Temper(p, search.Mix)
	p.Budget.Events = 20_000 // some wrong variants never come to rest
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestTheOrderOfIndexesHidesNothingThatASearchFinds(t *testing.T) {
	alone := []sim.Property{raft.SearchAlone()}
	seeds, broken, shown := uint64(30), 0, 0
	if testing.Short() {
		seeds = 10
	}
	for _, variant := range []string{"raft", "no-dedup", "gives-up", "answers-early", "local-read",
		"no-sync", "restamps"} {
		for seed := uint64(1); seed <= seeds; seed++ {
			run := drawn(t, variant, seed)
			v := checker.Judge(run, alone)
			if v.Outcome == checker.Undecided {
				continue
			}
			by := raft.OrderedByIndex(run)
			if by && v.Outcome == checker.Broken {
				t.Errorf("%s, seed %d: indexes show that the history is linearizable, a search says: %s",
					variant, seed, v.Findings[0].Violation.Reason)
			}
			if v.Outcome == checker.Broken {
				broken++
			}
			if by {
				shown++
			}
			f := findingOf(t, run, "linearizable")
			if (f.Violation != nil) != (v.Outcome == checker.Broken) {
				t.Errorf("%s, seed %d: the property finds %v, a search %v", variant, seed, f.Violation,
					v.Outcome)
			}
		}
	}
	if shown == 0 || broken == 0 {
		t.Errorf("indexes showed %d histories to be linearizable, searches %d not to be; want some of "+
			"each", shown, broken)
	}
}

// What is not the engine's own is the same for the memory of a judging before.
func TestABookInOldMemoryIsTheSame(t *testing.T) {
	w := &sim.World{}
	for seed := uint64(1); seed <= 20; seed++ {
		fresh := drawn(t, "raft", seed)
		again, err := w.Execute(fresh.Plan, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x, y := checker.Judge(fresh, raft.Protocol.Properties), checker.Judge(again,
			raft.Protocol.Properties)
		for i := range x.Findings {
			p, q := &x.Findings[i], &y.Findings[i]
			if p.Premises != q.Premises || (p.Violation == nil) != (q.Violation == nil) {
				t.Errorf("seed %d: %s has %d premises and %v, and in old memory %d and %v", seed,
					p.Property.Name, p.Premises, p.Violation, q.Premises, q.Violation)
			}
		}
	}
}
