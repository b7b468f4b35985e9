package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Solution II: every ROLLBACK is written once more by who receives it, so that whoever gets the
// rows from there gets the ROLLBACK behind them.

// duplicate copies a ROLLBACK: who it is about does, or everyone. Rollbacks of one's own are not
// copied; nor, unless nothing tells copies apart, one that this node has copied before.
func (n *node) duplicate(env *sim.Env, t *txn) {
	r := t.Rows[0]
	if r.Type != rollbackRow || t.Origin == r.Prev {
		return
	}
	if n.solution.DupBy == ownerOnly && r.Prev != n.id {
		return
	}
	same := func(c row) bool { return c.Prev == r.Prev && c.N == r.N }
	if !n.solution.NoDedupe && slices.ContainsFunc(n.table.Copies, same) {
		return
	}
	r.Upto = 0
	if n.solution.Bounded {
		r.Upto = n.wal.Accepted.of(r.Prev)
	}
	n.table.Copies = append(slices.Clone(n.table.Copies), r)
	n.writeControl(env, r)
}

// deriveCopies finds in the log which rollbacks this node has copied, and copies what a crash has
// kept it from copying, if the rules say so.
func (n *node) deriveCopies(env *sim.Env) {
	var foreign []txn
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		t, ok := env.Disk.At(at).(txn)
		switch {
		case !ok || t.kind() != rollbackRow:
		case t.Origin == n.id && t.Rows[0].Prev != n.id || t.Origin == n.id && n.answers(foreign, &t):
			n.table.Copies = append(slices.Clone(n.table.Copies), t.Rows[0])
		case t.Origin != n.id:
			foreign = append(foreign, t)
		}
	}
	if !n.solution.Derives {
		return
	}
	for i := range foreign {
		n.duplicate(env, &foreign[i])
	}
}

// answers says that an own ROLLBACK is the copy of one of others.
func (n *node) answers(foreign []txn, t *txn) bool {
	return slices.ContainsFunc(foreign, func(f txn) bool {
		return f.Rows[0].Prev == t.Rows[0].Prev && f.Rows[0].N == t.Rows[0].N
	})
}

// rollback undoes what a ROLLBACK covers. A copy that ends at a row leaves what stands behind it in
// the queue.
func (n *node) rollback(env *sim.Env, r *row) {
	q := n.queueOf(r.Prev)
	if r.Upto == 0 {
		n.rollbackIn(env, q, r.N)
		return
	}
	within := func(e entry) bool {
		return e.Sync && e.State == written && r.N <= e.Txn.LSN && e.Txn.LSN <= r.Upto
	}
	from := slices.IndexFunc(q.Queue, within)
	if from < 0 {
		return
	}
	end := from + slices.IndexFunc(append(slices.Clone(q.Queue[from:]), entry{}), func(e entry) bool {
		return e.ID == 0 || e.Sync && !within(e)
	})
	kept := slices.Clone(q.Queue[end:])
	for i := len(kept) - 1; i >= 0; i-- {
		n.restore(kept[i].Undo)
	}
	q.Queue = slices.Clone(q.Queue[:end])
	n.cutBack(env, q, from)
	for i := range kept {
		kept[i].Undo = n.apply(&kept[i].Txn)
	}
	q.Queue = append(q.Queue, kept...)
}
