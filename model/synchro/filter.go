package synchro

import (
	"strconv"

	"github.com/downset/downset/sim"
)

// verdict is what the filter makes of a transaction, and why it stops an upstream.
type verdict struct {
	Made   outcome
	Why    string
	ByZero bool // a PROMOTE of a foreign queue: its n counts as 0
	Terms  bool // it moves the map of terms and does nothing else
}

func splits(why string) verdict { return verdict{Made: fatal, Why: "split-brain: " + why} }

// view is all that the filter decides by (1.11): where a row comes from, and the queue as it is in
// the step of the decision.
type view struct {
	Rules      filterRules
	Electing   bool       // elections are on here
	Sender     sim.NodeID // whose relay has sent it
	FromLeader bool       // the sender is the leader, as known here
	Raft       int64      // the raft term
	Term       int64      // the greatest term of a PROMOTE
	Terms      []int64    // by origin
	Owner      sim.NodeID
	Confirmed  lsn   // of the owner
	Former     clock // confirmed boundaries of former owners
	Queued     bool  // the queue is not empty
	First      lsn   // of the queue
	Last       lsn
	Triplet    bool // CONFIRM, ROLLBACK, RAFT_TERM stand for PROMOTE
	Cure       cureRules
	Announced  int64 // the term of the last CLAIM that may come to take effect, 0: none
}

// decide is the filter. The row's origin decides, never the connection; but before P2, with
// elections on, what comes from another than the leader is dropped first (1.6).
func (v *view) decide(t *txn) verdict {
	if v.dropsSender() {
		return verdict{Made: dropped}
	}
	switch t.kind() {
	case confirmRow:
		return v.confirm(t)
	case rollbackRow:
		return v.rollback(t)
	case promoteRow, demoteRow:
		return v.claim(t)
	case termRow:
		return v.termAlone(t)
	case claimRow:
		return v.claimAhead(t)
	}
	return v.plain(t)
}

// dropsSender says that nothing counts that this sender sends.
func (v *view) dropsSender() bool { return v.Rules.BySender && v.Electing && !v.FromLeader }

// filters says that rows of outdated origins are looked for at all.
func (v *view) filters() bool {
	return v.Rules.Rows == byPromoteTerm && (v.Electing || !v.Rules.OnlyElecting)
}

// old says that an origin is outdated: its last PROMOTE is not the newest. The newest is that in
// the log; a raft term may be greater while nobody has been elected.
func (v *view) old(origin sim.NodeID) bool {
	if v.Rules.BySenderOnly {
		origin = v.Sender
	}
	if v.Rules.RaftTerm {
		return v.termOf(origin) < v.Raft
	}
	return v.termOf(origin) < v.Term
}

func (v *view) termOf(origin sim.NodeID) int64 {
	if int(origin) < len(v.Terms) {
		return v.Terms[origin]
	}
	return 0
}

// plain decides about DML and NOPs. Only the last row of a transaction has flags: what was in the
// queue of an outdated owner becomes NOPs, whole.
func (v *view) plain(t *txn) verdict {
	switch {
	case !v.filters() || !v.old(t.Origin), v.Rules.OnlyAck && t.WaitSync && !t.WaitAck:
		return verdict{}
	case t.WaitSync && v.Rules.Drops:
		return verdict{Made: dropped}
	case t.WaitSync:
		return verdict{Made: becomesNop}
	case v.Owner == nobody && !v.Rules.UnownedSplits || v.Rules.AsyncOld: // (#7286)
		return verdict{}
	case t.empty() && !v.Rules.NopsSplit: // (#8746)
		return verdict{}
	}
	return splits("an asynchronous transaction of an outdated origin")
}

// boundary is up to where the rows of an owner, present or former, are known to be confirmed.
func (v *view) boundary(owner sim.NodeID) lsn {
	if owner == v.Owner {
		return v.Confirmed
	}
	return v.Former.of(owner)
}

// outdated is what becomes of a control row that comes too late to matter.
func (v *view) outdated() verdict {
	if v.Rules.NopControl {
		return verdict{Made: becomesNop}
	}
	return verdict{Made: ignored}
}

// confirm decides about CONFIRM(prev, n).
func (v *view) confirm(t *txn) verdict {
	r := &t.Rows[0]
	switch {
	case v.Rules.AnyPrev, v.Triplet && t.Origin != r.Prev && r.Prev == v.Owner:
		return verdict{}
	case v.Triplet && t.Origin != r.Prev:
		return v.outdated()
	case v.Rules.Unvalidated:
		return v.unvalidated(t)
	case v.Rules.Former == formerAnyTerm && r.N <= v.boundary(r.Prev):
		return v.outdated()
	case v.Rules.Former == formerOldTerm && v.old(t.Origin) && r.N <= v.boundary(r.Prev):
		return v.outdated()
	}
	return v.within(r)
}

// rollback decides about ROLLBACK(prev, n).
func (v *view) rollback(t *txn) verdict {
	r := &t.Rows[0]
	switch {
	case v.Rules.AnyPrev, v.Triplet && t.Origin != r.Prev && r.Prev == v.Owner:
		return verdict{}
	case v.Triplet && t.Origin != r.Prev:
		return v.outdated()
	case v.Rules.Unvalidated:
		return v.unvalidated(t)
	case v.Rules.Former != formerNone && v.old(t.Origin) && r.N > v.boundary(r.Prev):
		return v.outdated()
	}
	return v.within(r)
}

