package sim

import "time"

// Plan is everything that decides a run: equal plans give equal traces. It is plain data, made by
// hand, from a scenario, or by a search.
type Plan struct {
	Protocol *Protocol
	Variant  Variant
	Nodes    []string // members from the start; names begin with a capital letter
	Later    []string // nodes that may join
	Setup    []any    // what Protocol.ParseSetup made
	Timed    bool     // false is still time: no delay unless written, timers parked
	Network  Network
	Script   []Action    // in order; the run waits for each
	Load     []Action    // by the clock (each has At), beside the script; in order of time
	Chance   []Exception // what chance is told to choose
	Seed     uint64      // of chance; 0 is none: everything boring
	Budget   Budget
}

// Network is how links, streams, disks and nodes behave by chance. The zero value is perfect and
// instant.
type Network struct {
	Manual  bool   // a standing hold on all links between nodes
	Links   []Link // later entries win
	Break   PPM    // that a stream breaks at a send
	Crash   PPM    // that a node crashes in a handler call that has an effect
	Crashes int    // at most so many crashes by chance; 0 is any number
	// after which time a node that crashed by chance restarts; zero: at the epilogue
	Restart  Dist
	DiskSlow bool          // a sync is an event of its own, which can be held and take time
	SyncTime Dist          // from submitted to durable
	Told     Dist          // from durable to told
	SyncFail PPM           // that a sync fails
	Torn     PPM           // that the last record a crash leaves is torn
	Keep     bool          // a crash leaves a random part of the unsynced tail, else none of it
	Late     Dist          // how late timers are
	Detect   time.Duration // from a crash or leave to its event on the log lane
	Reopen   Dist          // until a broken stream is up again
	Timeout  time.Duration // after which a client gives up; 0 is never
	InFlight InFlight      // what a partition does to datagrams in flight
}

// Link says how one link behaves. Its ends are node names, "log", "disk", "clock" or "client"; "*"
// is any node. Own work is the link from a node to itself.
type Link struct {
	From, To  string
	Delay     Dist
	Loss      PPM
	Duplicate PPM
}

// InFlight is what a partition does to datagrams that are under way when it begins.
type InFlight uint8

// The choices: they arrive, wait for the heal, or are lost. Messages sent during a partition are
// lost; streams wait for the heal in any case.
const (
	Spare InFlight = iota
	Park
	Lose
)

// Budget bounds a run. Zero fields take the defaults of DefaultBudget.
type Budget struct {
	Events int           // events handled
	Time   time.Duration // virtual time
	Bytes  int64         // estimated memory of trace, queue and disks
	Linger time.Duration // how long a timed run goes on after its script and load
}

// DefaultBudget is what a plan gets that sets none.
var DefaultBudget = Budget{Events: 200_000, Time: time.Hour, Bytes: 1 << 30,
	Linger: 10 * time.Second}

// Verb is what an action does.
type Verb uint8

// The verbs.
const (
	// Node gets the request Words, from client Client (0: a client of its own)
	Request     Verb = iota + 1
	Hold             // events matching Pattern are parked from here on
	Release          // lifts every hold that Pattern covers
	Deliver          // passes the one parked event that matches
	DeliverAll       // passes all that match
	DeliverUpto      // passes everything on a FIFO lane through the first match
	// removes datagrams that match; without a kind also breaks the streams
	Drop
	Duplicate // copies a datagram
	Crash     // Node loses machine and unsynced records; Forever: stays down
	Restart   // Node comes up again
	Pause     // Node takes no events
	Resume    // and goes on, with a burst
	Join      // Node, one of Plan.Later, becomes a member
	Leave     // Node leaves for good
	// cuts the links between the groups; OneWay: from the first to the others
	Partition
	Heal       // makes all links whole
	Jump       // Node's clock jumps by Amount ns
	Drift      // Node's clock runs fast by Amount ppm
	SpoilDisk  // Node's disk gets Fault
	Settle     // runs until nothing more would happen
	Wake       // fires Node's earliest timers until Claim holds, at most 20
	CheckClaim // tests Claim
	Until      // plays until Event has happened
	Wait       // waits for the action's time and does nothing
)

// Place says when an action of a script acts.
type Place uint8

// In its turn; at a time of the run; a time after the action before it.
const (
	InTurn Place = iota
	At
	After
)

// DiskFault is what a script does to a disk.
type DiskFault uint8

