package synchro

// rules are what the profiles, the solutions and the wrong variants differ in: each is one
// decision.
// A profile is a row of the table in variants.go; the final plan as it stands in 2026 is P4. The
// zero value of a field is what P4 does, unless said, so that a wrong variant changes one field.
type rules struct {
	filter   filterRules
	limbo    limboRules
	raft     raftRules
	log      logRules
	promote  promoteRules
	solution solutionRules
	cure     cureRules
	harmless harmlessRules
}

// filterRules are those of the applier (1.6, 1.11).
type filterRules struct {
	Rows rowFilter // which rows of outdated origins become NOPs
	// P0, P1: with elections on, rows that do not come from the leader are dropped
	BySender     bool
	OnlyElecting bool         // P1: Rows only while elections are on here
	Unvalidated  bool         // before P3: control rows are not validated
	Stale        stalePromote // before P3: what a PROMOTE of an old term does
	Owner        ownerCheck   // of PROMOTE: whether prev must be the owner; P4 does not look
	Range        bool         // P3 to P3b: n must lie in the queue
	Former       formerRule   // what an old CONFIRM or ROLLBACK of a former owner is measured by
	// before P3: plain async rows of an outdated origin are applied, claimed or not
	AsyncOld bool
	// P1 to P3b: control rows of outdated origins become NOPs, else stay as they are
	NopControl bool
	NoLatch    bool // rows are checked while a control row is between validation and effect
	// The wrong ones of section 5.
	BySenderOnly  bool // M1: the filter looks at who sent the row
	RaftTerm      bool // M2: compares with the raft term
	OnlyAck       bool // M3: only truly synchronous transactions become NOPs
	Drops         bool // M4: drops them
	LastRow       bool // M5: rewrites the last row alone
	InMemory      bool // M6: writes the original
	KeepsFlags    bool // a nopified transaction keeps its flags
	NopsSplit     bool // #8746: NOPs of old origins are judged as other rows
	UnownedSplits bool // #7286: plain async rows of outdated origins are a split-brain whoever owns
	ForeignStops  bool // cab998881d, early P0: a CONFIRM of another owner stops the upstream
	TermsOnly     bool // M11: the greatest term is not moved by foreign PROMOTEs
	AnyPrev       bool // M24: CONFIRM and ROLLBACK ignore prev
	OwnTerm       bool // M9: PROMOTE is compared with the last term of its own origin alone
}

// rowFilter is which rows of outdated origins become NOPs.
type rowFilter uint8

const (
	byPromoteTerm rowFilter = iota // those of an origin whose last PROMOTE is not the newest
	noRowFilter
)

// stalePromote is what a PROMOTE of an old term does.
type stalePromote uint8

const (
	staleSplits   stalePromote = iota // split-brain
	staleIgnored1                     // P1: see 1.11
	staleIgnored2                     // P2
	staleApplied                      // P0 has none
)

// ownerCheck is what becomes of a PROMOTE whose prev is not the owner.
type ownerCheck uint8

const (
	anyOwner         ownerCheck = iota // not checked (P4)
	foreignSplits                      // split-brain (P3 to P3b)
	foreignRollsBack                   // n counts as 0 (P1, P2)
)

// formerRule is how old control rows of former owners are known to be harmless.
type formerRule uint8

const (
	formerAnyTerm formerRule = iota // P4: by the boundary of prev, in any term
	formerOldTerm                   // P3b: by it, of outdated origins
	formerNone                      // P3 and before: not at all
)

