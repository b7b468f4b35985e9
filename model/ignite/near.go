package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// What clients ask of a near node: to open, use, end, suspend and resume transactions.

// onBegin opens a transaction for a client.
func (n *node) onBegin(env *sim.Env, call sim.CallID, op beginOp) {
	if n.taken(op.Tx) {
		env.Refuse(call, unable{"transaction " + op.Tx + " has been there"})
		return
	}
	n.open(env, op.Tx, op.Mode, op.Sync)
	env.Return(call, done{})
}

// open makes the near object, in state ACTIVE.
func (n *node) open(env *sim.Env, name string, m mode, s syncMode) *object {
	id := n.idOf(name)
	o := &object{Key: nearKey(id), Map: mapping{Mode: m, Sync: s}}
	n.objs = append(n.objs, o)
	env.Note(began{id})
	env.Note(made{o.Key, false})
	if n.TagAt == atBegin {
		n.tag(env, o)
	}
	return o
}

// idOf is the near id of a transaction of this node. Ignite's ids have the start of their node in
// them, so that one that is back, and knows nothing of its earlier life, gives no id again.
func (n *node) idOf(name string) txID { return txID{name, n.id, n.order.of(n.id)} }

// taken says that a name cannot be used again: this node knows of a transaction of it, whichever of
// its lives that was in.
func (n *node) taken(name string) bool {
	known := func(e endedTx) bool { return e.Object.Near == n.id && e.Object.Name == name }
	return slices.ContainsFunc(n.ended, known) || n.find(nearKey(n.idOf(name))) != nil
}

// onCommit commits a transaction that is open, or all at once: locks, reads, prepare, commit.
func (n *node) onCommit(env *sim.Env, call sim.CallID, op commitOp) {
	o := n.find(nearKey(n.idOf(op.Tx)))
	if o == nil && n.taken(op.Tx) {
		env.Refuse(call, unable{"transaction " + op.Tx + " has ended"})
		return
	}
	if o == nil && len(op.Writes)+len(op.Reads) == 0 {
		env.Refuse(call, unable{"no transaction " + op.Tx + " is open"})
		return
	}
	if o == nil {
		if why := n.unknownKey(op.Writes, op.Reads); why != "" {
			env.Refuse(call, unable{why})
			return
		}
		o = n.open(env, op.Tx, op.Mode, op.Sync)
	}
	if o.State != active || o.Call != 0 {
		env.Refuse(call, unable{"transaction " + op.Tx + " is " + o.State.String()})
		return
	}
	o.Call, o.Auto = call, true
	n.plan(o, op.Writes, op.Reads)
	n.next(env, o)
}

// onAccess writes and reads in an open transaction.
func (n *node) onAccess(env *sim.Env, call sim.CallID, op accessOp) {
	o := n.find(nearKey(n.idOf(op.Tx)))
	why := n.unknownKey(op.Writes, op.Reads)
	switch {
	case o == nil:
		why = "no transaction " + op.Tx + " is open"
	case o.State != active || o.Call != 0:
		why = "transaction " + op.Tx + " is " + o.State.String()
	}
	if why != "" {
		env.Refuse(call, unable{why})
		return
	}
	o.Call = call
	n.plan(o, op.Writes, op.Reads)
	n.next(env, o)
}

// unknownKey says which key has no place, "" if all have.
func (n *node) unknownKey(writes []write, reads []string) string {
	for _, w := range writes {
		if n.layout.of(w.Key) == nil {
			return "no key is called " + w.Key
		}
	}
	for _, k := range reads {
		if n.layout.of(k) == nil {
			return "no key is called " + k
		}
	}
	return ""
}

// onRollback rolls an open transaction back for its client.
func (n *node) onRollback(env *sim.Env, call sim.CallID, op rollbackOp) {
	o := n.find(nearKey(n.idOf(op.Tx)))
	if o == nil || o.Call != 0 || o.State != active && o.State != suspended {
		env.Refuse(call, unable{"no transaction " + op.Tx + " is open"})
		return
	}
	o.Call = call
	n.rollback(env, o)
}

// onSuspend and onResume are for an ACTIVE transaction that nothing is under way for.
func (n *node) onSuspend(env *sim.Env, call sim.CallID, op suspendOp) {
	n.turn(env, call, op.Tx, suspended)
}

func (n *node) onResume(env *sim.Env, call sim.CallID, op resumeOp) {
	n.turn(env, call, op.Tx, active)
}

func (n *node) turn(env *sim.Env, call sim.CallID, name string, to state) {
	o := n.find(nearKey(n.idOf(name)))
	if o == nil || o.Call != 0 || !n.to(env, o, to) {
		env.Refuse(call, unable{"transaction " + name + " cannot become " + to.String()})
		return
	}
	env.Return(call, done{})
}
