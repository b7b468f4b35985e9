package clocks

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// Relation is how two events, or two versions, stand to each other.
type Relation uint8

// The relations.
const (
	Equal Relation = iota
	Before
	After
	Concurrent
)

func (r Relation) String() string {
	if r > Concurrent {
		panic(fmt.Sprintf("clocks: relation %d", uint8(r)))
	}
	return [...]string{"equal", "before", "after", "concurrent"}[r]
}

// relation is how two things stand of which one lacks something that the other has, or not, and the
// other something that the one has.
func relation(less, more bool) Relation {
	switch {
	case less && more:
		return Concurrent
	case less:
		return Before
	case more:
		return After
	}
	return Equal
}

// Vector is a vector clock (Fidge, Timestamps in message-passing systems that preserve the partial
// ordering, 1988; Mattern, Virtual time and global states of distributed systems, 1989): by node,
// how many of its events are known. A node that a vector has no entry for is one of which none is.
type Vector []int64

// at is the entry of a node.
func (v Vector) at(i int) int64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// Tick is the stamp of the next event of a node.
func (v Vector) Tick(id sim.NodeID) Vector {
	next := make(Vector, max(len(v), int(id)+1))
	copy(next, v)
	next[id]++
	return next
}

// Merge knows the events that either knows: entry by entry the greater.
func (v Vector) Merge(u Vector) Vector {
	next := make(Vector, max(len(v), len(u)))
	for i := range next {
		next[i] = max(v.at(i), u.at(i))
	}
	return next
}

// Receive is the stamp of the receipt of a message with stamp m on a node.
func (v Vector) Receive(m Vector, id sim.NodeID) Vector { return v.Merge(m).Tick(id) }

// Compare says how the events with these stamps are ordered: exactly as they happened.
func (v Vector) Compare(u Vector) Relation {
	less, more := false, false
	for i := range max(len(v), len(u)) {
		less, more = less || v.at(i) < u.at(i), more || v.at(i) > u.at(i)
	}
	return relation(less, more)
}

// Encode is v in bytes: how many entries, and each, as varints. It grows with the number of nodes.
func (v Vector) Encode() []byte {
	b := binary.AppendUvarint(nil, uint64(len(v)))
	for _, n := range v {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// Size is how many bytes that are.
func (v Vector) Size() int { return len(v.Encode()) }

// DecodeVector reads what Encode writes, and refuses everything else.
func DecodeVector(b []byte) (Vector, error) {
	s := scan{rest: b}
	v := make(Vector, s.size("the number of entries"))
	for i := range v {
		v[i] = s.number("an entry")
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	return slices.Clip(v), nil
}