// limboRules are those of the queue (1.8 to 1.10).
type limboRules struct {
	// P0, P1: an empty queue takes the origin of the first synchronous row as owner
	AdoptsWriter  bool
	NoFreezeTerm  bool // before P3: a newer raft term does not freeze the owner
	NoFreezeStart bool // before P3: a restarted owner goes on to finalize
	// P4: CONFIRM is written by a worker that retries; it is the only field that P4 sets
	Worker           bool
	TimeoutRollsBack bool // what has no quorum in time is rolled back (legacy); else it is detached
	AckTermless      bool // before P3a: ACKs carry no term
	TermLast         bool // M16: the clock of an ACK is taken in before its term
	SystemAsync      bool // before 3.2: writes to system spaces are as asynchronous as others
	OpenInOldTerm    bool // before P4: a newer raft term closes nobody who may write else
	ForgetsFormer    bool // before P3b, M33: the boundaries of former owners are not kept
	// The wrong ones of sections 4 and 5.
	NewcomersInClaim    bool // #6842 (a): while a PROMOTE is being written transactions enter
	NewestEnters        bool // #11180: the newest that waits for a place in the journal is next
	CancelAlone         bool // #11180: what is behind a cancelled volatile transaction is not undone
	BarsLocal           bool // #7592: local writes are refused while the queue is another's
	ConfirmInRollback   bool // M29, #5185
	RollbackInConfirm   bool // #5185 (a)
	NewcomersInRollback bool // #5140
	KeepsAcks           bool // M13: acks outlive a change of owner
	CountsTwice         bool // M14: each ACK counts
	PendingAck          bool // M35: an ACK counts what is not durable yet
	OldestFirst         bool // M25
	AppliesEarly        bool // M7, #5213: control rows take effect before they are durable
	CoversUnwritten     bool // M34: CONFIRM covers what has no LSN yet
	AnyRole             bool // leader state asks for no role, which freezing hides
	LateLSN             bool // M34, #6842
	FrozenQuorum        bool // 51999396d5: a new quorum is applied while frozen
	KeepsBoundary       bool // #5395: Confirmed is kept across owners
	CancelRollsBack     bool // #9480
	FreezeHangs         bool // #7253: a client whose CONFIRM completes while frozen is not answered
	LimitsReplicas      bool // #11836: the limit of the queue is one of replicas
	// #6057: CONFIRM commits what is behind its transaction, in the WAL or not
	CommitsUnwritten bool
	AsyncMoves       bool // #10528, a cure: plain commits of the owner move its boundary
	LeavesAsync      bool // #10853: ROLLBACK undoes synchronous transactions alone
	Anonymous        bool // #5418: anonymous replicas count
}

// promoteRules are those of PROMOTE and DEMOTE (1.10).
type promoteRules struct {
	Pair         bool // P0: CONFIRM and ROLLBACK instead of PROMOTE, nothing on an empty queue
	ResolveEmpty bool // with Pair: they are written on an empty queue too
	// CONFIRM, ROLLBACK, RAFT_TERM in the place of PROMOTE (the thread's open question 2)
	Triplet        bool
	NotPinned      bool // P1: without elections PROMOTE does not pin the owner of an empty queue
	TermOne        bool // P1: without elections each PROMOTE has term 1
	NoDemote       bool // before P2
	RollsUncovered bool // #5435: what has no quorum at the moment of the claim is rolled back
	Unconditional  bool // the draft's item 2: own last is confirmed without waiting for its quorum
	NoRecheck      bool // #7086: terms are not looked at again under the latch
	Twice          bool // #9263: two procedures may run in one term
	ActsEarly      bool // M31: a node leads before its PROMOTE is durable
	BeforeTerm     bool // M19, before #6754: a relay sends PROMOTE before the raft term
	RollsOne       bool // M8: n itself is rolled back
	KeepsOwner     bool // M27: DEMOTE leaves the owner
	ReusesTerm     bool // M27: DEMOTE has the term of the PROMOTE before it
	DemoteOwnTerm  bool // #6860: demote does nothing once a newer term is known
	ClearEndless   bool // #10333: promote without elections waits for a clear queue, however long
	Unpersisted    bool // M10: foreign PROMOTEs are not written
	WritableEarly  bool // #12333: writable before the queue is claimed
	FixedQuorum    bool // #11574: a promotion waits for the quorum that there was as it began
	ReturnsElected bool // before P4: promote returns once elected, else only once writable
}

