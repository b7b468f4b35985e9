package raft

import (
	"fmt"

	etcd "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// work does what the library wants done, until there is nothing.
func (l *library) work(env *sim.Env) {
	for !l.failed && l.node.HasReady() {
		rd := l.node.Ready()
		l.resolve(rd.Entries)
		if l.rules.Async {
			l.pass(env, &rd)
			continue
		}
		l.handle(env, &rd)
		l.node.Advance(rd)
	}
	l.came, l.fresh, l.echo = nil, l.fresh[:0], 0
}

// handle does the library's work in the order that it prescribes: records, sync, messages, state.
func (l *library) handle(env *sim.Env, rd *etcd.Ready) {
	wrote := l.persist(env, rd)
	if wrote && !l.rules.SendFirst {
		l.sync(env)
	}
	if l.votes(rd) {
		l.granted(env, l.said.hard)
	}
	l.sayRole(env, rd)
	if n := len(l.fresh); n > 0 && l.said.leads {
		l.pledge(env, l.said.hard.Term, l.fresh[n-1].Index)
	}
	l.sayCommit(env, rd)
	for _, m := range rd.Messages {
		l.send(env, m)
	}
	if wrote && l.rules.SendFirst {
		l.sync(env)
	}
	if !etcd.IsEmptySnap(rd.Snapshot) {
		l.installed(env)
	}
	l.apply(env, rd.CommittedEntries)
	l.answer(env, rd.ReadStates)
}

// persist writes records of what is new, and says whether there are any.
func (l *library) persist(env *sim.Env, rd *etcd.Ready) bool {
	wrote := len(l.fresh) > 0
	if h, changed := l.newHard(rd); changed && !l.rules.NoHardState {
		h = l.named(env, h)
		env.Disk.Append(h)
		l.store.hard, wrote = h, true
	}
	if !etcd.IsEmptySnap(rd.Snapshot) {
		l.coming.Hard = l.store.hard
		env.Disk.Replace(l.coming, env.Disk.Last())
		l.store.install(l.coming)
		wrote = true
	}
	for i, e := range l.fresh {
		at := env.Disk.Last()
		if i == 0 || i < len(l.fresh)-1 || !l.rules.LosesTail {
			at = env.Disk.Append(Logged{e})
		}
		l.store.put(e, rd.Entries[i], at)
	}
	return wrote
}

// newHard is the term and vote, and whether they have changed.
func (l *library) newHard(rd *etcd.Ready) (HardState, bool) {
	if etcd.IsEmptyHardState(rd.HardState) {
		return l.said.hard, false
	}
	h := HardState{Term: int64(rd.HardState.GetTerm()), To: nodeOf(rd.HardState.GetVote())}
	return h, h.Term != l.said.hard.Term || h.To != l.said.hard.To
}

// named is a record of the hard state.
func (l *library) named(env *sim.Env, h HardState) HardState {
	if l.rules.NoVote {
		h.To = sim.Nobody
	}
	if h.To != sim.Nobody {
		h.Name = env.Name(h.To)
	}
	return h
}

// sync makes durable what was written.
func (l *library) sync(env *sim.Env) {
	switch {
	case l.rules.NoSync:
	case l.rules.Async:
		l.line.asked++
		env.Disk.Flush()
	case l.rules.SoleFlushes && len(l.members.Voters) == 1:
		env.Disk.Flush()
	default:
		env.Disk.Sync()
	}
}

// send sends a message to another node. What it vouches for is said before.
func (l *library) send(env *sim.Env, m *raftpb.Message) {
	w, ok := l.wire(m)
	to := nodeOf(m.GetTo())
	switch w.Type {
	case raftpb.MsgAppResp:
		if !w.Reject && w.Index > 0 {
			l.pledge(env, int64(w.Term), int64(w.Index))
		}
	case raftpb.MsgHeartbeat:
		w.Sent = env.Monotonic()
	case raftpb.MsgHeartbeatResp:
		w.Sent = l.echo
	case raftpb.MsgSnap:
		l.loads(to, m.GetSnapshot().GetMetadata().GetIndex())
	}
	if ok {
		env.Send(to, w)
	}
}

// installed says that a snapshot has taken the place of the state.
func (l *library) installed(env *sim.Env) {
	s := &l.store.snap
	env.Note(Installed{s.Index, s.Term, s.Members})
	l.applied = s.Index
	if !l.members.Equal(s.Members) {
		l.members = s.Members
		env.Note(Governs{s.Index, s.Members})
	}
	l.events = append(l.events, Restored{s.Index, s.Term, s.State})
	l.serve()
}

// apply hands the state machine what is committed. A configuration counts from here on.
func (l *library) apply(env *sim.Env, list []*raftpb.Entry) {
	for _, p := range list {
		if int64(p.GetIndex()) <= l.applied {
			continue // a snapshot has overtaken it
		}
		e := l.entry(p)
		l.applied = e.Index
		env.Note(Done{e})
		if m, ok := e.Command.(Members); ok {
			l.reconfigured(env, e.Index, m)
		}
		l.events = append(l.events, Applied{e})
	}
	l.serve()
}

// reconfigured lets the library go by a configuration.
func (l *library) reconfigured(env *sim.Env, index int64, m Members) {
	got := membersOf(l.node.ApplyConfChange(l.members.change(m)))
	if !got.Equal(m) {
		panic(fmt.Sprintf("the library makes %v of the configuration %v, at %d; want %v", got,
			l.members, index, m))
	}
	l.members = m
	env.Note(Governs{index, m})
}

// resolve finds the commands of the entries of a Ready.
func (l *library) resolve(list []*raftpb.Entry) {
	l.fresh = l.fresh[:0]
	for _, p := range list {
		l.fresh = append(l.fresh, l.read(p))
	}
}

// entry is an entry of the library as we have it.
func (l *library) entry(p *raftpb.Entry) Entry {
	index, term := int64(p.GetIndex()), int64(p.GetTerm())
	if i := index - l.first(); i >= 0 && i < int64(len(l.fresh)) && l.fresh[i].Term == term {
		return l.fresh[i]
	}
	if i := index - l.store.snap.Index - 1; i >= 0 && term > 0 && l.store.term(index) == term {
		return l.store.logged[i]
	}
	return l.read(p)
}

func (l *library) first() int64 {
	if len(l.fresh) == 0 {
		return 0
	}
	return l.fresh[0].Index
}

// read makes out what an entry is that is not in the log: it came with the message at hand, or it
// was proposed here.
func (l *library) read(p *raftpb.Entry) Entry {
	e := Entry{Index: int64(p.GetIndex()), Term: int64(p.GetTerm()), Command: Noop{}}
	if len(l.came) > 0 {
		i := e.Index - l.came[0].Index
		if i >= 0 && i < int64(len(l.came)) && l.came[i].Term == e.Term {
			return l.came[i].Entry
		}
	}
	data := p.GetData()
	switch {
	case p.GetType() == raftpb.EntryConfChangeV2 && len(data) == 0:
		e.Command = l.members.left()
	case p.GetType() == raftpb.EntryConfChangeV2:
		e.Command = l.asked
	case len(data) > 0:
		command, err := l.codec.Decode(data)
		if err != nil {
			panic(fmt.Sprintf("entry %d of term %d: %v", e.Index, e.Term, err))
		}
		e.Command = command
	}
	return e
}
