package raft

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// referenceRules are the decisions of our own engine. The zero value is right.
type referenceRules struct {
	// What may be chosen.
	NoPreVote     bool // an election begins without asking first
	NoCheckQuorum bool // a leader stays without a majority, and a follower helps to disturb one
	NoNoop        bool // a leader begins its term without an entry
	OneEntry      bool // a message brings one entry at most
	Cautious      bool // a leader sends from its commit index on, and goes on when that has arrived
	// Spread is how much of a patience is drawn at most, 0 is as much as there may be.
	Spread time.Duration
	// The wrong ones: elections.
	NoLogCheck    bool // a vote is given whatever the candidate's log is
	LengthOnly    bool // logs are compared by their last index alone
	LongerOnly    bool // a shorter log is refused, though its last term is newer
	VotesTwice    bool // a vote is given to all that ask
	TermForgotten bool // a term is written with a vote only
	VoteForgotten bool // a vote is not written
	VoteCleared   bool // following a leader erases the vote
	RollsBack     bool // a leader that steps down drops what is not committed
	NoSelfVote    bool // one that is not in the new half of a joint configuration has no vote
	LeavesEarly   bool // one that is no voter by its log does not campaign, committed or not
	PreVoteBlind  bool // a pre-vote is given though a leader is heard
	// Replication.
	NoPrevCheck    bool // entries are appended whatever precedes them
	AlwaysCuts     bool // what follows the entries of a message is dropped, though it agrees
	NeverCuts      bool // what conflicts stays, and what is behind it is appended
	TrustsCommit   bool // a heartbeat's commit index counts though the log does not agree
	CommitsOwnLast bool // committed is up to the own last entry, not to the last new one
	AnyTerm        bool // entries of older terms are committed by counting
	HalfCommits    bool // half of an even number of voters commits
	CutsAtStart    bool // a restart drops what it does not know to be committed
	NoSync         bool // nothing is ever synced
	SendFirst      bool // messages leave before the sync
	LatePledge     bool // entries are synced with the next term only
	// Members and snapshots.
	SeveralChanges    bool // a change may begin while another is not committed
	UnprovenChanges   bool // a change may begin before a commit in the own term
	CommittedOnly     bool // a restart goes by the configuration that it knows to be committed
	SnapshotBefore    bool // a snapshot has the configuration before the last change
	SnapshotMislabels bool // a snapshot's index is one less than its state's
	HalfRestored      bool // a restored configuration is not joint
	// Reads.
	UnprovenReads   bool // a read takes a commit index from before the own term
	RoundReused     bool // a read waits for a round that has been sent before
	LeaseFromAnswer bool // a lease counts from the answer
	LeaseKept       bool // a leader keeps its lease after it has told its heir
}

// batch is how many entries a message brings at most.
func (s *referenceRules) batch() int {
	if s.OneEntry {
		return 1
	}
	return 64
}

// next is where a leader begins to send to a follower of which it knows nothing (Figure 2: at the
// end of its log).
func (s *referenceRules) next(r *reference) int64 {
	if s.Cautious {
		return r.commit + 1
	}
	return r.log.last() + 1
}

// sent is how many of the entries that were sent a follower is taken to get.
func (s *referenceRules) sent(entries int) int64 {
	if s.Cautious {
		return 0
	}
	return int64(entries)
}

// spread is how much of a patience is drawn.
func (s *referenceRules) spread(most time.Duration) int64 {
	if s.Spread > 0 {
		most = min(most, s.Spread)
	}
	return int64(most)
}

// hard is the record of term and vote, given the last one.
func (s *referenceRules) hard(now, last HardState) HardState {
	if s.TermForgotten && now.To == sim.Nobody {
		return last
	}
	if s.VoteForgotten {
		now.To, now.Name = sim.Nobody, ""
	}
	return now
}

// free says that the vote may still be given to a candidate.
func (s *referenceRules) free(r *reference, to sim.NodeID) bool {
	return r.vote == sim.Nobody || r.vote == to || s.VotesTwice && r.role == follower
}

// upToDate is the restriction on elections (5.4.1).
func (s *referenceRules) upToDate(l *entryLog, m requestVote) bool {
	switch {
	case s.NoLogCheck:
		return true
	case s.LengthOnly:
		return m.LastIndex >= l.last()
	case s.LongerOnly && m.LastIndex < l.last():
		return false
	}
	return l.upToDate(m.LastIndex, m.LastTerm)
}

// disturbed says that a pre-vote would disturb a leader.
func (s *referenceRules) disturbed(r *reference, env *sim.Env) bool {
	return !s.PreVoteBlind && r.follows(env)
}

// mayCampaign says that a node may become a candidate: a voter, of either half, and one that is no
// voter any more until it knows that to be committed (the dissertation, 4.2.2).
func (s *referenceRules) mayCampaign(r *reference) bool {
	return r.Members().Votes(r.id) || !s.LeavesEarly && r.configAt(r.commit).Votes(r.id)
}

