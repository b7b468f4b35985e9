package synchro

import "github.com/downset/downset/sim"

// raftRole is a role in the elections.
type raftRole uint8

const (
	follower raftRole = iota
	candidate
	leader
)

func (r raftRole) String() string { return [...]string{"follower", "candidate", "leader"}[r] }

// electionMode is box.cfg.election_mode.
type electionMode uint8

const (
	modeOff electionMode = iota
	modeVoter
	modeManual
	modeCandidate
)

var modeNames = []string{"off", "voter", "manual", "candidate"}

func (m electionMode) String() string {
	return modeNames[m]
}

// firstTerm is the term of a node that has never heard of another.
const firstTerm = 1

// raft is the election machine (1.13). Term and Vote are decided, DurableTerm and DurableVote are
// on the disk; only these are announced, so that no vote is ever taken back by a crash.
type raft struct {
	Mode   electionMode
	Role   raftRole
	Leader sim.NodeID // of Term, nobody: not known
	Seen   bool       // the leader was heard within the death timeout, its connection stands
	Ready  bool       // the time to wait is over: an election may begin once nothing is in its way

	Term        int64
	Vote        sim.NodeID // in Term, nobody: none
	Asked       clock      // of the candidate that the vote is for
	DurableTerm int64
	DurableVote sim.NodeID
	Writing     bool       // a RAFT row is in flight
	WrittenVote sim.NodeID // what that row stands for

	Votes     []sim.NodeID // by source: whom it has voted for in this term, nobody: not known
	Witness   []bool       // by source: it says that it sees the leader
	Campaigns bool         // the vote for itself is of an election under way, not of a former life
	Promoted  bool         // mode manual or off: promote was called, candidate until the term ends
	Shortened bool         // the wait was shortened in this term, because of a split vote

	Healthy   bool // there was a healthy quorum as it was last looked at
	Connected int  // connections as last looked at
	Members   int  // registered nodes as last looked at
	Paused    bool // no fencing until there is a quorum: the cluster has been extended

	Call      sim.CallID // of promote or demote, which waits; 0: none
	Procedure promotion  // the promotion procedure under way
}

// startRaft begins as a follower of nobody: neither a role nor a leader outlives a crash (1.14).
func (n *node) startRaft(env *sim.Env) {
	n.raft.Mode = n.layout.mode(n.id)
	n.raft.Leader = nobody
	n.raftLoaded()
	n.raft.Members = n.members()
	n.raft.Healthy, n.raft.Connected = n.healthy(), n.connections()
	n.awaitLeader(env)
}

// raftLoaded takes over the term and the vote that a WAL, a snapshot or a join has brought.
func (n *node) raftLoaded() {
	r := &n.raft
	if r.DurableTerm < firstTerm {
		r.DurableTerm, r.DurableVote = firstTerm, nobody
	}
	if r.Term < r.DurableTerm {
		r.Term, r.Vote = r.DurableTerm, r.DurableVote
	}
}

// running says that the machine of elections works. Before P4 it stands still in mode off.
func (n *node) running() bool { return n.electing() || !n.rules.raft.OffIdle }

// electing says that elections are on here.
func (n *node) electing() bool { return n.raft.Mode != modeOff }

// electable says that this node may begin an election by itself. A node that was promoted by hand
// is a candidate for one term, and never begins another (#8168).
func (n *node) electable() bool {
	r := &n.raft
	return n.running() && n.registered(n.id) && !n.joining &&
		(r.Mode == modeCandidate || r.Promoted && n.rules.raft.ManualBumps)
}

// play changes the role.
func (n *node) play(env *sim.Env, role raftRole) {
	r := &n.raft
	if r.Role == role {
		return
	}
	r.Role = role
	env.Note(plays{role, r.Term})
}

// rise moves to another term, in which nothing is known yet (rule 2).
func (n *node) rise(env *sim.Env, term int64, why string) {
	r := &n.raft
	r.Term, r.Vote, r.Asked = term, nobody, nil
	r.Leader, r.Seen = nobody, false
	r.Votes, r.Witness = nil, nil
	r.Campaigns, r.Promoted, r.Shortened = false, false, false
	env.Note(rises{term, why})
	n.play(env, follower)
}

// hearNewer is a term that another node has begun: a promotion under way ends here, and a candidate
// waits for the outcome of the election.
func (n *node) hearNewer(env *sim.Env, term int64) {
	n.rise(env, term, "heard")
	n.awaitElection(env)
	n.abandon(env, "a newer term was heard")
	n.tellState(env)
}

// hearTerm is the term in an ACK (1.7): it deposes, though nothing else is known of it.
func (n *node) hearTerm(env *sim.Env, term int64) {
	if term > n.raft.Term {
		n.hearNewer(env, term)
		n.persist(env)
	}
}

// valid says that a message makes sense (rule 1).
func (a *announced) valid(from sim.NodeID) bool {
	return a.Term >= firstTerm && (a.Role != candidate || a.Vote == from && a.Clock != nil)
}

// hearRaft is the state of another node's machine. The first one makes a connection count.
func (n *node) hearRaft(env *sim.Env, from sim.NodeID, m announced) {
	n.takeRaft(env, from, m)
	if n.healthy() != n.raft.Healthy || n.connections() != n.raft.Connected {
		n.connectionChanged(env, from)
	}
}

