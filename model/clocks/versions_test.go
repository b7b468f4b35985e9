package clocks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// actors are those of drawn version vectors; the last sorts last and has a length of its own.
var actors = []string{"A", "B", "B2", "C", "client 7", "zz"}

// drawVersions is a version vector with some of the actors.
func drawVersions(t *rapid.T, label string) clocks.VersionVector {
	var v clocks.VersionVector
	for _, a := range actors {
		if n := rapid.Int64Range(0, 3).Draw(t, label+" "+a); n > 0 {
			v = v.Set(a, n, sim.Time(rapid.Int64Range(-5, 5).Draw(t, label+" time")))
		}
	}
	return v
}

// writes is what a version vector has seen, one by one.
func writes(v clocks.VersionVector) map[clocks.Dot]bool {
	all := map[clocks.Dot]bool{}
	for _, p := range v {
		for n := int64(1); n <= p.Count; n++ {
			all[clocks.Dot{Actor: p.Actor, Count: n}] = true
		}
	}
	return all
}

// within says that all of a is in b.
func within(a, b map[clocks.Dot]bool) bool {
	for d := range a {
		if !b[d] {
			return false
		}
	}
	return true
}

// related is how two sets of writes stand, by definition.
func related(a, b map[clocks.Dot]bool) clocks.Relation {
	switch below, above := within(a, b), within(b, a); {
	case below && above:
		return clocks.Equal
	case below:
		return clocks.Before
	case above:
		return clocks.After
	}
	return clocks.Concurrent
}

// opposite is the relation of two things the other way round.
func opposite(r clocks.Relation) clocks.Relation {
	switch r {
	case clocks.Before:
		return clocks.After
	case clocks.After:
		return clocks.Before
	}
	return r
}

func TestVersionVectorsCompareAsTheSetsOfWritesThatTheyStandFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, u := drawVersions(t, "v"), drawVersions(t, "u")
		if got, want := v.Compare(u), related(writes(v), writes(u)); got != want {
			t.Fatalf("%v.Compare(%v) = %v, want %v", v, u, got, want)
		}
		if got, back := v.Compare(u), u.Compare(v); back != opposite(got) {
			t.Fatalf("%v is %v %v, and the other way round %v", v, got, u, back)
		}
		for d := range writes(u) {
			if got, want := v.Covers(d), writes(v)[d]; got != want {
				t.Fatalf("%v.Covers(%v) = %v, want %v", v, d, got, want)
			}
		}
	})
}

func TestMergeIsTheLeastVersionVectorThatHasSeenBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, u, w := drawVersions(t, "v"), drawVersions(t, "u"), drawVersions(t, "w")
		both := v.Merge(u)
		want := writes(v)
		for d := range writes(u) {
			want[d] = true
		}
		if related(writes(both), want) != clocks.Equal {
			t.Fatalf("%v.Merge(%v) = %v", v, u, both)
		}
		same := func(law string, a, b clocks.VersionVector) {
			if a.Text() != b.Text() {
				t.Fatalf("%s: %s and %s, of %s, %s, %s", law, a.Text(), b.Text(), v.Text(),
					u.Text(), w.Text())
			}
		}
		same("commutative", both, u.Merge(v))
		same("associative", both.Merge(w), v.Merge(u.Merge(w)))
		same("idempotent", v, v.Merge(v))
	})
}

func TestSetAndBumpChangeOneCountAndNotTheirReceiver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, actor := drawVersions(t, "v"), rapid.SampledFrom(actors).Draw(t, "actor")
		before := v.Text()
		n := rapid.Int64Range(0, 5).Draw(t, "count")
		set, bumped := v.Set(actor, n, 9), v.Bump(actor, 9)
		if v.Text() != before {
			t.Fatalf("%s is now %s", before, v.Text())
		}
		if set.Get(actor) != n || bumped.Get(actor) != v.Get(actor)+1 {
			t.Fatalf("%v: set to %d is %v, bumped is %v", v, n, set, bumped)
		}
		for _, a := range actors {
			if a != actor && (set.Get(a) != v.Get(a) || bumped.Get(a) != v.Get(a)) {
				t.Fatalf("%v: changing %s gives %v and %v", v, actor, set, bumped)
			}
		}
	})
}

func TestPruneKeepsThePairsThatChangedLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, limit := drawVersions(t, "v"), rapid.IntRange(0, 7).Draw(t, "limit")
		got := v.Prune(limit)
		if len(got) != min(limit, len(v)) {
			t.Fatalf("%s.Prune(%d) has %d pairs: %s", v.Text(), limit, len(got), got.Text())
		}
		for _, p := range v {
			if slices.Contains(got, p) {
				continue
			}
			for _, kept := range got {
				if kept.At < p.At || kept.At == p.At && kept.Actor < p.Actor {
					t.Fatalf("%s.Prune(%d) = %s drops %v and keeps %v", v.Text(), limit,
						got.Text(), p, kept)
				}
			}
		}
		if r := got.Compare(v); r != clocks.Before && r != clocks.Equal {
			t.Fatalf("%v.Prune(%d) = %v is %v it", v, limit, got, r)
		}
	})
}

