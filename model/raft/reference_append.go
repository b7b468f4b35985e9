package raft

import "github.com/downset/downset/sim"

// peer is what a leader knows of another node: nextIndex and matchIndex of Figure 2, and what it
// has answered.
type peer struct {
	id          sim.NodeID
	next, match int64
	round       int64    // the last round that it has answered
	sent        sim.Time // when that was sent
}

// peer is what is known of a node, all zero if it is none of the group.
func (r *reference) peer(id sim.NodeID) *peer {
	for i := range r.peers {
		if r.peers[i].id == id {
			return &r.peers[i]
		}
	}
	return &peer{id: sim.Nobody}
}

// Propose is a client's command (section 8): the leader appends it, another node sends it there.
func (r *reference) Propose(env *sim.Env, c Command) error {
	switch {
	case r.lead == sim.Nobody:
		return ErrNoLeader
	case r.role != leader:
		r.send(r.lead, proposal{c})
	case r.heir != sim.Nobody:
		return ErrNotAble // it would keep the heir from having all (the dissertation, 3.10)
	default:
		r.propose(env, c)
		r.replicate(env)
	}
	r.flush(env)
	return nil
}

// propose appends an entry to the leader's own log, which counts as one of a majority (5.3).
func (r *reference) propose(env *sim.Env, c Command) {
	r.write(env, Entry{r.log.last() + 1, r.term, c})
	r.pledge(r.log.last())
	r.advance(env)
}

// pledge notes that this node's log agrees with the leader's up to match, the first time it does.
func (r *reference) pledge(match int64) {
	if now := (Pledged{r.term, match}); now.Term > r.pledged.Term || now.Match > r.pledged.Match {
		r.pledged = now
		r.note(now)
	}
}

// broadcast is a round of heartbeats: to each what it lacks, if anything.
func (r *reference) broadcast(env *sim.Env) {
	r.round++
	for i := range r.peers {
		r.sendTo(env, &r.peers[i])
	}
}

// replicate sends entries to all that lack some (Figure 2, "Leaders").
func (r *reference) replicate(env *sim.Env) {
	for i := range r.peers {
		if p := &r.peers[i]; p.next <= r.log.last() {
			r.sendTo(env, p)
		}
	}
}

// sendTo sends a peer entries from its next index on, or the snapshot if they are gone. It is taken
// to get them: if it does not, it will reject what follows.
func (r *reference) sendTo(env *sim.Env, p *peer) {
	prev := p.next - 1
	prevTerm := r.log.term(prev)
	if prevTerm < 0 {
		r.send(p.id, installSnapshot{r.term, r.snap, r.round, r.clock(env)})
		p.next = r.snap.Index + 1
		return
	}
	list := r.log.from(p.next, r.rules.batch())
	r.send(p.id, appendEntries{r.term, prev, prevTerm, list, r.commit, r.round, r.clock(env)})
	p.next += r.rules.sent(len(list))
}

// onAppend is "AppendEntries RPC" of Figure 2.
func (r *reference) onAppend(env *sim.Env, from sim.NodeID, m appendEntries) {
	if !r.heed(env, from, m.Term) {
		return // 1
	}
	reply := appended{Term: r.term, PrevIndex: m.PrevIndex, Round: m.Round, Sent: m.Sent}
	r.behind(&m)
	if !r.rules.agrees(&r.log, m) { // 2
		r.rules.rejected(r, m)
		reply.ConflictIndex, reply.ConflictTerm = r.conflict(m.PrevIndex)
		r.send(from, reply)
		return
	}
	r.rules.merge(r, env, m) // 3, 4
	reply.OK, reply.Match = true, m.PrevIndex+int64(len(m.Entries))
	r.pledge(reply.Match)
	r.send(from, reply)
	r.learn(r.rules.known(m.Commit, reply.Match, r.log.last()), false) // 5
}