// The faults. Each but DiskLost waits for its occasion.
const (
	DiskTorn    DiskFault = iota + 1 // the next crash leaves the first unsynced record, torn
	DiskFailing                      // the next sync fails, drops what it covered: torn after a crash
	DiskKeep                         // the next crash leaves the first Amount unsynced records
	DiskLost                         // everything on the disk is gone; syncs under way fail
)

// Action is one scripted interference.
type Action struct {
	Verb    Verb
	Node    string
	Words   []string // of a request; Protocol.ParseOp reads them
	Client  int      // of a request
	Pattern Pattern
	Groups  [][]string // of a partition
	OneWay  bool
	Forever bool
	Amount  int64
	Fault   DiskFault
	Claim   Claim
	Event   Event // of Until

	Place  Place
	Offset time.Duration // with At and After
	When   *Trigger      // acts when an event happens, not in its turn
	Maybe  bool          // never stale
	For    []string      // acts only under these variants; empty: all
	Line   int           // of the scenario file, for messages
	Text   string        // as written, for messages
}

// Trigger arms an action for an event.
type Trigger struct {
	Event  Event
	Before bool // just before the event, else just after
	Every  bool // each time, else once
}

// EventKind is what a trigger or an Until waits for.
type EventKind uint8

// The kinds.
const (
	Sends EventKind = iota + 1
	Receives
	Sets
	Fires
	Writes
	Syncs
	Notes
	Returns
)

// Event is something a node does: "P sends finish tx2 2nd".
type Event struct {
	Node string // "*" is any
	What EventKind
	Kind string // of the message, timer, record, fact or request; "" is any
	Keys []string
	Nth  int // the n-th match since the start, from 1; 0 is any
}

// Pattern matches events on links. "*" among the ends is any node; own work and the ends that are
// not nodes must be named.
type Pattern struct {
	From, To []string
	Kind     string   // "" is any
	Keys     []string // each must be among the event's
	Nth      int      // the n-th match since the start, from 1; 0 is any
}

// Exception tells chance what to choose for one decision.
type Exception struct {
	Name  Name
	Value int64 // what it means depends on Name.What: see Choice
	Line  int
}

// Choice is a kind of decision.
type Choice uint8

// The choices, and what an exception's value means. At and To of the name are the ends of a link
// unless said otherwise.
const (
	// ns beyond the link's least delay; links to disk, log and client included
	Delay     Choice = iota + 1
	Lost             // 1: the datagram is lost
	Copy             // 1 + ns by which a second copy is later than the first
	Tardy            // ns by which a timer is late; At is "clock"
	CrashAt          // 1: At crashes at the boundary To: "before sync", "after send"
	RestartIn        // 1 + ns until At restarts after its N-th crash
	KeepRows         // how many unsynced records At's N-th crash leaves
	Tear             // 1: the last record that At's N-th crash leaves is torn
	SyncFails        // 1: the sync that covers the record fails
	BreakAt          // 1: the stream breaks at this send
	// 1: when the stream breaks with this message in flight, it and those before still arrive
	LoseAfter
	Drawn // what Env.Draw gives; Of is the label
)

// Name is the stable name of a decision: what it is about, never when it came. Of is a kind, Keys
// the keys joined by blanks, N counts from 1 among decisions alike.
type Name struct {
	What   Choice
	At, To string
	Of     string
	Keys   string
	N      int32
}

// Shape is the shape of a distribution of durations.
type Shape uint8

// The shapes: always Low; anything from Low to High alike; mostly near Low, with a tail to High.
const (
	Constant Shape = iota
	Uniform
	Heavy
	Ranked // one value a link, anything from Low to High, that changes at a few moments
)

// Dist is a distribution of durations. Its boring value is Low.
type Dist struct {
	Shape     Shape
	Low, High time.Duration
}

// Options say what a run keeps. They do not change what happens, but for a fork.
type Options struct {
	NoTrace bool // keep no entries, count and hash them
	Record  bool // keep the decisions that were not boring, to pin the run
	Digest  bool // hash bodies too
	// keep the places at which a node may crash: see Boundary
	Boundaries bool
	Until      int  // stop once there are so many entries, without an epilogue; 0 is to the end
	Steps      bool // keep where events begin: Run.Steps
	// Fork lets the run go on by another chance, from some moment on; nil: it does not.
	Fork *Fork
}
