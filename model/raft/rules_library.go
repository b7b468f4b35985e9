package raft

import "time"

// libraryRules are the decisions around the library. The zero value is right.
type libraryRules struct {
	// Forms that are right, each in its way.
	Async         bool // the library's asynchronous storage writes: disk and state machine lag
	NoPreVote     bool // candidates do not ask beforehand (the dissertation, 9.6)
	NoCheckQuorum bool // a leader does not look whether it still has a majority (6.2)
	OneEntry      bool // an append carries one entry
	Stays         bool // a leader that its group is without goes on leading
	// Spread is how much of a patience is drawn at most, at least a tick; 0 is as much as there may
	// be.
	Spread time.Duration

	// The disk.
	NoSync      bool // nothing is synced
	SendFirst   bool // messages leave before what they rest on is durable
	NoVote      bool // the vote is not on the disk
	NoHardState bool // neither is the term
	LosesTail   bool // of several entries at once the last does not come to the disk
	SoleFlushes bool // a group of one does not wait for its disk
	StaleCommit bool // a restart does not know that what its snapshot has is committed
	OldMembers  bool // a restart does not know what configurations its log shows to be committed
	Wiped       bool // a restart overlooks the disk, and has the same name all the same

	// Snapshots.
	FirstMembers bool // a snapshot has the configuration of the founders
	NoOutgoing   bool // a snapshot has only the new half of a joint configuration
	NoReports    bool // nobody tells the library that a snapshot was lost
	OldSnapshot  bool // a member gets a snapshot from before it was one

	// Leases.
	OldLease  bool // as in the library: whoever leads and has not given up has the lease
	VotesSoon bool // a node that restarts forgets that it may have promised not to vote
}

// spread is how many ticks of a patience are drawn.
func (r *libraryRules) spread() int {
	if r.Spread == 0 {
		return electionTicks
	}
	return max(1, min(electionTicks, int(r.Spread/tick)))
}

// commit is what a restart knows to be committed.
func (r *libraryRules) commit(s *storage) int64 {
	switch {
	case r.StaleCommit:
		return 0
	case r.OldMembers:
		return s.snap.Index
	}
	return s.committed()
}
