package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// claims says that this world has PROMOTE rows that took effect: what speaks of owners has no
// meaning before that, nor in P0 (0).
func (a *audit) claimed(x *txnLife) {
	r := x.Txn.Rows[0]
	for i := range a.claims {
		c := &a.claims[i]
		if y := a.byID[c.ID]; y.Txn.kind() == claimRow && c.ID.Origin == x.ID.Origin &&
			c.Row.Term == r.Term {
			c.ID, c.Row = x.ID, r // it was announced by that one
			return
		}
		a.on(cP1, c.At).between(c.At, a.at).must(c.Row.Term != r.Term,
			"%v and %v have one term", x.Txn, a.byID[c.ID].Txn)
	}
	a.on(cP1).must(true, "")
	a.claims = append(a.claims, claim{ID: x.ID, Row: r, At: a.at})
}

// entered is a transaction in the limbo: O1, F1, F2, O2.
func (a *audit) entered(f *entered) {
	l := a.me()
	l.Queue = append(l.Queue, *f)
	if f.Call > 0 {
		l.Calls = append(l.Calls, *f)
	}
	if f.Txn.Local || len(a.claims) == 0 {
		return
	}
	a.on(cO1).must(f.Txn.Origin == l.Owner, "%s takes %v into the queue of %s", a.name(a.e.Node),
		f.Txn, a.name(l.Owner))
	if f.Txn.Origin == a.e.Node && f.Txn.LSN == 0 { // else a restart has found it
		a.acts(l, "takes "+f.Txn.String()+" into its queue")
	}
}

// acts judges what only the owner in leader state may do: O2, F1, F2.
func (a *audit) acts(l *life, what string) {
	if len(a.claims) == 0 {
		return
	}
	a.on(cF1).must(l.Raft <= l.Term, "%s %s and knows raft term %d, above its limbo term %d",
		a.name(a.e.Node), what, l.Raft, l.Term)
	a.on(cF2).must(l.Fresh || l.Starts < 2, "%s %s after a restart, and has seen no PROMOTE "+
		"since", a.name(a.e.Node), what)
	a.on(cO2, l.StateAt).must(l.State == "leader" || l.Unpinned, "%s %s, and its limbo is %s",
		a.name(a.e.Node), what, l.State)
}

// confirms is the decision to write CONFIRM(n): A1, B1, and what only the owner may do.
func (a *audit) confirms(f *confirms) {
	l := a.me()
	a.acts(l, "confirms")
	x := a.byID[txnID{a.e.Node, f.N}]
	has := 0
	for id := range a.lives {
		if x != nil && x.had(sim.NodeID(id), a.at) && a.registered(sim.NodeID(id)) {
			has++
		}
	}
	a.on(cA1).must(has >= a.least, "%s confirms its rows up to %d, which are on %d nodes as they "+
		"were written, of %d wanted", a.name(a.e.Node), f.N, has, a.least)
	if l.ConfirmTerm == l.Term && len(a.claims) > 0 {
		a.on(cB1).must(f.N >= l.ConfirmedTo, "%s confirms up to %d after %d", a.name(a.e.Node),
			f.N, l.ConfirmedTo)
	}
	l.ConfirmedTo, l.ConfirmTerm = f.N, l.Term
}

// rolls is the decision to write ROLLBACK, because the time of a transaction is over.
func (a *audit) rolls(f *rolls) {
	a.faults.Timeouts++
	a.acts(a.me(), "rolls back")
}

// committed is a transaction that takes effect on a node: W1, S1.
func (a *audit) committed(f *committed) {
	l := a.me()
	l.Pending = len(l.Queue)
	l.leave(f.ID)
	l.lands(&f.Txn)
	for _, r := range f.Txn.Rows {
		l.Data = withRow(l.Data, r)
	}
	if f.Txn.Local || f.Txn.kind() != dml {
		return
	}
	a.on(cS1).must(f.Txn.LSN > 0, "%s commits %v, which is not on its disk", a.name(a.e.Node), f.Txn)
	if f.Txn.LSN == 0 {
		return
	}
	x := a.txn(&f.Txn)
	if i := slices.IndexFunc(l.Calls, func(e entered) bool { return e.ID == f.ID }); i >= 0 &&
		f.ID > 0 {
		x.Call = l.Calls[i].Call
	}
	bypasses := !f.Txn.WaitSync // forced, it does not wait behind others (1.8)
	a.on(cW1).must(bypasses || f.Txn.LSN > l.DoneOf.of(f.Txn.Origin),
		"%s commits %v after LSN %d of %s", a.name(a.e.Node), f.Txn, l.DoneOf.of(f.Txn.Origin),
		a.name(f.Txn.Origin))
	if !bypasses {
		l.DoneOf = l.DoneOf.with(f.Txn.Origin, f.Txn.LSN)
	}
	if f.Txn.WaitAck {
		a.on(cS1).must(l.confirmed(x.ID), "%s commits %v, and no CONFIRM or PROMOTE of it is on "+
			"its disk", a.name(a.e.Node), f.Txn)
	}
	a.decided(x)
	setMark(&x.Committed, a.e.Node, a.at)
	a.fate(x)
}

