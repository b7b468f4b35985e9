package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// confirmWork wakes the worker that writes CONFIRM (P4).
type confirmWork struct{}

func (confirmWork) Kind() string { return "confirm" }

// queuesUp says that a transaction has to enter the limbo (1.8).
func (n *node) queuesUp(q *limbo, w *write) bool {
	switch t := &w.Txn; {
	case t.empty() || w.Bypass && !q.writes(t.Keys()):
		return false
	case t.WaitAck:
		return true
	case n.cure.FlagsOfRow && t.Origin != n.id && !t.WaitSync:
		return false
	default:
		return len(q.Queue) > 0
	}
}

// foreignQueue is why a transaction may not enter a queue that is another's.
const foreignQueue = "foreign queue owner"

// admits says why a transaction may not enter the limbo that has to, "" if it may (1.8).
func (n *node) admits(w *write) string {
	q := n.queueOf(w.Txn.Origin)
	if !n.queuesUp(q, w) {
		return ""
	}
	n.adopt(q, w.Txn.Origin)
	l := &n.rules.limbo
	switch {
	case n.rules.promote.ActsEarly && w.Txn.Origin == n.id:
		return ""
	case q.Changing && !l.NewcomersInClaim || q.RollingBack && !l.NewcomersInRollback:
		return "rolling back"
	case w.Txn.Local && !l.BarsLocal || n.solution.Which == solutionI:
		return ""
	case q.Owner == nobody:
		return "queue unclaimed"
	case q.Owner != w.Txn.Origin:
		return foreignQueue
	}
	return ""
}

// adopt: before P2 an empty queue belongs to whoever writes next.
func (n *node) adopt(q *limbo, origin sim.NodeID) {
	if n.rules.limbo.AdoptsWriter && len(q.Queue) == 0 && q.Owner != origin {
		n.own(q, origin)
	}
}

// submit has a transaction of a client or of a peer written: through the limbo if it has to wait,
// else as a plain one. Flags are decided here, whatever the origin says (#8746).
func (n *node) submit(env *sim.Env, w write) {
	q := n.queueOf(w.Txn.Origin)
	w.Txn.WaitSync = n.queuesUp(q, &w)
	n.raise(&w.Txn)
	switch {
	case w.Txn.empty():
		w.Duty = lies
		n.write(env, w)
	case w.Txn.WaitSync:
		n.enter(env, q, w)
	default:
		w.Duty, w.Undo = commits, n.apply(&w.Txn)
		n.write(env, w)
	}
}

// enter puts a transaction at the end of the queue, before it is written. What an owner has too
// much stays volatile until there is room; replicas know no limit (#11836).
func (n *node) enter(env *sim.Env, q *limbo, w write) {
	q.NextID++
	e := entry{ID: q.NextID, Txn: w.Txn, Sync: w.Txn.WaitAck, Call: w.Call, State: submitted}
	e.Txn.LSN = 0
	e.Undo = n.apply(&w.Txn)
	if w.Txn.Origin == n.id && w.Txn.LSN == 0 && n.crowded(q) {
		e.State = unsubmitted
	}
	q.Queue = append(q.Queue, e)
	if e.State == submitted {
		n.writeEntry(env, &e, w)
	}
	env.Note(entered{e.ID, w.Txn, e.Call})
}

// writeEntry submits an entry.
func (n *node) writeEntry(env *sim.Env, e *entry, w write) {
	w.Duty, w.Entry, w.Call = queues, e.ID, 0
	n.write(env, w)
}

// crowded says that the queue has no room for one more in the journal.
func (n *node) crowded(q *limbo) bool {
	if n.layout.Limit == 0 || n.rules.limbo.LimitsReplicas {
		return false
	}
	in := slices.IndexFunc(q.Queue, func(e entry) bool { return e.State == unsubmitted })
	return in >= 0 || len(q.Queue) >= n.layout.Limit
}

// full says that a transaction of a peer finds no room, if the limit is that of replicas (#11836).
func (n *node) full(t *txn) bool {
	q := n.queueOf(t.Origin)
	return n.rules.limbo.LimitsReplicas && n.queuesUp(q, &write{Txn: *t}) &&
		n.layout.Limit > 0 && len(q.Queue) >= n.layout.Limit
}

// submitVolatile submits volatile entries in their order while there is room.
func (n *node) submitVolatile(env *sim.Env) {
	q := n.queueOf(n.id)
	if q.RollingBack || q.Changing || !n.finalizes(q) {
		return
	}
	room := n.layout.Limit
	for i := range q.Queue {
		if q.Queue[i].State != unsubmitted {
			room--
		}
	}
	for ; room > 0; room-- {
		at := q.nextVolatile(n.rules.limbo.NewestEnters)
		if at < 0 {
			return
		}
		e := &q.Queue[at]
		e.State = submitted
		n.writeEntry(env, e, write{Txn: e.Txn, From: nobody, Real: true})
	}
}

