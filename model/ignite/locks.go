package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// lock is the lock of a key whose primary this node is: who has it, and who waits for it, in order.
type lock struct {
	Key   string
	Owner key
	Queue []key
}

// acquire takes a lock for an object, or queues it; it says whether the object has the lock.
func (n *node) acquire(owner key, k string) bool {
	for i := range n.locks {
		l := &n.locks[i]
		switch {
		case l.Key != k:
			continue
		case l.Owner == owner:
			return true
		case !slices.Contains(l.Queue, owner):
			l.Queue = append(l.Queue, owner)
		}
		return false
	}
	n.locks = append(n.locks, lock{k, owner, nil})
	return true
}

// release gives up all locks of an object and its places in queues. Who is next has the lock.
func (n *node) release(env *sim.Env, o *object) {
	o.Wants = nil
	var few [4]lock // which most objects have no more of
	next := few[:0] // granted
	kept := n.locks[:0]
	for _, l := range n.locks {
		if len(l.Queue) > 0 {
			l.Queue = slices.DeleteFunc(l.Queue, func(k key) bool { return k == o.Key })
		}
		if l.Owner == o.Key {
			if len(l.Queue) == 0 {
				continue
			}
			l.Owner, l.Queue = l.Queue[0], l.Queue[1:]
			next = append(next, l)
		}
		kept = append(kept, l)
	}
	n.locks = kept
	for _, l := range next {
		if w := n.find(l.Owner); w != nil {
			n.gotLock(env, w, l.Key)
		}
	}
}

// gotLock: an object has a lock that it waited for.
func (n *node) gotLock(env *sim.Env, o *object, k string) {
	for slices.Contains(o.Wants, k) {
		o.Wants = without(o.Wants, k)
	}
	switch {
	case o.State == active && o.Key.Role == near:
		n.locksHere(env, o, k)
		n.next(env, o)
	case o.State == active:
		n.grant(env, o, k)
	case len(o.Wants) == 0 && o.State == preparing && !o.Voted: // else it has timed out
		if !n.commits.LateTimeout {
			env.Cancel(timeout{o.Key})
		}
		n.partLocked(env, o)
	}
}

// onLQ locks a key for a pessimistic transaction, which is ACTIVE here from now on. What has ended
// here is not begun again.
func (n *node) onLQ(env *sim.Env, from sim.NodeID, m lq) {
	if n.strayed(m.Map) || !n.stillThere(env, from, m.Map) {
		return
	}
	why := n.unfit(env, m.txID, m.Key)
	if why == "" && n.find(key{m.txID, primary, n.id}) == nil {
		why = n.outdated(m.txID, m.Map)
	}
	if why != "" {
		n.send(env, from, lr{txID: m.txID, Key: m.Key, Err: why}, nil)
		return
	}
	o := n.find(key{m.txID, primary, n.id})
	if o == nil {
		o = n.make(env, key{m.txID, primary, n.id}, m.Map)
	}
	if !n.acquire(o.Key, m.Key) {
		o.Wants = append(o.Wants, m.Key)
		return
	}
	n.grant(env, o, m.Key)
}

// unfit says why this node cannot work on a key as its primary.
func (n *node) unfit(env *sim.Env, t txID, k string) string {
	owners := n.owners(env, n.layout.of(k))
	switch _, over := n.endedAs(key{t, primary, n.id}); {
	case over:
		return "the transaction has ended here"
	case len(owners) == 0 || owners[0] != n.id:
		return "not the primary of " + k
	}
	return ""
}

// make makes an object.
func (n *node) make(env *sim.Env, k key, m mapping) *object {
	o := &object{Key: k, Map: m}
	n.objs = append(n.objs, o)
	env.Note(made{k, false})
	return o
}

// grant tells near that it has a lock, with what the key holds.
func (n *node) grant(env *sim.Env, o *object, k string) {
	e := n.part(k).get(k)
	env.Note(locked{o.Key.txID, k, e.Counter, e.Tx})
	n.send(env, o.Key.Near, lr{txID: o.Key.txID, Key: k, Value: e.Value, Counter: e.Counter}, o)
}

// onGQ reads a key without a lock.
func (n *node) onGQ(env *sim.Env, from sim.NodeID, m gq) {
	p := n.part(m.Key)
	if p == nil {
		n.send(env, from, gr{txID: m.txID, Key: m.Key, Err: "not an owner of " + m.Key}, nil)
		return
	}
	e := p.get(m.Key)
	n.send(env, from, gr{txID: m.txID, Key: m.Key, Value: e.Value, Counter: e.Counter}, nil)
}
