package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// rises is a new raft term on a node: T1, E5.
func (a *audit) rises(f *rises) {
	l := a.me()
	a.on(cT1).must(f.Term >= l.durableTerm(), "the raft term of %s goes from %d to %d",
		a.name(a.e.Node), l.durableTerm(), f.Term)
	a.on(cT1).must(f.Term > l.Risen, "%s begins term %d, and has been in term %d",
		a.name(a.e.Node), f.Term, l.Risen)
	risen := l.RaftAt
	if l.Raft < f.Term-1 {
		risen = 0
	}
	l.Raft, l.RaftAt, l.Risen = f.Term, a.e.At, f.Term
	a.campaigns(f, risen)
	if f.Why == "promote" {
		a.promoted()
	}
	if f.Why == "election" {
		a.uncalled(l)
		a.gaveUp(l)
	}
}

// durableTerm is the greatest term that is on the disk: a restart may forget what never was.
func (l *life) durableTerm() int64 { return l.RaftDisk }

// uncalled: E5. A peer that said last that it sees the leader, in the term before, and is up.
func (a *audit) uncalled(l *life) {
	for id := range l.Adv {
		m := &l.Adv[id]
		p := &a.lives[id]
		if m.Leader == nobody || l.resigned(m.Leader) || !m.Seen || !p.Up ||
			l.halted(sim.NodeID(id)) || id >= len(a.run.Plan.Nodes) || // it may not be registered here
			l.unlinked(sim.NodeID(id)) || m.Term != l.Raft-1 || l.silent(sim.NodeID(id), a.e.At) {
			continue
		}
		a.on(cE5).must(m.Leader == a.e.Node, "%s begins an election in term %d, and %s has said "+
			"that it sees %s", a.name(a.e.Node), l.Raft, a.name(sim.NodeID(id)), a.name(m.Leader))
	}
	a.on(cE5).must(true, "")
}

// gaveUp: E5. Who gives leadership up leaves the next term to others: it waits as after a start
// (#9855). Where its clock was moved nothing is known of how long it has waited.
func (a *audit) gaveUp(l *life) {
	if l.GaveUp == 0 || l.Raft != l.GaveUpTerm+1 {
		return
	}
	for _, e := range a.run.Trace[l.GaveUp:a.at] {
		if e.Kind == sim.EntryClock && e.Node == a.e.Node {
			return
		}
	}
	waited := a.e.At.Sub(a.run.Trace[l.GaveUp].At)
	a.on(cE5, l.GaveUp).must(waited >= deathTimeout/2,
		"%s begins an election in term %d, at once after it has given leadership up",
		a.name(a.e.Node), l.Raft)
}

// plays is a role: E1, E2, E4.
func (a *audit) plays(f *plays) {
	l := a.me()
	led := slices.ContainsFunc(a.leaders, func(v vote) bool {
		return v.Term == f.Term && v.For == a.e.Node
	})
	if l.Role == leader && f.Role == follower && led { // not because of a newer term
		l.GaveUp, l.GaveUpTerm = a.at, f.Term
	}
	l.Role = f.Role
	if f.Role == follower {
		return
	}
	own := slices.ContainsFunc(l.Votes, func(v vote) bool {
		return v.Term == f.Term &&
			v.For == a.e.Node
	})
	a.on(cE2).must(own, "%s is %v in term %d, and its vote is not on its disk", a.name(a.e.Node),
		f.Role, f.Term)
	if f.Role != leader {
		return
	}
	i := slices.IndexFunc(a.leaders, func(v vote) bool { return v.Term == f.Term })
	if i >= 0 {
		a.on(cE1, a.leaders[i].At).between(a.leaders[i].At, a.at).must(a.leaders[i].For == a.e.Node,
			"%s and %s both lead in term %d", a.name(a.leaders[i].For), a.name(a.e.Node), f.Term)
	} else {
		a.leaders = append(a.leaders, vote{f.Term, a.e.Node, a.at})
	}
	got := 0
	for id := range a.lives {
		v := a.lives[id].Votes
		if slices.ContainsFunc(v, func(v vote) bool {
			return v.Term == f.Term &&
				v.For == a.e.Node
		}) {
			got++
		}
	}
	a.on(cE4).must(got >= a.electionLeast() || a.mode(a.e.Node) == modeOff,
		"%s leads in term %d with the durable votes of %d nodes, of %d wanted", a.name(a.e.Node),
		f.Term, got, a.electionLeast())
}