// nextVolatile is the place of the volatile entry that is submitted next, -1 if there is none: the
// oldest, lest what was built on another stands before it in the log (#11180).
func (q *limbo) nextVolatile(newest bool) int {
	at := -1
	for i := range q.Queue {
		if q.Queue[i].State == unsubmitted && (at < 0 || newest) {
			at = i
		}
	}
	return at
}

// queued: the write of an entry is complete, so its LSN is known, and it is in this node's WAL
// (1.9).
func (n *node) queued(env *sim.Env, w write) {
	q := n.queueOf(w.Txn.Origin)
	at := q.find(w.Entry)
	if at < 0 {
		return
	}
	e := &q.Queue[at]
	e.Txn.LSN, e.State = w.Txn.LSN, written
	if e.Call != 0 {
		env.After(synchroTimeout, quorumTimer{e.Call})
	}
	if e.Sync {
		n.takeIn(env, q, n.id, w.Txn.LSN)
		n.measure(q)
	}
}

// finalizes says that this node may write CONFIRM and ROLLBACK for a queue: in leader state
// (1.12), or if it is its own, in solution I.
func (n *node) finalizes(q *limbo) bool {
	if n.solution.Which == solutionI {
		return q.Owner == n.id
	}
	return n.leads()
}

// tryConfirm has CONFIRM written if it is due: by whoever has processed the ACK, or by a worker.
func (n *node) tryConfirm(env *sim.Env) {
	q := n.queueOf(n.id)
	switch {
	case !n.confirmable(q):
	case !n.rules.limbo.Worker:
		n.writeConfirm(env, q)
	case !q.Working && q.Confirming == 0:
		q.Working = true
		n.wakeWorker(env)
	}
}

// confirmable says that a CONFIRM is due and nothing is in its way.
func (n *node) confirmable(q *limbo) bool {
	return n.finalizes(q) && !q.Changing &&
		(!q.RollingBack || n.rules.limbo.ConfirmInRollback) &&
		q.Quorum > max(q.Confirmed, q.Confirming)
}

// work is a turn of the worker.
func (n *node) work(env *sim.Env) {
	q := n.queueOf(n.id)
	q.Working = false
	if n.confirmable(q) && q.Confirming == 0 {
		n.writeConfirm(env, q)
	}
}

// writeConfirm writes one CONFIRM for all that has its quorum.
func (n *node) writeConfirm(env *sim.Env, q *limbo) {
	q.Confirming = q.Quorum
	n.writeControl(env, row{Type: confirmRow, Prev: q.Owner, N: q.Quorum})
	env.Note(confirms{q.Quorum, n.holders(q, q.Quorum)})
}

// writeControl writes an own control row.
func (n *node) writeControl(env *sim.Env, r row) {
	t := txn{Origin: n.id, Rows: []row{r}}
	n.write(env, write{Txn: t, Duty: controls, From: nobody, Real: true})
}

// tryRollback: the client of the first waiting entry, when its time is over, writes ROLLBACK; but
// not once its quorum is known, nor if this node does not lead (1.9).
func (n *node) tryRollback(env *sim.Env) {
	q := n.queueOf(n.id)
	if !n.rules.limbo.TimeoutRollsBack || len(q.Queue) == 0 || !q.Queue[0].Overdue {
		return
	}
	first := &q.Queue[0]
	covered := first.Txn.LSN <= max(q.Quorum, q.Confirming) && !n.rules.limbo.RollbackInConfirm
	if first.State != written || covered {
		return
	}
	n.writeRollback(env, q, first.Txn.LSN)
}

// writeRollback: while the row is in flight no newcomers enter and no CONFIRM starts (#5140,
// #5185).
func (n *node) writeRollback(env *sim.Env, q *limbo, from lsn) {
	if !n.finalizes(q) || q.RollingBack || q.Changing {
		return
	}
	q.RollingBack = true
	n.writeControl(env, row{Type: rollbackRow, Prev: q.Owner, N: from})
	env.Note(rolls{from})
}

// confirmIn commits, in order, all that a CONFIRM covers (1.9).
func (n *node) confirmIn(env *sim.Env, q *limbo, upto lsn) {
	for len(q.Queue) > 0 {
		e := q.Queue[0]
		unknown := e.State != written && !n.rules.limbo.CoversUnwritten
		if e.Sync && (unknown || e.Txn.LSN > upto) {
			break
		}
		if !e.Sync && e.State == unsubmitted {
			break // it becomes a plain one as it is submitted
		}
		q.Queue = slices.Clone(q.Queue[1:])
		if e.Sync {
			n.bound(q, e.Txn.LSN)
		}
		n.release(env, e)
		n.sumUpViews()
	}
	n.submitPlain(env, q)
	n.bound(q, upto)
}

