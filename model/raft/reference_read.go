package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// lease is how long a leader may answer reads by itself, from the sending of a round that a
// majority answered: nobody is elected within an election timeout of hearing a leader, and no two
// clocks differ in their rate by more than a tenth (the dissertation, 6.4.1).
const lease = election - election/10

// reading is a read that a leader has been asked for.
type reading struct {
	id     ReadID
	from   sim.NodeID
	parked bool  // there is nothing committed of the own term yet
	index  int64 // readIndex: commitIndex as it was asked
	round  int64 // of heartbeats that says that there was no newer leader then
}

// Read asks the leader for an index (the dissertation, 6.4).
func (r *reference) Read(env *sim.Env, id ReadID) error {
	if r.lead == sim.Nobody {
		return ErrNoLeader
	}
	r.note(Asked{ID: id})
	r.read(env, reading{id: id, from: r.id})
	if r.role != leader {
		r.send(r.lead, readIndex{id})
	}
	r.flush(env)
	return nil
}

// read begins a read: it takes commitIndex, once something of the own term is committed, and sends
// a round of heartbeats. A leader that has begun without an entry of its own needs one now.
func (r *reference) read(env *sim.Env, x reading) {
	switch {
	case r.role != leader:
		return // whoever asks will ask again
	case r.rules.parks(r):
		x.parked = true
		r.reads = append(r.reads, x)
		if r.log.term(r.log.last()) != r.term {
			r.propose(env, Noop{})
			r.replicate(env)
		}
		return
	}
	x.index, x.round = r.commit, r.rules.round(r)
	r.reads = append(r.reads, x)
	if x.round > r.round {
		r.broadcast(env)
	}
	r.confirm()
}

// park begins the reads that have waited, if they need not any more: the next round is theirs.
func (r *reference) park() {
	if r.rules.parks(r) {
		return
	}
	for i := range r.reads {
		if x := &r.reads[i]; x.parked {
			x.parked, x.index, x.round = false, r.commit, r.round+1
		}
	}
}

// confirm answers the reads whose round a majority has answered.
func (r *reference) confirm() {
	answered := func(x reading) bool {
		return !x.parked && r.Members().Quorum(func(id sim.NodeID) bool {
			return id == r.id || r.peer(id).round >= x.round
		})
	}
	for _, x := range r.reads {
		switch at := (Readable{x.id, x.index}); {
		case !answered(x):
		case x.from == r.id:
			r.waiting = append(r.waiting, at)
		default:
			r.send(x.from, readAt(at))
		}
	}
	r.reads = slices.DeleteFunc(r.reads, answered)
	r.serve()
}

// serve lets the reads go on whose index is applied.
func (r *reference) serve() {
	ready := func(at Readable) bool { return at.Index <= r.applied }
	for _, at := range r.waiting {
		if ready(at) {
			r.note(Served{ID: at.ID, Index: at.Index})
			r.events = append(r.events, at)
		}
	}
	r.waiting = slices.DeleteFunc(r.waiting, ready)
}

// LeaseRead is a read by the leader's lease.
func (r *reference) LeaseRead(env *sim.Env, id ReadID) error {
	switch {
	case r.role != leader:
		return ErrNotLeader
	case !r.leases(env):
		return ErrNotAble
	}
	r.note(Asked{id, true})
	r.note(Served{id, r.commit, true})
	r.events = append(r.events, Readable{id, r.commit})
	r.flush(env)
	return nil
}

// leases says that nobody else can lead yet: it rests on check-quorum, by which a majority does not
// vote, and there is none once the lead has been handed on.
func (r *reference) leases(env *sim.Env) bool {
	if r.rules.NoCheckQuorum || r.rules.parks(r) || r.rules.over(r) {
		return false
	}
	now := r.clock(env)
	return r.Members().Quorum(func(id sim.NodeID) bool {
		p := r.peer(id)
		return id == r.id || p.round > 0 && now.Sub(p.sent) < lease
	})
}
