package ignite

import "github.com/downset/downset/sim"

// Requests that were mapped on another topology than the one that their receiver is in.

// strayed says that a request was mapped before this node joined: it was meant for the incarnation
// before, and the sender will consume that this one has left.
func (n *node) strayed(m mapping) bool { return m.TopVer <= n.order.of(n.id) }

// stillThere says that the node which sent a request is alive, and has been since it was mapped.
func (n *node) stillThere(env *sim.Env, from sim.NodeID, m mapping) bool {
	return n.alive(env, from) && m.TopVer > n.order.of(from)
}

// outdated says why a request to begin a transaction here is refused: its client mapped it on a
// topology that is over. A server's is not: it holds the exchange up until the transaction is done.
func (n *node) outdated(t txID, m mapping) string {
	if n.layout.client(t.Near) && m.TopVer <= n.exchange.Want && !n.topology.TakesOutdated {
		return "the topology has changed"
	}
	return ""
}

// ahead is a request that was mapped on the topology of an exchange that is not done here yet.
type ahead struct {
	From sim.NodeID
	M    sim.Message
}

// isAhead keeps a request whose near node has heard sooner that the exchange is done. Until this
// one has, it stands where nothing of the new topology is: at the point of a full snapshot, and of
// the copies that others take over.
func (n *node) isAhead(from sim.NodeID, m sim.Message) bool {
	e := &n.exchange
	if !n.exchanging() || n.topology.TakesAhead {
		return false
	}
	var mapped int64
	switch m := unwrap(m).(type) {
	case npq:
		mapped = m.Map.TopVer
	case dpq:
		mapped = m.Map.TopVer
	case lq:
		mapped = m.Map.TopVer
	}
	if mapped <= e.Want && !n.followsBase(m) {
		return false
	}
	e.Ahead = append(e.Ahead, ahead{from, m})
	return true
}

// followsBase says that a message brings a cut which began when all had made a full snapshot that
// this node has still to make.
func (n *node) followsBase(m sim.Message) bool {
	s, ok := m.(signed)
	return ok && n.basing() != "" && s.TopVer >= n.exchange.Want
}
