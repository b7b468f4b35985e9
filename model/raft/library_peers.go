package raft

import (
	"time"

	etcd "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"github.com/downset/downset/sim"
)

// beside is what a leader knows of another node, beside what the library knows.
type beside struct {
	heard   bool     // since the last look
	told    bool     // that it is silent
	loading int      // so many looks until a snapshot on its way counts as lost; 0: none is
	upTo    uint64   // the index of that snapshot
	since   sim.Time // when the newest heartbeat was sent that it has answered
}

// lostAfter is how many looks a snapshot has.
const lostAfter = 2

// libraryLease is how long after it sent a heartbeat that a majority answered a leader may be sure
// that nobody else leads: they vote for nobody until the library has counted election, and the
// first tick and the last may come at once.
const libraryLease = election - 2*tick

func (l *library) peer(id sim.NodeID) *beside {
	for len(l.peers) <= int(id) {
		l.peers = append(l.peers, beside{})
	}
	return &l.peers[id]
}

// hear notes that a node is there.
func (l *library) hear(from sim.NodeID, m *wireMessage) {
	if !l.said.leads {
		return
	}
	p := l.peer(from)
	p.heard, p.told = true, false
	if m.Type == raftpb.MsgHeartbeatResp && int64(m.Term) == l.said.led {
		p.since = max(p.since, m.Sent)
	}
}

// loads notes that a snapshot is on its way.
func (l *library) loads(to sim.NodeID, index uint64) {
	p := l.peer(to)
	p.loading, p.upTo = lostAfter, index
}

// appended looks what an answer has done: a node may agree further with this leader, and it may
// have put a snapshot into effect.
func (l *library) appended(env *sim.Env, from sim.NodeID, m *wireMessage) {
	if !l.said.leads {
		return
	}
	l.node.WithProgress(func(id uint64, _ etcd.ProgressType, p tracker.Progress) {
		if id == raftID(from) {
			l.match(env, from, int64(p.Match))
		}
	})
	if p := l.peer(from); p.loading > 0 && m.Index >= p.upTo {
		p.loading = 0
		l.node.ReportSnapshot(raftID(from), etcd.SnapshotFinish)
	}
}

// lookAround tells the library of nodes that are silent, and of snapshots that must be lost.
func (l *library) lookAround() {
	if !l.said.leads || l.failed {
		return
	}
	for _, id := range sortedNodes(l.members.Voters, l.members.Outgoing, l.members.Learners) {
		p := l.peer(id)
		if id != l.id && !p.heard && !p.told {
			p.told = true
			l.node.ReportUnreachable(raftID(id))
		}
		p.heard = false
		if p.loading == 0 || l.rules.NoReports {
			continue
		}
		if p.loading--; p.loading == 0 {
			l.node.ReportSnapshot(raftID(id), etcd.SnapshotFailure)
		}
	}
}

// leased says that nobody else can lead now.
func (l *library) leased(env *sim.Env) bool {
	switch {
	case l.rules.NoCheckQuorum:
		return false // then others vote whenever they are asked
	case l.rules.OldLease:
		return true
	case l.said.handed:
		return false
	}
	return l.members.Quorum(func(id sim.NodeID) bool {
		p := l.peer(id)
		return id == l.id || p.since > 0 && env.Monotonic().Sub(p.since) < libraryLease
	})
}

// promised says that a message asks for a vote that this node may have promised, in an earlier
// life, not to give yet. Who is told by the leader to take over does not ask.
func (l *library) promised(env *sim.Env, m *wireMessage) bool {
	votes := m.Type == raftpb.MsgVote && m.Context == "" || m.Type == raftpb.MsgPreVote
	return votes && l.again && !l.rules.VotesSoon && !l.rules.NoCheckQuorum &&
		env.Monotonic().Sub(l.life) < time.Duration(election)
}
