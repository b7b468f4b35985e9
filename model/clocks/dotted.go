package clocks

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// Dot is one write: the Count-th of an actor, which counts from 1.
type Dot struct {
	Actor string
	Count int64
}

func (d Dot) String() string { return fmt.Sprintf("%s:%d", d.Actor, d.Count) }

// Compare orders dots, by actor and count. It says nothing of what happened before what.
func (d Dot) Compare(e Dot) int {
	return cmp.Or(cmp.Compare(d.Actor, e.Actor), cmp.Compare(d.Count, e.Count))
}

// Dotted is the clock of a version: which write made it, and what its writer had seen (Preguica,
// Baquero, Almeida, Fonte, Goncalves, Dotted version vectors, 2010; Riak has them since 2.0). With
// a version vector alone a replica has to put its own count into what the writer had seen, which
// then covers whatever the same replica took up meanwhile; the dot stands apart, and covers itself
// only.
//
// Dotted and the siblings below are the type of the paper, for whoever wants it by itself; of this
// package only the tests use it. The store keeps dots too, but its sessions read and write at
// several replicas, and what such a session has seen need not be the first so many writes of each:
// a version vector cannot say it, so a version's Past is a history (conflict.go) in place of a
// Context.
type Dotted struct {
	Dot     Dot
	Context VersionVector
}

// Compare says whether one's writer had seen the other: one look-up each way. Two versions of one
// dot are the same. That each has seen the other cannot be so, unless a dot was used twice; they
// are then taken for concurrent, so that both are kept.
func (d Dotted) Compare(e Dotted) Relation {
	return d.Dot.relation(e.Dot, e.Context.Covers(d.Dot), d.Context.Covers(e.Dot))
}

// relation is how the version of dot d stands to that of e, where below says that the writer of e
// had seen d, and above that the writer of d had seen e.
func (d Dot) relation(e Dot, below, above bool) Relation {
	switch {
	case d == e:
		return Equal
	case below && !above:
		return Before
	case above && !below:
		return After
	}
	return Concurrent
}

// Seen is what somebody has seen who has read this version: its context of the next write.
func (d Dotted) Seen() VersionVector {
	if d.Context.Covers(d.Dot) {
		return d.Context
	}
	return d.Context.Set(d.Dot.Actor, d.Dot.Count, 0)
}

// String is "A:3[A:1 B:2]": the dot and the context.
func (d Dotted) String() string { return d.Dot.String() + d.Context.String() }

// Encode is d in bytes: actor and count of the dot, then the context.
func (d Dotted) Encode() []byte {
	return d.Context.append(binary.AppendUvarint(appendWord(nil, d.Dot.Actor), uint64(d.Dot.Count)))
}

// Size is how many bytes that are.
func (d Dotted) Size() int { return len(d.Encode()) }

// DecodeDotted reads what Encode writes, and refuses everything else.
func DecodeDotted(b []byte) (Dotted, error) {
	s := scan{rest: b}
	d := Dotted{Dot: Dot{Actor: s.word("an actor"), Count: s.number("a count")}}
	if s.err == nil && (d.Dot.Actor == "" || d.Dot.Count < 1) {
		s.refuse("want an actor and a count above zero, got %v", d.Dot)
	}
	d.Context = s.versions()
	if err := s.end(); err != nil {
		return Dotted{}, err
	}
	return d, nil
}

// Sibling is a version of an object among others that are concurrent to it: its clock, and what the
// store keeps with it.
type Sibling[T any] struct {
	Clock Dotted
	Of    T
}

// Next is the dot of the next write of an actor on a replica that has these siblings: above all
// that it or the writer has seen of the actor. It is new only if the actor is on one replica, whose
// siblings, or a counter, survive crashes.
func Next[T any](siblings []Sibling[T], context VersionVector, actor string) Dot {
	top := context.Get(actor)
	for _, s := range siblings {
		top = max(top, s.Clock.Context.Get(actor))
		if s.Clock.Dot.Actor == actor {
			top = max(top, s.Clock.Dot.Count)
		}
	}
	return Dot{actor, top + 1}
}

// Update is the siblings after a write: it takes the place of what its writer had seen, and stands
// beside what it had not. siblings stays as it is; what is returned is in order of dots.
func Update[T any](siblings []Sibling[T], written Sibling[T]) []Sibling[T] {
	return Sync(siblings, []Sibling[T]{written})
}

// Sync is what two replicas have after telling each other of all their siblings: of each side what
// the other has, or has not seen. It is in order of dots. Of two siblings of one dot it takes that
// of a. On what writes and Sync itself have made it is commutative, associative and idempotent.
func Sync[T any](a, b []Sibling[T]) []Sibling[T] {
	var both []Sibling[T]
	for _, s := range a {
		if !seen(s, b) {
			both = append(both, s)
		}
	}
	for _, s := range b {
		twice := slices.ContainsFunc(a, func(o Sibling[T]) bool {
			return o.Clock.Dot == s.Clock.Dot
		})
		if !twice && !seen(s, a) {
			both = append(both, s)
		}
	}
	slices.SortStableFunc(both, func(s, o Sibling[T]) int {
		return s.Clock.Dot.Compare(o.Clock.Dot)
	})
	return both
}

// seen says that the writer of one of the others had seen s.
func seen[T any](s Sibling[T], others []Sibling[T]) bool {
	return slices.ContainsFunc(others, func(o Sibling[T]) bool {
		return s.Clock.Compare(o.Clock) == Before
	})
}

// Context is what somebody has seen who has read all siblings: with it a write settles them.
func Context[T any](siblings []Sibling[T]) VersionVector {
	var all VersionVector
	for _, s := range siblings {
		all = all.Merge(s.Clock.Seen())
	}
	return all
}
