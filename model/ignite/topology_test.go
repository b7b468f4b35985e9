package ignite_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// stormy is a random plan on a fixed cluster: transactions, full snapshots, crashes and restarts in
// any place.
func stormy(t *testing.T, v sim.Variant, seed uint64) *sim.Plan {
	t.Helper()
	story, err := scenarios.Parse("stormy.txt", []byte(`-- scenario --
model    ignite
nodes    P B C Q N M
client   N M
key      x z on P B
key      y on Q B C
key      w on C
-- script --
-- expect --
merged   holds
`))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(ignite.Protocol, "merged", 0)
	if err != nil {
		t.Fatal(err)
	}
	plan.Variant, plan.Seed, plan.Timed = v, seed, true
	plan.Network = sim.Network{
		Crash: 4000 + sim.PPM(seed%3)*5000, Crashes: 1 + int(seed%8), Keep: true,
		Links: []sim.Link{
			{From: "*", To: "*", Delay: sim.Dist{Shape: sim.Uniform, High: 2 * time.Millisecond}},
			{From: "log", To: "*", Delay: sim.Dist{Shape: sim.Uniform, High: 3 * time.Millisecond}},
		},
		Restart: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 20 * time.Millisecond},
		Detect:  time.Duration(seed%3) * time.Millisecond}
	d := &sim.Draws{Nodes: plan.Nodes, Seed: seed, Span: 60 * time.Millisecond}
	plan.Load = stormyLoad(d)
	return plan
}

// stormyLoad asks servers and clients for transactions, full snapshots, cuts and a baseline.
func stormyLoad(d *sim.Draws) []sim.Action {
	keys := []string{"x", "y", "z", "w"}
	var load []sim.Action
	ask := func(node string, at time.Duration, words ...string) {
		load = append(load, sim.Action{Verb: sim.Request, Node: node, Words: words, Place: sim.At,
			Offset: at})
	}
	for i := range 16 {
		words := []string{"commit", fmt.Sprint("T", i)}
		for k := range 1 + d.Int(2, "keys", i) {
			words = append(words, fmt.Sprint(keys[(d.Int(3, "key", i)+k)%4], "=", i))
		}
		if d.Int(2, "mode", i) == 0 {
			words = append(words, "optimistic")
		}
		ask([]string{"P", "B", "N", "M"}[d.Int(4, "near", i)], d.At("at", i), words...)
	}
	for i := range d.Int(3, "snapshots") {
		ask("B", d.At("snapshot at", i), "snapshot", fmt.Sprint("G", i))
	}
	if d.Int(4, "baseline") == 0 {
		ask("B", d.At("baseline at"), "baseline", "P", "B", "C", "Q")
	}
	for i := range d.Int(4, "cuts") {
		ask([]string{"P", "N"}[i%2], d.At("cut at", i), "cut", fmt.Sprint("c", i))
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return int(a.Offset - b.Offset) })
	return load
}

func TestInAStormAllAgreeOnTopologiesAndInTheEndAllOwnersHaveTheSame(t *testing.T) {
	met := map[string]int{}
	for _, mode := range []string{"draft", "merged", "fixed"} {
		v, err := ignite.Protocol.Variant(mode)
		if err != nil {
			t.Fatal(err)
		}
		for seed := uint64(1); seed <= 100; seed++ {
			run, err := sim.Execute(stormy(t, v, seed))
			if err != nil {
				t.Fatal(err)
			}
			if run.End != sim.Settled {
				t.Fatalf("%s, seed %d: %v %s", mode, seed, run.End, run.Why)
			}
			views := agreed(t, run)
			for _, view := range views {
				meet(met, view)
			}
			if len(views) > 0 && lacking(views[len(views)-1]) != "" {
				t.Errorf("%s, seed %d: %s in the end", mode, seed, lacking(views[len(views)-1]))
			}
			if why := unequal(run); why != "" && mode == "fixed" {
				t.Errorf("%s, seed %d: %s", mode, seed, why)
			}
		}
	}
	for _, what := range []string{"moving", "lost", "merging", "base"} {
		if met[what] < 10 {
			t.Errorf("met %v, want ten topologies at least with each of moving, lost, merging, base", met)
		}
	}
}

// meet counts what a topology has.
func meet(met map[string]int, v ignite.View) {
	if len(v.Bases) > 0 {
		met["base"]++
	}
	for _, h := range v.Parts {
		if len(h.Moving) > 0 {
			met["moving"]++
		}
		if h.Lost {
			met["lost"]++
		}
		if h.Lost && len(h.Moving) > 1 {
			met["merging"]++
		}
	}
}

// lacking names a partition that somebody lacks, "" if there is none.
func lacking(v ignite.View) string {
	for _, h := range v.Parts {
		if h.Lost || len(h.Moving) > 0 {
			return fmt.Sprintf("%+v", h)
		}
	}
	return ""
}

// unequal says who differ in what they have of a partition in the end, "" if nobody does.
func unequal(run *sim.Run) string {
	have := map[string]string{}
	for i := range run.Nodes {
		for _, p := range ignite.Owned(run, sim.NodeID(i)) {
			text := fmt.Sprint(p.Entries)
			if other, ok := have[p.Name]; ok && other != text {
				return fmt.Sprintf("%s has %s of %s, want %s as others", run.Nodes[i], text, p.Name, other)
			}
			have[p.Name] = text
		}
	}
	return ""
}