// bound moves the boundary of the owner.
func (n *node) bound(q *limbo, upto lsn) {
	q.Confirmed = max(q.Confirmed, upto)
	q.Quorum = max(q.Quorum, q.Confirmed)
	if q.Owner != nobody && !n.rules.limbo.ForgetsFormer {
		q.Former = q.Former.with(q.Owner, q.Confirmed)
	}
}

// release commits an entry that has left the queue. An asynchronous one that is not in the WAL yet
// becomes a plain transaction (#6057).
func (n *node) release(env *sim.Env, e entry) {
	if e.State == submitted && !n.rules.limbo.CommitsUnwritten {
		n.becomePlain(&e)
		return
	}
	n.settle(env, e.Txn, e.ID)
	if n.rules.limbo.FreezeHangs && e.Call != 0 && !n.leads() {
		return
	}
	n.reply(env, e.Call, done{})
}

// becomePlain has the completion of an entry's write commit it.
func (n *node) becomePlain(e *entry) {
	for i := range n.wal.Pending {
		w := &n.wal.Pending[i]
		if w.Entry == e.ID && w.Duty == queues {
			w.Duty, w.Undo, w.Call = commits, e.Undo, e.Call
		}
	}
}

// submitPlain submits asynchronous entries that nothing stands before any more.
func (n *node) submitPlain(env *sim.Env, q *limbo) {
	for len(q.Queue) > 0 && !q.Queue[0].Sync && q.Queue[0].State == unsubmitted {
		e := q.Queue[0]
		q.Queue = slices.Clone(q.Queue[1:])
		n.write(env, write{Txn: e.Txn, Duty: commits, Entry: e.ID, Undo: e.Undo, Call: e.Call,
			From: nobody, Real: true})
	}
}

// rollbackIn undoes the first synchronous entry from an LSN on, and all behind it (1.9).
func (n *node) rollbackIn(env *sim.Env, q *limbo, from lsn) {
	at := slices.IndexFunc(q.Queue, func(e entry) bool {
		return e.Sync && (e.State != written || e.Txn.LSN >= from)
	})
	switch {
	case at >= 0 && n.rules.limbo.LeavesAsync:
		n.cutSync(env, q, at)
	case at >= 0:
		n.cutBack(env, q, at)
	}
	if q.Quorum >= from {
		q.Quorum = max(q.Confirmed, from-1)
	}
}

// cutBack undoes all entries from a place on, the newest first.
func (n *node) cutBack(env *sim.Env, q *limbo, at int) {
	gone := slices.Clone(q.Queue[at:])
	q.Queue = slices.Clone(q.Queue[:at])
	if !n.rules.limbo.OldestFirst {
		slices.Reverse(gone)
	}
	for i := range gone {
		e := &gone[i]
		n.restore(e.Undo)
		n.spoilViews(e.ID)
		n.orphan(e.ID)
		n.say(env, undone{e.Txn, e.ID, n.cellsOf(&e.Txn)})
		n.reply(env, e.Call, rolledBack{Timeout: q.RollingBack})
	}
}

// cutSync undoes the synchronous entries from a place on, and leaves the others (#10853).
func (n *node) cutSync(env *sim.Env, q *limbo, at int) {
	for i := len(q.Queue) - 1; i >= at; i-- {
		if q.Queue[i].Sync {
			n.cutOut(env, q, i)
		}
	}
}

// cutOut undoes one entry, and nothing behind it.
func (n *node) cutOut(env *sim.Env, q *limbo, at int) {
	behind := slices.Clone(q.Queue[at+1:])
	q.Queue = slices.Clone(q.Queue[:at+1])
	n.cutBack(env, q, at)
	q.Queue = append(q.Queue, behind...)
}

// orphan has the completion of the write of an entry that is undone do nothing.
func (n *node) orphan(id int64) {
	for i := range n.wal.Pending {
		if w := &n.wal.Pending[i]; w.Entry == id && w.Duty == queues {
			w.Duty = lies
		}
	}
}

// transfer gives the queue to a new owner: what the old one had up to an LSN is committed, all
// else is undone, so the queue is empty (1.9).
func (n *node) transfer(env *sim.Env, owner sim.NodeID, upto lsn) {
	if n.rules.promote.RollsOne {
		upto--
	}
	q := &n.limbo
	n.confirmIn(env, q, upto)
	n.rollbackIn(env, q, upto+1)
	if len(q.Queue) > 0 {
		n.cutBack(env, q, 0)
	}
	n.own(q, owner)
}

// own sets the owner of an empty queue, with the boundary that is known of it (#5395) and no ACKs.
func (n *node) own(q *limbo, owner sim.NodeID) {
	l := &n.rules.limbo
	q.Owner = owner
	if !l.KeepsBoundary {
		q.Confirmed = q.Former.of(owner)
	}
	q.Quorum, q.Confirming = q.Confirmed, 0
	if !l.KeepsAcks {
		q.Acks, q.Again = nil, nil
	}
}
