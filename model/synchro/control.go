package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// acts says that a transaction is a control row: it is written while its applier waits, and takes
// effect once it is durable.
func (n *node) acts(t *txn) bool {
	return t.kind().control() || t.kind() == claimRow ||
		t.kind() == termRow && n.rules.promote.Triplet
}

// claims says that a control row makes an owner.
func claims(kind rowType) bool { return kind == promoteRow || kind == demoteRow }

// claimsTerm says that a control row has a term that the elections know of.
func (n *node) claimsTerm(t *txn) bool {
	return claims(t.kind()) || t.kind() == claimRow || t.kind() == termRow && n.rules.promote.Triplet
}

// accept takes a received transaction in. It says false if that has to wait: for the latch, which
// a control row holds from its validation to its effect, so that nothing is checked in between
// (#6036); or, to be validated, for the LSNs of all that is submitted.
func (n *node) accept(env *sim.Env, from sim.NodeID, t txn) bool {
	switch {
	case t.LSN <= n.taken().of(t.Origin):
		return true // it has come by another path
	case n.limbo.Latched && !n.filter.NoLatch:
		return false
	case n.acts(&t) && !n.filter.Unvalidated && n.unwritten():
		return false
	}
	made := n.judge(env, from, &t)
	if made.Made != dropped && made.Made != fatal && t.first() > n.wal.Accepted.of(t.Origin)+1 {
		n.retry(env, from) // a gap in the log
		return true
	}
	switch {
	case made.Made == pass && n.acts(&t), made.Terms:
		n.begin(env, from, t, made)
		return true
	case made.Made == pass && t.kind() == termRow:
		n.learnTerm(&t)
		n.write(env, write{Txn: t, Duty: lies, From: from, Real: true})
		return true
	case made.Made == pass:
		return n.plainFrom(env, from, t)
	}
	a := &n.peers[from].applier
	if made.Made != dropped || t.LSN > a.Dropped.of(t.Origin) {
		n.say(env, filters{Txn: t, Made: made.Made, Term: n.limbo.Term})
	}
	switch made.Made {
	case dropped:
		a.Dropped = a.Dropped.with(t.Origin, t.LSN)
	case becomesNop:
		n.storeNop(env, from, t)
	case ignored:
		n.write(env, write{Txn: t, Duty: lies, From: from, Real: true})
	case fatal:
		n.stop(env, from, made.Why)
		if n.log.KeepsLatch {
			n.limbo.Latched = true
		}
	}
	return true
}

// taken is up to where rows are known, so that they are skipped as they come again: also those that
// are on their way to the disk (#9916).
func (n *node) taken() clock {
	if n.log.InFlight {
		return n.wal.Clock
	}
	return n.wal.Accepted
}

// judge is the filter, of a draft's solution first.
func (n *node) judge(env *sim.Env, from sim.NodeID, t *txn) verdict {
	v := n.view(from, t)
	if made := n.solutionReceived(&v, t); made.Made != pass {
		return made
	}
	made := v.decide(t)
	if made.Made == ignored && n.ownsPairs(t) || n.trusts(from, t) && made.Made != ignored {
		made.Made = pass
	}
	return made
}

// plainFrom writes a transaction of a peer, without waiting for the write: its entry in the queue
// comes before it (1.6).
func (n *node) plainFrom(env *sim.Env, from sim.NodeID, t txn) bool {
	if n.full(&t) {
		return false
	}
	if key, clash := n.clashes(&t); clash {
		if n.layout.SkipConflict {
			n.write(env, write{Txn: t.nopified(), Duty: lies, From: from})
			return true
		}
		n.stop(env, from, "duplicate key "+key)
		return true
	}
	w := write{Txn: t, From: from, Real: true}
	if why := n.admits(&w); why != "" && !n.trusts(from, &t) {
		n.stop(env, from, why)
		return true
	}
	n.submit(env, w)
	return true
}

