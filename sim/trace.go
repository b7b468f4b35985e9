package sim

import "fmt"

// EntryKind says what happened at an entry of the trace.
type EntryKind uint8

// What can happen. "N" says what Entry.N holds; Peer is Nobody where it is not mentioned.
const (
	// a machine was made and its Start ran; N incarnation, from 1
	EntryStarted EntryKind = iota + 1
	// a client (Peer is ClientEnd) invoked Body at Node; N call
	EntryInvoked
	EntryArrived   // the request reached Node's machine; N call
	EntrySent      // Node sent Body to Peer; N stream epoch, 0 for a datagram
	EntryDelivered // Peer's Body was handed to Node's machine; N as sent
	EntryLost      // Peer's Body will not reach Node; N says why: a Loss
	EntryCopied    // the network made a second copy of Node's Body to Peer
	EntryQueued    // Node put Body to itself as own work
	EntryWorked    // Node's machine took up own work
	EntryFired     // Node's timer Body
	EntryAppended  // Node wrote record Body; N LSN
	// Node replaced its snapshot by Body; N the LSN it stands for
	EntryReplaced
	EntrySynced     // Node's disk is durable up to N
	EntryFlushed    // Node asked for durability up to N, without waiting
	EntryTold       // Node's machine was told what became of a flush; N LSN
	EntrySyncFailed // Node's disk did not make N durable
	EntryNoted      // Node's machine said fact Body
	EntryReturned   // the client got Body from Node; N call
	EntryRefused    // Node refused the call, surely without effect; N call
	// the client will never know what became of its call; N call
	EntryUnknown
	// an answer for a call that had already ended unknown; N call
	EntryLate
	EntryPublished // Node published Body to the log lane
	// Body (of Peer, or of nobody) got position N on the log lane
	EntrySequenced
	EntryLogged // Node consumed Body at position N of the log lane
	EntryOpened // Node was told that its stream with Peer is up; N epoch
	EntryBroken // Node was told that its stream with Peer broke; N epoch
	// Node lost its machine and its unsynced records; N records lost
	EntryCrashed
	EntryPaused  // Node stopped taking events
	EntryResumed // and goes on
	EntryJoined  // Node became a member
	EntryLeft    // Node left for good
	// Node was told that Peer joined (N=1) or left (N=0), without a log lane
	EntryHeard
	// links from Node to Peer are cut; one entry a pair, N direction unused
	EntryParted
	EntryHealed // all links are whole; Node is Nobody
	EntryClock  // Node's clock was changed; N jump in ns, or drift in ppm
	EntryDisk   // Node's disk was made faulty; N a DiskFault
	// Node's machine says its own claim failed: Body is a Failure
	EntryFailed
	// the engine healed the world; nothing after it is by chance
	EntryEpilogue
)

var entryNames = [...]string{
	EntryStarted: "starts", EntryInvoked: "invokes", EntryArrived: "arrives", EntrySent: "sends",
	EntryDelivered: "receives", EntryLost: "lost", EntryCopied: "copied", EntryQueued: "queues",
	EntryWorked: "works", EntryFired: "fires", EntryAppended: "writes", EntryReplaced: "replaces",
	EntrySynced: "syncs", EntryFlushed: "flushes", EntryTold: "told",
	EntrySyncFailed: "sync-failed",
	EntryNoted:      "notes", EntryReturned: "returns", EntryRefused: "refuses",
	EntryUnknown: "unknown",
	EntryLate:    "late", EntryPublished: "publishes", EntrySequenced: "sequenced",
	EntryLogged: "logged",
	EntryOpened: "opened", EntryBroken: "broken", EntryCrashed: "crashes", EntryPaused: "pauses",
	EntryResumed: "resumes", EntryJoined: "joins", EntryLeft: "leaves", EntryHeard: "hears",
	EntryParted: "parted", EntryHealed: "healed", EntryClock: "clock", EntryDisk: "disk",
	EntryFailed: "failed", EntryEpilogue: "epilogue",
}

func (k EntryKind) String() string {
	if int(k) < len(entryNames) && entryNames[k] != "" {
		return entryNames[k]
	}
	panic(fmt.Sprintf("sim: entry kind %d", uint8(k)))
}

// Loss is why a message did not arrive.
type Loss int64

// The reasons.
const (
	LostByChance   Loss = iota + 1 // the network lost it
	LostParted                     // the link was cut when it was sent, or while it was in flight
	LostDown                       // its receiver was down, or crashed while it was in flight
	LostBroken                     // its stream broke
	LostDropped                    // the script dropped it
	LostReplaced                   // a newer message took its place in a mailbox
	LostAbsent                     // its receiver is no member
	LostSenderDown                 // own work of a node that crashed
)

func (l Loss) String() string {
	switch l {
	case LostByChance:
		return "lost"
	case LostParted:
		return "partitioned"
	case LostDown:
		return "receiver down"
	case LostBroken:
		return "stream broken"
	case LostDropped:
		return "dropped"
	case LostReplaced:
		return "replaced"
	case LostAbsent:
		return "receiver not a member"
	case LostSenderDown:
		return "crashed"
	}
	panic(fmt.Sprintf("sim: loss %d", int64(l)))
}

// Entry is one thing that happened. Its position in the trace is its identity and the order of all
// things; At is the world's time. Cause is the position of the entry that led to it, or -1.
//
// Happened-before is what joins two entries: program order (entries of one Node, in trace order,
// where Kind.Local), and the causes for which Kind.Carries holds. The other causes, of script
// triggers and clients, explain but do not order.
type Entry struct {
	At    Time
	N     int64
	Body  Body
	Cause int32
	Node  NodeID
	Peer  NodeID
	Kind  EntryKind
}

// Local says that entries of this kind are steps of their Node's machine: what it took up and what
// it did. The others befall a node, or belong to the network, the log lane or a client.
func (k EntryKind) Local() bool {
	switch k {
	case EntryInvoked, EntryLost, EntryCopied, EntrySequenced, EntryReturned, EntryRefused,
		EntryUnknown, EntryLate, EntryParted, EntryHealed, EntryClock, EntryDisk, EntryEpilogue,
		EntryPaused, EntryResumed, EntryJoined, EntryLeft, EntryCrashed, EntrySynced,
		EntrySyncFailed:
		return false
	}
	return true
}

// Carries says that the cause of an entry of this kind happened before it: delivery after send, log
// lane after publication, own work and timers after what set them, notices after the flush.
func (k EntryKind) Carries() bool {
	switch k {
	case EntryDelivered, EntryCopied, EntryWorked, EntrySequenced, EntryLogged, EntryTold,
		EntryFired, EntrySynced, EntrySyncFailed:
		return true
	}
	return false
}

// Failure is the body of EntryFailed: a protocol's own assertion.
type Failure struct{ Claim, Why string }

// Kind is "failure".
func (Failure) Kind() string { return "failure" }

// Keys is the claim.
func (f Failure) Keys() []string { return []string{f.Claim} }

// Trace is everything that happened in a run, in order.
type Trace []Entry
