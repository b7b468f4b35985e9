package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Invoke is a request of a client or an operator.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	if n.halted || n.hung {
		env.Refuse(c.ID, refusal{"the process is gone"})
		return
	}
	switch op := c.Op.(type) {
	case putOp:
		t := txn{Origin: n.id, Rows: op.Writes, Local: op.Local}
		t.WaitAck = !op.Local && !op.Async && (op.Sync || n.anySync(op.Writes))
		n.put(env, c.ID, write{Txn: t, Bypass: op.Async})
	case casOp:
		n.cas(env, c.ID, op)
	case getOp:
		n.get(env, c.ID, op)
	case promoteOp:
		n.promote(env, c)
	case demoteOp:
		n.demote(env, c)
	default:
		n.operate(env, c)
	}
}

// operate is what operators do beside promotions.
func (n *node) operate(env *sim.Env, c sim.Call) {
	switch op := c.Op.(type) {
	case resignOp:
		n.resign(env, "asked to")
	case setQuorumOp:
		n.setQuorum(env, op.N)
	case setModeOp:
		n.setMode(env, op.Mode)
	case jamOp:
		n.wal.Refuses = op.N
	case hangOp:
		n.hang(env, c.ID)
		return
	case reconfigureOp:
		n.reconfigure(env)
	case snapshotOp:
		n.snap(env, readView{Call: c.ID, To: nobody})
		return
	case expelOp:
		n.askExpel(env, c.ID, op)
		return
	case cancelOp:
		n.cancel(env, c.ID, op.Key)
		return
	case settleOp:
		n.askSettle(env, c.ID, op)
		return
	}
	env.Return(c.ID, done{})
	n.goOn(env)
}

// anySync says that a write goes to a synchronous space.
func (n *node) anySync(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return n.layout.sync(r.Key) })
}

// put commits a transaction of a client, as far as its WAL write or its place in the limbo (1.8).
// Local spaces can be written to on any node (#7592).
func (n *node) put(env *sim.Env, call sim.CallID, w write) {
	why := n.readOnlyFor()
	if why == "" || w.Txn.Local && !n.joining {
		why = n.admits(&w)
	}
	if why != "" {
		env.Refuse(call, refusal{why})
		return
	}
	if key, clash := n.clashes(&w.Txn); clash {
		env.Refuse(call, mismatch{key})
		return
	}
	w.Call, w.From, w.Real = call, nobody, true
	n.submit(env, w)
}

// cas compares with what is there, pending or not: what it is built on is undone only with it.
func (n *node) cas(env *sim.Env, call sim.CallID, op casOp) {
	if why := n.readOnlyFor(); why != "" {
		env.Refuse(call, refusal{why})
		return
	}
	if c := lookUp(n.data, op.Key); !c.There || c.Value != op.Old {
		env.Refuse(call, mismatch{op.Key})
		return
	}
	rows := []row{{Type: dml, Key: op.Key, Value: op.Value}}
	t := txn{Origin: n.id, Rows: rows, WaitAck: n.anySync(rows)}
	n.put(env, call, write{Txn: t})
}

// reply answers a client that waits, if one does.
func (n *node) reply(env *sim.Env, call sim.CallID, result sim.Body) {
	if call != 0 {
		env.Return(call, result)
		env.Cancel(quorumTimer{call})
	}
}

// setQuorum: what is queued is measured anew, but not by a node that is frozen.
func (n *node) setQuorum(env *sim.Env, to int) {
	n.quorum = to
	q := n.queueOf(n.id)
	if n.finalizes(q) || n.rules.limbo.FrozenQuorum {
		n.measure(q)
	}
	if n.rules.limbo.FrozenQuorum && q.Owner == n.id && q.Quorum > max(q.Confirmed, q.Confirming) {
		n.writeConfirm(env, q)
	}
}

// quorumOverdue: a client's time is over. It is told that the outcome is unknown, or (legacy) it
// rolls its transaction back if it is the first that waits (1.9).
func (n *node) quorumOverdue(env *sim.Env, call sim.CallID) {
	if n.readOverdue(env, call) || n.viewOverdue(env, call) {
		return
	}
	q := n.queueOf(n.id)
	at := slices.IndexFunc(q.Queue, func(e entry) bool { return e.Call == call })
	switch {
	case at < 0:
		n.promoteOverdue(env, call)
	case n.rules.limbo.TimeoutRollsBack:
		q.Queue[at].Overdue = true
		n.tryRollback(env)
	default:
		q.Queue[at].Call = 0
		env.Return(call, unknown{"no quorum in time"})
	}
}

// cancel takes a client off that waits for a key. Its transaction stays (#9480), unless it has
// never been in the journal: then it is undone, and what was submitted behind it.
func (n *node) cancel(env *sim.Env, call sim.CallID, key string) {
	q := n.queueOf(n.id)
	at := slices.IndexFunc(q.Queue, func(e entry) bool {
		return e.Call != 0 && slices.Contains(e.Txn.Keys(), key)
	})
	if at < 0 {
		env.Refuse(call, refusal{"nobody waits for " + key})
		return
	}
	switch e := &q.Queue[at]; {
	case e.State == unsubmitted && n.rules.limbo.CancelAlone:
		n.cutOut(env, q, at)
	case e.State == unsubmitted:
		n.cutBack(env, q, at)
	case n.rules.limbo.CancelRollsBack && e.State == written:
		n.writeRollback(env, q, e.Txn.LSN)
	default:
		n.reply(env, e.Call, unknown{"cancelled"})
		e.Call = 0
	}
	env.Return(call, done{})
}

// named is the node with a name.
func (n *node) named(env *sim.Env, name string) (sim.NodeID, bool) {
	for id := range n.peers {
		if env.Name(sim.NodeID(id)) == name {
			return sim.NodeID(id), true
		}
	}
	return nobody, false
}

// askExpel writes the row that takes a member off. It touches a system space: while the queue is
// owned, such transactions are synchronous (1.8).
func (n *node) askExpel(env *sim.Env, call sim.CallID, op expelOp) {
	id, known := n.named(env, op.Node)
	if !known || id == n.id {
		env.Refuse(call, refusal{"no other node is called " + op.Node})
		return
	}
	t := txn{Origin: n.id, System: true, Rows: []row{{Type: expelRow, Prev: id}}}
	t.WaitAck = n.limbo.Owner != nobody && !n.rules.limbo.SystemAsync
	n.put(env, call, write{Txn: t})
}

// expel takes a member off: its rows and its ACKs count no more.
func (n *node) expel(env *sim.Env, id sim.NodeID) {
	n.grow(id)
	if id == n.id || n.peers[id].Expelled {
		return
	}
	n.peers[id].Expelled, n.peers[id].Member = true, false
	n.say(env, expelled{id})
	if !n.recovering {
		n.disconnect(env, id)
	}
}

// askSettle: in solution I the queue of a node that is gone for good is resolved by an operator,
// for all nodes alike.
func (n *node) askSettle(env *sim.Env, call sim.CallID, op settleOp) {
	id, known := n.named(env, op.Node)
	if !known || n.solution.Which != solutionI {
		env.Refuse(call, refusal{"there is no queue of " + op.Node})
		return
	}
	q := n.queueOf(id)
	last, _ := q.lastSync()
	r := row{Type: confirmRow, Prev: id, N: last}
	if !op.Confirm {
		r = row{Type: rollbackRow, Prev: id, N: q.Confirmed + 1}
	}
	n.writeControl(env, r)
	env.Return(call, done{})
}