func TestAPrunedVersionIsNotKnownToDescendAnyMore(t *testing.T) {
	var v clocks.VersionVector
	for i := range 11 {
		v = v.Bump(fmt.Sprintf("writer%02d", i), sim.Time(i))
	}
	next := v.Bump("writer10", 11)
	if got := v.Compare(next); got != clocks.Before {
		t.Fatalf("%v is %v %v", v, got, next)
	}
	if got := v.Compare(next.Prune(10)); got != clocks.Concurrent {
		t.Errorf("%v is %v %v, which was pruned to ten: want concurrent", v, got, next.Prune(10))
	}
}

func TestVersionVectorsComeBackFromBytesAndText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVersions(t, "v")
		got, err := clocks.DecodeVersionVector(v.Encode())
		if err != nil || got.Text() != v.Text() {
			t.Fatalf("%s comes back from bytes as %s, %v", v.Text(), got.Text(), err)
		}
		if len(v.Encode()) != v.Size() {
			t.Fatalf("%v: size %d, and %d bytes", v, v.Size(), len(v.Encode()))
		}
		v = v.Set("client 7", 0, 0) // a blank has no place in text
		got, err = clocks.ParseVersionVector(v.Text())
		if err != nil || got.Text() != v.Text() {
			t.Fatalf("%s comes back from text as %s, %v", v.Text(), got.Text(), err)
		}
	})
}

// mangled is bytes of a value with some changed, cut off or put in, or any bytes at all.
func mangled(t *rapid.T, b []byte) []byte {
	if rapid.Bool().Draw(t, "any bytes") {
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	}
	b = slices.Clone(b)
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		at := rapid.IntRange(0, len(b)).Draw(t, "at")
		value := rapid.SampledFrom([]byte{0, 1, 2, 127, 128, 255}).Draw(t, "byte")
		switch {
		case at == len(b):
			b = append(b, value)
		case rapid.Bool().Draw(t, "cut off"):
			b = b[:at]
		default:
			b[at] = value
		}
	}
	return b
}

func TestHostileBytesAreRefusedOrAreWhatWouldBeWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVersions(t, "v")
		d := clocks.Dotted{Dot: clocks.Dot{Actor: "B", Count: 300}, Context: v}
		b := mangled(t, v.Encode())
		if got, err := clocks.DecodeVersionVector(b); err == nil && !slices.Equal(got.Encode(), b) {
			t.Fatalf("%x is read as %s, which is written %x", b, got.Text(), got.Encode())
		}
		b = mangled(t, d.Encode())
		if got, err := clocks.DecodeDotted(b); err == nil && !slices.Equal(got.Encode(), b) {
			t.Fatalf("%x is read as %v, which is written %x", b, got, got.Encode())
		}
		b = mangled(t, clocks.Vector{0, 1, 127, 128, 1 << 40}.Encode())
		if got, err := clocks.DecodeVector(b); err == nil && !slices.Equal(got.Encode(), b) {
			t.Fatalf("%x is read as %v, which is written %x", b, got, got.Encode())
		}
	})
}

func TestEachRefusalOfAVersionVectorSaysWhatWasWanted(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"no brackets", "A:1", "want [ACTOR:COUNT@NANOSECONDS ...]"},
		{"no count", "[A]", "want ACTOR:COUNT@NANOSECONDS"},
		{"a count that is no number", "[A:x]", "want ACTOR:COUNT@NANOSECONDS"},
		{"a time that is no number", "[A:1@x]", "want nanoseconds after @"},
		{"a count of none", "[A:0]", "want a count above zero"},
		{"a nameless actor", "[:1]", "want an actor before :1"},
		{"actors out of order", "[B:1 A:1]", "want actors in order"},
		{"an actor twice", "[A:1 A:2]", "want actors in order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := clocks.ParseVersionVector(c.text)
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%q is read as %v, %v; want %q", c.text, got, err, c.why)
			}
		})
	}
	for _, c := range []struct {
		name string
		b    []byte
		why  string
	}{
		{"nothing", nil, "want the number of pairs"},
		{"more pairs than bytes", []byte{200, 1, 0}, "want the number of pairs, got 200"},
		{"a number that is not in its shortest form", []byte{0x80, 0}, "shortest form"},
		{"a number of 64 bits", []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, "63 bits"},
		{"something after the end", []byte{0, 7}, "want no more, got 1 bytes"},
		{"a count of none", []byte{1, 1, 'A', 0, 0}, "want a count above zero"},
		{"a time that is not in its shortest form", []byte{1, 1, 'A', 1, 0x80, 0}, "shortest form"},
		{"no time", []byte{1, 1, 'A', 1}, "want a time"},
	} {
		t.Run(c.name+" in bytes", func(t *testing.T) {
			got, err := clocks.DecodeVersionVector(c.b)
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%x is read as %v, %v; want %q", c.b, got, err, c.why)
			}
		})
	}
}
