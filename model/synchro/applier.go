package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// applier takes in the rows of one peer's relay (1.6).
type applier struct {
	Conn    int64     // of its subscription, 0: none
	Tries   int64     // subscriptions so far in this life
	Live    bool      // the relay has answered
	Raft    int64     // raft messages heard on this connection
	Leads   int64     // the one of them since which its node says that it leads, 0: it does not
	Stopped string    // why it is stopped for good; "": it is not
	Inbox   []relayed // received and not yet taken in: it waits for a latch or for a write
	Writing bool      // a control row of it is on its way to the disk
	Made    verdict   // what the filter has made of that row
	Control txn       // that row
	Dropped clock     // by origin, the last row that the filter has dropped
	Acked   clock     // what the last ACK said
	Stale   clock     // what the last ACK of the connection before said
}

// connsPerEpoch keeps the numbers of connections apart that two epochs of a stream have.
const connsPerEpoch = 1000

// subscribeToAll begins an applier for each peer.
func (n *node) subscribeToAll(env *sim.Env) {
	if !n.joining {
		n.solutionRestart(env)
	}
	for p := range n.peers {
		n.subscribeTo(env, sim.NodeID(p))
	}
}

// subscribeTo subscribes to a peer, with the vclock of the WAL: what is on its way into it may be
// lost yet (1.5).
func (n *node) subscribeTo(env *sim.Env, from sim.NodeID) {
	if int(from) >= len(n.peers) || from == n.id || !n.known(from) ||
		n.joiningElsewhere(env, from) || n.finalJoin() && from != n.wal.Giver {
		return
	}
	a := &n.peers[from].applier
	if n.joining && a.Conn != 0 {
		return // it has asked
	}
	if a.Stopped != "" || n.peers[from].Expelled && !n.log.Expelled {
		env.Cancel(retryTimer{From: from})
		return
	}
	up := env.Stream(from, applierLane)
	n.hangUp(env, from)
	if !up.Up() {
		return // it will be told once it is
	}
	a.Tries++
	a.Conn, a.Acked = up.Epoch()*connsPerEpoch+a.Tries, nil
	at := slices.Clone(n.wal.Clock)
	if n.log.SubscribeAhead {
		at = slices.Clone(n.wal.Accepted)
	}
	m := subscribe{Conn: a.Conn, Clock: at, Join: n.joining}
	if n.cure.SubscribeTerm {
		m.Term = n.raft.DurableTerm // only what is durable is ever said (1.13)
	}
	up.Send(m)
}

// joiningElsewhere says that a node without data asks another for it: the first that it can reach.
func (n *node) joiningElsewhere(env *sim.Env, from sim.NodeID) bool {
	for p := sim.NodeID(0); n.joining && p < from; p++ {
		if p != n.id && n.known(p) && n.peers[p].Member && env.Stream(p, applierLane).Up() {
			return true
		}
	}
	return false
}

// known says that a peer takes part, and that the set-up has a link to it.
// Nobody subscribes to a replica that is not registered.
func (n *node) known(p sim.NodeID) bool { return n.layout.linked(n.id, p) }

// hangUp forgets the connection of an applier. A control row that is on its way stays so.
func (n *node) hangUp(env *sim.Env, from sim.NodeID) {
	a := &n.peers[from].applier
	was := a.Live || a.Raft > 0
	a.Conn, a.Live, a.Inbox, a.Raft, a.Leads, a.Stale = 0, false, nil, 0, 0, a.Acked
	if was {
		n.connectionChanged(env, from)
	}
}

// dropRelay forgets the connection of a relay. Own work for its mailbox may be under way.
func (n *node) dropRelay(env *sim.Env, to sim.NodeID) {
	r := &n.peers[to].relay
	was := r.Conn != 0
	*r = relay{Echo: r.Echo, MailWork: r.MailWork}
	if was {
		n.connectionChanged(env, to)
	}
}