// raftRules are those of elections (1.13).
type raftRules struct {
	// before 2.10: an election needs no healthy quorum, and looks at no witnesses
	NoPrevote    bool
	VoteWithTerm bool     // before P3a: a foreign vote is written together with the term
	OffIdle      bool     // before P4: in mode off the machine stands still
	Vote         voteRule // M22
	Forgetful    bool     // M23: votes are not persisted
	Connected    bool     // M30: the quorum is of connected peers
	Unannounced  bool     // #5438: no raft state on subscribe if elections are off
	TwoWrites    bool     // #8497: term and own vote are two writes
	Retries      bool     // dd89c57e78: promote tries again
	ManualBumps  bool     // #8168
	CountsOwn    bool     // #8698
	WitnessFirst bool     // #8433
	SelfVote     bool     // #9855: a candidate that resigns begins the next term, with its own vote
	OffSees      bool     // #12018
	WaitsForever bool     // #10836
	FromDurable  bool     // #6129
	HungBeats    bool     // #7512: relays send heartbeats though the main thread hangs
	Stays        bool     // #9399: a leader whose disk fails stays
	ResignsNot   bool     // the fencing is off whatever the set-up says (#6661)
}

// voteRule is what a voter asks of a candidate's vclock.
type voteRule uint8

const (
	allComponents voteRule = iota
	leaderComponent
	sumOfComponents
)

// logRules are those of WAL, relay, recovery and join (1.3 to 1.5, 1.14, 1.15).
type logRules struct {
	SubscribeAhead bool // M28: the subscription says what has been accepted, not what is in the WAL
	OnlyLeaderRows bool // M32: a relay sends the rows of the leader alone
	NoSummary      bool // before P2: snapshot and join have no summary of the queue
	NoAnonymous    bool // #9401: an anonymous joiner gets no summary
	SummaryOwner   bool // c4415d4442: the summary has no boundaries of former owners
	ViewAtOnce     bool // #11180: a snapshot does not wait for what it shows
	NoRaftInJoin   bool // e7f3b3b929
	NoBoundary     bool // #8996: the summary is one of a version that knew no boundaries
	RowByRow       bool // #5874: recovery takes rows for themselves
	DerivedFlags   bool // #11053: recovery derives WAIT_SYNC from the queue
	ReusesLSN      bool // #10592: a node that has lost rows of its own writes on
	EarlyApplied   bool // #6028: the accepted clock is empty after a restart
	OldAck         bool // #12795: an ACK of the former connection is sent on the new one
	BoundaryOld    bool // #11754: the summary is older than the data of a snapshot
	Expelled       bool // #10266: rows of expelled nodes are accepted
	NoRewind       bool // #5433: a new leader does not send again what others have dropped
	InFlight       bool // #9916: rows that are on their way to the disk are taken once more
	CountsAtOnce   bool // #10087: who joins counts at once, before it can acknowledge anything
	KeepsLatch     bool // #10073, 9ad1bd15f4: the latch is kept after an error
	WaitsVolatile  bool // #12205
}

// solutionRules are the draft's solutions I to V on top of P0 (2), hooked in solutions.go.
type solutionRules struct {
	Which solutionKind
	// II
	DupBy    dupBy
	NoDedupe bool
	Bounded  bool // ROLLBACK copies end at the last row known
	Derives  bool // copies that a crash has prevented are written after the restart
	// III
	Atomic            bool // the pair is one row
	NoTableInSnapshot bool
	NopAsync          bool // also of IV: asynchronous rows are filtered too
	// IV
	ByLeaderLog bool // compare with the greatest term in a leader's log, else with the raft term
	// V
	FirstEvidence  bool // either outcome may be taken early
	AnyPending     bool // hold whatever is pending, else own rows
	EveryReconnect bool // hold at each reconnect, else after a restart
	ForgetsNops    bool // a second restart does not find again which rows go as NOPs
}

// solutionKind is which of the draft's solutions is in force.
type solutionKind uint8

const (
	noSolution solutionKind = iota
	solutionI
	solutionII
	solutionIII
	solutionIV
	solutionV
)

// dupBy is who writes a rollback once more in solution II.
type dupBy uint8

const (
	ownerOnly dupBy = iota
	everyNode
)
