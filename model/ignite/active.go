package ignite

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// What a transaction does while it is ACTIVE: it locks or reads key by key.

// patience is how long a transaction waits for a lock before it is rolled back.
const patience = 300 * time.Millisecond

// plan notes what the transaction has still to do while it is ACTIVE. A pessimistic one locks what
// it writes and what it reads, key by key; the others only read.
func (n *node) plan(o *object, writes []write, reads []string) {
	lock, todo := o.Map.Mode == pessimistic, len(reads)
	if lock {
		todo += len(writes)
	}
	if len(o.Writes) == 0 {
		o.Writes = slices.Clone(writes)
	} else {
		o.Writes = slices.Concat(o.Writes, writes)
	}
	o.Ahead = slices.Grow(o.Ahead, todo)
	for _, w := range writes {
		if lock {
			o.Ahead = append(o.Ahead, access{Key: w.Key, Lock: true})
		}
	}
	for _, k := range reads {
		o.Ahead = append(o.Ahead, access{Key: k, Lock: lock})
		o.Reads = append(o.Reads, access{Key: k, Lock: lock})
	}
}

// next goes on with what an ACTIVE transaction has to do.
func (n *node) next(env *sim.Env, o *object) {
	for o.State == active && len(o.Ahead) > 0 {
		if !n.access(env, o, o.Ahead[0]) {
			return // it waits
		}
	}
	switch {
	case o.State != active:
	case o.Auto:
		n.prepare(env, o)
	case o.Call != 0:
		env.Return(o.Call, done{})
		o.Call = 0
	}
}

// access locks or reads a key at its primary; it says whether that is done at once.
func (n *node) access(env *sim.Env, o *object, a access) bool {
	if o.Map.TopVer == 0 && n.exchanging() {
		n.await(o)
		return false
	}
	owners := n.owners(env, n.layout.of(a.Key))
	if len(owners) == 0 {
		n.giveUp(env, o, "no owner of "+a.Key+" is there")
		return false
	}
	if o.Map.TopVer == 0 && a.Lock {
		o.Map.TopVer = n.mapped()
	}
	p := owners[0]
	if a.Lock {
		env.After(patience, timeout{o.Key})
		if p == n.id {
			return n.lockHere(env, o, a.Key)
		}
		m := mapping{Mode: o.Map.Mode, Sync: o.Map.Sync, TopVer: o.Map.TopVer}
		o.Ahead[0].Asked, o.Ahead[0].Primary = true, p
		n.send(env, p, lq{o.Key.txID, m, a.Key}, o)
		return false
	}
	if p == n.id {
		n.seen(env, o, n.part(a.Key).get(a.Key), p)
		return true
	}
	o.Ahead[0].Asked, o.Ahead[0].Primary = true, p
	n.send(env, p, gq{o.Key.txID, a.Key}, o)
	return false
}

// mapped is the topology that a transaction is mapped on now. The first one is 1.
func (n *node) mapped() int64 { return n.topVer + 1 }

// lockHere locks a key for a near object whose node is its primary.
func (n *node) lockHere(env *sim.Env, o *object, k string) bool {
	if !n.acquire(o.Key, k) {
		o.Wants = append(o.Wants, k)
		return false
	}
	n.locksHere(env, o, k)
	return true
}

func (n *node) locksHere(env *sim.Env, o *object, k string) {
	e := n.part(k).get(k)
	env.Note(locked{o.Key.txID, k, e.Counter, e.Tx})
	n.seen(env, o, e, n.id)
}

// seen takes in what a lock or a read has brought, which was the first of what is to do.
func (n *node) seen(env *sim.Env, o *object, e entry, p sim.NodeID) {
	a := o.Ahead[0]
	o.Ahead = o.Ahead[1:]
	a.Primary, a.Counter = p, e.Counter
	if a.Lock {
		env.Cancel(timeout{o.Key})
		o.Locks = append(o.Locks, a)
	}
	for i := range o.Reads {
		if o.Reads[i].Key == a.Key {
			o.Reads[i] = a
			o.Seen = append(o.Seen, e)
			env.Note(saw{o.Key.txID, a.Key, e.Counter, a.Lock})
			return
		}
	}
}

// onLR: a lock is there, or will not come.
func (n *node) onLR(env *sim.Env, from sim.NodeID, m lr) {
	if p := n.part(m.Key); p != nil && n.commits.OwnCopy {
		m.Value = p.get(m.Key).Value
	}
	n.brought(env, from, m)
}

// onGR: a key was read.
func (n *node) onGR(env *sim.Env, from sim.NodeID, m gr) {
	n.brought(env, from, lr(m))
}

// brought: near has the answer to what it asked for last.
func (n *node) brought(env *sim.Env, from sim.NodeID, m lr) {
	o := n.find(nearKey(m.txID))
	if o == nil || o.State != active || len(o.Ahead) == 0 || o.Ahead[0].Key != m.Key {
		return // it has given up
	}
	if m.Err != "" {
		n.giveUp(env, o, m.Err)
		return
	}
	n.seen(env, o, entry{Key: m.Key, Value: m.Value, Counter: m.Counter}, from)
	n.next(env, o)
}

// giveUp rolls an ACTIVE transaction back that cannot go on.
func (n *node) giveUp(env *sim.Env, o *object, why string) {
	o.Err = why
	n.to(env, o, markedRollback)
	n.rollback(env, o)
}

// onTimeout: a lock did not come in time.
func (n *node) onTimeout(env *sim.Env, k key) {
	o := n.find(k)
	if o == nil {
		return
	}
	late := n.commits.LateTimeout && o.OnePhase && o.Asked && !o.State.done()
	switch {
	case k.Role == near && o.State == active && len(o.Ahead) > 0:
		n.giveUp(env, o, "timed out waiting for "+o.Ahead[0].Key)
	case len(o.Wants) > 0 && o.State == preparing, late:
		n.partFailed(env, o, "timed out")
	}
}