// electionLeast is the smallest election quorum that anyone may go by (1.13).
func (a *audit) electionLeast() int { return min(a.members, a.least) }

// mode is the election mode that a node was set up with.
func (a *audit) mode(id sim.NodeID) electionMode { return a.layout.mode(id) }

// recovered is a restart: S1, T1. What was final before, by facts, must be so again; keys of what
// was
// not final then may hold either.
func (a *audit) recovered(f *recovered) {
	l := a.me()
	begins := l.Starts < 2 || !l.Starting || len(f.Log) == 0 &&
		len(l.Log) == 0 // else it has joined: its WAL begins with another's snapshot
	l.Starting = false
	if begins {
		l.Data, l.Clock, l.Owner, l.Term = slices.Clone(f.Data), f.Clock, f.Owner, f.Term
		l.Joined = l.Joined || len(f.Clock) > 0
		return
	}
	for i := range f.Log { // what a crash has left that nobody was told was durable
		if t := &f.Log[i]; t.Local && t.LSN > l.Locals || !t.Local && t.LSN > l.Clock.of(t.Origin) {
			a.stored(t)
		}
	}
	l.inherit()
	a.on(cS1).must(l.disordered() || f.Owner == l.Owner && f.Term == l.Term,
		"%s restarts with the queue of %s, of term %d, and it was that of %s, of term %d",
		a.name(a.e.Node), a.name(f.Owner), f.Term, a.name(l.Owner), l.Term)
	for i := range a.claims { // the replay was the first to have it take effect
		c := &a.claims[i]
		if c.Took == 0 && c.Row.Term == f.Term && c.ID.LSN <= l.Clock.of(c.ID.Origin) {
			c.Took = a.at
		}
	}
	open := a.open(a.e.Node) // before what the replay has decided counts as decided
	a.replayed(f)
	l.Open = a.undecided(a.e.Node)
	a.on(cV1).must(f.Clock.covers(l.Clock) && l.Clock.covers(f.Clock),
		"%s restarts with %v, and had %v on its disk", a.name(a.e.Node), f.Clock, l.Clock)
	for _, key := range keysOf(l.Data, f.Data) {
		if slices.Contains(open, key) {
			continue
		}
		had, was := valueOf(l.Data, key)
		has, is := valueOf(f.Data, key)
		a.on(cS1).must(had == has && was == is,
			"%s restarts with %q in %s, and had committed %q", a.name(a.e.Node), has, key, had)
	}
	l.Data = slices.Clone(f.Data)
}

// open are the keys of transactions on a node's disk that it had neither committed nor undone.
func (a *audit) open(id sim.NodeID) []string {
	var keys []string
	for _, x := range a.txns {
		if x.had(id, a.at) && mark(x.Committed, id) == 0 && mark(x.Undone, id) == 0 {
			keys = append(keys, x.Txn.Keys()...)
		}
	}
	return append(keys, a.me().LocalOpen...)
}

