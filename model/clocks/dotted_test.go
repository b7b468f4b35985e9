package clocks_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
)

// siblings are what a replica has of a key; each is kept with its number.
type siblings []clocks.Sibling[int]

// dottedTrial is a key on replicas that are written to and synchronised: what dots make of it, and
// what is so, by the numbers of the versions that the writer of each had seen, itself included.
type dottedTrial struct {
	has  map[string]siblings
	seen []map[int]bool
}

// write is a client that has read some replica, then or before, writing to another.
func (k *dottedTrial) write(context siblings, at string) {
	number := len(k.seen)
	seen := map[int]bool{number: true}
	for _, s := range context {
		for n := range k.seen[s.Of] {
			seen[n] = true
		}
	}
	k.seen = append(k.seen, seen)
	read := clocks.Context(context)
	k.has[at] = clocks.Update(k.has[at], clocks.Sibling[int]{Of: number, Clock: clocks.Dotted{
		Dot: clocks.Next(k.has[at], read, at), Context: read}})
}

// want is the relation of two versions.
func (k *dottedTrial) want(a, b int) clocks.Relation { return stands(a, b, k.seen[a], k.seen[b]) }

// text is siblings in words.
func (s siblings) text() string { return fmt.Sprint([]clocks.Sibling[int](s)) }

// drawTrial plays writes, with contexts old and new, and synchronisations. It gives all states that
// there were.
func drawTrial(t *rapid.T) (k *dottedTrial, states []siblings) {
	replicas := []string{"A", "B", "C"}
	k = &dottedTrial{has: map[string]siblings{}}
	states = []siblings{nil}
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		at := rapid.SampledFrom(replicas).Draw(t, "at")
		if rapid.Bool().Draw(t, "write") {
			k.write(rapid.SampledFrom(states).Draw(t, "context"), at)
		} else {
			from := rapid.SampledFrom(replicas).Draw(t, "from")
			k.has[at] = clocks.Sync(k.has[at], k.has[from])
		}
		states = append(states, k.has[at])
	}
	return k, states
}

func TestDotsCompareVersionsAsTheirWritersHadSeenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, states := drawTrial(t)
		all := slices.Concat(states...)
		for _, a := range all {
			for _, b := range all {
				if got, want := a.Clock.Compare(b.Clock), k.want(a.Of, b.Of); got != want {
					t.Fatalf("%d, which is %v, is %v %d, which is %v; want %v", a.Of, a.Clock,
						got, b.Of, b.Clock, want)
				}
			}
		}
	})
}

func TestThereAreNoMoreSiblingsThanConcurrentWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, states := drawTrial(t)
		a, b := rapid.SampledFrom(states).Draw(t, "a"), rapid.SampledFrom(states).Draw(t, "b")
		both := slices.Concat(a, b)
		var want []int
		for _, s := range both {
			newer := func(o clocks.Sibling[int]) bool { return k.want(s.Of, o.Of) == clocks.Before }
			if !slices.ContainsFunc(both, newer) && !slices.Contains(want, s.Of) {
				want = append(want, s.Of)
			}
		}
		var got []int
		for _, s := range clocks.Sync(a, b) {
			got = append(got, s.Of)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("Sync(%s, %s) has %v, want %v", a.text(), b.text(), got, want)
		}
	})
}

func TestSyncIsCommutativeAssociativeAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, states := drawTrial(t)
		draw := func(label string) siblings { return rapid.SampledFrom(states).Draw(t, label) }
		a, b, c := draw("a"), draw("b"), draw("c")
		same := func(law string, x, y siblings) {
			if x.text() != y.text() {
				t.Fatalf("%s: %s and %s, of %s, %s, %s", law, x.text(), y.text(), a.text(),
					b.text(), c.text())
			}
		}
		same("commutative", clocks.Sync(a, b), clocks.Sync(b, a))
		same("associative", clocks.Sync(clocks.Sync(a, b), c), clocks.Sync(a, clocks.Sync(b, c)))
		same("idempotent", clocks.Sync(a, a), a)
	})
}

// Without the dot the second write would have the vector [A:2], above the first's [A:1].
func TestTwoWritesToOneReplicaThatHadSeenNothingAreSiblings(t *testing.T) {
	k := &dottedTrial{has: map[string]siblings{}}
	k.write(nil, "A")
	k.write(nil, "A")
	if got := k.has["A"]; len(got) != 2 || got[0].Clock.Compare(got[1].Clock) != clocks.Concurrent {
		t.Fatalf("A has %s, want both", got.text())
	}
	k.write(k.has["A"], "A")
	if got := k.has["A"]; len(got) != 1 || got[0].Of != 2 {
		t.Errorf("A has %s after a write that had seen both, want it alone", got.text())
	}
}

func TestTheNextDotIsAboveAllThatIsKnownOfItsActor(t *testing.T) {
	var seen clocks.VersionVector
	seen = seen.Set("A", 3, 0).Set("B", 9, 0)
	dot := func(actor string, n int64, context clocks.VersionVector) siblings {
		return siblings{{Clock: clocks.Dotted{Dot: clocks.Dot{Actor: actor, Count: n},
			Context: context}}}
	}
	for _, c := range []struct {
		name    string
		has     siblings
		context clocks.VersionVector
		want    int64
	}{
		{"the first of all is 1", nil, nil, 1},
		{"the writer has seen three", nil, seen, 4},
		{"the replica has the fifth", dot("A", 5, nil), seen, 6},
		{"whoever wrote what the replica has had seen three", dot("C", 5, seen), nil, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := clocks.Dot{Actor: "A", Count: c.want}
			if got := clocks.Next(c.has, c.context, "A"); got != want {
				t.Errorf("Next(%s, %v, A) = %v, want %v", c.has.text(), c.context, got, want)
			}
		})
	}
}

func TestDottedVersionsComeBackFromBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := clocks.Dotted{Context: drawVersions(t, "context"), Dot: clocks.Dot{
			Actor: rapid.SampledFrom(actors).Draw(t, "actor"),
			Count: rapid.Int64Range(1, 1<<62).Draw(t, "count")}}
		got, err := clocks.DecodeDotted(d.Encode())
		if err != nil || got.String() != d.String() || got.Size() != d.Size() {
			t.Fatalf("%v comes back as %v, %v", d, got, err)
		}
	})
	for _, b := range [][]byte{{}, {0, 1, 0}, {1, 'A', 0, 0}, {1, 'A', 1}} {
		if got, err := clocks.DecodeDotted(b); err == nil {
			t.Errorf("%x is read as %v, want a refusal", b, got)
		}
	}
}