// heed takes the sender for the leader of its term, unless there is a newer one, which it is told.
func (r *reference) heed(env *sim.Env, from sim.NodeID, term int64) bool {
	if term < r.term {
		r.send(from, appended{Term: r.term})
		return false
	}
	r.follow(env, term, from)
	r.heard = r.clock(env)
	r.again(env)
	return true
}

// behind drops the entries that are in the snapshot: they are committed, so they agree.
func (r *reference) behind(m *appendEntries) {
	if gone := r.log.base - m.PrevIndex; gone > 0 {
		m.Entries = m.Entries[min(gone, int64(len(m.Entries))):]
		m.PrevIndex, m.PrevTerm = r.log.base, r.log.baseTerm
	}
}

// merge appends the entries that are not there; one that conflicts goes, with all behind it.
func (r *reference) merge(env *sim.Env, list []Entry) {
	for _, e := range list {
		if r.log.term(e.Index) != e.Term {
			r.write(env, e)
		}
	}
}

// conflict is where the leader should look for an entry that agrees: the first of the term that
// this log has at prev, or its end (5.3).
func (r *reference) conflict(prev int64) (index, term int64) {
	if prev > r.log.last() {
		return r.log.last() + 1, 0
	}
	return r.log.firstOf(prev), r.log.term(prev)
}

// onAppended is the answer to entries or a snapshot. What is of an older term is nothing.
func (r *reference) onAppended(env *sim.Env, from sim.NodeID, m appended) {
	if m.Term > r.term {
		r.follow(env, m.Term, sim.Nobody)
	}
	p := r.peer(from)
	if r.role != leader || m.Term < r.term || p.id == sim.Nobody {
		return
	}
	if m.Round > p.round {
		p.round, p.sent = m.Round, r.rules.leaseFrom(m.Sent, r, env)
	}
	grew := m.OK && m.Match > p.match
	switch {
	case m.OK:
		r.matched(env, p, m.Match)
	case m.PrevIndex > p.match: // else it was overtaken by one that tells more
		r.backUp(env, p, m)
	}
	r.bequeath()
	r.confirm()
	if grew {
		r.advance(env)
	}
}

// matched is a follower having all up to match.
func (r *reference) matched(env *sim.Env, p *peer, match int64) {
	p.next = max(p.next, match+1)
	if match > p.match {
		p.match = match
		r.note(Matched{r.term, p.id, match})
	}
	if p.next <= r.log.last() {
		r.sendTo(env, p)
	}
}

// backUp is a follower whose log does not agree: decrement nextIndex and retry (5.3), by a term at
// a time.
func (r *reference) backUp(env *sim.Env, p *peer, m appended) {
	next := m.ConflictIndex
	for at := min(m.PrevIndex-1, r.log.last()); m.ConflictTerm > 0 && at >= m.ConflictIndex; at-- {
		if r.log.term(at) == m.ConflictTerm {
			next = at + 1 // the last entry of that term here
			break
		}
	}
	p.next = max(p.match+1, min(next, p.next))
	r.sendTo(env, p)
}

// advance is the last rule for leaders of Figure 2: an entry of the leader's own term that a
// majority has is committed, and all before it (5.3, 5.4.2).
func (r *reference) advance(env *sim.Env) {
	for n := r.log.last(); n > r.commit && r.rules.byCounting(r, n); n-- {
		if !r.rules.replicated(r, n) {
			continue
		}
		r.committed(env, n)
		return
	}
}

// committed is the leader finding out that all up to index is committed. The others hear at once.
func (r *reference) committed(env *sim.Env, index int64) {
	r.learn(index, true)
	r.park()
	r.broadcast(env)
	r.confirm()
	r.settle(env)
}

// learn raises commitIndex, by the leader's word or by counting, and applies what is committed in
// order (5.3).
func (r *reference) learn(index int64, counted bool) {
	if index <= r.commit {
		return
	}
	r.commit = index
	r.note(Committed{index, r.term, counted})
	for r.applied < r.commit {
		e := r.log.at(r.applied + 1)
		r.applied++
		r.events = append(r.events, Applied{e})
		r.note(Done{e})
		r.govern(e)
	}
	r.serve()
}