// counts says that a vote counts that has been given.
func (s *referenceRules) counts(r *reference, voter sim.NodeID) bool {
	return !s.NoSelfVote || voter != r.id || slices.Contains(r.Members().Voters, voter)
}

// followed is called as a node follows, in a new term or not.
func (s *referenceRules) followed(r *reference, was role) {
	if s.VoteCleared {
		r.vote = sim.Nobody
	}
	if s.RollsBack && was == leader {
		r.log.cut(r.commit)
		r.reconsider(r.log.last() + 1)
	}
}

// restarted is called as a node has read its disk.
func (s *referenceRules) restarted(r *reference) {
	if s.CutsAtStart {
		r.log.cut(r.commit)
	}
}

// uncommitted are the configurations of a log that is read from the disk: all of them count.
func (s *referenceRules) uncommitted(list []Entry) []Entry {
	if s.CommittedOnly {
		return nil
	}
	return list
}

// agrees is the consistency check (5.3).
func (s *referenceRules) agrees(l *entryLog, m appendEntries) bool {
	if s.NoPrevCheck {
		return m.PrevIndex <= l.last()
	}
	return l.term(m.PrevIndex) == m.PrevTerm
}

// rejected is called as the check has failed.
func (s *referenceRules) rejected(r *reference, m appendEntries) {
	if s.TrustsCommit && len(m.Entries) == 0 {
		r.learn(min(m.Commit, r.log.last()), false)
	}
}

// merge takes entries into the log.
func (s *referenceRules) merge(r *reference, env *sim.Env, m appendEntries) {
	switch {
	case s.AlwaysCuts:
		for _, e := range m.Entries {
			r.write(env, e)
		}
	case s.NeverCuts:
		for _, e := range m.Entries {
			if e.Index > r.log.last() {
				r.write(env, e)
			}
		}
	default:
		r.merge(env, m.Entries)
	}
}

// known is what a follower knows to be committed.
func (s *referenceRules) known(commit, match, last int64) int64 {
	if s.CommitsOwnLast {
		return min(commit, last)
	}
	return min(commit, match)
}

// byCounting says that an entry may be committed by counting who has it (5.4.2).
func (s *referenceRules) byCounting(r *reference, index int64) bool {
	return s.AnyTerm || r.log.term(index) == r.term
}

// replicated says that a majority has an entry.
func (s *referenceRules) replicated(r *reference, index int64) bool {
	has := func(id sim.NodeID) bool { return id == r.id || r.peer(id).match >= index }
	if m := r.Members(); s.HalfCommits && !m.Joint() {
		n := 0
		for _, id := range m.Voters {
			if has(id) {
				n++
			}
		}
		return 2*n >= len(m.Voters)
	}
	return r.Members().Quorum(has)
}

// dirty says that there is something to sync, now that an entry has been written.
func (s *referenceRules) dirty(was bool) bool { return was || !s.LatePledge }

// syncsFirst says that records are synced before anything leaves.
func (s *referenceRules) syncsFirst() bool { return !s.NoSync && !s.SendFirst }

// changing says that a change of members is not committed.
func (s *referenceRules) changing(r *reference) bool {
	return !s.SeveralChanges && r.config().at > r.commit
}

// unproven says that a leader may not begin a change yet.
func (s *referenceRules) unproven(r *reference) bool { return !s.UnprovenChanges && !r.proven() }

// snapshot is a snapshot that is to be kept.
func (s *referenceRules) snapshot(r *reference, snap Snapshot) Snapshot {
	if s.SnapshotBefore {
		snap.Members = r.configs[0].Members
	}
	if before := snap.Index - 1; s.SnapshotMislabels && before > r.log.base {
		snap.Index, snap.Term = before, r.log.term(before)
	}
	return snap
}

// configOf is the configuration that a snapshot brings.
func (s *referenceRules) configOf(snap Snapshot) Members {
	m := snap.Members
	if s.HalfRestored {
		m.Outgoing = nil
	}
	return m
}

// parks says that a read has to wait for a commit in the own term.
func (s *referenceRules) parks(r *reference) bool { return !s.UnprovenReads && !r.proven() }

// round is the round of heartbeats that a read waits for.
func (s *referenceRules) round(r *reference) int64 {
	if s.RoundReused && r.round > 0 {
		return r.round
	}
	return r.round + 1
}

// leaseFrom is from when a lease counts that an answer brings.
func (s *referenceRules) leaseFrom(sent sim.Time, r *reference, env *sim.Env) sim.Time {
	if s.LeaseFromAnswer {
		return r.clock(env)
	}
	return sent
}

// over says that the leader has no lease any more.
func (s *referenceRules) over(r *reference) bool { return r.spent && !s.LeaseKept }
