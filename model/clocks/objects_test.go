package clocks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

func TestRequestsOfObjectsAreRead(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"grow hits 3", ""},
		{"dec hits 3 at B", ""},
		{"add cart book at B", ""},
		{"del cart at at B", ""},
		{"keep name at", ""},
		{"value or-set cart", ""},
		{"value mv-register cart at B", ""},
		{"grow hits -1", "want a number from 1 to 1000000, got \"-1\""},
		{"inc hits many", "want a number from 1 to 1000000, got \"many\""},
		{"add cart", "want add KEY ELEMENT [at NODE]"},
		{"value cart", "want value KIND KEY [at NODE]"},
		{"value or-sett cart", "want a kind of object: g-counter, pn-counter, or-set, " +
			"lww-register or mv-register, got \"or-sett\"; did you mean \"or-set\"?"},
	} {
		op, err := clocks.Protocol.ParseOp(strings.Fields(c.words))
		switch {
		case err != nil && err.Error() != c.want:
			t.Errorf("%s: got the error %q, want %q", c.words, err, c.want)
		case err == nil && (c.want != "" || sim.Text(op) != c.words):
			t.Errorf("%s: got %s, want it as it is, or the error %q", c.words, sim.Text(op), c.want)
		}
	}
}

// objectPlan is a drawn plan that asks for replicated objects alone, with what can happen to them.
func objectPlan(t *testing.T, variant string, seed uint64) *sim.Plan {
	v, err := clocks.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	d := &sim.Draws{Nodes: []string{"A", "B", "C"}, Clients: 3, Ops: 12, Seed: seed,
		Span: 60 * time.Millisecond}
	return &sim.Plan{Protocol: clocks.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed,
		Load: clocks.DrawObjects(d),
		Network: sim.Network{
			Links: []sim.Link{{From: "*", To: "*", Loss: 50_000, Duplicate: 50_000,
				Delay: sim.Dist{Shape: sim.Heavy, Low: time.Millisecond,
					High: 20 * time.Millisecond}}},
			Crash: 3000, Restart: sim.Dist{Shape: sim.Uniform, High: 20 * time.Millisecond},
			Keep: true, Torn: 200_000,
		}}
}

func execute(t *testing.T, p *sim.Plan) *sim.Run {
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatalf("seed %d: %v", p.Seed, err)
	}
	return run
}

// What an edit has seen by its replica's account happened before it.
func TestWhatAnEditHasSeenHappenedBefore(t *testing.T) {
	pairs, others := 0, 0
	for seed := range uint64(60) {
		run := execute(t, objectPlan(t, "dotted", seed))
		order := checker.NewOrder(run)
		for at, seen := range clocks.Edits(run) {
			for _, before := range seen {
				if !order.Before(before, at) {
					t.Fatalf("seed %d: the edit at entry %d has seen that at %d, which is not "+
						"before it", seed, at, before)
				}
				if pairs++; run.Trace[before].Node != run.Trace[at].Node {
					others++
				}
			}
		}
	}
	if pairs < 500 || others < 200 {
		t.Errorf("got %d pairs of edits, %d of them of two replicas, want 500 and 200 at least",
			pairs, others)
	}
}

func TestWrongFormsOfObjectsAreFoundSoon(t *testing.T) {
	for _, v := range clocks.Protocol.Variants {
		if !strings.HasPrefix(v.Name, "crdt-") {
			continue
		}
		at := slices.IndexFunc(seeds(150), func(seed uint64) bool {
			run := execute(t, objectPlan(t, v.Name, seed))
			return slices.Contains(checker.Judge(run, clocks.Protocol.Properties).Broken(),
				v.Breaks)
		})
		if at < 0 {
			t.Errorf("%s: %s holds on 150 seeds, want it broken", v.Name, v.Breaks)
		}
	}
	for _, seed := range seeds(150) {
		run := execute(t, objectPlan(t, "dotted", seed))
		if broken := checker.Judge(run, clocks.Protocol.Properties).Broken(); len(broken) > 0 {
			t.Fatalf("seed %d: dotted breaks %v", seed, broken)
		}
	}
}

// seeds are so many.
func seeds(n uint64) []uint64 {
	var list []uint64
	for seed := range n {
		list = append(list, 1+seed)
	}
	return list
}
