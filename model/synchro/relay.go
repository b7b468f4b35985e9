package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// relay sends this node's WAL to one subscribed peer (1.4).
type relay struct {
	Conn     int64     // of the subscription, 0: none
	Join     bool      // of one that was for a snapshot: it is begun again with one
	Again    subscribe // to answer once the stream to the peer is up again; Conn 0: none
	Pos      sim.LSN   // of the last record that it has looked at
	Start    clock     // what this node had when the peer subscribed
	Has      clock     // rows up to here are not sent: the peer has said that it has them
	Mailbox  bool      // a raft message waits; the newest state is taken when it leaves
	MailWork bool      // own work for it is under way
	SentTerm int64     // the greatest term sent in a raft message on this connection
	Sent     int64     // how many raft messages that were
	Led      bool      // the last raft message sent said that this node leads
	Echo     int64     // number of the last heartbeat
	Acked    ack       // the last ACK
	Heard    clock     // of ACKs that the main thread has taken in, after their terms
}

// relaySubscribed begins a connection (1.5): its own vclock, the state of raft, then rows. The
// vclock of the subscription counts as the first ACK, without a term.
func (n *node) relaySubscribed(env *sim.Env, from sim.NodeID, m subscribe) {
	p := &n.peers[from]
	if !n.known(from) || p.Expelled && !n.log.Expelled {
		return
	}
	n.forgetViews(from) // it asks for another, or has joined through somebody else
	p.relay = relay{Echo: p.relay.Echo, MailWork: p.relay.MailWork, Again: m}
	if !env.Stream(from, relayLane).Up() || !env.Stream(from, raftLane).Up() {
		return // it begins once it is up
	}
	p.relay.Again = subscribe{}
	switch {
	case m.Join:
		n.joiner(env, from, m.Conn)
	case n.serves(env, m.Clock):
		n.relayFrom(env, from, ack{Conn: m.Conn, Clock: m.Clock, Term: m.Term})
	default:
		m := welcome{Conn: m.Conn, Clock: slices.Clone(n.wal.Clock), Gap: true}
		env.Stream(from, relayLane).Send(m)
	}
	n.connectionChanged(env, from)
}

// serves says that the WAL has all rows that a peer lacks. Else there is a gap in the log, and the
// peer tries again.
func (n *node) serves(env *sim.Env, has clock) bool {
	has = slices.Clone(has)
	for at := env.Disk.First(); at <= env.Disk.Durable(); at++ {
		t, ok := env.Disk.At(at).(txn)
		if !ok || t.Local || t.LSN <= has.of(t.Origin) {
			continue
		}
		if t.first() > has.of(t.Origin)+1 {
			return false
		}
		has.set(t.Origin, t.LSN)
	}
	return has.covers(n.wal.Clock)
}

// relayFrom begins a relay to a peer, whose first ACK says which rows it has.
func (n *node) relayFrom(env *sim.Env, to sim.NodeID, first ack) {
	conn, has := first.Conn, first.Clock
	r := &n.peers[to].relay
	*r = relay{Conn: conn, Echo: r.Echo, MailWork: r.MailWork, Pos: env.Disk.First() - 1,
		Start: slices.Clone(n.wal.Clock), Has: slices.Clone(has),
		Acked: ack{Conn: conn, Clock: slices.Clone(has), Term: first.Term}}
	n.sawClock(env, has)
	n.solutionSubscribed(env, to)
	env.Stream(to, relayLane).Send(welcome{Conn: conn, Clock: r.Start})
	if !n.rules.raft.Unannounced || n.electing() {
		n.sendRaft(env, to) // whatever the mode (#5438)
	}
	env.Later(hears{From: to, Conn: conn, Ack: r.Acked})
	n.pump(env, to)
	n.connectionChanged(env, to)
}

// wakeRelays sends what is newly durable: relays read the file (1.3).
func (n *node) wakeRelays(env *sim.Env) {
	for p := range n.peers {
		n.pump(env, sim.NodeID(p))
	}
}

// pump sends a peer every row of the WAL that it is to have, in the order of the WAL.
func (n *node) pump(env *sim.Env, to sim.NodeID) {
	r := &n.peers[to].relay
	if r.Conn == 0 || n.holdsBack() {
		return
	}
	for r.Pos < env.Disk.Durable() {
		if r.Pos+1 < env.Disk.First() {
			n.disconnect(env, to) // a snapshot has taken its rows away: it begins anew
			return
		}
		if n.harmless.OriginsSwapped && n.sendSwapped(env, to) {
			continue
		}
		t, ok := env.Disk.At(r.Pos + 1).(txn)
		if ok && n.relays(to, &t) {
			if !n.termGoesFirst(env, to, &t) {
				return
			}
			n.sendRow(env, to, t)
		}
		r.Pos++
	}
}

// sendRow sends a transaction of the WAL.
func (n *node) sendRow(env *sim.Env, to sim.NodeID, t txn) {
	r := &n.peers[to].relay
	m := relayed{Conn: r.Conn, Txn: n.sentAs(t)}
	if n.claimsTerm(&t) && !n.rules.promote.BeforeTerm || r.Led && n.filter.BySender {
		m.Raft = r.Sent
	}
	env.Stream(to, relayLane).Send(m)
	if n.harmless.RowsTwice {
		env.Stream(to, relayLane).Send(m)
	}
}

