package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// anonymous says that a node takes no part in quorums by its set-up.
func (n *node) anonymous(id sim.NodeID) bool { return slices.Contains(n.layout.Anonymous, id) }

// meet makes room for everyone who is there. Who was there from the start is registered; who has
// come later is so by a row of the log.
func (n *node) meet(env *sim.Env) {
	n.grow(n.id)
	for _, id := range env.Nodes {
		n.grow(id)
	}
	for _, id := range n.founders {
		n.grow(id)
		n.peers[id].Member = !n.anonymous(id)
	}
	n.readOnly = n.anonymous(n.id)
}

// grow makes room for a node.
func (n *node) grow(id sim.NodeID) {
	for len(n.peers) <= int(id) {
		n.peers = append(n.peers, peer{})
	}
}

// forget has those not count who have left while this node was down.
func (n *node) forget(env *sim.Env) {
	for id := range n.peers {
		if p := sim.NodeID(id); p != n.id && !slices.Contains(env.Nodes, p) {
			n.takeOff(p)
		}
	}
}

// takeOff has a node that has left not count.
func (n *node) takeOff(id sim.NodeID) {
	p := &n.peers[id]
	p.Left = p.Left || p.Member
	p.Member, p.Gone = false, true
}

// peerJoined: a node is there from now on. It counts once it is registered.
func (n *node) peerJoined(env *sim.Env, p sim.NodeID) {
	n.grow(p)
	n.peers[p].Gone = false
	n.peers[p].Member = n.peers[p].Member || n.log.CountsAtOnce && !n.anonymous(p)
	n.connectionChanged(env, p)
	n.subscribeTo(env, p)
	n.goOn(env)
}

// peerLeft: it is not any more.
func (n *node) peerLeft(env *sim.Env, p sim.NodeID) {
	n.grow(p)
	n.takeOff(p)
	n.disconnect(env, p)
	n.joinEnds(env)
	n.connectionChanged(env, p)
	n.goOn(env)
}

// registerPeers writes the row that makes a node a member, which has begun with a snapshot of
// another and subscribes here (1.15): as the one who may write. It touches a system space, as an
// expulsion does.
func (n *node) registerPeers(env *sim.Env) {
	if n.readOnlyFor() != "" || n.recovering || !n.admitsMembers() {
		return
	}
	for id := range n.peers {
		p := sim.NodeID(id)
		at := &n.peers[id]
		if p == n.id || at.relay.Conn == 0 || at.Member || at.Gone || at.Expelled ||
			n.anonymous(p) || n.registering(p) {
			continue
		}
		t := txn{Origin: n.id, System: true, Rows: []row{{Type: registerRow, Prev: p}}}
		t.WaitAck = n.limbo.Owner != nobody && !n.rules.limbo.SystemAsync
		if w := (write{Txn: t, From: nobody, Real: true}); n.admits(&w) == "" {
			n.submit(env, w)
		}
	}
}

// admitsMembers says that of all who may write this is the one that registers: the owner of the
// queue, or the first member if there is none.
func (n *node) admitsMembers() bool {
	if n.limbo.Owner != nobody {
		return n.limbo.Owner == n.id
	}
	first := slices.IndexFunc(n.peers, func(p peer) bool { return p.Member && !p.Expelled })
	return first == int(n.id)
}

// registering says that the row about a node is on its way.
func (n *node) registering(id sim.NodeID) bool {
	about := func(t *txn) bool { return t.kind() == registerRow && t.Rows[0].Prev == id }
	return slices.ContainsFunc(n.limbo.Queue, func(e entry) bool { return about(&e.Txn) }) ||
		slices.ContainsFunc(n.wal.Pending, func(w write) bool { return about(&w.Txn) })
}

// register makes a node a member: the quorum is what it is with that node only now that the row is
// committed, and the node has said what it has (#10087).
func (n *node) register(env *sim.Env, id sim.NodeID) {
	n.grow(id)
	if n.peers[id].Gone || n.peers[id].Expelled || n.peers[id].Member {
		return
	}
	n.peers[id].Member = true
	if !n.recovering {
		n.connectionChanged(env, id)
		env.Later(flow{})
	}
}
