package clocks_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// talk is a run of words and ticks, on nodes and a network with faults drawn by a seed.
func talk(t *testing.T, variant string, seed uint64) *sim.Run {
	t.Helper()
	v, err := clocks.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	d := &sim.Draws{Nodes: []string{"A", "B", "C", "D"}[:2+seed%3], Clients: 3, Ops: 20,
		Span: 50 * time.Millisecond, Seed: seed}
	p := &sim.Plan{Protocol: clocks.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed,
		Setup: clocks.Protocol.Cluster(d), Load: clocks.Talk(d)}
	search.Temper(p, search.Mix)
	p.Network.Keep = false // a record that a crash leaves unsynced is the record of no event
	run, err := sim.Execute(p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// reachable are, by event, those that happened before it: its node's, and those before the sending
// of what it received. It reads the trace alone.
func reachable(run *sim.Run, events []clocks.Event) []map[int]bool {
	before := make([]map[int]bool, len(events))
	last := func(node sim.NodeID, entry int) int {
		for i := len(events) - 1; i >= 0; i-- {
			if events[i].Node == node && events[i].Entry < entry {
				return i
			}
		}
		return -1
	}
	for i, e := range events {
		before[i] = map[int]bool{}
		follows := func(k int) {
			if k < 0 {
				return
			}
			before[i][k] = true
			for f := range before[k] {
				before[i][f] = true
			}
		}
		follows(last(e.Node, e.Entry))
		if e.Receives {
			sent := sentAt(run, e)
			follows(last(run.Trace[sent].Node, sent))
		}
	}
	return before
}

// sentAt is the sending of what an event received.
func sentAt(run *sim.Run, e clocks.Event) int {
	at := e.Entry
	for k := &run.Trace[at]; k.Node != e.Node || k.Kind != sim.EntryDelivered &&
		k.Kind != sim.EntryWorked; k = &run.Trace[at] {
		at--
	}
	for run.Trace[at].Kind != sim.EntrySent && run.Trace[at].Kind != sim.EntryQueued {
		at = int(run.Trace[at].Cause)
	}
	return at
}

// seedsOf are those of a quick test.
const seedsOf = 60

func TestWhatHappenedBeforeIsReachableInTheTrace(t *testing.T) {
	for seed := uint64(1); seed <= seedsOf; seed++ {
		run := talk(t, "dotted", seed)
		events := clocks.Events(run)
		before := reachable(run, events)
		for i, e := range events {
			for k, f := range events {
				if got, want := e.Before(f), before[k][i]; got != want {
					t.Fatalf("seed %d: entry %d before %d: got %v, want %v", seed, e.Entry,
						f.Entry, got, want)
				}
			}
		}
	}
}

// stands is how one of some things stands to another, by what was before each of them.
func stands(a, b int, beforeA, beforeB map[int]bool) clocks.Relation {
	switch {
	case a == b:
		return clocks.Equal
	case beforeB[a]:
		return clocks.Before
	case beforeA[b]:
		return clocks.After
	}
	return clocks.Concurrent
}

// exact says of all pairs of events whether vectors order them exactly as they happened.
func exact(events []clocks.Event, before []map[int]bool) bool {
	for i, e := range events {
		for k, f := range events {
			want := stands(i, k, before[i], before[k])
			if e.Stamp.Vector.Compare(f.Stamp.Vector) != want {
				return false
			}
		}
	}
	return true
}

// broken says whether a run breaks a property.
func broken(t *testing.T, run *sim.Run, name string) bool {
	t.Helper()
	at := slices.IndexFunc(clocks.Protocol.Properties, func(p sim.Property) bool {
		return p.Name == name
	})
	if at < 0 {
		t.Fatalf("no property is called %s", name)
	}
	v := checker.Judge(run, clocks.Protocol.Properties[at:at+1])
	return slices.Contains(v.Broken(), name)
}

func TestVectorExactSaysOfAllPairsWhatComparingThemAllSays(t *testing.T) {
	for _, variant := range []string{"dotted", "vector-adds", "vector-still", "vector-own-only",
		"vector-volatile", "sends-old-stamp"} {
		wrong := 0
		for seed := uint64(1); seed <= seedsOf; seed++ {
			run := talk(t, variant, seed)
			events := clocks.Events(run)
			got, want := !broken(t, run, "vector-exact"), exact(events, reachable(run, events))
			if got != want {
				t.Errorf("%s, seed %d: vector-exact holds: %v, and of all pairs: %v", variant,
					seed, got, want)
			}
			if !want {
				wrong++
			}
		}
		if right := variant == "dotted"; right != (wrong == 0) {
			t.Errorf("%s: %d of %d runs have pairs that are not exact", variant, wrong, seedsOf)
		}
	}
}

func TestLamportAndHybridStampsGrowAlongAllPairs(t *testing.T) {
	for seed := uint64(1); seed <= seedsOf; seed++ {
		run := talk(t, "dotted", seed)
		for _, e := range clocks.Events(run) {
			for _, f := range clocks.Events(run) {
				if e.Before(f) && (e.Stamp.Lamport.Count >= f.Stamp.Lamport.Count ||
					e.Stamp.Hybrid.Compare(f.Stamp.Hybrid) >= 0) {
					t.Fatalf("seed %d: entry %d with %v happened before %d with %v", seed, e.Entry,
						e.Stamp, f.Entry, f.Stamp)
				}
			}
		}
	}
}

func TestPhysicalTimeIsWhatTheNodesClockShowed(t *testing.T) {
	for seed := uint64(1); seed <= seedsOf; seed++ {
		run := talk(t, "dotted", seed)
		shown := run.Clocks()
		for _, e := range clocks.Events(run) {
			at := takenUpAt(run, e)
			if want := clocks.Grained(run.Plan, shown[at]); e.Stamp.Physical != want {
				t.Fatalf("seed %d: entry %d is of %v, its node's clock showed %v", seed, e.Entry,
					e.Stamp.Physical, want)
			}
		}
	}
}

func TestACoarseClockShowsTheLastOfItsTicks(t *testing.T) {
	for _, c := range []struct{ at, want sim.Time }{
		{0, 0}, {6, 0}, {7, 7}, {20, 14}, {-1, -7}, {-7, -7}, {-8, -14},
		{math.MaxInt64, math.MaxInt64}, {math.MinInt64, math.MinInt64},
	} {
		if got := clocks.GrainedBy(7, c.at); got != c.want {
			t.Errorf("at %d a clock that ticks every 7 shows %d, want %d", c.at, got, c.want)
		}
	}
}

// takenUpAt is where a node took up what led to an event: then it read its clock, however long its
// disk took.
func takenUpAt(run *sim.Run, e clocks.Event) int {
	for at := e.Entry; at >= 0; at-- {
		if k := &run.Trace[at]; k.Node == e.Node {
			switch k.Kind {
			case sim.EntryStarted, sim.EntryArrived, sim.EntryDelivered, sim.EntryWorked,
				sim.EntryFired:
				return at
			}
		}
	}
	return 0
}

func TestEveryWrongClockIsCaughtByWhatItBreaks(t *testing.T) {
	of := func(v sim.Variant) bool {
		at := slices.IndexFunc(clocks.Protocol.Properties, func(p sim.Property) bool {
			return p.Name == v.Breaks && p.Layer == 0
		})
		return v.Breaks != "" && at >= 0
	}
	caught := 0
	for _, v := range clocks.Protocol.Variants {
		if !of(v) {
			continue
		}
		caught++
		seed := uint64(1)
		for seed <= 600 && !broken(t, talk(t, v.Name, seed), v.Breaks) {
			seed++
		}
		if seed > 600 {
			t.Errorf("%s breaks %s in none of 600 runs", v.Name, v.Breaks)
		}
	}
	if caught < 10 {
		t.Errorf("%d wrong clocks, want ten at least", caught)
	}
}

func TestRequestsToTalkAreReadBack(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []string
		want  string // "" is a refusal
	}{
		{"a word to another", []string{"say", "B", "w1"}, "say B w1"},
		{"a word without whom", []string{"say", "w1"}, ""},
		{"an event", []string{"tick"}, "tick"},
		{"an event with a word", []string{"tick", "w1"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := clocks.Protocol.ParseOp(c.words)
			if err == nil && sim.Text(op) != c.want || (err != nil) != (c.want == "") {
				t.Errorf("%q is read as %v, %v; want %q", c.words, op, err, c.want)
			}
		})
	}
}
