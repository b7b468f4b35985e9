package raft

import (
	"errors"
	"slices"

	"github.com/downset/downset/sim"
)

// Command is what a log replicates: a value. A log knows of Noop and Members, and of nothing else.
type Command = sim.Body

// Noop is the command with which a leader begins its term (the paper, section 8).
type Noop struct{}

// Kind is "noop".
func (Noop) Kind() string { return "noop" }

// Members is a configuration of a group, and the command that brings it about. Each list ascends.
type Members struct {
	Voters   []sim.NodeID
	Outgoing []sim.NodeID // while the configuration is joint: the voters before
	Learners []sim.NodeID // they get the log, and do not vote
}

// Kind is "members".
func (Members) Kind() string { return "members" }

// Joint says that decisions need a majority of the voters before as well (the paper, section 6).
func (m Members) Joint() bool { return len(m.Outgoing) > 0 }

// Votes says that a node is a voter, of either half.
func (m Members) Votes(id sim.NodeID) bool {
	return slices.Contains(m.Voters, id) || slices.Contains(m.Outgoing, id)
}

// Has says that a node gets the log.
func (m Members) Has(id sim.NodeID) bool { return m.Votes(id) || slices.Contains(m.Learners, id) }

// Quorum says that those of whom has is true are enough to decide: a majority of the voters and,
// while the configuration is joint, one of the voters before.
func (m Members) Quorum(has func(sim.NodeID) bool) bool {
	return majority(m.Voters, has) && (!m.Joint() || majority(m.Outgoing, has))
}

func majority(ids []sim.NodeID, has func(sim.NodeID) bool) bool {
	n := 0
	for _, id := range ids {
		if has(id) {
			n++
		}
	}
	return 2*n > len(ids)
}

// Equal says that two configurations are the same.
func (m Members) Equal(o Members) bool {
	return slices.Equal(m.Voters, o.Voters) && slices.Equal(m.Outgoing, o.Outgoing) &&
		slices.Equal(m.Learners, o.Learners)
}

// Entry is a place of the log. Indexes count from 1.
type Entry struct {
	Index, Term int64
	Command     Command
}

// Codec turns the commands of a state machine into bytes and back, for the engine that replicates
// bytes. Decode of what Encode gave is the same value.
type Codec interface {
	Encode(Command) []byte
	Decode([]byte) (Command, error)
}

// ReadID names a read by index. No two reads of one life of a node have the same.
type ReadID int64

// Engine is one node's part in a group: the log, and who leads. A machine hands it every call of
// the engine of sim, and after each takes what has come of it (Take), in order, and puts it into
// effect.
//
// The first configuration is that of the founders, known to all of them without an entry. A node
// that joins later begins with an empty one, and waits.
type Engine interface {
	// Start reads the disk. What was applied before a crash comes again: Restored, if there is a
	// snapshot, then Applied from there.
	Start(*sim.Env)
	// Receive and Timeout say whether the message or timer was the engine's.
	Receive(env *sim.Env, from sim.NodeID, m sim.Message) bool
	Timeout(*sim.Env, sim.Timer) bool
	Notice(*sim.Env, sim.Notice)

	// Propose puts a command into the log, through the leader if this node is not it. It may be
	// lost on the way, and it may come to be applied more than once or long after: what proposes
	// must be able to tell its commands apart. ErrNoLeader says that nothing was done.
	Propose(*sim.Env, Command) error
	// Reconfigure begins a change of the configuration; this node must lead. It goes through a
	// joint configuration if more than one voter changes. Learners of the wanted one that are
	// voters are made learners when the joint one is left.
	Reconfigure(env *sim.Env, want Members) error
	// Transfer hands the lead to a voter; this node must lead (the dissertation, 3.10).
	Transfer(env *sim.Env, to sim.NodeID) error
	// Read asks for an index such that a state with it applied has all that was answered before
	// now (ReadIndex: the dissertation, 6.4). Readable follows, or nothing at all: ask again with
	// a new id.
	Read(env *sim.Env, id ReadID) error
	// LeaseRead is the same without asking anybody: by the lease of the leader (the dissertation,
	// 6.4.1). It rests on clocks, and is never called linearizable.
	LeaseRead(env *sim.Env, id ReadID) error
	// Compact puts the state after entry index, which is applied, in the place of the log up to it.
	Compact(env *sim.Env, index int64, state sim.Record) error

	// Leader is who leads as far as this node knows, of Term, and whether it knows of one.
	Leader() (id sim.NodeID, known bool)
	Term() int64
	// Members is the configuration that this node goes by.
	Members() Members
	// Take gives what has come of the calls since the last Take, in order.
	Take() []Event
}

// What an engine refuses. Nothing has been done then.
var (
	ErrNoLeader  = errors.New("no leader is known")
	ErrNotLeader = errors.New("not the leader")
	ErrChanging  = errors.New("a change of members is under way")
	ErrNotAble   = errors.New("cannot be done now")
)

// Event is something that has come of calls: Applied, Restored, Readable, Led or Wanted.
type Event any

// Applied is an entry that is to be applied: each once in a life, in order.
type Applied struct{ Entry }

// Restored says that a snapshot takes the place of the state: all up to Index is in it.
type Restored struct {
	Index, Term int64
	State       sim.Record
}

// Readable answers a read: it may be served from a state with Index applied. It comes when Index is
// applied.
type Readable struct {
	ID    ReadID
	Index int64
}

// Led says that this node leads from now on, or does no longer.
type Led struct {
	Term int64
	Lead bool
}

// Wanted says that the snapshot there is is of no use to a new member: Compact, up to what is
// applied.
type Wanted struct{}
