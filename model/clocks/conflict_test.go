package clocks_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

func TestAHistoryHasTheDotsThatWereAddedAndNoOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h [2]clocks.History
		var has [2]map[clocks.Dot]bool
		for k := range has {
			has[k] = map[clocks.Dot]bool{}
			for range rapid.IntRange(0, 12).Draw(t, "how many") {
				d := clocks.Dot{Actor: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "actor"),
					Count: rapid.Int64Range(1, 6).Draw(t, "count")}
				h[k], has[k][d] = h[k].With(d), true
			}
		}
		both := h[0].MergedWith(h[1])
		for _, one := range []clocks.History{h[0], h[1], both, h[1].MergedWith(h[0])} {
			if why := untidy(one); why != "" {
				t.Errorf("%v of %v and %v: %s", one, h[0], h[1], why)
			}
		}
		for _, actor := range []string{"A", "B"} {
			for n := int64(1); n <= 7; n++ {
				d := clocks.Dot{Actor: actor, Count: n}
				if got, want := h[0].Has(d), has[0][d]; got != want {
					t.Errorf("%v has %v: got %v, want %v", h[0], d, got, want)
				}
				if got, want := both.Has(d), has[0][d] || has[1][d]; got != want {
					t.Errorf("%v with %v has %v: got %v, want %v", h[0], h[1], d, got, want)
				}
			}
		}
	})
}

// untidy says what is wrong with the form of a history: each dot has one place, in the front if all
// before it are there, and those beyond are in order.
func untidy(h clocks.History) string {
	for i, d := range h.Beyond {
		switch {
		case d.Count <= h.Front.Get(d.Actor)+1:
			return fmt.Sprintf("%v is beyond, and belongs to the front", d)
		case i > 0 && h.Beyond[i-1].Compare(d) >= 0:
			return fmt.Sprintf("%v is after %v", d, h.Beyond[i-1])
		}
	}
	return ""
}

func TestAMergedHistoryHasWhatOnlyTheOtherHasBeyondItsFront(t *testing.T) {
	mine := clocks.History{}.With(clocks.Dot{Actor: "A", Count: 1})
	theirs := clocks.History{}.With(clocks.Dot{Actor: "A", Count: 3}).
		With(clocks.Dot{Actor: "B", Count: 2})
	for _, both := range []clocks.History{mine.MergedWith(theirs), theirs.MergedWith(mine)} {
		want := "[A:1] [A:3 B:2]"
		if got := fmt.Sprint(both.Front, " ", both.Beyond); got != want {
			t.Errorf("A:1 and A:3 B:2: got %s, want %s", got, want)
		}
	}
	filled := theirs.MergedWith(clocks.History{}.With(clocks.Dot{Actor: "A", Count: 1}).
		With(clocks.Dot{Actor: "A", Count: 2}))
	if got := filled.Front.String(); got != "[A:3]" || len(filled.Beyond) != 1 {
		t.Errorf("A:3 B:2 and A:1 A:2: got %v beyond %v, want [A:3] beyond B:2", got, filled.Beyond)
	}
}

func TestDotsInARowNeedNoRoom(t *testing.T) {
	var h clocks.History
	for _, n := range []int64{3, 1, 4, 2} {
		h = h.With(clocks.Dot{Actor: "A", Count: n})
	}
	if h.Front.String() != "[A:4]" || len(h.Beyond) != 0 {
		t.Errorf("A:3 A:1 A:4 A:2: got %v and beyond %v, want [A:4] and nothing", h.Front, h.Beyond)
	}
}

// world is three replicas and three sessions by a rule, beside what is so: of each version all that
// its writer had seen, directly or not, and of each replica all versions that it has heard of.
type world struct {
	shelves []*clocks.Shelf
	readers []*clocks.Reader
	past    map[sim.CallID]map[sim.CallID]bool
	heard   []map[sim.CallID]bool
	seen    []map[sim.CallID]bool
	last    sim.CallID
}

func newWorld(variant string, limit int) *world {
	w := &world{past: map[sim.CallID]map[sim.CallID]bool{}}
	for _, name := range []string{"A", "B", "C"} {
		w.shelves = append(w.shelves, clocks.NewShelf(variant, name, limit))
		w.readers = append(w.readers, &clocks.Reader{Name: "W" + name})
		w.heard = append(w.heard, map[sim.CallID]bool{})
		w.seen = append(w.seen, map[sim.CallID]bool{})
	}
	return w
}

func add(to, from map[sim.CallID]bool) {
	for id := range from {
		to[id] = true
	}
}

// step does something at random, and says what.
func (w *world) step(t *rapid.T) string {
	i, j := rapid.IntRange(0, 2).Draw(t, "i"), rapid.IntRange(0, 2).Draw(t, "j")
	switch rapid.IntRange(0, 2).Draw(t, "what") {
	case 0:
		w.shelves[i].Read(w.readers[j])
		for _, id := range w.shelves[i].IDs() {
			w.seen[j][id] = true
			add(w.seen[j], w.past[id])
		}
		return fmt.Sprintf("%d reads at %d", j, i)
	case 1:
		w.last++
		w.shelves[i].Put(w.last, w.readers[j])
		w.past[w.last] = map[sim.CallID]bool{}
		add(w.past[w.last], w.seen[j])
		w.heard[i][w.last], w.seen[j][w.last] = true, true
		return fmt.Sprintf("%d puts %d at %d", j, w.last, i)
	}
	w.shelves[i].Take(w.shelves[j])
	add(w.heard[i], w.heard[j])
	return fmt.Sprintf("%d takes from %d", i, j)
}

// left is what a replica should have: what it has heard of, but for what another has seen.
func (w *world) left(i int) []sim.CallID {
	list := []sim.CallID{}
	for id := sim.CallID(1); id <= w.last; id++ {
		beaten := false
		for other := range w.heard[i] {
			beaten = beaten || w.past[other][id]
		}
		if w.heard[i][id] && !beaten {
			list = append(list, id)
		}
	}
	return list
}

func TestDotsAndLongVectorsOfWritersKeepExactlyWhatNobodyHasSeen(t *testing.T) {
	for _, variant := range []string{"dotted", "pruned"} {
		t.Run(variant, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := newWorld(variant, 3) // as many pairs as writers
				var story []string
				for range rapid.IntRange(1, 20).Draw(t, "steps") {
					story = append(story, w.step(t))
					for i, s := range w.shelves {
						if got, want := s.IDs(), w.left(i); !slices.Equal(got, want) {
							t.Fatalf("%q: replica %d has %v, want %v", story, i, got, want)
						}
					}
				}
			})
		})
	}
}

// What a vector of all siblings has too much is never a version that nobody has seen.
func TestVectorsOfReplicasLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld("vectors", 3)
		var story []string
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			story = append(story, w.step(t))
			for i, s := range w.shelves {
				for _, id := range w.left(i) {
					if !slices.Contains(s.IDs(), id) {
						t.Fatalf("%q: replica %d has %v and not %d", story, i, s.IDs(), id)
					}
				}
			}
		}
	})
}