// keysOf are the keys of two states.
func keysOf(a, b []cell) []string {
	var keys []string
	for _, c := range slices.Concat(a, b) {
		if !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// snapped is a snapshot: S2.
func (a *audit) snapped(f *snapped) {
	l := a.me()
	for _, x := range a.txns {
		if !x.sync() || f.Clock.of(x.ID.Origin) < x.ID.LSN || !x.had(a.e.Node, a.at) {
			continue
		}
		a.on(cS2).must(mark(x.Committed, a.e.Node) > 0 || mark(x.Undone, a.e.Node) > 0,
			"%s makes a snapshot at %v, and %v is not decided there", a.name(a.e.Node), f.Clock,
			x.Txn)
	}
	open := append(a.open(a.e.Node), a.beyond(f.Clock)...)
	for _, key := range keysOf(l.Data, f.Data) {
		had, was := valueOf(l.Data, key)
		has, is := valueOf(f.Data, key)
		a.on(cS2).must(had == has && was == is || slices.Contains(open, key),
			"the snapshot of %s has %q in %s, and %q is committed", a.name(a.e.Node), has, key, had)
	}
}

// beyond are the keys of transactions that a snapshot is too old for: it was waited for meanwhile.
func (a *audit) beyond(c clock) []string {
	var keys []string
	for _, x := range a.txns {
		if x.ID.LSN > c.of(x.ID.Origin) {
			keys = append(keys, x.Txn.Keys()...)
		}
	}
	return keys
}

// resigned says that the leader of whom a peer speaks has said itself that it leads no more: then
// an election begins at once (1.13, 5).
func (l *life) resigned(id sim.NodeID) bool {
	return int(id) < len(l.Adv) && l.Adv[id].Term == l.Raft-1 && l.Adv[id].Role != leader
}

// silent says that a peer was not heard of for so long that its connection may have been given up.
func (l *life) silent(id sim.NodeID, now sim.Time) bool {
	return int(id) >= len(l.Heard) || now.Sub(l.Heard[id]) > (disconnectBeats-1)*replicationTimeout
}

// inherit is who owns the queue by the log alone: a restart says nothing of claims that it finds.
func (l *life) inherit() {
	for i := range l.Log {
		t := &l.Log[i]
		if r := t.Rows[0]; claims(t.kind()) && r.Term >= l.Term {
			l.Owner, l.Term = t.Origin, r.Term
			if t.kind() == demoteRow {
				l.Owner = nobody
			}
		}
	}
}

// disordered says that the log does not say whose the queue is: there is no claim in it, or one of
// an old term behind a newer, or a claim that left an empty queue as it was (before P2).
func (l *life) disordered() bool {
	last := int64(0)
	for i := range l.Log {
		t := &l.Log[i]
		if !claims(t.kind()) {
			continue
		}
		if t.Rows[0].Term <= last {
			return true
		}
		last = t.Rows[0].Term
	}
	return last == 0 || l.Unpinned
}

// inherits takes in a snapshot, own or another's: who joins has the vote of who it joins from, and
// its summary acts as a PROMOTE (1.15).
func (a *audit) inherits(s snapshot) {
	l := a.me()
	known := slices.ContainsFunc(l.Votes, func(v vote) bool { return v.Term == s.Term })
	if s.Vote != nobody && !known {
		l.Votes = append(l.Votes, vote{s.Term, s.Vote, a.at})
	}
	l.Given = s.Limbo
}

// replayed takes in what a restart has committed and undone by its WAL alone: a crash may have come
// before that was noticed.
func (a *audit) replayed(f *recovered) {
	for i := range f.Commits {
		if t := &f.Commits[i]; !t.Local && t.kind() == dml {
			x := a.txn(t)
			setMark(&x.Committed, a.e.Node, a.at)
			a.fate(x)
		}
	}
	for i := range f.Undoes {
		if t := &f.Undoes[i]; !t.Local && t.kind() == dml {
			x := a.txn(t)
			setMark(&x.Undone, a.e.Node, a.at)
			a.fate(x)
		}
	}
}

// promoted remembers a node that was promoted with elections off, where nothing keeps two apart.
func (a *audit) promoted() {
	off := a.layout.mode(a.e.Node) == modeOff
	if off && !slices.Contains(a.faults.OffPromotes, a.e.Node) {
		a.faults.OffPromotes = append(a.faults.OffPromotes, a.e.Node)
	}
}

// undecided counts the transactions on a node's disk, as they were written, that it has neither
// committed nor undone.
func (a *audit) undecided(id sim.NodeID) int {
	n := 0
	for _, x := range a.txns {
		decided := mark(x.Committed, id) > 0 || mark(x.Undone, id) > 0
		if x.Txn.kind() == dml && x.had(id, a.at) && !decided {
			n++
		}
	}
	return n
}
