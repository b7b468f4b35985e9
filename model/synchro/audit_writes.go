package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// appended is a transaction on its way into the journal: O2. Who was elected writes nothing of a
// client before its PROMOTE has taken effect (#12333). What was in its queue then is let go.
func (a *audit) appended(t *txn) {
	l := a.me()
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

// lateRow is an asynchronous row of an outdated origin that has come to a node. It is welcome while
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