// storeNop stores a transaction of an outdated origin as NOPs: as many rows, with their LSNs.
func (n *node) storeNop(env *sim.Env, from sim.NodeID, t txn) {
	w := write{Txn: t.nopified(), Duty: lies, From: from}
	switch f := &n.filter; {
	case f.LastRow && len(t.Rows) > 1:
		w.Txn.Rows = append(slices.Clone(t.Rows[:len(t.Rows)-1]), row{Type: nop})
		n.submit(env, w)
		return
	case f.InMemory:
		w.Txn, w.Real = t, true
	case f.KeepsFlags:
		w.Txn.WaitSync, w.Txn.WaitAck = t.WaitSync, t.WaitAck
	}
	n.write(env, w)
}

// begin writes a control row. Its applier waits for it, and so does whatever wants the latch.
func (n *node) begin(env *sim.Env, from sim.NodeID, t txn, made verdict) {
	a := &n.peers[from].applier
	a.Writing, a.Made, a.Control = true, made, t
	n.limbo.Latched = !n.filter.NoLatch
	kind := t.kind()
	n.limbo.Changing = n.limbo.Changing || claims(kind) && !n.filter.NoLatch
	w := write{Txn: t, Duty: controls, From: from, Real: true}
	if n.rules.promote.Unpersisted && claims(kind) {
		w.Txn, w.Real = t.nopified(), false
	}
	n.write(env, w)
	if n.rules.limbo.AppliesEarly {
		n.effect(env, &t, made)
	}
}

// written: a control row is durable, and its completion is handled: it takes effect, and then the
// latch is free.
func (n *node) written(env *sim.Env, w write) {
	t, made := w.Txn, verdict{}
	own := w.From == nobody
	if !own {
		a := &n.peers[w.From].applier
		t, made = a.Control, a.Made
		a.Writing, a.Control = false, txn{}
	}
	if own || !n.rules.limbo.AppliesEarly {
		n.effect(env, &t, made)
	}
	if !own || !n.claiming() {
		n.unlatch(env, own)
	}
	n.solutionApplied(env, &t, own)
}

// unlatch frees the latch, which own CONFIRM and ROLLBACK do not take.
func (n *node) unlatch(env *sim.Env, own bool) {
	q := &n.limbo
	if !q.Latched && !q.Changing {
		return
	}
	if own && n.foreignInFlight() {
		return
	}
	q.Latched, q.Changing = false, false
	n.tellState(env)
	n.promotionStep(env)
	env.Later(flow{})
}

// claiming says that own rows which take the queue over are on their way to the disk.
func (n *node) claiming() bool {
	return n.limbo.Changing && slices.ContainsFunc(n.wal.Pending, func(w write) bool {
		return w.Duty == controls && w.From == nobody
	})
}

// foreignInFlight says that an applier's control row holds the latch, not an own one.
func (n *node) foreignInFlight() bool {
	return !n.filter.NoLatch && slices.ContainsFunc(n.peers, func(p peer) bool {
		return p.applier.Writing
	})
}

// refused: the journal has refused a row of a peer. That ends the appliers, not the process; the
// latch is free (8.8).
func (n *node) refused(env *sim.Env, w write) {
	if w.From == nobody {
		return
	}
	a := &n.peers[w.From].applier
	if w.Duty == controls && a.Writing {
		a.Writing, a.Control = false, txn{}
		if !n.log.KeepsLatch {
			n.unlatch(env, false)
		}
	}
	n.killAppliers(env, "the journal fails")
}

// takeEffect replays a control row from the WAL. What was stored without effect has none again; all
// else was validated when it was stored (1.14).
func (n *node) takeEffect(env *sim.Env, t txn) {
	v := n.view(nobody, &t)
	v.Rules.BySender = false
	made := v.decide(&t)
	if made.Made != ignored || n.ownsPairs(&t) {
		made.Made = pass
	}
	n.effect(env, &t, made)
}