func (n *node) takeRaft(env *sim.Env, from sim.NodeID, m announced) {
	if !m.valid(from) || m.Term < n.raft.Term {
		return // 1
	}
	if m.Term > n.raft.Term {
		n.hearNewer(env, m.Term) // 2
	}
	if n.registered(from) && m.Term == n.raft.Term {
		unseen := n.hearWitness(from, m.Seen) // 3
		n.hearVote(env, from, &m)             // 4
		n.hearRole(env, from, m.Role)         // 5, 6
		if unseen {
			n.elect(env)
		}
	}
	n.persist(env)
}

// hearRole is whether the sender leads. Another leader of the term is left alone (rule 6).
func (n *node) hearRole(env *sim.Env, from sim.NodeID, role raftRole) {
	r := &n.raft
	switch {
	case role == leader && r.Leader == nobody:
		n.follow(env, from)
	case role != leader && r.Leader == from:
		n.resigned(env)
	}
}

// follow is a leader that was not known (rule 6).
func (n *node) follow(env *sim.Env, id sim.NodeID) {
	r := &n.raft
	r.Leader, r.Seen = id, n.running() || n.rules.raft.OffSees
	r.Campaigns, r.Promoted = false, false
	n.play(env, follower)
	n.awaitLeader(env)
	n.failCall(env, "another leads this term: "+env.Name(id))
	n.postRaft(env)
	n.tellState(env)
}

// resigned is the leader leading no more (rule 5). A candidate does not wait, nor does it ask who
// else sees a leader.
func (n *node) resigned(env *sim.Env) {
	r := &n.raft
	r.Leader, r.Seen = nobody, false
	n.postRaft(env)
	if r.Mode == modeCandidate && n.electable() {
		n.campaign(env, "election")
	}
}

// elect begins an election if the time has come and nothing is in its way: by the pre-vote, a
// healthy quorum of connections and nobody who sees the leader.
func (n *node) elect(env *sim.Env) {
	if n.rules.raft.WitnessFirst {
		n.electGiven(env, n.raft.Healthy)
		return
	}
	n.electGiven(env, n.healthy())
}

func (n *node) electGiven(env *sim.Env, healthy bool) {
	r := &n.raft
	if !n.electable() || r.Role == leader || !r.Ready {
		return
	}
	if n.rules.raft.NoPrevote || healthy && !n.witnessed() {
		n.campaign(env, "election")
	}
}

// campaign begins a term with a vote for itself. The role of a candidate comes once both are on the
// disk, in one row.
func (n *node) campaign(env *sim.Env, why string) {
	r := &n.raft
	term := r.Term
	if n.rules.raft.FromDurable {
		term = r.DurableTerm
	}
	n.rise(env, term+1, why)
	r.Vote, r.Campaigns = n.id, true
	env.Note(votes{Term: r.Term, For: n.id})
	n.awaitElection(env)
	n.abandon(env, "another election has begun here")
	n.tellState(env)
	n.persist(env)
}

// stand is the vote for itself being on the disk. If it is enough, no other is asked.
func (n *node) stand(env *sim.Env) {
	n.play(env, candidate)
	n.noteVote(n.id, n.id)
	n.awaitElection(env)
	n.postRaft(env)
	n.countVotes(env)
}

// lead is an election won. The promotion procedure follows (1.10).
func (n *node) lead(env *sim.Env) {
	r := &n.raft
	r.Leader, r.Seen, r.Witness = n.id, false, nil
	r.Ready, r.Campaigns = false, false
	env.Cancel(electionTimer{})
	env.Cancel(deathTimer{})
	n.play(env, leader)
	n.postRaft(env)
	n.tellState(env)
	n.beginPromotion(env, promotion{Type: promoteRow, Term: r.Term})
	n.elected(env)
}

// resign gives leadership up, in the same term: no row is written. Who resigns waits as after a
// start.
func (n *node) resign(env *sim.Env, why string) {
	r := &n.raft
	if r.Role != leader {
		return
	}
	r.Leader, r.Seen, r.Promoted = nobody, false, false
	r.Shortened = true // its votes have made a leader: no wait is shortened by them
	n.play(env, follower)
	n.awaitLeader(env)
	n.abandon(env, "resigned: "+why)
	if n.rules.raft.SelfVote && r.Mode == modeCandidate {
		n.campaign(env, "election")
		return
	}
	n.postRaft(env)
	n.tellState(env)
}

// setMode is election_mode set anew. Only a candidate keeps what it has become.
func (n *node) setMode(env *sim.Env, m electionMode) {
	r := &n.raft
	if r.Mode == m {
		return
	}
	ran := n.running()
	r.Mode = m
	if m != modeCandidate {
		n.resign(env, "the election mode is "+m.String())
		n.standDown(env, "no candidate any more")
	}
	switch {
	case !n.running():
		r.Seen = r.Seen && n.rules.raft.OffSees
		env.Cancel(electionTimer{})
		env.Cancel(deathTimer{})
	case r.Role == follower && (!ran || m == modeCandidate):
		n.awaitLeader(env)
	}
	n.postRaft(env) // #5499: who turns elections on announces its term
	n.tellState(env)
}

// standDown ends a candidacy.
func (n *node) standDown(env *sim.Env, why string) {
	r := &n.raft
	r.Campaigns, r.Promoted = false, false
	if r.Role == candidate {
		n.play(env, follower)
		n.postRaft(env)
	}
	n.failCall(env, why)
}
