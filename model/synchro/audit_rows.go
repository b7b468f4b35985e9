package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// stored is a transaction that is durable on a node.
func (a *audit) stored(t *txn) {
	l := a.me()
	if t.Local {
		a.local(t)
		return
	}
	if t.WaitSync || t.kind() != dml {
		l.lands(t)
	}
	a.lsns(l, t)
	x := a.txn(t)
	a.payload(x, t)
	if t.Origin == a.e.Node && x.Written == 0 {
		x.Written, x.Txn = a.at, *t
		if k := t.kind(); k == promoteRow || k == demoteRow {
			a.claimed(x)
		}
	}
	a.expelledRow(l, x)
	a.outdated(l, x, t)
	l.Clock = l.Clock.with(t.Origin, t.LSN)
	l.Log, l.LogAt = append(l.Log, *t), append(l.LogAt, a.at)
	a.control(l, t)
}

// lsns: V1, V3.
func (a *audit) lsns(l *life, t *txn) {
	has := l.Clock.of(t.Origin)
	a.on(cV1).must(t.first() > has, "%s stores %v, and has rows of %s up to %d",
		a.name(a.e.Node), t, a.name(t.Origin), has)
	a.on(cV3).must(t.first() <= has+1, "%s stores %v, and has rows of %s only up to %d",
		a.name(a.e.Node), t, a.name(t.Origin), has)
}

// payload: V2, V4, R2, and where a copy is.
func (a *audit) payload(x *txnLife, t *txn) {
	a.on(cV4).must(x.Written > 0 || t.Origin == a.e.Node || t.LSN <= a.onDisks.of(t.Origin),
		"%s stores %v, which %s has not written yet", a.name(a.e.Node), t, a.name(t.Origin))
	if x.Written == 0 {
		if t.kind() == dml {
			a.me().Open++
		}
		setMark(&x.Stored, a.e.Node, a.at)
		return
	}
	switch {
	case same(t, &x.Txn):
		if t.kind() == dml && !x.had(a.e.Node, a.at) {
			a.me().Open++
		}
		setMark(&x.Stored, a.e.Node, a.at)
	case t.empty():
		setMark(&x.Nopped, a.e.Node, a.at)
		a.fate(x)
	default:
		half := len(t.Rows) == len(x.Txn.Rows)
		for i := range t.Rows {
			half = half && (t.Rows[i] == x.Txn.Rows[i] || t.Rows[i].Type == nop)
		}
		c := cV2
		if half {
			c = cR2
		}
		a.on(c, x.Written).must(false, "%s stores %v of what %s wrote as %v", a.name(a.e.Node),
			t, a.name(t.Origin), x.Txn)
	}
	a.on(cV2).must(true, "")
	if len(t.Rows) > 1 {
		a.on(cR2).must(true, "")
	}
}

// local is a row of raft: terms and votes that are durable.
func (a *audit) local(t *txn) {
	l, r := a.me(), t.Rows[0]
	l.Locals = max(l.Locals, t.LSN)
	if r.Type != raftRow {
		l.LocalOpen = append(l.LocalOpen, t.Keys()...)
		return
	}
	a.on(cT1).must(r.Term >= l.RaftDisk, "%s writes raft term %d after %d", a.name(a.e.Node),
		r.Term, l.RaftDisk)
	l.RaftDisk = max(l.RaftDisk, r.Term)
	if r.Vote == nobody {
		return
	}
	i := slices.IndexFunc(l.Votes, func(v vote) bool { return v.Term == r.Term })
	if i < 0 {
		l.Votes = append(l.Votes, vote{r.Term, r.Vote, a.at})
	} else {
		a.on(cE1, l.Votes[i].At).must(l.Votes[i].For == r.Vote,
			"%s votes for %s in term %d, and has for %s", a.name(a.e.Node), a.name(r.Vote),
			r.Term, a.name(l.Votes[i].For))
	}
	if r.Vote == a.e.Node || int(r.Vote) >= len(l.Adv) {
		return
	}
	adv := l.Adv[r.Vote]
	if adv.Term != r.Term || adv.Role != candidate {
		return
	}
	a.on(cE3).must(adv.Clock.covers(l.Clock), "%s votes for %s with %v on its disk, of which %s "+
		"has %v", a.name(a.e.Node), a.name(r.Vote), l.Clock, a.name(r.Vote), adv.Clock)
}

