package cut

import (
	"slices"

	"github.com/downset/downset/sim"
)

// share is a node's share of a cut: its own state, which it has since the point, and the states of
// the channels to it, which it is still waiting for.
//
//	N_i = LocalState_i + sum of ChannelState_ij
type share struct {
	Cut  int
	Of   []sim.NodeID       // the members it was drawn over
	Sent map[sim.NodeID]int // by peer: how many messages it says cross the cut or precede it
}

func newShare(p point) share { return share{p.Cut, p.Of, map[sim.NodeID]int{}} }

// settle completes every cut whose channel states are all here.
func (n *node) settle(env *sim.Env) {
	for i := 0; i < len(n.open); {
		s := &n.open[i]
		if !n.all(s) {
			i++
			continue
		}
		n.close(env, i, complete{s.Cut})
	}
}

// all says that every channel to this node is whole.
func (n *node) all(s *share) bool {
	for _, p := range s.Of {
		if p != n.id && !n.policy.whole(n, s, p) {
			return false
		}
	}
	return true
}

// close ends this node's part in an open cut.
func (n *node) close(env *sim.Env, i int, end sim.Fact) {
	n.open = slices.Delete(n.open, i, i+1)
	n.keep(env, end)
	if len(n.open) == 0 {
		env.Cancel(gather{})
	}
}

// abandon gives up the open cuts in which a peer takes part.
func (n *node) abandon(env *sim.Env, peer sim.NodeID) {
	for i := 0; i < len(n.open); {
		if s := &n.open[i]; slices.Contains(s.Of, peer) {
			n.close(env, i, abandoned{s.Cut})
			continue
		}
		i++
	}
}

// askAll asks for what keeps the open cuts from being complete. Who is asked learns of the cut, if
// no message has told it before: the question is signed like any other.
func (n *node) askAll(env *sim.Env) {
	for i := range n.open {
		s := &n.open[i]
		for _, p := range s.Of {
			if p != n.id && !n.policy.whole(n, s, p) {
				n.send(env, p, ask{s.Cut, n.have(p, s.Cut)})
			}
		}
	}
}

// have is how many messages from a peer precede a cut on its side and have arrived here.
func (n *node) have(peer sim.NodeID, cut int) int {
	count := 0
	for _, a := range n.came[peer] {
		if n.policy.takes(cut, a.Version) {
			count++
		}
	}
	return count
}

// onAsk: a node counts what it committed before its point and told the one who asks, and sends it
// again, as it was, if some of it is missing there. Before its point no count is final.
func (n *node) onAsk(env *sim.Env, from sim.NodeID, m ask) {
	if n.guest.waits || m.Cut > n.version {
		return
	}
	var told []committed
	for _, c := range n.own {
		if n.policy.takes(m.Cut, c.Version) && slices.Contains(c.To, from) {
			told = append(told, c)
		}
	}
	n.send(env, from, sent{m.Cut, len(told)})
	if m.Have >= len(told) {
		return
	}
	for _, c := range told {
		n.send(env, from, notify{c.Tx, c.Version})
	}
}

// onSent: so many messages are to be expected on the channel from a peer.
func (n *node) onSent(from sim.NodeID, m sent) {
	for i := range n.open {
		if s := &n.open[i]; s.Cut == m.Cut {
			s.Sent[from] = m.Count
		}
	}
}

// onMarker: what came on the channel before the marker was sent before the sender's point, what
// comes after it after. The first marker of a cut is also how a node learns of it.
func (n *node) onMarker(env *sim.Env, from sim.NodeID, m marker) {
	n.learn(env, m.Cut, "marker")
	n.marked[from] = max(n.marked[from], m.Cut)
}

// onLeft: a member that leaves takes its channels with it.
func (n *node) onLeft(env *sim.Env, peer sim.NodeID) {
	n.abandon(env, peer)
	n.welcomed(env, peer)
}

// onBroken: a channel to or from a peer lost something. A cut that relies on its channels is given
// up.
func (n *node) onBroken(env *sim.Env, peer sim.NodeID) {
	if n.policy.lossless() {
		n.abandon(env, peer)
	}
}

// onOpened: a channel is up again and may have lost anything, so what was said on it is said
// again, in its order: a transaction that was committed before a point goes before its marker. What
// the peer knows it ignores. A peer that waits to be welcomed is: its hello was answered, if at
// all, on the channel that broke.
func (n *node) onOpened(env *sim.Env, what sim.Notice) {
	if n.guest.waits {
		n.policy.spread(n, env)
		n.send(env, what.Peer, hello{})
		return
	}
	if what.From != n.id {
		return
	}
	said := 0
	for _, c := range n.own {
		if !slices.Contains(c.To, what.Peer) {
			continue
		}
		if c.Version > said {
			said = c.Version
			n.policy.again(n, env, what.Peer, said)
		}
		n.send(env, what.Peer, notify{c.Tx, c.Version})
	}
	if n.version > said {
		n.policy.again(n, env, what.Peer, n.version)
	}
	n.onHello(env, what.Peer)
}
