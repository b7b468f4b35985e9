package clocks

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// edit is one change of a replicated object, as the replica makes it that serves the request.
type edit struct {
	Verb  string
	Word  string   // the element or the value
	N     int64    // the amount
	Actor string   // the replica
	Stamp Hybrid   // of this event
	Wall  sim.Time // what the clock of the replica showed
}

// lattice is what the states of one type are: Merge is commutative, associative and idempotent, and
// an edit never takes a state below what it was (the conditions of Shapiro and others 2011,
// theorem 2.1). Replicas that have heard of the same edits are then equal, in whatever order and
// however often they heard of them.
type lattice[T any] interface {
	fmt.Stringer
	Merge(T) T
	Equal(T) bool
	edited(edit) T
}

// crdt is the state of an object, of any type. It is a value: nothing changes it.
type crdt interface {
	fmt.Stringer
	edited(edit) crdt
	merged(crdt) crdt
	equals(crdt) bool
}

// state is a crdt of one type.
type state[T lattice[T]] struct{ Of T }

func (s state[T]) String() string         { return s.Of.String() }
func (s state[T]) edited(e edit) crdt     { return state[T]{s.Of.edited(e)} }
func (s state[T]) merged(with crdt) crdt  { return state[T]{s.Of.Merge(with.(state[T]).Of)} }
func (s state[T]) equals(other crdt) bool { return s.Of.Equal(other.(state[T]).Of) }

// What requests do.
const (
	verbGrow = "grow"
	verbInc  = "inc"
	verbDec  = "dec"
	verbAdd  = "add"
	verbDel  = "del"
	verbSet  = "set"
	verbKeep = "keep"
)

func (c GCounter) edited(e edit) GCounter { return c.Add(e.Actor, e.N) }

func (c PNCounter) edited(e edit) PNCounter {
	if e.Verb == verbDec {
		return c.Take(e.Actor, e.N)
	}
	return c.Add(e.Actor, e.N)
}

func (s ORSet) edited(e edit) ORSet {
	if e.Verb == verbDel {
		return s.Del(e.Word)
	}
	return s.Add(e.Actor, e.Word)
}

func (r LWWRegister) edited(e edit) LWWRegister { return r.Set(e.Stamp, e.Actor, e.Word) }

func (r MVRegister) edited(e edit) MVRegister { return r.Keep(e.Actor, e.Word) }
