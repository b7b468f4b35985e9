package synchro

import (
	"time"

	"github.com/downset/downset/sim"
)

// Times, in the proportions of the defaults (9), 20 times as fast: a replication timeout of 1 s is
// 50 ms here. A link takes up to ten milliseconds; were the times much shorter, two candidates
// would
// hardly ever miss each other.
const (
	replicationTimeout = 50 * time.Millisecond
	electionTimeout    = 5 * replicationTimeout
	synchroTimeout     = 5 * replicationTimeout
	disconnectBeats    = 4 // replication timeouts of silence after which a connection is given up
)

// node is the machine of one instance. What its parts do stands in a file each: wal.go the journal;
// client.go transactions of clients; limbo.go, queue.go the queue; relay.go, applier.go, filter.go
// replication; control.go, promote.go the control rows; raft.go, vote.go, health.go the elections;
// snapshot.go, restart.go what a restart or a joiner begins with; solutions.go the draft's
// solutions.
type node struct {
	rules
	id     sim.NodeID
	layout layout

	wal     wal
	limbo   limbo
	limbos  []limbo  // solution I: one for each origin
	data    []cell   // what keys hold, pending writes included; sorted by key
	settled []cell   // what is committed; sorted by key
	here    []string // the keys in local spaces
	raft    raft
	peers   []peer // by NodeID, this node's own place unused
	table   solutionTable

	quorum   int // as last set by an operator; 0: a majority of the members
	readOnly bool
	reads    []reading  // linearizable reads under way
	views    []readView // snapshots that are waited for
	told     string     // the limbo state that was noted last

	founder    bool         // it is a node of the plan from the start
	founders   []sim.NodeID // who are
	recovering bool         // it reads its WAL
	replayed   recovered    // what that has come to
	joining    bool         // it has nothing and waits for a snapshot of a peer
	halted     bool         // the process has ended by itself
	hung       bool         // its main thread does nothing any more
}

// peer is what a node has to do with another: the relay to it and the applier from it.
type peer struct {
	relay    relay
	applier  applier
	Member   bool // registered: it has a vote and counts in quorums
	Expelled bool
	Gone     bool // it has left
	Left     bool // it was a member as it left
	Silent   int  // beats since it was last heard of
}

// Start rebuilds the state from snapshot and WAL, then subscribes to everyone.
func (n *node) Start(env *sim.Env) {
	n.layout = *layoutOf(env.Setup, env.Nodes)
	n.meet(env)
	n.raft.Mode = n.layout.mode(n.id) // a replay takes rows as they were taken (1.11)
	n.recover(env)
	n.forget(env)
	n.startRaft(env)
	env.Every(replicationTimeout, beatTimer{})
	n.subscribeToAll(env)
}

// Receive takes what comes from relays and appliers of others, and own work.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if n.halted || n.hung {
		return
	}
	if from != n.id {
		n.grow(from) // who has joined may be heard of before that is told
		n.heard(env, from)
	}
	switch m := m.(type) {
	case subscribe:
		n.relaySubscribed(env, from, m)
	case ack:
		n.relayAcked(env, from, m)
	case welcome:
		n.applierWelcomed(env, from, m)
	case relayed:
		n.applierReceived(env, from, m)
	case beat:
		n.applierBeat(env, from, m)
	case raftMsg:
		n.applierRaft(env, from, m)
	case joinData:
		n.applierJoined(env, from, m)
	case mail:
		n.relayMail(env, m.To)
	case hears:
		n.hearAck(env, m)
	case flow:
		n.flow(env)
	case failed:
		n.completeFailed(env)
	case confirmWork:
		n.work(env)
	case acksDue:
		n.sendAcks(env)
	case wakes:
		n.wake(env)
	}
}

// Timeout is a timer that is due.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	if _, again := t.(reviveTimer); n.halted != again {
		return
	}
	if n.hung {
		n.heartbeats(env) // of relays that do not ask whether anyone works
		return
	}
	switch t := t.(type) {
	case reviveTimer:
		n.revive(env)
	case beatTimer:
		n.beat(env)
	case workerTimer:
		n.work(env)
	case electionTimer:
		n.electionDue(env)
	case deathTimer:
		n.leaderSilent(env)
	case quorumTimer:
		n.quorumOverdue(env, t.Call)
	case retryTimer:
		n.retried(env, t.From)
	}
}

// Notice is the disk, a stream or the membership.
func (n *node) Notice(env *sim.Env, s sim.Notice) {
	if n.halted || n.hung {
		return
	}
	switch s.What {
	case sim.Durable:
		n.durable(env, s.LSN)
	case sim.Synced:
		n.completed(env, s.LSN)
	case sim.Opened:
		n.opened(env, s)
	case sim.Broken:
		n.broken(env, s)
	case sim.Joined:
		n.peerJoined(env, s.Peer)
	case sim.Left:
		n.peerLeft(env, s.Peer)
	}
}