// effect is what a control row does to the queue (1.10).
func (n *node) effect(env *sim.Env, t *txn, made verdict) {
	r := &t.Rows[0]
	if made.Terms {
		n.termSeen(t.Origin, r.Term)
	}
	if made.Made != pass {
		return
	}
	q := n.queueOf(r.Prev)
	foreign := r.Prev != q.Owner && !n.filter.AnyPrev // nothing to do with this queue
	switch {
	case r.Type == confirmRow && !foreign:
		n.confirmIn(env, q, r.N)
	case r.Type == rollbackRow && !foreign:
		n.rollback(env, r)
	case claims(r.Type):
		n.claimed(env, t)
	case r.Type == claimRow:
		n.aimed(t)
	case r.Type == termRow:
		n.tripled(env, t)
	}
	n.solutionEffect(env, t)
}

// claimed is the effect of PROMOTE and DEMOTE: what prev has up to n is committed, all above it is
// undone, and the queue belongs to the author, or to nobody (1.10).
func (n *node) claimed(env *sim.Env, t *txn) {
	r := &t.Rows[0]
	upTo, owner, empty := r.N, t.Origin, len(n.limbo.Queue) == 0
	if r.Prev != n.limbo.Owner && n.filter.Owner == foreignRollsBack {
		upTo = 0
	}
	if r.Type == demoteRow && !n.rules.promote.KeepsOwner {
		owner = nobody
	}
	if n.rules.promote.NotPinned && empty && !n.electing() {
		owner = n.limbo.Owner
	}
	n.builtOn(env, r.Term)
	n.transfer(env, owner, upTo)
	n.termSeen(t.Origin, r.Term) // behind it, for the summaries of snapshots that become whole by it
	n.forgetClaims(r.Term)
	n.limbo.Fresh = n.limbo.Fresh || !n.recovering
	n.tellOwner(env, t)
}

// tripled is the effect of the last row of CONFIRM, ROLLBACK, RAFT_TERM, the triplet that older
// versions understand.
func (n *node) tripled(env *sim.Env, t *txn) {
	if !n.rules.promote.Triplet {
		return
	}
	n.termSeen(t.Origin, t.Rows[0].Term)
	n.transfer(env, t.Origin, n.limbo.Confirmed)
	n.limbo.Fresh = n.limbo.Fresh || !n.recovering
	n.tellOwner(env, t)
}

// termSeen moves the map of terms, and the greatest of them.
func (n *node) termSeen(origin sim.NodeID, term int64) {
	q := &n.limbo
	terms := slices.Clone(q.Terms)
	for int(origin) >= len(terms) {
		terms = append(terms, 0)
	}
	terms[origin] = max(terms[origin], term)
	q.Terms = terms
	if !n.filter.TermsOnly || origin == n.id {
		q.Term = max(q.Term, term)
	}
}

func (n *node) tellOwner(env *sim.Env, t *txn) {
	r := &t.Rows[0]
	n.say(env, owns{Owner: n.limbo.Owner, Prev: r.Prev, N: r.N, Term: r.Term, By: t.Origin,
		Raft: n.raft.Term})
}

// claimRows are the rows that take the queue over, or give it up, in their order: one for all,
// but for P0, which writes CONFIRM and ROLLBACK, and nothing if there is nothing to resolve; and
// for the triplet (7.2) and the draft's solutions.
func (n *node) claimRows(kind rowType, upTo lsn, term int64) []row {
	prev := n.limbo.Owner
	pair := []row{
		{Type: confirmRow, Prev: prev, N: upTo},
		{Type: rollbackRow, Prev: prev, N: upTo + 1},
	}
	p := &n.rules.promote
	switch {
	case n.solution.Which != noSolution:
		return n.solutionClaim(pair, term)
	case p.Pair:
		return n.resolving(pair)
	case p.Triplet && kind == promoteRow:
		return append(pair, row{Type: termRow, Prev: prev, Term: term})
	}
	if p.TermOne && !n.electing() {
		term = 1
	}
	return []row{{Type: kind, Prev: prev, N: upTo, Term: term}}
}

// resolving is what P0 writes: nothing about a queue of its own, and nothing about an empty one, if
// no rule says so.
func (n *node) resolving(pair []row) []row {
	prev := n.limbo.Owner
	empty := len(n.limbo.Queue) == 0 && !n.rules.promote.ResolveEmpty
	if prev == nobody || prev == n.id || empty {
		return nil
	}
	return pair
}
