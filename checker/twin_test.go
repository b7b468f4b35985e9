package checker_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

func TestTheScanAgreesWithTheEnumerationOnRandomComputations(t *testing.T) {
	c := checker.CompareSketches(2000, 1)
	testComparison(t, c)
	if c.Consistent < c.Runs/4 || c.Inconsistent < c.Runs/8 || c.Unfinished < c.Runs/20 {
		t.Errorf("the runs are one-sided:\n%s", checker.Table(c))
	}
}

func TestTheScanAgreesWithTheEnumerationWhereItOnceDidNot(t *testing.T) {
	for _, seed := range []uint64{7863, 9557, 10047} { // a marker that a crash undid was kept
		testComparison(t, checker.CompareSketches(1, seed))
	}
}

func testComparison(t *testing.T, c checker.Comparison) {
	t.Helper()
	t.Logf("\n%s", checker.Table(c))
	for _, text := range c.First {
		t.Errorf("%s: %s", c.Name, text)
	}
}

// everySubset enumerates the down-sets as the definition has it: of all sets of events those that
// hold with an event all below it.
func everySubset(d *checker.DownSets) []uint64 {
	var sets []uint64
	for set := range uint64(1) << len(d.Events) {
		closed := true
		for k := range d.Events {
			closed = closed && (set>>k&1 == 0 || set&d.Below[k] == d.Below[k])
		}
		if closed {
			sets = append(sets, set)
		}
	}
	return sets
}

func TestGrowingDownSetsFindsThemAll(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 40; seed++ {
		d, err := checker.SketchCuts().DownSets(checker.Sketch(seed), 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Events) > 13 {
			continue
		}
		tried++
		got := slices.Sorted(slices.Values(d.Sets))
		if want := everySubset(d); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d events, got %d down-sets, want %d", seed, len(d.Events), len(got),
				len(want))
		}
	}
}

func TestBelowIsHappenedBefore(t *testing.T) {
	m, compared := checker.SketchCuts(), 0
	for seed := range uint64(300) {
		run := checker.Sketch(seed)
		if drawsInHandlers(run) || crashes(run) {
			continue // there effects come later than deliveries, or not at all
		}
		compared++
		d, err := m.DownSets(run, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		o := checker.NewOrder(run)
		for b, at := range d.Events {
			for a, from := range d.Events {
				if got, want := d.Below[b]>>a&1 == 1, o.Before(from, at); got != want {
					t.Fatalf("seed %d: is %d below %d? got %v, want %v", seed, from, at, got, want)
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d runs compared", compared)
	}
}

// drawsInHandlers says that a point was drawn in the handler of a message.
func drawsInHandlers(run *sim.Run) bool {
	return slices.ContainsFunc(run.Trace, func(e sim.Entry) bool {
		if e.Kind != sim.EntryNoted || e.Body.Kind() != "point" {
			return false
		}
		return run.Trace[e.Cause].Kind.Carries()
	})
}

func crashes(run *sim.Run) bool {
	return slices.ContainsFunc(run.Trace, func(e sim.Entry) bool {
		return e.Kind == sim.EntryCrashed
	})
}

func TestDownSetsOfRunsKnownByHand(t *testing.T) {
	for _, c := range []struct {
		name         string
		tape         func() *tape
		events, sets int
	}{
		{"two nodes that only start have four", func() *tape { return newTape("P", "Q") }, 2, 4},
		{"a chain of n events has n+1", func() *tape {
			t := newTape("P")
			t.ask("P")
			t.note(gossip{1}, gossip{2})
			return t
		}, 4, 5},
		{"points are no events", func() *tape {
			t := newTape("P")
			t.draw(1, "P")
			return t
		}, 2, 3},
		{"a message takes away what would hold its delivery without its sending", func() *tape {
			t := newTape("P", "Q")
			t.ask("P")
			t.tell("Q", gossip{1})
			return t
		}, 5, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := onTape
			m.Beside = nil
			d, err := m.DownSets(c.tape().run, 100)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Events) != c.events || len(d.Sets) != c.sets {
				t.Errorf("got %d events and %d down-sets, want %d and %d", len(d.Events), len(d.Sets),
					c.events, c.sets)
			}
		})
	}
}

func TestDownSetsSayWhenThereAreTooMany(t *testing.T) {
	wide := newTape("A", "B", "C", "D", "E", "F", "G")
	long := newTape("P")
	for range 70 {
		long.ask("P")
	}
	for _, c := range []struct {
		name string
		run  *sim.Run
		want string
	}{
		{"too many down-sets", wide.run, "more than 100 down-sets"},
		{"too many events", long.run, "71 events are too many to enumerate, at most 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := onTape.DownSets(c.run, 100); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// points is by node where it draws its point of a cut, -1 if nowhere.
func points(run *sim.Run, cut string) []int {
	at := slices.Repeat([]int{-1}, len(run.Nodes))
	for i, e := range run.Trace {
		if e.Kind != sim.EntryNoted {
			continue
		}
		if name, ok := checker.SketchCuts().Point(e.Body); ok && name == cut && at[e.Node] < 0 {
			at[e.Node] = i
		}
	}
	return at
}

func TestMeetAndJoinOfConsistentCutsAreConsistent(t *testing.T) {
	tried := 0
	for seed := range uint64(400) {
		run := checker.Sketch(seed)
		d, err := checker.SketchCuts().DownSets(run, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		one, two := points(run, "1"), points(run, "2")
		if slices.Contains(one, -1) || slices.Contains(two, -1) || !d.Has(one) || !d.Has(two) {
			continue
		}
		tried++
		for n := range one {
			one[n], two[n] = min(one[n], two[n]), max(one[n], two[n])
		}
		if !d.Has(one) || !d.Has(two) {
			t.Errorf("seed %d: min is a cut: %v, max is one: %v, want both", seed, d.Has(one), d.Has(two))
		}
	}
	if tried < 20 {
		t.Errorf("only %d pairs of consistent cuts", tried)
	}
}

func TestDownSetsAreClosedUnderUnionAndIntersection(t *testing.T) {
	d, err := checker.SketchCuts().DownSets(checker.Sketch(3), 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	has := map[uint64]bool{}
	for _, set := range d.Sets {
		has[set] = true
	}
	for _, a := range d.Sets {
		for _, b := range d.Sets {
			if !has[a|b] || !has[a&b] {
				t.Fatalf("down-sets %b and %b: union %v, intersection %v, want both", a, b, has[a|b],
					has[a&b])
			}
		}
	}
	if most := slices.Max(d.Sets); bits.OnesCount64(most) != len(d.Events) {
		t.Errorf("the largest down-set has %d of %d events", bits.OnesCount64(most), len(d.Events))
	}
}
