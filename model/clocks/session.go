package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// session is what the application on a node has seen of the store. It ends with a crash, or with
// its user. Writer is by what name it counts its puts, where vectors count puts of writers.
type session struct {
	Known  []known
	Writer string
}

// known is what it has seen of a key. Floor is of what records it was told, and From is the replica
// that had all of it.
type known struct {
	Key     string
	Context context
	Floor   record
	From    sim.NodeID
}

// of is what a session knows of a key.
func (s *session) of(key string) known {
	if i := s.find(key); i >= 0 {
		return s.Known[i]
	}
	return known{Key: key, Floor: record{Key: key}}
}

func (s *session) find(key string) int {
	return slices.IndexFunc(s.Known, func(k known) bool { return k.Key == key })
}

func (s *session) set(k known) {
	if i := s.find(k.Key); i >= 0 {
		s.Known[i] = k
		return
	}
	s.Known = append(s.Known, k)
}

// writes is the context of the next put of a key. A writer whose puts are counted has seen a put of
// its own from the moment it sends it: the next count covers it.
func (n *node) writes(call sim.CallID, key string) context {
	k := n.session.of(key)
	c := k.Context
	if n.rules.store.Conflict != byWriter {
		return c
	}
	if n.rules.store.ContextCounts {
		c.Writer = Pair{Actor: n.name}
		return c
	}
	c.Writer = Pair{Actor: n.writer(), Count: k.Context.Writer.Count + 1}
	k.Context.Writer = c.Writer
	k.Context.Vector = c.Vector.Set(c.Writer.Actor, c.Writer.Count, n.clocks.Last.Physical)
	k.Context.Seen = []sim.CallID{call}
	n.session.set(k)
	return c
}

// reads takes in what a session reads.
func (n *node) reads(r record, from sim.NodeID) {
	k := n.session.of(r.Key)
	k.Context.Vector = n.rules.store.remembered(k.Context.Vector)
	n.rules.store.reads(&k.Context, r)
	n.session.set(n.raise(k, r, from))
}

// wrote takes in what a session is told of its put.
func (n *node) wrote(d done, from sim.NodeID) {
	k := n.session.of(d.Record.Key)
	k.Context.Vector = n.rules.store.remembered(k.Context.Vector)
	n.rules.store.wrote(&k.Context, d)
	n.session.set(n.raise(k, d.Record, from))
}

// raise lifts the floor to a record that a replica has.
func (n *node) raise(k known, r record, from sim.NodeID) known {
	if !n.rules.store.lacks(r, k.Floor) {
		k.From = from
	}
	k.Floor = n.rules.store.merge(k.Floor, r, 0).Record
	return k
}

// unfit says that a session has seen something that a record lacks.
func (n *node) unfit(r record) bool {
	return n.rules.store.lacks(r, n.session.of(r.Key).Floor)
}

// writer is the name of a session's writer. One that begins knows of no count, so it is another.
func (n *node) writer() string {
	if n.session.Writer == "" {
		n.store.Writers++
		n.session.Writer = n.name
		if n.store.Lives > 1 {
			n.session.Writer += fmt.Sprint(n.store.Lives)
		}
		if n.store.Writers > 1 {
			n.session.Writer += fmt.Sprint(".", n.store.Writers)
		}
	}
	return n.session.Writer
}
