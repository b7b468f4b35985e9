package clocks_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// lattice is what every replicated type is.
type lattice[T any] interface {
	fmt.Stringer
	Merge(T) T
	Equal(T) bool
	Clone() T
}

// edit is one that a replica made, with the numbers of those that it had seen.
type edit struct {
	verb, word, actor string
	n                 int64
	stamp             clocks.Hybrid
	seen              map[int]bool
}

// replicated is a type under test: what can be done to it, and what its values may be when these
// edits are in it, by number.
type replicated[T lattice[T]] struct {
	verbs []string
	do    func(s T, e edit) T
	wants func(in map[int]edit) []string
}

// replica is one of those of a trial.
type replica[T any] struct {
	state T
	in    map[int]edit
	clock clocks.Hybrid
}

// trial lets three replicas edit, and hear of each other in any order, and checks all that must be
// so on the way.
func (k replicated[T]) trial(t *rapid.T) {
	var replicas [3]replica[T]
	var states, copies []T
	for i := range replicas {
		replicas[i].in = map[int]edit{}
	}
	for number := range rapid.IntRange(1, 14).Draw(t, "steps") {
		to := rapid.IntRange(0, 2).Draw(t, "replica")
		from := rapid.IntRange(0, 2).Draw(t, "hears of")
		r := &replicas[to]
		if from == to {
			k.edit(t, r, number, "ABC"[to:to+1])
		} else {
			k.hear(t, r, replicas[from])
		}
		if wants := k.wants(r.in); !slices.Contains(wants, r.state.String()) {
			t.Fatalf("with the edits %v it is %v, want %v", r.in, r.state, wants)
		}
		states, copies = append(states, r.state), append(copies, r.state.Clone())
	}
	laws(t, states)
	for i := range states {
		if !states[i].Equal(copies[i]) || states[i].String() != copies[i].String() {
			t.Fatalf("something changed the value %v into %v", copies[i], states[i])
		}
	}
}

// edit makes an edit: it never takes the state below what it was.
func (k replicated[T]) edit(t *rapid.T, r *replica[T], number int, actor string) {
	r.clock = r.clock.Tick(sim.Time(rapid.IntRange(0, 3).Draw(t, "clock")))
	e := edit{verb: rapid.SampledFrom(k.verbs).Draw(t, "verb"), actor: actor, stamp: r.clock,
		word: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "word"),
		n:    rapid.Int64Range(1, 3).Draw(t, "n"), seen: map[int]bool{}}
	if e.verb == "set" || e.verb == "keep" {
		e.word = strconv.Itoa(number)
	}
	in := map[int]edit{number: e}
	for i, d := range r.in {
		e.seen[i], in[i] = true, d
	}
	before := r.state
	r.state, r.in = k.do(before, e), in
	if !before.Merge(r.state).Equal(r.state) {
		t.Fatalf("%s %s makes %v of %v: not above it", e.verb, e.word, r.state, before)
	}
}

// hear merges: in it are then the edits of both.
func (k replicated[T]) hear(t *rapid.T, r *replica[T], from replica[T]) {
	r.state = r.state.Merge(from.state)
	r.clock = r.clock.Receive(from.clock, sim.Time(rapid.IntRange(0, 3).Draw(t, "clock")))
	in := map[int]edit{}
	for _, side := range []map[int]edit{r.in, from.in} {
		for i, e := range side {
			in[i] = e
		}
	}
	r.in = in
}

// laws are those of a join: commutative, associative, idempotent.
func laws[T lattice[T]](t *rapid.T, states []T) {
	pick := func(label string) T { return rapid.SampledFrom(states).Draw(t, label) }
	for range 5 {
		a, b, c := pick("a"), pick("b"), pick("c")
		if ab, ba := a.Merge(b), b.Merge(a); !ab.Equal(ba) || ab.String() != ba.String() {
			t.Fatalf("%v with %v is %v, the other way round %v", a, b, ab, ba)
		}
		left, right := a.Merge(b).Merge(c), a.Merge(b.Merge(c))
		if !left.Equal(right) || left.String() != right.String() {
			t.Fatalf("%v, %v and %v: %v or %v, by which two are merged first", a, b, c, left, right)
		}
		if aa := a.Merge(a); !aa.Equal(a) || aa.String() != a.String() {
			t.Fatalf("%v with itself is %v", a, aa)
		}
	}
}