// confirmed says that a control row on the disk commits a transaction.
func (l *life) confirmed(id txnID) bool {
	for i := len(l.Log) - 1; i >= 0; i-- {
		t := &l.Log[i]
		if !t.kind().control() && t.kind() != claimRow || t.kind() == rollbackRow {
			continue
		}
		if r := t.Rows[0]; r.Prev == id.Origin && r.N >= id.LSN {
			return true
		}
	}
	return false
}

// undone is a transaction that is taken back: W1, C2.
func (a *audit) undone(f *undone) {
	l := a.me()
	if at := l.place(f.ID); at >= 0 {
		a.on(cW1).must(at == len(l.Queue)-1, "%s undoes %v, and %v came after it",
			a.name(a.e.Node), f.Txn, l.Queue[len(l.Queue)-1].Txn)
	}
	l.leave(f.ID)
	l.lands(&f.Txn)
	for _, c := range f.Now {
		if l.waitsFor(c.Key) || l.flies(c.Key) || a.undoesMore(c.Key) {
			continue
		}
		has, there := valueOf(l.Data, c.Key)
		a.on(cC2).must(there == c.There && has == c.Value,
			"%s undoes %v: %s holds %q, and %q was committed", a.name(a.e.Node), f.Txn, c.Key,
			c.Value, has)
	}
	if f.Txn.Local || f.Txn.LSN == 0 || f.Txn.kind() != dml || !f.Txn.WaitSync {
		return // a plain one that the journal has refused was never here
	}
	x := a.txn(&f.Txn)
	a.decided(x)
	setMark(&x.Undone, a.e.Node, a.at)
	a.fate(x)
}

// place is where an entry is in the queue, -1 if it is not.
func (l *life) place(id int64) int {
	return slices.IndexFunc(l.Queue, func(e entered) bool { return e.ID == id && id != 0 })
}

func (l *life) leave(id int64) {
	if at := l.place(id); at >= 0 {
		l.Queue = slices.Delete(l.Queue, at, at+1)
	}
}

// valueOf is what a key holds.
func valueOf(data []cell, key string) (value string, there bool) {
	for i := range data {
		if data[i].Key == key {
			return data[i].Value, true
		}
	}
	return "", false
}

// fate: R1. A transaction that went through the limbo is committed wherever it is decided, or
// undone wherever.
func (a *audit) fate(x *txnLife) {
	if !x.sync() {
		return
	}
	for id := range a.lives {
		c := mark(x.Committed, sim.NodeID(id))
		if c == 0 {
			continue
		}
		a.premises[cR1]++
		for other := range a.lives {
			u := max(mark(x.Undone, sim.NodeID(other)), mark(x.Nopped, sim.NodeID(other)))
			if u == 0 {
				continue
			}
			how := "undone"
			if mark(x.Nopped, sim.NodeID(other)) > 0 {
				how = "a NOP"
			}
			why, at := a.overtaken(sim.NodeID(id), x)
			a.on(cR1, append(at, c, u)...).between(c, u).must(false,
				"%v is committed on %s and %s on %s%s", x.Txn, a.name(sim.NodeID(id)), how,
				a.name(sim.NodeID(other)), why)
			return
		}
	}
}

// owns is a claim that has taken effect: O1, T1, T2, P2, D3.
func (a *audit) owns(f *owns) {
	l := a.me()
	l.Fresh = true
	a.on(cO1).must(len(l.Queue) == 0, "%s gives its queue to %s, and %d transactions are in it",
		a.name(a.e.Node), a.name(f.Owner), len(l.Queue))
	a.on(cT1).must(f.Term >= l.Term, "the limbo of %s goes from term %d to %d", a.name(a.e.Node),
		l.Term, f.Term)
	if f.By != a.e.Node {
		a.on(cT2).must(f.Raft >= f.Term, "a claim of term %d takes effect on %s, whose raft term "+
			"is %d", f.Term, a.name(a.e.Node), f.Raft)
	}
	a.announced(f)
	a.pins(l, f)
	c := a.claimOf(f)
	if c == nil {
		return
	}
	if c.Took == 0 {
		c.Took = a.at
	}
	if f.By == a.e.Node && c.Took == a.at { // not if its own row comes back to it
		a.complete(f)
	}
}

// announced is a claim that takes effect with one that is built on it, by the row that has
// announced it: it may be that its author has written nothing else.
func (a *audit) announced(f *owns) {
	if a.claimOf(f) != nil {
		return
	}
	for _, x := range a.txns {
		r := x.Txn.Rows[0]
		if r.Type != claimRow || x.ID.Origin != f.By || r.Term != f.Term {
			continue
		}
		r.Type = promoteRow
		if r.Demotes {
			r.Type = demoteRow
		}
		a.claims = append(a.claims, claim{ID: x.ID, Row: r, At: x.Written})
		return
	}
}

