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
	at := slices.IndexFunc(n.locks, func(l lock) bool { return l.Key == k })
	if at < 0 {
		n.locks = append(n.locks, lock{k, owner, nil})
		return true
	}
	l := &n.locks[at]
	if l.Owner == owner {
		return true
	}
	if !slices.Contains(l.Queue, owner) {
		l.Queue = append(l.Queue, owner)
	}
	return false
}

// release gives up all locks of an object and its places in queues. Who is next has the lock.
func (n *node) release(env *sim.Env, o *object) {
	o.Wants = nil
	var next []lock // granted
	kept := n.locks[:0:0]
	for _, l := range n.locks {
		l.Queue = slices.DeleteFunc(slices.Clone(l.Queue), func(k key) bool { return k == o.Key })
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
	o.Wants = slices.DeleteFunc(slices.Clone(o.Wants), func(w string) bool { return w == k })
	switch {
	case o.State == active && o.Key.Role == near:
		n.locksHere(env, o, k)
		n.next(env, o)
	case o.State == active:
		n.grant(env, o, k)
	case len(o.Wants) == 0 && o.State == preparing:
		n.partLocked(env, o)
	}
}
