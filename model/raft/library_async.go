package raft

import (
	etcd "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// With asynchronous storage writes the library does not wait for its disk and its state machine. It
// has a queue of work for each, and with a piece of work come messages that may leave when it is
// done:
//
//	Ready --- messages that rest on nothing ------------------------> others
//	  |
//	  +------ append --- Flush ..... Synced --- its responses -----> others, itself
//	  |
//	  +------ apply ----- own work --- Applied - its response ------> itself
//
// A crash loses both queues.
type pipeline struct {
	asked, synced int64
	appends       []appending
	applies       []*raftpb.Message
}

// appending is a piece of work for the disk.
type appending struct {
	flush     int64 // it is durable when so many flushes are
	vote      HardState
	installs  bool
	responses []*raftpb.Message
}

// applyNext is own work: the next piece of work for the state machine.
type applyNext struct{}

// Kind is "apply-next".
func (applyNext) Kind() string { return "apply-next" }

// pass hands the work of a Ready on.
func (l *library) pass(env *sim.Env, rd *etcd.Ready) {
	if l.persist(env, rd) {
		l.sync(env)
	}
	a := appending{flush: l.line.asked, installs: !etcd.IsEmptySnap(rd.Snapshot)}
	if l.votes(rd) {
		a.vote = l.said.hard
	}
	l.sayRole(env, rd)
	l.sayCommit(env, rd)
	for _, m := range rd.Messages {
		switch m.GetType() {
		case raftpb.MsgStorageAppend:
			a.responses = m.GetResponses()
		case raftpb.MsgStorageApply:
			l.line.applies = append(l.line.applies, m)
			env.Later(applyNext{})
		default:
			l.send(env, m)
		}
	}
	l.line.appends = append(l.line.appends, a)
	l.answer(env, rd.ReadStates)
	l.release(env)
}

// Notice tells that the disk has done a piece of work. One that fails loses what no one can tell,
// so this life is over.
func (l *library) Notice(env *sim.Env, n sim.Notice) {
	if !l.rules.Async {
		return
	}
	switch n.What {
	case sim.Synced:
		l.line.synced++
	case sim.SyncFailed:
		l.failed = true
	default:
		return
	}
	l.release(env)
	l.work(env)
}

// release lets go what waited for the disk, in order.
func (l *library) release(env *sim.Env) {
	q := &l.line
	for len(q.appends) > 0 && !l.failed {
		a := q.appends[0]
		if a.flush > q.synced && !l.rules.SendFirst {
			return
		}
		q.appends = q.appends[1:]
		l.appendDone(env, &a)
	}
}

func (l *library) appendDone(env *sim.Env, a *appending) {
	if a.vote.Term > 0 {
		l.granted(env, a.vote)
	}
	if a.installs {
		l.installed(env)
	}
	for _, m := range a.responses {
		if nodeOf(m.GetTo()) != l.id {
			l.send(env, m)
			continue
		}
		if m.GetType() == raftpb.MsgAppResp && l.said.leads && int64(m.GetTerm()) == l.said.led {
			l.pledge(env, l.said.led, int64(m.GetIndex()))
		}
		_ = l.node.Step(m)
	}
}

// applyNext does a piece of work for the state machine.
func (l *library) applyNext(env *sim.Env) {
	q := &l.line
	if len(q.applies) == 0 || l.failed {
		return
	}
	m := q.applies[0]
	q.applies = q.applies[1:]
	l.apply(env, m.GetEntries())
	for _, r := range m.GetResponses() {
		_ = l.node.Step(r)
	}
}