// opened has a stream come up: an applier that has no connection subscribes, and a relay that could
// not answer does.
func (n *node) opened(env *sim.Env, s sim.Notice) {
	if int(s.Peer) >= len(n.peers) {
		return
	}
	p := &n.peers[s.Peer]
	switch fromHere := s.From == n.id; {
	case fromHere && s.Lane != applierLane:
		if p.relay.Again.Conn != 0 {
			n.relaySubscribed(env, s.Peer, p.relay.Again)
		}
	case fromHere, s.Lane != applierLane:
		if p.applier.Conn == 0 {
			n.subscribeTo(env, s.Peer)
		}
	}
}

// broken ends a connection whose one direction has broken.
func (n *node) broken(env *sim.Env, s sim.Notice) {
	if int(s.Peer) >= len(n.peers) {
		return
	}
	r := &n.peers[s.Peer].relay
	switch fromHere := s.From == n.id; {
	case fromHere && s.Lane != applierLane:
		// The peer may have subscribed anew before this node was told.
		again := r.Again
		if r.Conn != 0 {
			again = subscribe{Conn: r.Conn, Clock: r.Acked.Clock, Term: r.Acked.Term, Join: r.Join}
		}
		n.dropRelay(env, s.Peer)
		r.Again = again
	case !fromHere && s.Lane == applierLane:
		n.dropRelay(env, s.Peer)
	default:
		n.hangUp(env, s.Peer)
		if n.joining {
			n.subscribeToAll(env) // it asks another
		}
	}
}

// disconnect gives up the connections with a peer, in both directions. Streams come up again, and
// then appliers subscribe.
func (n *node) disconnect(env *sim.Env, p sim.NodeID) {
	n.peers[p].Silent = 0
	if n.peers[p].relay.Conn != 0 {
		n.dropRelay(env, p)
		env.Stream(p, relayLane).Close()
		env.Stream(p, raftLane).Close()
	}
	if n.peers[p].applier.Conn != 0 {
		n.hangUp(env, p)
		env.Stream(p, applierLane).Close()
	}
}

// stop ends an applier for good: until an operator configures replication anew.
func (n *node) stop(env *sim.Env, from sim.NodeID, why string) {
	a := &n.peers[from].applier
	if a.Stopped != "" {
		return
	}
	a.Stopped = why
	env.Note(stops{From: from, Why: why})
	n.hangUp(env, from)
	env.Stream(from, applierLane).Close()
	n.connectionChanged(env, from)
}

// retry ends a connection after an error that passes, and subscribes again after a while.
func (n *node) retry(env *sim.Env, from sim.NodeID) {
	n.hangUp(env, from)
	env.Every(replicationTimeout, retryTimer{From: from})
}

// retried is the time for that, if no answer is under way.
func (n *node) retried(env *sim.Env, from sim.NodeID) {
	if n.peers[from].applier.Conn == 0 {
		n.subscribeTo(env, from)
	}
}

// killAppliers is what a write that fails does to all of them (1.3).
func (n *node) killAppliers(env *sim.Env, why string) {
	for p := range n.peers {
		if n.peers[p].applier.Conn != 0 {
			n.stop(env, sim.NodeID(p), why)
		}
	}
}

// reconfigure starts stopped appliers again: box.cfg.replication is set anew.
func (n *node) reconfigure(env *sim.Env) {
	for p := range n.peers {
		a := &n.peers[p].applier
		if a.Stopped == "" {
			continue
		}
		a.Stopped = ""
		env.Note(stops{From: sim.NodeID(p)})
		n.subscribeTo(env, sim.NodeID(p))
	}
}

// applierWelcomed is the relay's answer. Who hears that a peer has more of its own rows than its
// WAL waits for them to come back (#10592).
func (n *node) applierWelcomed(env *sim.Env, from sim.NodeID, m welcome) {
	a := &n.peers[from].applier
	if m.Conn != a.Conn {
		return
	}
	n.sawClock(env, m.Clock)
	if m.Gap {
		n.retry(env, from)
		if n.finalJoin() {
			n.wal.Final = clock{} // its giver has the rows no more: others have
			n.joinEnds(env)
		}
		return
	}
	a.Live = true
	env.Cancel(retryTimer{From: from})
	n.solutionWelcomed(env, from, m.Clock)
	n.connectionChanged(env, from)
	n.tellState(env)
}

