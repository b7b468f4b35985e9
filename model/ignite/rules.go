package ignite

// rules are what the forms of the protocol differ in: each is one decision, and a mode is a row of
// the table in variants.go. The zero value of each field is what merged code does, unless said.
type rules struct {
	// The cut's identity and the signatures (1.8, 1.9).
	Counter     bool   // D1: cuts are versions that grow, persisted and exchanged; else opaque ids
	Always      bool   // D2: every transaction message is signed; else only while a cut runs
	Unsigned    kinds  // kinds that are sent without the cut, of the six that carry it
	SignRescue  bool   // recovery's messages (RQ, RR, CCQ, CCR) carry the cut as well
	ReadsUnsign bool   // NPR of a primary that has only reads does not carry the cut (Q15)
	SignsOn     bool   // a node that has forgotten a cut signs on with it
	Heeds       heeds  // when the id of a message is looked at
	DropsTags   bool   // the tag of a message is not kept
	PublishLate bool   // of step A: the id is readable before signing is on
	TagAt       moment // when near fixes the tag, in two phases
	Resigns     role   // a primary or a backup puts its own cut in the place of the tag; near: nobody
	OneSigner   signer // who fixes the tag in one phase with a backup
	ZeroSigner  signer // D4: who does with none: nobody, or the primary

	// Entering and tracking (1.8, 1.10, 1.11).
	Split      bool     // D8: step B is a step of its own
	SplitEnd   bool     // a commit is two events: data records; completion (1.7)
	SplitLog   bool     // the TxRecord of PREPARED is a step of its own
	ScanSteps  bool     // each part of step B is a step of its own
	ScanOrder  scanning // in which order step B does its parts
	NoCallback bool     // what commits between A and B is not remembered
	// RemembersFailed has the callback see commits that fail as well. Merged code calls it for those
	// that succeed, so one that ends UNKNOWN between A and B is neither remembered nor tracked.
	RemembersFailed bool
	Tracks          states   // objects that step B collects
	DecideEnd       bool     // deciding a side is two steps
	DropFirst       bool     // the first of them drops the entry, the second puts it into a set
	Hasty           bool     // FINISH is written without waiting for what is tracked
	Sets            sets     // which of the sets FINISH has
	Compares        compares // how the tag is compared with the cut
	NoTopVer        bool     // rule 5 forgets the topology version
	// TellsRescue has a primary that commits by recovery say so to its backups: they have no
	// trustworthy tag either. Merged code finishes them as near would.
	TellsRescue bool
	Recovered   verdict // what a transaction committed by recovery makes of the local cut
	Unknown     verdict // what one that ended UNKNOWN does
	RolledBack  verdict // what one that rolled back does

	process  processRules
	rescue   rescueRules
	topology topologyRules
	replay   replayRules
	commits  commitRules
}

// kinds is a set of the six kinds of message that carry the cut.
type kinds uint8

const (
	kindNPQ kinds = 1 << iota
	kindNPR
	kindNFQ
	kindDPQ
	kindDPR
	kindDFQ
)

// kindOf is the kind of a message that carries the cut, 0 of the others.
func kindOf(m any) kinds {
	switch m.(type) {
	case npq:
		return kindNPQ
	case npr:
		return kindNPR
	case nfq:
		return kindNFQ
	case dpq:
		return kindDPQ
	case dpr:
		return kindDPR
	case dfq:
		return kindDFQ
	}
	return 0
}

// heeds is when a node looks at the cut of a message.
type heeds uint8

const (
	beforePayload heeds = iota
	afterPayload
	never
)

// moment is when near fixes the tag of a transaction in two phases.
type moment uint8

const (
	atDecision moment = iota // after the last NPR and before its own commit
	atBegin
	atSend // with the NFQ, after its own commit
)

// signer is who fixes the tag of a transaction in one phase.
type signer uint8

const (
	asPublished signer = iota // the backup; with no backup nobody
	signPrimary
	signNobody
)

// scanning is the order of step B: START, the scan of the active map, the remembered commits.
type scanning uint8

const (
	startFirst scanning = iota
	startLast
	rememberedFirst
)

// sets is which sets FINISH has.
type sets uint8

const (
	bothSets sets = iota
	onlyIncluded
	onlyExcluded
)

// compares is how a tag is compared with the cut.
type compares uint8

const (
	equal compares = iota
	unequal
	atLeast // anything but a lower version, no tag included
)

// verdict is what a tracked transaction without a trustworthy side makes of the local cut.
type verdict uint8

const (
	asShipped verdict = iota // recovered and UNKNOWN: inconsistent; rolled back: ignored
	byTag                    // as if it had committed as its user wanted
	ignored
	harmful // the local cut is inconsistent
)

// commitRules are those of two-phase and one-phase commit (1.3 to 1.7).
type commitRules struct {
	// EvenBackups commits in one phase only if all keys have the same backup: who has none of a key
	// cannot answer for it once the primary is gone.
	EvenBackups bool
	// ReadsFirst asks primaries that have only reads to validate before those with writes. Merged code
	// asks all at once: if near and such a primary die, recovery has nobody to ask whether what was
	// read is still so, and commits.
	ReadsFirst bool

	NearShort     bool // near commits with one NPR missing
	EarlyDPR      bool // a backup answers before it is PREPARED
	LateTimeout   bool // a 1PC primary may time out after it has sent DPQ
	LatePrepared  bool // a 1PC primary stays PREPARING until the backup has answered
	LooseRollback bool // a rollback waits for backups only where a commit would (IGNITE-12548)
	NoLockOrder   bool // a backup commits without the lock of an earlier transaction
	NoRecord      bool // the TxRecord of PREPARED is not written (IGNITE-14739)
	NoValidation  bool // serializable transactions do not validate what they have read
	OwnCopy       bool // near reads its own copy of a key that it has got the lock of
	Illegal       bool // transitions are not refused
	PinOnce       bool // RECOVERY_FINISH cannot be taken again (IGNITE-17457)
	PinLoose      bool // USER_FINISH can be taken from RECOVERY_FINISH (IGNITE-12548)
	EagerBackup   bool // DFQ is sent before the primary has committed
	NearLast      bool // NFQ is sent before near has committed
	RollbackAfter bool // 1PC: NFQ(rollback) is obeyed after DPQ
}

// trackedByMerged are the states that merged code tracks: all but ACTIVE (1.11).
const trackedByMerged = ^states(1 << active)
