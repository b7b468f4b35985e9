package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// onDPQ: a backup prepares at once. A request whose sender has left is begun and rolled back (1.1);
// one whose local id has ended is refused (1.3).
func (n *node) onDPQ(env *sim.Env, from sim.NodeID, m dpq) {
	if n.strayed(m.Map) {
		return
	}
	k := key{m.txID, backup, from}
	if _, over := n.endedAs(k); over || n.refusesLate(m.txID) {
		n.send(env, from, dpr{m.txID, "the transaction has ended here"}, nil)
		return
	}
	o := n.make(env, k, m.Map)
	o.Updates, o.OnePhase, o.Prepares = m.Updates, m.OnePhase, true
	for _, s := range m.Map.Shares {
		if s.Primary == from {
			o.Own = s
		}
	}
	n.to(env, o, preparing)
	if !n.stillThere(env, from, m.Map) {
		o.Prepares = false
		n.rollback(env, o)
		return
	}
	if n.commits.EarlyDPR && !o.OnePhase {
		n.send(env, from, dpr{txID: m.txID}, o)
	}
	n.becomePrepared(env, o)
}

// backupPrepared: in two phases a backup answers. In one it decides: it fixes the tag, commits, and
// then answers (1.5).
func (n *node) backupPrepared(env *sim.Env, o *object) {
	o.Prepares = false
	if o.OnePhase {
		if n.OneSigner == asPublished {
			n.tag(env, o)
		}
		mine := n.take(env, o, byUser)
		n.prepareEnded(env, o)
		if mine {
			n.commit(env, o)
		}
		return
	}
	if !n.commits.EarlyDPR && n.alive(env, o.Key.Primary) {
		n.send(env, o.Key.Primary, dpr{txID: o.Key.txID}, o)
	}
	n.prepareEnded(env, o)
	n.obey(env, o)
}

// onDFQ: the primary has finished.
func (n *node) onDFQ(env *sim.Env, from sim.NodeID, m dfq) {
	k := key{m.txID, backup, from}
	o := n.find(k)
	if o == nil {
		if _, over := n.endedAs(k); !over && !m.Commit {
			n.ended = append(n.ended, endedTx{k, false})
		}
		if m.Reply && n.alive(env, from) {
			n.send(env, from, dfr{m.txID, m.Commit}, nil)
		}
		return
	}
	o.Reply, o.Rescued = o.Reply || m.Reply, m.Rescued
	switch {
	case !n.take(env, o, byUser) && !n.freed(env, o): // recovery has it
	case m.Commit && o.Prepares:
		o.Obeys = toCommit
	case m.Commit && o.State == prepared:
		n.commitOwn(env, o)
	case !m.Commit:
		n.rollback(env, o)
	}
}

// backupCommitted: with one phase the answer to the prepare carries the tag; with two the finish is
// answered if that is wanted.
func (n *node) backupCommitted(env *sim.Env, o *object) {
	there := n.alive(env, o.Key.Primary)
	switch {
	case o.OnePhase && there:
		n.send(env, o.Key.Primary, dpr{txID: o.Key.txID}, o)
	case o.Reply && there:
		n.send(env, o.Key.Primary, dfr{o.Key.txID, o.State == committed}, o)
	}
	n.forget(o)
}

// isTurn says that no earlier transaction on this backup has still to write one of the object's
// keys: a backup commits in the order in which the primary gave the locks.
func (n *node) isTurn(o *object) bool {
	for _, x := range n.objs {
		if x == o {
			return true
		}
		if x.Key.Role == backup && !x.Off && !x.State.done() && overlap(x.Updates, o.Updates) {
			return false
		}
	}
	return true
}

func overlap(a, b []update) bool {
	return slices.ContainsFunc(a, func(u update) bool {
		return slices.ContainsFunc(b, func(v update) bool { return u.Key == v.Key })
	})
}

// unstall goes on with commits that waited for an earlier transaction.
func (n *node) unstall(env *sim.Env) {
	if !slices.ContainsFunc(n.objs, func(o *object) bool { return o.Stalled }) {
		return
	}
	for _, o := range slices.Clone(n.objs) {
		if o.Stalled && n.isTurn(o) {
			o.Stalled = false
			n.steps(env, o)
		}
	}
}