// pins: whoever claimed last is the owner, though before P2 a claim of an empty queue left it as it
// was, and then to the first who wrote (#6034).
func (a *audit) pins(l *life, f *owns) {
	owner := f.By
	if x := a.claimOf(f); x != nil && x.Row.Type == demoteRow {
		owner = nobody
	}
	l.Unpinned = f.Owner != owner && owner != nobody
	a.on(cO1).must(f.Owner == owner || l.Unpinned, "%s has %s as owner after the claim of %s",
		a.name(a.e.Node), a.name(f.Owner), a.name(f.By))
	l.Owner, l.Term = owner, max(l.Term, f.Term)
}

// demoted is an operator who is told that a node has given the queue up: O1. With elections on only
// the role is.
func (a *audit) demoted(c *callLife) {
	if _, ok := c.Op.(demoteOp); !ok || a.mode(c.Node) != modeOff || a.remoded(c.Node) {
		return
	}
	owner := a.me().Owner
	a.on(cO1).must(owner != c.Node, "%s was demoted, and still owns the queue", a.name(c.Node))
}

// claimOf is the row that took effect, nil if no claim of such a term is known.
func (a *audit) claimOf(f *owns) *claim {
	i := slices.IndexFunc(a.claims, func(c claim) bool {
		return c.Row.Term == f.Term &&
			c.ID.Origin == f.By
	})
	if i < 0 {
		return nil
	}
	return &a.claims[i]
}

// complete: D3.
func (a *audit) complete(f *owns) {
	for _, x := range a.txns {
		if !x.sync() {
			continue
		}
		for id := range a.lives {
			c := mark(x.Committed, sim.NodeID(id))
			if c == 0 || a.lives[id].Term > f.Term {
				continue
			}
			a.on(cD3, c).must(mark(x.Committed, a.e.Node) > 0 || a.has(x),
				"%s claims the queue in term %d, and has not committed %v, which %s has",
				a.name(a.e.Node), f.Term, x.Txn, a.name(sim.NodeID(id)))
			break
		}
	}
}

// has says that a node that began with someone's snapshot has the transaction by it.
func (a *audit) has(x *txnLife) bool {
	l := a.me()
	return l.Joined && l.Clock.of(x.ID.Origin) >= x.ID.LSN && !x.had(a.e.Node, a.at) &&
		mark(x.Nopped, a.e.Node) == 0
}

// limboIs is a change of the limbo's state: O2, D1.
func (a *audit) limboIs(is string) {
	l := a.me()
	l.State, l.StateAt = is, a.at
	if is != "leader" {
		return
	}
	for id := range a.lives {
		o := &a.lives[id]
		if sim.NodeID(id) == a.e.Node || !o.Up || o.State != "leader" {
			continue
		}
		a.on(cO2, o.StateAt).must(o.Term != l.Term || l.Term == 0,
			"%s and %s are both in leader state in term %d", a.name(a.e.Node),
			a.name(sim.NodeID(id)), l.Term)
	}
	a.on(cO2).must(true, "")
	for _, x := range a.txns {
		if x.Told > 0 && l.Term >= a.claimedBy(x) {
			a.on(cD1, x.Told).must(mark(x.Committed, a.e.Node) > 0 || a.has(x),
				"%s leads, and has not committed %v, of which a client was told",
				a.name(a.e.Node), x.Txn)
		}
	}
}

// toldDone is a client that is told of success: D1.
func (a *audit) toldDone(call sim.CallID) {
	x := a.waitedFor(call)
	if x == nil || !x.sync() || !x.Txn.WaitAck {
		return
	}
	x.Told = a.at
	has := 0
	for id := range a.lives {
		if x.had(sim.NodeID(id), a.at) && a.registered(sim.NodeID(id)) {
			has++
		}
	}
	a.on(cD1).must(has >= a.least, "a client is told of %v, which is on %d nodes of %d wanted",
		x.Txn, has, a.least)
}

// waitedFor is the transaction that a call waits for.
func (a *audit) waitedFor(call sim.CallID) *txnLife {
	for i := len(a.txns) - 1; i >= 0; i-- {
		if x := a.txns[i]; x.Call == call && x.ID.Origin == a.e.Node {
			return x
		}
	}
	return nil
}

// read is a value that a client gets: D2 remembers it.
func (a *audit) read(c *callLife, v *value) {
	op, ok := c.Op.(getOp)
	if !ok || op.How == dirtyRead || !v.There || v.Value == "" {
		return
	}
	for _, x := range a.txns {
		if !slices.ContainsFunc(x.Txn.Rows, func(r row) bool {
			return r.Key == v.Key &&
				r.Value == v.Value
		}) {
			continue
		}
		lost := 0
		for id := range a.lives {
			lost = max(lost, mark(x.Undone, sim.NodeID(id)), mark(x.Nopped, sim.NodeID(id)))
		}
		x.seen(a.at)
		a.on(cD2, lost).must(lost == 0, "a client reads %s=%s of %v, which is undone somewhere",
			v.Key, v.Value, x.Txn)
	}
}

// decided takes a transaction off those that its node has on its disk and has not decided.
func (a *audit) decided(x *txnLife) {
	if mark(x.Committed, a.e.Node) == 0 && mark(x.Undone, a.e.Node) == 0 && x.had(a.e.Node, a.at) {
		a.me().Open--
	}
}