// unvalidated are the rules before P3: nothing stops an upstream, but early in P0.
func (v *view) unvalidated(t *txn) verdict {
	switch {
	case v.filters() && v.old(t.Origin):
		return v.outdated()
	case t.Rows[0].Prev == v.Owner:
		return verdict{}
	case v.Rules.ForeignStops:
		return verdict{Made: fatal, Why: "foreign queue: " + t.kind().String() + " of another owner"}
	}
	return verdict{Made: ignored}
}

// within says that a CONFIRM or ROLLBACK fits the queue. P4 looks at the owner alone.
func (v *view) within(r *row) verdict {
	kind := r.Type.String()
	switch {
	case v.Rules.Range && (r.Prev == nobody || r.N == 0):
		return verdict{Made: fatal, Why: "bad packet: " + kind + " without owner or number"}
	case r.Prev != v.Owner:
		return splits(kind + " for a foreign owner")
	case !v.Rules.Range:
		return verdict{}
	case r.N <= v.Confirmed:
		return splits(kind + " of what is confirmed")
	case v.outside(r.N):
		return splits(kind + " outside the queue")
	}
	return verdict{}
}

// outside says that the queue does not reach an LSN.
func (v *view) outside(n lsn) bool { return !v.Queued || n < v.First || n > v.Last }

// claim decides about PROMOTE and DEMOTE(prev, n, term).
func (v *view) claim(t *txn) verdict {
	r := &t.Rows[0]
	kind := r.Type.String()
	if v.Rules.Unvalidated {
		return v.claimUnvalidated(t)
	}
	last := v.Term
	if v.Rules.OwnTerm {
		last = v.termOf(t.Origin)
	}
	switch {
	case r.Term == 0:
		return verdict{Made: fatal, Why: "bad packet: " + kind + " without term"}
	case r.Term <= last && v.harmlessClaim(r):
		return verdict{Made: ignored}
	case r.Term <= last && v.Rules.Stale == staleSplits:
		return splits(kind + " of term " + number(r.Term) + " after " + number(last))
	case v.Cure.ClaimsAhead:
		return verdict{} // Q nodes knew of it
	case r.Prev != v.Owner && v.Rules.Owner == foreignSplits:
		return splits(kind + " for a foreign owner")
	case r.N < v.Confirmed:
		return splits(kind + " below what is confirmed")
	case r.N > v.Confirmed && !v.Queued:
		return splits(kind + " of what is not in the queue")
	case r.N > v.Confirmed && v.outside(r.N):
		return splits(kind + " outside the queue")
	}
	return verdict{ByZero: r.Prev != v.Owner && v.Rules.Owner == foreignRollsBack}
}

// claimUnvalidated are the rules before P3. They differ in what an old claim does: the two are
// where an outdated one takes effect (4.1).
func (v *view) claimUnvalidated(t *txn) verdict {
	r := &t.Rows[0]
	own := v.termOf(t.Origin)
	switch {
	case v.Rules.Stale == staleIgnored1 && own < r.Term && r.Term <= v.Term:
		return verdict{Made: ignored, Terms: true}
	case v.Rules.Stale == staleIgnored2 && r.Term <= own && v.Term > 1:
		return verdict{Made: ignored}
	}
	return verdict{ByZero: r.Prev != v.Owner && v.Rules.Owner == foreignRollsBack}
}

// termAlone decides about RAFT_TERM, the last row of a triplet.
func (v *view) termAlone(t *txn) verdict {
	if v.Triplet && t.Rows[0].Term <= v.Term {
		return splits("RAFT_TERM of term " + number(t.Rows[0].Term) + " after " + number(v.Term))
	}
	return verdict{}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// view is what the filter of this node decides by now, about a transaction.
func (n *node) view(sender sim.NodeID, t *txn) view {
	q := n.queueOf(t.about())
	v := view{Rules: n.filter, Electing: n.electing(), Sender: sender,
		FromLeader: n.fromLeader(sender), Raft: n.raft.Term, Term: q.Term, Terms: q.Terms,
		Owner: q.Owner, Confirmed: q.Confirmed, Former: q.Former, Queued: len(q.Queue) > 0,
		Triplet: n.rules.promote.Triplet, Cure: n.cure}
	if at := len(q.Claims); at > 0 {
		v.Announced = q.Claims[at-1].Row.Term
	}
	for _, e := range q.Queue {
		if v.First == 0 {
			v.First = e.Txn.LSN
		}
		v.Last = max(v.Last, e.Txn.LSN)
	}
	return v
}

// fromLeader says that the row in hand comes from the leader, and was sent once its relay had said
// that: on one connection what was sent before comes before it, and is no row of a leader.
func (n *node) fromLeader(sender sim.NodeID) bool {
	if sender == nobody || n.raft.Leader != sender {
		return false
	}
	a := &n.peers[sender].applier
	return a.Leads > 0 && len(a.Inbox) > 0 && a.Inbox[0].Raft >= a.Leads
}

// about is whose queue a transaction is for.
func (t *txn) about() sim.NodeID {
	if t.kind().control() {
		return t.Rows[0].Prev
	}
	return t.Origin
}
