package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// appended is a transaction on its way into the journal: O2. Who was elected writes nothing of a
// client before its PROMOTE has taken effect (#12333). What was in its queue then is let go.
func (a *audit) appended(t *txn) {
	l := a.me()
	if !t.Local {
		l.Flying = append(l.Flying, *t)
	}
	switch {
	case t.Local:
	case t.Origin == a.e.Node:
		l.Unsynced = append(l.Unsynced, place{a.e.N, t.LSN})
	default:
		a.unowned(t)
	}
	if t.WaitSync && !t.Local && t.Origin == a.e.Node && t.kind() == dml && len(a.claims) > 0 &&
		a.byID[txnID{t.Origin, t.LSN}] == nil { // else a peer has given it back
		a.on(cF1).must(l.Raft <= l.Term, "%s writes %v, and knows raft term %d above its limbo "+
			"term %d", a.name(a.e.Node), t, l.Raft, l.Term)
	}
	if t.Local || t.Origin != a.e.Node || t.kind() != dml || t.WaitSync || len(a.claims) == 0 ||
		l.Role != leader || a.mode(a.e.Node) == modeOff || a.remoded(a.e.Node) || l.Unpinned {
		return
	}
	x := a.byID[txnID{t.Origin, t.LSN}]
	back := x != nil && x.Written > 0 // it was lost, and a peer has given it back
	queued := slices.ContainsFunc(l.Queue, func(e entered) bool {
		return slices.Equal(e.Txn.Rows, t.Rows)
	})
	if !back && !queued {
		a.on(cO2, l.StateAt).must(l.State == "leader", "%s writes %v, and its limbo is %s",
			a.name(a.e.Node), t, l.State)
	}
}

// synced is a disk that has records: relays read the file, and may send a row before its own node
// has been told that it is there (1.3).
func (a *audit) synced() {
	l := a.me()
	for len(l.Unsynced) > 0 && l.Unsynced[0].At <= a.e.N {
		a.onDisks = a.onDisks.with(a.e.Node, max(a.onDisks.of(a.e.Node), l.Unsynced[0].LSN))
		l.Unsynced = l.Unsynced[1:]
	}
}

// unowned is a late row that a node takes in as nobody owns its queue: there it may have waited
// until the queue was given up, or the node has joined since.
func (a *audit) unowned(t *txn) {
	l := a.me()
	if term, greatest := l.claimsOf(t.Origin); unqueued(t) && l.Owner == nobody && term < greatest {
		a.faults.LateUnowned = true
	}
}

// late says that a transaction is an asynchronous one of an outdated origin, by the claims that are
// on a node's disk.
func (l *life) late(t *txn) bool {
	return unqueued(t) && at(l.Terms, t.Origin) < l.Greatest
}

// unqueued says that a transaction did not go through a queue.
func unqueued(t *txn) bool { return !t.WaitSync && (t.kind() == dml || t.kind() == registerRow) }

// claimsOf are the terms of the last claim of a node, and of the last of all, that are on a node's
// disk, or in the summary that it began with.
func (l *life) claimsOf(id sim.NodeID) (term, greatest int64) {
	term, greatest = at(l.Terms, id), max(l.Greatest, l.Given.Term)
	if id == l.Given.Owner {
		term = max(term, l.Given.Term)
	}
	return term, greatest
}

// lateRow is an asynchronous row of an outdated origin that has come to a node; or that the filter
// has judged there, since it may have waited until a claim was on the disk. It is welcome while
// nobody owns the queue (#7286); a claim may be before it there that has not taken effect yet.
func (a *audit) lateRow(late bool, owner sim.NodeID) {
	a.faults.LateAsync = a.faults.LateAsync || late && owner != nobody
	a.faults.LateUnowned = a.faults.LateUnowned || late && owner == nobody
}

// owned says that the newest claim is a PROMOTE.
func (a *audit) owned() bool {
	newest := row{}
	for i := range a.claims {
		if r := a.claims[i].Row; r.Term >= newest.Term {
			newest = r
		}
	}
	return newest.Type == promoteRow
}

// lands is a transaction that is on its way to the disk no more.
func (l *life) lands(t *txn) {
	l.Flying = slices.DeleteFunc(l.Flying, func(f txn) bool {
		return f.Origin == t.Origin && f.LSN == t.LSN
	})
}

// flies says that a plain transaction which is not committed yet writes a key.
func (l *life) flies(key string) bool {
	return slices.ContainsFunc(l.Flying, func(t txn) bool {
		return !t.WaitSync && slices.Contains(t.Keys(), key)
	})
}

// expels is a member that is taken off here: what was on its way to the disk by then was accepted
// before.
func (l *life) expels(id sim.NodeID) {
	for i := range l.Flying {
		if t := &l.Flying[i]; t.Origin == id {
			l.Before = append(l.Before, txnID{id, t.LSN})
		}
	}
	l.Expelled = append(l.Expelled, id)
}

// undoesMore says that the same step undoes another transaction that writes a key: plain ones, of
// writes that the journal has refused.
func (a *audit) undoesMore(key string) bool {
	for _, e := range a.run.Trace[a.at+1:] {
		switch e.Kind {
		case sim.EntryWorked, sim.EntryFired, sim.EntryDelivered, sim.EntryTold, sim.EntryCrashed:
			return false // another step
		}
		f, is := e.Body.(undone)
		if is && e.Node == a.e.Node && slices.Contains(f.Keys(), key) {
			return true
		}
	}
	return false
}

// claimedBy is the term of the claim under which a transaction was written, 0 if there was none.
// Who enters leader state by an older claim is no later leader.
func (a *audit) claimedBy(x *txnLife) int64 {
	term := int64(0)
	for i := range a.claims {
		if c := &a.claims[i]; c.ID.Origin == x.ID.Origin && c.ID.LSN < x.ID.LSN {
			term = max(term, c.Row.Term)
		}
	}
	return term
}
