package clocks_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// drawHybrid is a stamp of few different parts, so that parts meet.
func drawHybrid(t *rapid.T, label string) clocks.Hybrid {
	return clocks.Hybrid{Wall: sim.Time(rapid.Int64Range(-3, 3).Draw(t, label+" wall")),
		Logical: rapid.Int64Range(0, 3).Draw(t, label+" logical")}
}

func TestAHybridStampIsTheLeastAboveAllThatItFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own, got := drawHybrid(t, "own"), drawHybrid(t, "message")
		pt := sim.Time(rapid.Int64Range(-3, 3).Draw(t, "clock"))
		least := func(what string, next clocks.Hybrid, after ...clocks.Hybrid) {
			above := func(h clocks.Hybrid) bool {
				return h.Wall >= pt && !slices.ContainsFunc(after, func(a clocks.Hybrid) bool {
					return h.Compare(a) <= 0
				})
			}
			lower := clocks.Hybrid{Wall: next.Wall, Logical: next.Logical - 1}
			if next.Logical == 0 { // there is nothing between two physical parts
				lower = clocks.Hybrid{Wall: next.Wall - 1, Logical: 1 << 40}
			}
			if !above(next) || above(lower) {
				t.Fatalf("%s of %v and %v at %v is %v", what, own, got, pt, next)
			}
		}
		least("Tick", own.Tick(pt), own)
		least("Receive", own.Receive(got, pt), own, got)
	})
}

func TestWhatBeginsAtATimeIsAboveAllBeforeIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said, pt := drawHybrid(t, "said"), sim.Time(rapid.Int64Range(-3, 3).Draw(t, "clock"))
		first := clocks.BeforeAll(said.Wall + 1).Tick(pt)
		if first.Compare(said) <= 0 || first.Logical != 0 {
			t.Fatalf("after %v a start at %v is at %v", said, said.Wall+1, first)
		}
	})
}

func TestHowFarAStampIsAheadEndsWhereDurationsDo(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		wall, clock sim.Time
		want        time.Duration
	}{
		{5, 3, 2}, {3, 5, -2}, {4, 4, 0},
		{most, 0, most}, {most, -1, most}, {1, least, most}, {most, least, most},
		{0, most, -most}, {-2, most, least}, {least, 1, least}, {least, most, least},
		{least, least, 0}, {-1, most, least}, {0, least, most},
	} {
		if got := (clocks.Hybrid{Wall: c.wall}).Ahead(c.clock); got != c.want {
			t.Errorf("%v is ahead of %v by %v, want %v", c.wall, c.clock, got, c.want)
		}
	}
}

func TestPackedHybridStampsHaveTheOrderOfStampsAndComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]time.Duration{time.Microsecond, time.Millisecond, 15259}).
			Draw(t, "unit")
		draw := func(label string) (clocks.Hybrid, uint64) {
			h := clocks.Hybrid{Wall: sim.Time(rapid.Int64Range(0, 1000).Draw(t, label+" units") *
				int64(unit)), Logical: rapid.Int64Range(0, 1<<16-1).Draw(t, label+" logical")}
			bits, err := h.Pack(unit)
			if err != nil {
				t.Fatalf("%v.Pack(%v): %v", h, unit, err)
			}
			if back, err := clocks.UnpackHybrid(bits, unit); err != nil || back != h {
				t.Fatalf("%v comes back from %#x as %v, %v", h, bits, back, err)
			}
			return h, bits
		}
		h, a := draw("h")
		g, b := draw("g")
		if cmp.Compare(a, b) != h.Compare(g) {
			t.Fatalf("%v and %v compare %d, in bits %#x and %#x %d", h, g, h.Compare(g), a, b,
				cmp.Compare(a, b))
		}
	})
}

