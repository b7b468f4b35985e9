package clocks

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// VersionVector says which writes a version of an object has seen: of each actor the first Count
// (Parker and others, Detection of mutual inconsistency in distributed systems, 1983). It is the
// list of pairs that Dynamo keeps with each version (2007, section 4.4), in order of actors, each
// once and with a count above zero. It is a value: no method changes it.
type VersionVector []Pair

// Pair is what a version vector has of an actor: a replica, a client, or whoever else counts its
// writes. At is when the pair changed last, by the clock of the node that changed it; only Prune
// reads it.
type Pair struct {
	Actor string
	Count int64
	At    sim.Time
}

// find is where the pair of an actor is, or belongs.
func (v VersionVector) find(actor string) (at int, ok bool) {
	return slices.BinarySearchFunc(v, actor, func(p Pair, a string) int {
		return cmp.Compare(p.Actor, a)
	})
}

// Get is how many writes of an actor were seen, 0 if it has no pair.
func (v VersionVector) Get(actor string) int64 {
	if at, ok := v.find(actor); ok {
		return v[at].Count
	}
	return 0
}

// Set is v with a count of an actor that changed at a time; a count of 0 or less takes the pair
// out.
func (v VersionVector) Set(actor string, count int64, at sim.Time) VersionVector {
	next := slices.Clone(v)
	i, ok := next.find(actor)
	switch {
	case count <= 0 && ok:
		return slices.Delete(next, i, i+1)
	case count <= 0:
		return next
	case !ok:
		next = slices.Insert(next, i, Pair{Actor: actor})
	}
	next[i].Count, next[i].At = count, at
	return next
}

// Bump is v after one more write of an actor.
func (v VersionVector) Bump(actor string, at sim.Time) VersionVector {
	return v.Set(actor, v.Get(actor)+1, at)
}

// Merge has seen what either has seen. Of equal counts it keeps the later time.
func (v VersionVector) Merge(u VersionVector) VersionVector {
	both := make(VersionVector, 0, len(v)+len(u))
	for len(v) > 0 && len(u) > 0 {
		switch c := cmp.Compare(v[0].Actor, u[0].Actor); {
		case c < 0:
			both, v = append(both, v[0]), v[1:]
		case c > 0:
			both, u = append(both, u[0]), u[1:]
		default:
			both, v, u = append(both, v[0].later(u[0])), v[1:], u[1:]
		}
	}
	return append(append(both, v...), u...)
}

// later is the pair of an actor that has seen more, or as much and changed later.
func (p Pair) later(q Pair) Pair {
	if cmp.Or(cmp.Compare(p.Count, q.Count), cmp.Compare(p.At, q.At)) < 0 {
		return q
	}
	return p
}

// Compare says whether one has seen all that the other has. Times do not matter.
func (v VersionVector) Compare(u VersionVector) Relation {
	return relation(!v.sees(u), !u.sees(v))
}

// sees says that v has seen all that u has.
func (v VersionVector) sees(u VersionVector) bool {
	return !slices.ContainsFunc(u, func(p Pair) bool { return v.Get(p.Actor) < p.Count })
}

// Covers says that v has seen the write that a dot is.
func (v VersionVector) Covers(d Dot) bool { return v.Get(d.Actor) >= d.Count }

// Prune drops the pairs that changed longest ago, of equal times that of the lesser actor, until at
// most limit are left. Dynamo does so beyond ten. What is dropped is as if it had never been seen:
// a pruned version may no longer be known to descend from another.
func (v VersionVector) Prune(limit int) VersionVector {
	if len(v) <= limit {
		return v
	}
	age := slices.Clone(v)
	slices.SortStableFunc(age, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(p.Actor, q.Actor))
	})
	age = age[len(age)-max(limit, 0):]
	slices.SortStableFunc(age, func(p, q Pair) int { return cmp.Compare(p.Actor, q.Actor) })
	return age
}

// String is "[A:3 B:1]": the counts.
func (v VersionVector) String() string {
	words := make([]string, len(v))
	for i, p := range v {
		words[i] = fmt.Sprintf("%s:%d", p.Actor, p.Count)
	}
	return "[" + strings.Join(words, " ") + "]"
}

// Text is "[A:3@12000000 B:1@0]": the counts and the times in nanoseconds. ParseVersionVector reads
// it.
func (v VersionVector) Text() string {
	words := make([]string, len(v))
	for i, p := range v {
		words[i] = fmt.Sprintf("%s:%d@%d", p.Actor, p.Count, int64(p.At))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// ParseVersionVector reads what Text writes, and what String writes of it, with times 0. It refuses
// pairs that are out of order or twice there, counts below 1, and actors with blanks, ":" or "@".
func ParseVersionVector(text string) (VersionVector, error) {
	inner, open := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		return nil, fmt.Errorf("want [ACTOR:COUNT@NANOSECONDS ...], got %q", text)
	}
	var v VersionVector
	for _, word := range strings.Fields(inner) {
		p, err := parsePair(word)
		if err != nil {
			return nil, err
		}
		v = append(v, p)
	}
	return v, v.check()
}

// parsePair reads a word of a version vector.
func parsePair(word string) (Pair, error) {
	pair, at, timed := strings.Cut(word, "@")
	actor, count, ok := strings.Cut(pair, ":")
	n, err := strconv.ParseInt(count, 10, 64)
	if !ok || err != nil {
		return Pair{}, fmt.Errorf("want ACTOR:COUNT@NANOSECONDS, got %q", word)
	}
	p := Pair{Actor: actor, Count: n}
	if timed {
		nanos, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return Pair{}, fmt.Errorf("want nanoseconds after @, got %q", word)
		}
		p.At = sim.Time(nanos)
	}
	return p, nil
}

// check refuses what is no version vector.
func (v VersionVector) check() error {
	for i, p := range v {
		switch {
		case p.Actor == "":
			return fmt.Errorf("want an actor before :%d", p.Count)
		case p.Count < 1:
			return fmt.Errorf("want a count above zero, got %s:%d", p.Actor, p.Count)
		case i > 0 && v[i-1].Actor >= p.Actor:
			return fmt.Errorf("want actors in order, each once, got %q after %q", p.Actor,
				v[i-1].Actor)
		}
	}
	return nil
}

// Encode is v in bytes: how many pairs, and of each the actor, the count and the time, numbers as
// varints.
func (v VersionVector) Encode() []byte { return v.append(nil) }

// Size is how many bytes that are: what a version vector costs a message or a record.
func (v VersionVector) Size() int { return len(v.Encode()) }

func (v VersionVector) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(v)))
	for _, p := range v {
		b = appendWord(b, p.Actor)
		b = binary.AppendUvarint(b, uint64(p.Count))
		b = binary.AppendVarint(b, int64(p.At))
	}
	return b
}

// DecodeVersionVector reads what Encode writes, and refuses everything else.
func DecodeVersionVector(b []byte) (VersionVector, error) {
	s := scan{rest: b}
	v := s.versions()
	return v, s.end()
}

// versions reads a version vector.
func (s *scan) versions() VersionVector {
	var v VersionVector
	for range s.size("the number of pairs") {
		p := Pair{Actor: s.word("an actor"), Count: s.number("a count"),
			At: sim.Time(s.signed("a time"))}
		v = append(v, p)
	}
	if err := v.check(); err != nil {
		s.refuse("%w", err)
	}
	if s.err != nil {
		return nil
	}
	return v
}
