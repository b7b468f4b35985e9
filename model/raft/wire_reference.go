package raft

import "github.com/downset/downset/sim"

// The messages of Figure 2 and 13, and those of the dissertation's chapters. All but proposals and
// the two of a read carry the sender's term. They may be lost, come twice, late and overtaken.
type (
	// requestVote asks for a vote. Pre only asks whether it would be given, in Term, the next one
	// (the dissertation, 9.6). Forced is by order of the leader (3.10).
	requestVote struct {
		Term, LastIndex, LastTerm int64
		Pre, Forced               bool
	}
	// voted is the answer; of a vote that would be given, Term is the term asked for.
	voted struct {
		Term         int64
		Pre, Granted bool
	}
	// appendEntries brings entries that follow PrevIndex; without any it is a heartbeat. Round
	// counts what a leader has sent to all, and Sent is its clock then, for reads.
	appendEntries struct {
		Term, PrevIndex, PrevTerm int64
		Entries                   []Entry
		Commit                    int64
		Round                     int64
		Sent                      sim.Time
	}
	// installSnapshot brings a snapshot (Figure 13, as one chunk).
	installSnapshot struct {
		Term     int64
		Snapshot Snapshot
		Round    int64
		Sent     sim.Time
	}
	// appended answers both. If OK, the follower's log is the leader's up to Match. If not, it has
	// another entry at PrevIndex, of ConflictTerm, or none, and the leader should try ConflictIndex
	// (the end of 5.3). A follower of a newer term says nothing but that.
	appended struct {
		Term                        int64
		OK                          bool
		Match                       int64
		PrevIndex                   int64
		ConflictIndex, ConflictTerm int64
		Round                       int64
		Sent                        sim.Time
	}
	// proposal is a command on its way to the leader (section 8).
	proposal struct{ Command Command }
	// timeoutNow bids a follower begin an election at once (the dissertation, 3.10).
	timeoutNow struct{ Term int64 }
	// readIndex asks the leader for an index that a read may be served at, readAt is its answer (the
	// dissertation, 6.4).
	readIndex struct{ ID ReadID }
	readAt    struct {
		ID    ReadID
		Index int64
	}
)

// Kind is "request-vote", or "pre-vote".
func (m requestVote) Kind() string {
	if m.Pre {
		return "pre-vote"
	}
	return "request-vote"
}

// Kind is "voted", or "pre-voted".
func (m voted) Kind() string {
	if m.Pre {
		return "pre-voted"
	}
	return "voted"
}

// refusesPreVote says that a pre-vote is not given.
func (m voted) refusesPreVote() bool { return m.Pre && !m.Granted }

// Kind is "append", or "heartbeat" if there are no entries.
func (m appendEntries) Kind() string {
	if len(m.Entries) == 0 {
		return "heartbeat"
	}
	return "append"
}

// Kind is "install-snapshot".
func (installSnapshot) Kind() string { return "install-snapshot" }

// Kind is "appended", or "rejected".
func (m appended) Kind() string {
	if m.OK {
		return "appended"
	}
	return "rejected"
}

// Kind is "propose".
func (proposal) Kind() string { return "propose" }

// Kind is "timeout-now".
func (timeoutNow) Kind() string { return "timeout-now" }

// Kind is "read-index".
func (readIndex) Kind() string { return "read-index" }

// Kind is "read-at".
func (readAt) Kind() string { return "read-at" }

// Keys are the term.
func (m requestVote) Keys() []string { return named(m.Term, "") }

// Keys are the term.
func (m voted) Keys() []string { return named(m.Term, "") }

// Keys are the term, and the place of the first entry if there is one.
func (m appendEntries) Keys() []string {
	if len(m.Entries) == 0 {
		return named(m.Term, "")
	}
	return placed(m.Entries[0].Index, m.Term)
}

// Keys are the place and the sender's term.
func (m installSnapshot) Keys() []string { return placed(m.Snapshot.Index, m.Term) }

// Keys are the term.
func (m appended) Keys() []string { return named(m.Term, "") }

// Keys are the command's.
func (m proposal) Keys() []string { return sim.KeysOf(m.Command) }

// Keys are the term.
func (m timeoutNow) Keys() []string { return named(m.Term, "") }

// The timers: the election timeout of a follower or candidate, with which a leader looks whether it
// is still followed; and the leader's heartbeats.
type (
	electionTimer  struct{}
	heartbeatTimer struct{}
)

// Kind is "election".
func (electionTimer) Kind() string { return "election" }

// Kind is "heartbeat".
func (heartbeatTimer) Kind() string { return "heartbeat" }
