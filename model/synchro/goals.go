package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// goalNames are the situations that a campaign must reach, so that a clean result means something.
var goalNames = []struct{ name, doc string }{
	{"elected", "a node was elected"},
	{"split-vote", "two candidates of one term"},
	{"claimed", "a PROMOTE took effect"},
	{"released", "a DEMOTE took effect"},
	{"claimed-from-another", "a PROMOTE took effect whose prev was another node"},
	{"claimed-pending", "a PROMOTE took effect on a node that had transactions in its queue"},
	{"promoted-again", "a node claimed the queue, lost it, and claimed it again"},
	{"confirmed", "an owner decided to write CONFIRM"},
	{"confirmed-several", "one CONFIRM committed two synchronous transactions"},
	{"undone", "a transaction was undone"},
	{"undone-several", "two transactions were undone one after the other"},
	{"undone-two-rows", "a transaction of two rows was undone"},
	{"nopified", "a transaction was stored as NOPs"},
	{"nopified-forwarded", "a transaction was stored as NOPs on two nodes"},
	{"queued-behind", "an asynchronous transaction was queued behind a synchronous one"},
	{"late-asynchronous", "an asynchronous row of a deposed owner reached another node"},
	{"forwarded", "a row came to a node from one that is not its origin"},
	{"owner-crashed-pending", "an owner crashed with transactions in its queue"},
	{"restarted-pending", "a node restarted with transactions on its disk that were not decided"},
	{"frozen", "an owner with transactions in its queue learned of a newer raft term"},
	{"term-by-ack", "a node learned of a newer term from an ACK"},
	{"fenced", "a leader gave up its role without a newer term"},
	{"split-brain", "an applier was stopped"},
	{"snapshot", "a snapshot was made"},
	{"restarted-from-snapshot", "a node with a snapshot restarted"},
	{"joined", "a node joined"},
	{"told-rolled-back", "a client was told that its transaction was rolled back"},
	{"told-unknown", "a client was told that the outcome is unknown"},
	{"not-promoted", "a promotion failed"},
	{"read-linearizable", "a linearizable read returned a value"},
	{"old-confirm", "a CONFIRM of a former owner came after a claim of another"},
	{"crashed-claiming", "a node crashed between its election and its PROMOTE"},
}

func goalList() []sim.Goal {
	var list []sim.Goal
	for _, g := range goalNames {
		list = append(list, sim.Goal{Name: g.name, Doc: g.doc, Count: func(run *sim.Run) int {
			return audited(run).reached[g.name]
		}})
	}
	return list
}

// reach counts a goal.
func (a *audit) reach(name string, is bool) {
	if is {
		a.reached[name]++
	}
}

// goals looks at an entry before the ledger takes it in.
func (a *audit) goals() {
	l := a.me()
	switch a.e.Kind {
	case sim.EntryCrashed:
		a.reach("owner-crashed-pending", l.Owner == a.e.Node && len(l.Queue) > 0)
		a.reach("crashed-claiming", l.Role == leader && l.State != "leader" && l.Up)
	case sim.EntryReturned:
		a.told(a.e.Body)
	case sim.EntryDelivered:
		a.goalOfMessage(l)
	case sim.EntryJoined:
		a.reach("joined", true)
	case sim.EntryNoted:
		a.goalOfFact(l, a.e.Body)
	}
}

func (a *audit) told(b sim.Body) {
	switch b.(type) {
	case rolledBack:
		a.reach("told-rolled-back", true)
	case unknown:
		a.reach("told-unknown", true)
	case notPromoted:
		a.reach("not-promoted", true)
	case value:
		op, ok := a.call(a.e.N).Op.(getOp)
		a.reach("read-linearizable", ok && op.How == linearizableRead)
	}
}

func (a *audit) goalOfMessage(l *life) {
	switch m := a.e.Body.(type) {
	case ack:
		a.reach("term-by-ack", m.Term > l.Raft && l.Raft > 0)
	case relayed:
		a.reach("forwarded", m.Txn.Origin != a.e.Peer)
		r := m.Txn.Rows[0]
		a.reach("old-confirm", r.Type == confirmRow && l.Greatest > 0 && r.Prev != l.Owner)
		a.reach("late-asynchronous", l.late(&m.Txn))
		a.lateRow(l.late(&m.Txn), l.Owner)
	}
}

func (a *audit) goalOfFact(l *life, b sim.Body) {
	switch f := b.(type) {
	case plays:
		a.reach("elected", f.Role == leader)
		a.reach("fenced", f.Role == follower && l.Role == leader && f.Term == l.Raft)
		for id := range a.lives {
			a.reach("split-vote", f.Role == candidate && sim.NodeID(id) != a.e.Node &&
				a.lives[id].Role == candidate && a.lives[id].Raft == f.Term)
		}
	case owns:
		a.reach("claimed", f.Owner != nobody)
		a.reach("released", f.Owner == nobody)
		a.reach("claimed-from-another", f.Prev != nobody && f.Prev != f.By)
		a.reach("claimed-pending", f.N > 0 && l.Pending > 0)
		before := slices.ContainsFunc(a.claims, func(c claim) bool {
			return c.ID.Origin == f.By &&
				c.Row.Term < f.Term
		})
		a.reach("promoted-again", f.By == a.e.Node && before && f.Prev != f.By)
	case confirms:
		a.reach("confirmed", true)
	case undone:
		a.reach("undone", true)
		a.reach("undone-two-rows", len(f.Txn.Rows) > 1)
		a.reach("undone-several", a.at > 0 && a.run.Trace[a.at-1].Kind == sim.EntryNoted &&
			a.run.Trace[a.at-1].Body != nil && a.run.Trace[a.at-1].Body.Kind() == "undone")
	case committed:
		a.reach("confirmed-several", f.Txn.WaitAck && a.run.Trace[a.at-1].Kind == sim.EntryNoted &&
			a.run.Trace[a.at-1].Body.Kind() == "committed")
	case entered:
		a.reach("queued-behind", !f.Txn.WaitAck)
	case rises:
		a.reach("frozen", l.Owner == a.e.Node && len(l.Queue) > 0 && f.Term > l.Term)
	case filters:
		a.lateRow(l.late(&f.Txn), l.Owner)
	case stops:
		a.reach("split-brain", true)
	case snapped:
		a.reach("snapshot", true)
		l.Snapped = true
	case recovered:
		a.reach("restarted-from-snapshot", l.Snapped && l.Starts > 1)
		a.reach("restarted-pending", l.Starts > 1 && len(a.open(a.e.Node)) > 0)
	case stored:
		x := a.byID[txnID{f.Txn.Origin, f.Txn.LSN}]
		if x == nil || f.Txn.Local || !f.Txn.empty() || x.Txn.kind() != dml {
			return
		}
		a.reach("nopified", true)
		nopped := 0
		for _, at := range x.Nopped {
			nopped += min(at, 1)
		}
		a.reach("nopified-forwarded", nopped == 1)
	}
}