func TestWhatDoesNotFitIn64BitsIsRefused(t *testing.T) {
	last := clocks.Hybrid{Wall: (1<<48 - 1) * 1000, Logical: 1<<16 - 1}
	if bits, err := last.Pack(time.Microsecond); err != nil || bits != 1<<64-1 {
		t.Errorf("the last stamp, %v, is %#x, %v; want all bits", last, bits, err)
	}
	for _, c := range []struct {
		name string
		h    clocks.Hybrid
		unit time.Duration
		why  string
	}{
		{"a time before 0", clocks.Hybrid{Wall: -1000}, time.Microsecond, "want a time from 0"},
		{"a time of 49 bits", clocks.Hybrid{Wall: 1 << 48 * 1000}, time.Microsecond,
			"want a time from 0"},
		{"a time between units", clocks.Hybrid{Wall: 1500}, time.Microsecond, "want whole units"},
		{"a logical part of 17 bits", clocks.Hybrid{Logical: 1 << 16}, time.Microsecond,
			"want a logical part from 0 to 65535"},
		{"a logical part below 0", clocks.Hybrid{Logical: -1}, time.Microsecond,
			"want a logical part from 0 to 65535"},
		{"no unit", clocks.Hybrid{}, 0, "want a unit above zero"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bits, err := c.h.Pack(c.unit)
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v.Pack(%v) = %#x, %v; want %q", c.h, c.unit, bits, err, c.why)
			}
		})
	}
	if h, err := clocks.UnpackHybrid(1<<63, time.Hour); err == nil {
		t.Errorf("2^47 hours are read as %v, want a refusal", h)
	}
}

func TestVectorsComeBackFromBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := clocks.Vector(rapid.SliceOf(rapid.Int64Range(0, 1<<62)).Draw(t, "v"))
		got, err := clocks.DecodeVector(v.Encode())
		if err != nil || !slices.Equal(got, v) || len(v.Encode()) != v.Size() {
			t.Fatalf("%v comes back as %v, %v; size %d of %d", v, got, err, v.Size(),
				len(v.Encode()))
		}
	})
}

// tiny is an event of a drawn exchange: its stamps, and the events before it by reachability.
type tiny struct {
	lamport clocks.Lamport
	vector  clocks.Vector
	before  map[int]bool
}

// drawEvents are events of three nodes, each its node's own or the receipt of an earlier one.
func drawEvents(t *rapid.T) []tiny {
	var all []tiny
	last := []int{-1, -1, -1}
	for range rapid.IntRange(1, 30).Draw(t, "events") {
		node := rapid.IntRange(0, 2).Draw(t, "node")
		e := tiny{clocks.Lamport{Node: sim.NodeID(node)}, make(clocks.Vector, 3), map[int]bool{}}
		follows := func(i int) {
			e.before[i] = true
			for k := range all[i].before {
				e.before[k] = true
			}
		}
		if i := last[node]; i >= 0 {
			follows(i)
			e.lamport, e.vector = all[i].lamport, all[i].vector
		}
		if from := rapid.IntRange(-1, len(all)-1).Draw(t, "from"); from >= 0 {
			follows(from)
			e.lamport = e.lamport.Receive(all[from].lamport)
			e.vector = e.vector.Receive(all[from].vector, sim.NodeID(node))
		} else {
			e.lamport, e.vector = e.lamport.Tick(), e.vector.Tick(sim.NodeID(node))
		}
		last[node] = len(all)
		all = append(all, e)
	}
	return all
}

func TestVectorsOrderEventsExactlyAndLamportStampsAtLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawEvents(t)
		for i, a := range all {
			for k, b := range all {
				want := stands(i, k, a.before, b.before)
				if got := a.vector.Compare(b.vector); got != want {
					t.Fatalf("%v is %v %v, want %v", a.vector, got, b.vector, want)
				}
				c := a.lamport.Compare(b.lamport)
				if want == clocks.Before && a.lamport.Count >= b.lamport.Count {
					t.Fatalf("%v is not below %v, which it happened before", a.lamport, b.lamport)
				}
				if (c == 0) != (i == k) {
					t.Fatalf("%v and %v of two events compare %d", a.lamport, b.lamport, c)
				}
			}
		}
	})
}