// expelledRow: M1.
func (a *audit) expelledRow(l *life, x *txnLife) {
	if !slices.Contains(l.Expelled, x.ID.Origin) || slices.Contains(l.Before, x.ID) {
		return
	}
	known := false // someone else had it before the expulsion was known here
	for id := range x.Stored {
		known = known || sim.NodeID(id) != x.ID.Origin && sim.NodeID(id) != a.e.Node &&
			x.Stored[id] > 0
	}
	a.on(cM1, x.Written).must(known || x.ID.Origin == a.e.Node,
		"%s stores %v, and has expelled %s", a.name(a.e.Node), x.Txn, a.name(x.ID.Origin))
}

// outdated: W4. By the terms that stand before it in the log, a synchronous transaction of an
// outdated origin is stored as NOPs only.
func (a *audit) outdated(l *life, x *txnLife, t *txn) {
	if t.kind() != dml || t.Origin == a.e.Node || l.Greatest == 0 || !x.Txn.WaitSync {
		return
	}
	term, greatest := l.claimsOf(t.Origin)
	a.on(cW4).must(term >= greatest, "%s stores %v as it is, and %s claimed nothing since term %d "+
		"of %d", a.name(a.e.Node), t, a.name(t.Origin), term, greatest)
}

// control is a control row on a node's disk: V5, W2, W3.
func (a *audit) control(l *life, t *txn) {
	r := t.Rows[0]
	switch t.kind() {
	case promoteRow, demoteRow:
		a.on(cV5).must(r.Prev == nobody || l.Clock.of(r.Prev) >= r.N,
			"%s stores %v with rows of %s only up to %d", a.name(a.e.Node), t, a.name(r.Prev),
			l.Clock.of(r.Prev))
		for int(t.Origin) >= len(l.Terms) {
			l.Terms = append(l.Terms, 0)
		}
		l.Terms[t.Origin] = max(l.Terms[t.Origin], r.Term)
		l.Greatest = max(l.Greatest, r.Term)
	case confirmRow:
		if t.Origin == a.e.Node && r.Prev == t.Origin {
			a.opposed(l, t, rollbackRow)
		}
	case rollbackRow:
		if t.Origin == a.e.Node && r.Prev == t.Origin {
			a.opposed(l, t, confirmRow)
			a.behindRollback(l, t)
		}
	}
}

// opposed: W2. The term is that of the owner's last claim in the log.
func (a *audit) opposed(l *life, t *txn, other rowType) {
	for i := len(l.Log) - 2; i >= 0; i-- {
		o := &l.Log[i]
		if o.Origin != t.Origin {
			continue
		}
		if k := o.kind(); k == promoteRow || k == demoteRow || k == termRow {
			return
		}
		if o.kind() != other || o.Rows[0].Prev != t.Rows[0].Prev {
			continue
		}
		low, high := t.Rows[0].N, o.Rows[0].N // of ROLLBACK and CONFIRM
		undoes := t
		if other == rollbackRow {
			low, high, undoes = high, low, o
		}
		if l.copies(undoes) || other == rollbackRow && high > o.LSN {
			continue // it decides nothing; or what is confirmed was written after the ROLLBACK
		}
		a.on(cW2, l.LogAt[i]).must(low > high, "%s writes %v and %v", a.name(a.e.Node), o, t)
	}
}

