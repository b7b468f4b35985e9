package synchro

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// registered says that a node is a member, and so has a vote. Anonymous replicas and expelled
// members are none.
func (n *node) registered(id sim.NodeID) bool {
	return int(id) < len(n.peers) && n.peers[id].Member && !n.peers[id].Expelled
}

// members is how many nodes count in quorums.
func (n *node) members() int {
	count := 0
	for id := range n.peers {
		if n.counts(sim.NodeID(id)) {
			count++
		}
	}
	return count
}

// connected says that a peer's rows come in and this node's go out, and that the peer has said
// whether it sees the leader.
func (n *node) connected(id sim.NodeID) bool {
	p := &n.peers[id]
	a := &p.applier
	return p.relay.Conn != 0 && a.Conn != 0 && a.Live && a.Stopped == "" &&
		(a.Raft > 0 || n.rules.raft.Unannounced)
}

// connections is how many nodes that count are connected both ways, this one included.
func (n *node) connections() int {
	count := 0
	for id := range n.peers {
		if p := sim.NodeID(id); n.counts(p) && (p == n.id || n.connected(p)) {
			count++
		}
	}
	return count
}

// healthy says that there is a quorum of connections.
func (n *node) healthy() bool { return n.connections() >= n.electionQuorum() }

// synchroQuorum is Q: how many nodes must have a synchronous transaction.
func (n *node) synchroQuorum() int {
	switch {
	case n.quorum > 0:
		return n.quorum
	case n.layout.Quorum > 0:
		return n.layout.Quorum
	}
	return n.members()/2 + 1
}

// electionQuorum is how many votes make a leader: of registered nodes, whoever is connected. In
// mode off its own vote is enough for a node that was promoted by hand (P4).
func (n *node) electionQuorum() int {
	if n.raft.Mode == modeOff {
		return 1
	}
	if n.rules.raft.Connected {
		return n.connections()/2 + 1
	}
	return max(1, min(n.members(), n.synchroQuorum()))
}

// witnessed says that someone sees the leader: this node or another.
func (n *node) witnessed() bool { return n.raft.Seen || slices.Contains(n.raft.Witness, true) }

// hearWitness remembers who sees the leader, and says that now nobody does who did. A leader does
// not ask.
func (n *node) hearWitness(from sim.NodeID, sees bool) bool {
	r := &n.raft
	if r.Role == leader {
		return false
	}
	for int(from) >= len(r.Witness) {
		r.Witness = append(r.Witness, false)
	}
	was := r.Witness[from]
	r.Witness[from] = sees
	return was && !n.witnessed()
}

// deathTimeout is how long a leader may be silent: as long as a connection may be.
const deathTimeout = disconnectBeats * replicationTimeout

// randomly is up to a tenth of the election timeout. Where chance chooses nothing, as in a world
// that has healed, the turn to be first goes round with the terms: else one node without all rows
// could be ahead of all others for ever.
func (n *node) randomly(env *sim.Env, label string) time.Duration {
	span, members, rank := int64(electionTimeout/10), int64(max(1, n.members())), int64(0)
	for id := range n.id {
		if n.counts(id) {
			rank++
		}
	}
	turn := (rank + n.raft.Term) % members * (span / members)
	return time.Duration((turn + env.Draw(label, span)) % span)
}

// awaitLeader waits for the death of the leader that is known, or for the first word of one that is
// not. A timer that is not set anew goes on asking: what was in the way of an election may be gone.
func (n *node) awaitLeader(env *sim.Env) {
	n.raft.Ready = false
	env.Cancel(electionTimer{})
	if n.running() {
		env.Every(deathTimeout, deathTimer{})
	}
}

// awaitElection waits for the end of an election.
func (n *node) awaitElection(env *sim.Env) {
	n.raft.Ready = false
	env.Cancel(deathTimer{})
	if n.running() {
		env.Every(electionTimeout+n.randomly(env, "election timeout"), electionTimer{})
	}
}

// leaderSilent is the leader not having been heard for the death timeout.
func (n *node) leaderSilent(env *sim.Env) {
	r := &n.raft
	r.Ready = true
	if r.Seen {
		r.Seen = false
		n.postRaft(env)
	}
	n.elect(env)
}

// electionDue is an election that has taken too long.
func (n *node) electionDue(env *sim.Env) {
	r := &n.raft
	if r.Shortened {
		env.Every(electionTimeout, electionTimer{})
	}
	r.Ready = true
	if r.Promoted && !n.electable() && !n.rules.raft.WaitsForever {
		n.standDown(env, "no leader in time")
	}
	n.elect(env)
}

// heard is any sign of life of a peer.
func (n *node) heard(env *sim.Env, from sim.NodeID) {
	r := &n.raft
	if int(from) < len(n.peers) {
		n.peers[from].Silent = 0
	}
	if from != r.Leader || r.Role == leader || !n.running() {
		return
	}
	n.awaitLeader(env)
	if !r.Seen {
		r.Seen = true
		n.postRaft(env)
	}
}

// beat is a replication timeout: heartbeats, also while rows flow (#7515), and connections given up
// that were silent for the disconnect timeout. A leader with strict fencing waits half as long.
func (n *node) beat(env *sim.Env) {
	n.heartbeats(env)
	n.lookAtHealth(env)
	limit := disconnectBeats
	if n.raft.Role == leader && n.layout.Fencing == fenceStrict {
		limit /= 2
	}
	for id := range n.peers {
		p := &n.peers[id]
		if p.relay.Conn == 0 && p.applier.Conn == 0 {
			p.Silent = 0
			continue
		}
		if p.Silent++; p.Silent > limit {
			p.Silent = 0
			n.disconnect(env, sim.NodeID(id))
		}
	}
}

// connectionChanged is a connection that stands or is gone, or a quorum that has changed. What is
// healthy is looked at before who sees the leader (#8433).
func (n *node) connectionChanged(env *sim.Env, p sim.NodeID) {
	if n.rules.raft.WitnessFirst {
		n.lookAtWitness(env, p)
		n.lookAtHealth(env)
	} else {
		n.lookAtHealth(env)
		n.lookAtWitness(env, p)
	}
	n.promotionStep(env)
}

// lookAtHealth has a leader without a healthy quorum resign: the fencing. Any change of connections
// is looked at, since the votes may have come without a quorum of them. It is put off after the
// cluster was extended, until there has been a quorum.
func (n *node) lookAtHealth(env *sim.Env) {
	r := &n.raft
	was, changed := r.Healthy, n.connections() != r.Connected
	r.Healthy, r.Connected = n.healthy(), n.connections()
	r.Paused = (r.Paused || n.members() > r.Members) && !r.Healthy
	r.Members = n.members()
	if r.Healthy || r.Paused || !was && !changed {
		return
	}
	if n.electing() && n.layout.Fencing != fenceOff && !n.rules.raft.ResignsNot {
		n.resign(env, "no healthy quorum")
	}
	if was && (r.Campaigns || r.Role == candidate) {
		n.failCall(env, "the quorum was lost")
	}
}

// lookAtWitness forgets what a peer has said that is not connected any more.
func (n *node) lookAtWitness(env *sim.Env, p sim.NodeID) {
	r := &n.raft
	if a := &n.peers[p].applier; p != n.id && !a.Live && a.Raft == 0 {
		if p == r.Leader && r.Seen && n.running() {
			r.Seen = false
			n.postRaft(env)
		}
		n.hearWitness(p, false)
	}
	n.elect(env)
}