// applierBeat answers a heartbeat: the number comes back, with all that an ACK says.
func (n *node) applierBeat(env *sim.Env, from sim.NodeID, m beat) {
	if m.Conn == n.peers[from].applier.Conn {
		n.sendAck(env, from, m.Echo)
	}
}

// applierRaft hands a raft message to the elections, and answers.
func (n *node) applierRaft(env *sim.Env, from sim.NodeID, m raftMsg) {
	if m.Conn != n.peers[from].applier.Conn {
		return
	}
	a := &n.peers[from].applier
	a.Raft++
	switch leads := m.Raft.Role == leader; {
	case !leads:
		a.Leads = 0
	case a.Leads == 0:
		a.Leads = a.Raft
	}
	n.hearRaft(env, from, m.Raft)
	n.advance(env, from)
	n.sendAck(env, from, 0)
}

// applierJoined begins with the data of a peer.
func (n *node) applierJoined(env *sim.Env, from sim.NodeID, m joinData) {
	if m.Conn == n.peers[from].applier.Conn && n.joining {
		n.wal.Giver = from
		n.joinFrom(env, m.Snapshot)
	}
}

// applierReceived takes a transaction, whole (#5566).
func (n *node) applierReceived(env *sim.Env, from sim.NodeID, m relayed) {
	a := &n.peers[from].applier
	if m.Conn != a.Conn || a.Conn == 0 {
		return
	}
	a.Inbox = append(a.Inbox, m)
	n.advance(env, from)
}

// flow has all appliers go on: a latch is free, or a write complete.
func (n *node) flow(env *sim.Env) {
	for p := range n.peers {
		n.advance(env, sim.NodeID(p))
	}
}

// advance takes in what has been received, in order, up to the first that has to wait.
func (n *node) advance(env *sim.Env, from sim.NodeID) {
	for {
		a := &n.peers[from].applier
		if len(a.Inbox) == 0 || a.Writing {
			return
		}
		m := a.Inbox[0]
		if n.ordered(m.Txn.Origin) || m.Raft > a.Raft || !n.accept(env, from, m.Txn) {
			return
		}
		if a = &n.peers[from].applier; len(a.Inbox) > 0 {
			a.Inbox = a.Inbox[1:]
		}
	}
}

// ordered says that the order latch of an origin is held: an applier writes a control row of it.
func (n *node) ordered(origin sim.NodeID) bool {
	for p := range n.peers {
		if a := &n.peers[p].applier; a.Writing && a.Control.Origin == origin {
			return true
		}
	}
	return false
}

// sendAcks says to all upstreams what is durable, after each write that has become so (1.7).
func (n *node) sendAcks(env *sim.Env) {
	for p := range n.peers {
		a := &n.peers[p].applier
		if a.Live && !(a.Acked.covers(n.acked()) && n.acked().covers(a.Acked)) {
			n.sendAck(env, sim.NodeID(p), 0)
		}
	}
}

// acked is the vclock that ACKs carry: of the WAL.
func (n *node) acked() clock {
	if n.rules.limbo.PendingAck {
		return n.wal.Accepted
	}
	return n.wal.Clock
}

// sendAck says to one upstream what is durable. It goes by what is in the WAL alone: a NOP in the
// place of a row is acknowledged as the row.
func (n *node) sendAck(env *sim.Env, to sim.NodeID, echo int64) {
	a := &n.peers[to].applier
	if a.Conn == 0 {
		return
	}
	m := ack{Conn: a.Conn, Clock: slices.Clone(n.acked()), Echo: echo}
	if !n.rules.limbo.AckTermless {
		m.Term = n.raft.DurableTerm // only what is durable is ever said (1.13)
	}
	a.Acked = m.Clock
	env.Stream(to, applierLane).Send(m)
	if n.harmless.AcksTwice {
		env.Stream(to, applierLane).Send(m)
	}
	if n.log.OldAck && a.Stale != nil {
		m.Clock, a.Stale = a.Stale, nil // it was left in a queue (#12795)
		env.Stream(to, applierLane).Send(m)
	}
}