// copies says that a ROLLBACK in the log repeats one of another author that is there (solution II).
func (l *life) copies(t *txn) bool {
	r := t.Rows[0]
	return slices.ContainsFunc(l.Log, func(o txn) bool {
		f := o.Rows[0]
		return o.Origin != t.Origin && f.Type == rollbackRow && f.Prev == r.Prev && f.N == r.N
	})
}

// behindRollback: W3 is judged as the ROLLBACK becomes durable: what waits in the limbo then and
// is not on the disk yet will stand behind it.
func (a *audit) behindRollback(l *life, t *txn) {
	for _, e := range l.Queue {
		on := e.Txn.LSN > 0 || a.onDisk(l, &e)
		a.on(cW3).must(on || e.Txn.Origin != a.e.Node,
			"%s has %v in its limbo as %v becomes durable before it", a.name(a.e.Node), e.Txn, t)
	}
}

// onDisk says that a transaction without a known LSN is in the log already.
func (a *audit) onDisk(l *life, e *entered) bool {
	for i := len(l.Log) - 1; i >= 0; i-- {
		if l.Log[i].Origin == e.Txn.Origin && same(&l.Log[i], &e.Txn) {
			return true
		}
	}
	return false
}

// sent is a message: A2, and E1 of votes that are announced.
func (a *audit) sent() {
	l := a.me()
	switch m := a.e.Body.(type) {
	case ack:
		a.acks(l, a.e.Peer, m)
	case subscribe:
		a.acks(l, a.e.Peer, ack{Conn: m.Conn, Clock: m.Clock})
		l.subscribes(a.e.Peer, m.Conn)
	case raftMsg:
		a.announces(&m.Raft)
		v := vote{m.Raft.Term, m.Raft.Vote, a.at}
		if v.For == nobody {
			return
		}
		i := slices.IndexFunc(l.Sent, func(o vote) bool { return o.Term == v.Term })
		if i < 0 {
			l.Sent = append(l.Sent, v)
			return
		}
		a.on(cE1, l.Sent[i].At).must(l.Sent[i].For == v.For,
			"%s says that it voted for %s in term %d, after %s", a.name(a.e.Node), a.name(v.For),
			v.Term, a.name(l.Sent[i].For))
	}
}

func (a *audit) acks(l *life, to sim.NodeID, m ack) {
	for int(to) >= len(l.Acks) {
		l.Acks = append(l.Acks, sentAck{})
	}
	last := l.Acks[to]
	a.on(cA2).must(l.Clock.covers(m.Clock), "%s acknowledges %v and has %v in its WAL",
		a.name(a.e.Node), m.Clock, l.Clock)
	if last.Conn == m.Conn {
		a.on(cA2, last.At).must(m.Clock.covers(last.Clock), "%s acknowledges %v after %v",
			a.name(a.e.Node), m.Clock, last.Clock)
	}
	l.Acks[to] = sentAck{m.Conn, m.Clock, a.at}
}

// subscribes is a new connection from a peer: what still comes on the one before does not count.
func (l *life) subscribes(to sim.NodeID, conn int64) {
	for int(to) >= len(l.Conns) {
		l.Conns = append(l.Conns, 0)
	}
	l.Conns[to] = conn
}

// heardRaft remembers what a peer announced last, on the connection that there is, and its vote:
// the first one of each term. Whom it sees is of no interest once the connection has been given up,
// though what was held up by a partition may come after that.
func (a *audit) heardRaft(conn int64, m announced) {
	l, p := a.me(), a.e.Peer
	for int(p) >= len(l.Adv) {
		l.Adv = append(l.Adv, announced{Vote: nobody, Leader: nobody})
	}
	if at(l.Conns, p) == conn {
		l.Adv[p] = m
		l.Adv[p].Seen = m.Seen && !l.unlinked(p)
	}
	known := slices.ContainsFunc(l.Ballots, func(b ballot) bool {
		return b.Term == m.Term && b.From == p
	})
	if m.Vote != nobody && !known {
		l.Ballots = append(l.Ballots, ballot{m.Term, p, m.Vote})
	}
}