// total is what counters must be: the sum of all edits.
func total(in map[int]edit) []string {
	sum := int64(0)
	for _, e := range in {
		if e.verb == "dec" {
			e.n = -e.n
		}
		sum += e.n
	}
	return []string{strconv.FormatInt(sum, 10)}
}

// members are what a set must be: the elements of adds that no del in it had seen.
func members(in map[int]edit) []string {
	var list []string
	for i, e := range in {
		alive := e.verb == "add"
		for _, d := range in {
			alive = alive && !(d.verb == "del" && d.word == e.word && d.seen[i])
		}
		if alive {
			list = append(list, e.word)
		}
	}
	return []string{inWords(list)}
}

// newest are the values of the edits that no other had seen.
func newest(in map[int]edit) []string {
	var list []string
	for i, e := range in {
		seen := false
		for _, d := range in {
			seen = seen || d.seen[i]
		}
		if !seen {
			list = append(list, e.word)
		}
	}
	return list
}

// inWords is values in order, each once.
func inWords(list []string) string {
	slices.Sort(list)
	if len(list) == 0 {
		return "empty"
	}
	return strings.Join(slices.Compact(list), " ")
}

func TestGCountersMerge(t *testing.T) {
	rapid.Check(t, replicated[clocks.GCounter]{
		verbs: []string{"grow"},
		do: func(c clocks.GCounter, e edit) clocks.GCounter {
			return c.Add(e.actor, e.n)
		},
		wants: total,
	}.trial)
}

func TestPNCountersMerge(t *testing.T) {
	rapid.Check(t, replicated[clocks.PNCounter]{
		verbs: []string{"inc", "dec"},
		do: func(c clocks.PNCounter, e edit) clocks.PNCounter {
			if e.verb == "dec" {
				return c.Take(e.actor, e.n)
			}
			return c.Add(e.actor, e.n)
		},
		wants: total,
	}.trial)
}

func TestORSetsMerge(t *testing.T) {
	rapid.Check(t, replicated[clocks.ORSet]{
		verbs: []string{"add", "del"},
		do: func(s clocks.ORSet, e edit) clocks.ORSet {
			next := s.Del(e.word)
			if e.verb == "add" {
				next = s.Add(e.actor, e.word)
			}
			if next.Has(e.word) != (e.verb == "add") {
				panic(fmt.Sprintf("%s %s makes %v of %v", e.verb, e.word, next, s))
			}
			return next
		},
		wants: members,
	}.trial)
}

func TestMVRegistersMerge(t *testing.T) {
	rapid.Check(t, replicated[clocks.MVRegister]{
		verbs: []string{"keep"},
		do: func(r clocks.MVRegister, e edit) clocks.MVRegister {
			return r.Keep(e.actor, e.word)
		},
		wants: func(in map[int]edit) []string { return []string{inWords(newest(in))} },
	}.trial)
}

func TestLWWRegistersMerge(t *testing.T) {
	rapid.Check(t, replicated[clocks.LWWRegister]{
		verbs: []string{"set"},
		do: func(r clocks.LWWRegister, e edit) clocks.LWWRegister {
			return r.Set(e.stamp, e.actor, e.word)
		},
		wants: func(in map[int]edit) []string {
			if len(in) == 0 {
				return []string{"empty"}
			}
			return newest(in)
		},
	}.trial)
}

func TestATwoPhaseSetHasNoWayBack(t *testing.T) {
	s := clocks.TwoPhaseSet{Added: []string{"a", "b"}, Deleted: []string{"a"}}
	again := s.Merge(clocks.TwoPhaseSet{Added: []string{"a"}})
	if got := again.String(); got != "b" || !again.Equal(s) {
		t.Errorf("a set of b from which a was deleted, with one that has a: got %s, want b", got)
	}
}

// A set keeps nothing of what was deleted but that it was seen.
func TestAnORSetKeepsNoTombstones(t *testing.T) {
	var s clocks.ORSet
	for k := range 100 {
		s = s.Add("A", strconv.Itoa(k)).Del(strconv.Itoa(k)).Add("A", "x")
	}
	if len(s.Live) != 1 || len(s.Seen) != 1 {
		t.Errorf("after 100 elements came and went beside x: got %d dots and %d actors, want 1 "+
			"and 1", len(s.Live), len(s.Seen))
	}
}