// relays says that a transaction of the WAL is sent to a peer: all but local rows, what it has,
// and its own rows beyond those that this node had when it subscribed, which it gets back if it
// has lost them (1.4).
func (n *node) relays(to sim.NodeID, t *txn) bool {
	r := &n.peers[to].relay
	switch {
	case t.Local, t.LSN <= r.Has.of(t.Origin):
		return false
	case t.Origin == to && t.LSN > r.Start.of(to):
		return false
	case n.log.OnlyLeaderRows && n.raft.Leader != nobody && t.Origin != n.raft.Leader:
		return false
	}
	return true
}

// termGoesFirst says that a row may go: a PROMOTE or DEMOTE follows a raft message of its term at
// least on the same connection (#6754).
func (n *node) termGoesFirst(env *sim.Env, to sim.NodeID, t *txn) bool {
	r := &n.peers[to].relay
	if n.rules.promote.BeforeTerm || !n.claimsTerm(t) {
		return true
	}
	if r.SentTerm < t.Rows[0].Term && n.announcement().Term >= t.Rows[0].Term {
		n.sendRaft(env, to)
	}
	return r.SentTerm >= t.Rows[0].Term
}

// postRaft puts the state of raft into all mailboxes: it has changed. Each has room for one, so a
// state that has not left is replaced.
func (n *node) postRaft(env *sim.Env) {
	for p := range n.peers {
		r := &n.peers[p].relay
		if r.Conn == 0 || n.rules.raft.Unannounced && !n.electing() {
			continue
		}
		r.Mailbox = true
		if !r.MailWork {
			r.MailWork = true
			env.Later(mail{To: sim.NodeID(p)})
		}
	}
}

// relayMail empties the mailbox: on the same connection as rows, which it may overtake or follow.
func (n *node) relayMail(env *sim.Env, to sim.NodeID) {
	r := &n.peers[to].relay
	r.MailWork = false
	if r.Mailbox && r.Conn != 0 {
		n.sendRaft(env, to)
		n.pump(env, to)
	}
}

// sendRaft sends the durable state of raft. Where appliers drop rows of those who do not lead, a
// new leader goes back to what the peer has acknowledged and sends it all again (#5433).
func (n *node) sendRaft(env *sim.Env, to sim.NodeID) {
	r := &n.peers[to].relay
	a := n.announcement()
	r.Mailbox, r.SentTerm, r.Sent = false, max(r.SentTerm, a.Term), r.Sent+1
	env.Stream(to, raftLane).Send(raftMsg{Conn: r.Conn, Raft: a})
	if n.harmless.RaftTwice {
		r.Sent++
		env.Stream(to, raftLane).Send(raftMsg{Conn: r.Conn, Raft: a})
	}
	leads := a.Role == leader
	if leads && !r.Led && n.filter.BySender && !n.log.NoRewind {
		r.Has, r.Pos = r.Acked.Clock, env.Disk.First()-1
	}
	r.Led = leads
}

// heartbeats go to all subscribed peers each replication timeout, also while rows flow (#7515).
func (n *node) heartbeats(env *sim.Env) {
	for p := range n.peers {
		n.askEcho(env, sim.NodeID(p))
	}
}

// askEcho sends a numbered heartbeat, and gives the number that an ACK will echo; 0 if the peer is
// not subscribed.
func (n *node) askEcho(env *sim.Env, to sim.NodeID) int64 {
	r := &n.peers[to].relay
	if r.Conn == 0 {
		return 0
	}
	r.Echo++
	env.Stream(to, raftLane).Send(beat{Conn: r.Conn, Echo: r.Echo})
	return r.Echo
}

// relayAcked is an ACK at the relay's thread, which passes it on.
func (n *node) relayAcked(env *sim.Env, from sim.NodeID, m ack) {
	r := &n.peers[from].relay
	if m.Conn != r.Conn {
		return
	}
	r.Acked = m
	n.sawClock(env, m.Clock)
	env.Later(hears{From: from, Conn: m.Conn, Ack: m})
}

// hearAck takes an ACK in: first its term, which may depose this node and freeze its queue, only
// then its vclock (1.7). Replicas that are not registered, or no more, count for nothing.
func (n *node) hearAck(env *sim.Env, m hears) {
	p := &n.peers[m.From]
	if m.Conn != p.relay.Conn {
		return
	}
	if m.Ack.Term > 0 && !n.rules.limbo.TermLast {
		n.hearTerm(env, m.Ack.Term)
	}
	if n.counts(m.From) {
		p.relay.Heard = m.Ack.Clock
		n.ackHeard(env, m.From, m.Ack.Clock)
	}
	if m.Ack.Term > 0 && n.rules.limbo.TermLast {
		n.hearTerm(env, m.Ack.Term)
	}
	n.readsHeard(env, m.From, m.Ack)
	n.promotionStep(env)
	if n.cure.JoinsMajority {
		n.viewsStep(env)
	}
}
