package ignite

import "github.com/downset/downset/sim"

// prepareEnded tells those who wait that the prepare of an object has ended: it is PREPARED, or
// will not be.
func (n *node) prepareEnded(env *sim.Env, o *object) {
	n.rescuePrepared(env, o)
}

// objectDone tells those who wait that an object is COMMITTED, ROLLED_BACK or UNKNOWN.
func (n *node) objectDone(env *sim.Env, o *object) {
	n.side(env, o)
	n.rescueDone(env, o)
	n.processDone(env, o)
	n.exchangeDone(env, o)
	n.restoreDone(env)
}
