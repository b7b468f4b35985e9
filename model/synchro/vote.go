package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// hearVote is a vote of another, or a candidate that asks for one (rule 4).
func (n *node) hearVote(env *sim.Env, from sim.NodeID, m *announced) {
	r := &n.raft
	if m.Vote != nobody && n.votedFor(from) == nobody {
		n.noteVote(from, m.Vote)
	}
	switch {
	case r.Role == follower && n.grants(m):
		env.Note(votes{r.Term, m.Vote, m.Clock, slices.Clone(n.wal.Clock)})
		r.Vote, r.Asked = m.Vote, m.Clock
	case r.Role == candidate:
		n.countVotes(env)
	}
	n.shorten(env)
}

// grants says whether a follower votes for a candidate: once in a term, if no leader is known, and
// if the candidate has all that this node has. Who is still joining has nothing to compare.
func (n *node) grants(m *announced) bool {
	r := &n.raft
	votes := n.running() && n.registered(n.id) && !n.joining
	return votes && r.Leader == nobody && m.Role == candidate && m.Vote != n.id &&
		r.Vote == nobody && n.upToDate(m.Clock, n.wal.Clock)
}

// upToDate says that a candidate's vclock is enough for this node's. Those that cannot be compared
// are refused (8.5).
func (n *node) upToDate(theirs, own clock) bool {
	switch n.rules.raft.Vote {
	case leaderComponent:
		return theirs.of(n.limbo.Owner) >= own.of(n.limbo.Owner)
	case sumOfComponents:
		return theirs.sum() >= own.sum()
	}
	return theirs.covers(own)
}

func (c clock) sum() lsn {
	var sum lsn
	for _, n := range c {
		sum += n
	}
	return sum
}

// votedFor is whom a node has voted for in this term, as far as known.
func (n *node) votedFor(id sim.NodeID) sim.NodeID {
	if int(id) < len(n.raft.Votes) {
		return n.raft.Votes[id]
	}
	return nobody
}

// noteVote remembers a vote: one of each source in a term.
func (n *node) noteVote(source, vote sim.NodeID) {
	r := &n.raft
	for int(source) >= len(r.Votes) {
		r.Votes = append(r.Votes, nobody)
	}
	r.Votes[source] = vote
}

// countVotes makes a candidate the leader once it has a quorum.
func (n *node) countVotes(env *sim.Env) {
	if n.votesOf(n.id) >= n.electionQuorum() {
		n.lead(env)
	}
}

// votesOf is how many have voted for a node.
func (n *node) votesOf(id sim.NodeID) int {
	count := 0
	for source, vote := range n.raft.Votes {
		if vote == id && n.counts(sim.NodeID(source)) {
			count++
		}
	}
	return count
}

// shorten shortens the wait for the end of an election that nobody can win any more.
func (n *node) shorten(env *sim.Env) {
	r := &n.raft
	if r.Shortened || r.Leader != nobody || r.Role == leader || !n.electable() || !n.split() {
		return
	}
	r.Shortened = true
	env.After(n.randomly(env, "split vote"), electionTimer{})
}

// split says that no candidate can have a quorum any more: not even with all votes outstanding.
func (n *node) split() bool {
	most, cast := 0, 0
	for source, vote := range n.raft.Votes {
		if vote == nobody {
			continue
		}
		cast++
		most = max(most, n.votesOf(vote))
		if n.rules.raft.CountsOwn && sim.NodeID(source) != n.id {
			cast = min(cast+1, n.members())
		}
	}
	return cast > 0 && most+n.members()-cast < n.electionQuorum()
}

// persist writes the term and the vote as they are decided, one row at a time. A vote for itself
// stands in one row with its term, so that nobody hears of the term alone and begins an election
// (#8497). A vote for another comes in a second row: the first one flushes what was on its way to
// the disk, and if the candidate lacks any of it, the vote is taken back before it was ever given
// (#7253).
func (n *node) persist(env *sim.Env) {
	r := &n.raft
	if r.Writing {
		return
	}
	vote := r.Vote
	switch own := vote == n.id; {
	case r.Term != r.DurableTerm && (own && n.rules.raft.TwoWrites ||
		!own && !n.rules.raft.VoteWithTerm):
		vote = nobody
	case vote != nobody && !own && vote != r.DurableVote && !n.rules.raft.VoteWithTerm &&
		!n.upToDate(r.Asked, n.submittedClock()):
		r.Vote, r.Asked, vote = nobody, nil, nobody
	}
	if r.Term == r.DurableTerm && vote == r.DurableVote {
		n.persisted(env)
		return
	}
	r.Writing, r.WrittenVote = true, vote
	saved := row{Type: raftRow, Term: r.Term, Vote: vote}
	if n.rules.raft.Forgetful {
		saved.Vote = nobody
	}
	n.write(env, write{Duty: persists, From: nobody,
		Txn: txn{Origin: n.id, Local: true, Rows: []row{saved}}})
}

// submittedClock is this node's vclock once all that was submitted so far is durable, as it will be
// before a vote that is submitted now.
func (n *node) submittedClock() clock {
	own := slices.Clone(n.wal.Clock)
	for id, last := range n.wal.Accepted {
		own.set(sim.NodeID(id), max(last, own.of(sim.NodeID(id))))
	}
	return own
}

// raftWritten is a RAFT row on the disk, told. It is announced, and what was decided meanwhile is
// written next.
func (n *node) raftWritten(env *sim.Env, w write) {
	r := &n.raft
	r.Writing = false
	// Who joins may have been on its way to write a term when its snapshot came, which has the vote of
	// its giver in that term (1.15) and is what its disk has now.
	if term := w.Txn.Rows[0].Term; term != r.DurableTerm || r.DurableVote == nobody {
		r.DurableTerm, r.DurableVote = term, r.WrittenVote
	}
	n.postRaft(env)
	n.persist(env)
}

// persisted is what waits for the term and the vote being on the disk.
func (n *node) persisted(env *sim.Env) {
	r := &n.raft
	if r.Campaigns && r.Role == follower && r.Vote == n.id {
		n.stand(env)
	}
	n.promotionStep(env)
}

// announcement is what is said to all: of the term, what is on the disk; of the role, what it is in
// that term.
func (n *node) announcement() announced {
	r := &n.raft
	a := announced{Term: r.DurableTerm, Vote: r.DurableVote, Leader: nobody}
	if r.Term == r.DurableTerm {
		a.Leader, a.Seen, a.Role = r.Leader, r.Seen, r.Role
	}
	if a.Role == candidate {
		a.Clock = append(clock{}, n.wal.Clock...)
	}
	return a
}
