package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// ledger is the omniscient book of a run (6.1): what became of each transaction on each node, of
// each node and of each term. It is kept from facts, records and answers alone, and is independent
// of what nodes believe. Properties are checked while it is kept: see audit.
type ledger struct {
	run     *sim.Run
	lives   []life     // by node
	txns    []*txnLife // in order of first writing
	byID    map[txnID]*txnLife
	claims  []claim // PROMOTE and DEMOTE rows, in order of first writing
	calls   []callLife
	faults  operator
	layout  *layout
	leaders []vote // who led, by term
	members int    // registered nodes that are still members
	voters  int    // registered nodes that there were at the start
	least   int    // the smallest quorum that anyone may go by
	onDisks clock  // by node, the last of its own rows that was on its disk
}

// txnID names a transaction in the world.
type txnID struct {
	Origin sim.NodeID
	LSN    lsn
}

// txnLife is a transaction: what its origin wrote, and what became of it on each node.
type txnLife struct {
	ID        txnID
	Txn       txn
	Written   int   // the entry at which it became durable at its origin
	Stored    []int // by node, the entry at which it became durable there as it is; 0: not
	Nopped    []int // and as NOPs
	Committed []int // and at which it was committed there
	Undone    []int // and undone
	Call      sim.CallID
	Told      int // the entry at which its client was told of success
	Seen      int // and at which a client read it, not dirtily
}

// life is a node, over all its incarnations.
type life struct {
	Open        int        // transactions on its disk that it has not decided
	Starting    bool       // and has not said yet what it found on its disk
	Heard       []sim.Time // by peer, when it was last heard of
	Unpinned    bool       // by its own word nobody owns the queue that someone has claimed
	Pending     int        // how many were in the queue before a claim took effect
	Snapped     bool
	Calls       []entered // transactions of clients, of this incarnation
	Links       []bool    // by peer, true: a stream with it is broken
	Conns       []int64   // by peer, the connection that it subscribed to last
	LocalOpen   []string  // keys of local spaces, which have no fate that others see
	Locals      lsn       // of local rows on the disk
	RaftDisk    int64     // the greatest raft term on the disk
	Starts      int
	Clock       clock  // of what is stored
	Log         []txn  // what is stored behind the base
	LogAt       []int  // the entries at which it became so
	Base        []cell // what a snapshot or a join began the log with
	Data        []cell // what is committed
	Up          bool
	Owner       sim.NodeID // by the newest claim that took effect
	Term        int64      // and its term
	Terms       []int64    // by origin, the terms of claims in the log
	Greatest    int64      // of them
	Given       summary    // of the last snapshot
	Raft        int64
	Risen       int64 // the last term begun in this incarnation, 0: none
	GaveUp      int   // the entry at which it gave leadership up, 0: it has not
	GaveUpTerm  int64
	RaftAt      sim.Time // when it became so
	Own         int64    // the last term in which it stood
	Halted      []bool   // by node, the applier from it is stopped
	Quiet       []int    // by node, the own heartbeats since it was heard of
	State       string   // of the limbo
	StateAt     int
	Role        raftRole
	Fresh       bool // a claim has taken effect since the start
	Queue       []entered
	LastDone    int64 // the LSN of the last own transaction committed in order, by origin below
	DoneOf      clock
	Stops       []int // the entries at which an applier was stopped
	Votes       []vote
	Sent        []vote // announced
	ConfirmedTo lsn
	ConfirmTerm int64
	Adv         []announced // by node, the last raft message of it
	Ballots     []ballot    // the votes of others that it may have heard of
	Flying      []txn       // on their way to the disk; plain ones until they are committed
	Unsynced    []place     // own rows that are in the journal and not yet on the disk
	Before      []txnID     // of expelled nodes, on their way to the disk as those were expelled
	Expelled    []sim.NodeID
	Joined      bool      // from a snapshot of another
	Acks        []sentAck // by peer
}

// place is where a row is in the journal.
type place struct {
	At  int64
	LSN lsn
}

// vote is a vote of a node in a term.
type vote struct {
	Term int64
	For  sim.NodeID
	At   int
}

// ballot is a vote of a node as another hears of it.
type ballot struct {
	Term      int64
	From, For sim.NodeID
}

// sentAck is the last ACK sent on a connection.
type sentAck struct {
	Conn  int64
	Clock clock
	At    int
}

// claim is a PROMOTE or a DEMOTE.
type claim struct {
	ID   txnID
	Row  row
	At   int
	Took int // the first entry at which it took effect anywhere, 0: none
}

// callLife is a client's call.
type callLife struct {
	Op    sim.Op
	Node  sim.NodeID
	At    int
	End   int // 0: open
	How   sim.EntryKind
	Reply sim.Body
}

// operator is what operators did that the rules do not promise to survive (6.3, L1).
type operator struct {
	Timeouts    int // transactions rolled back by time
	LowQuorum   bool
	OffPromotes []sim.NodeID // nodes that were promoted with elections off
	LateAsync   bool         // asynchronous rows of a deposed owner
	LateUnowned bool         // the same as nobody owned the queue, by what had taken effect there
	Expelled    bool
	Jammed      bool
	Broken      bool // a journal refuses writes for good, until its process is started again
	Moved       bool // clocks were set, or the membership has changed: terms may look short
}

// mark is the slot of a node in a list of entries.
func mark(list []int, id sim.NodeID) int {
	if int(id) < len(list) {
		return list[id]
	}
	return 0
}

// setMark keeps the first entry.
func setMark(list *[]int, id sim.NodeID, at int) {
	for int(id) >= len(*list) {
		*list = append(*list, 0)
	}
	if (*list)[id] == 0 {
		(*list)[id] = at
	}
}

// txn is the life of a transaction, made if it is not known.
func (l *ledger) txn(t *txn) *txnLife {
	id := txnID{t.Origin, t.LSN}
	x := l.byID[id]
	if x == nil {
		x = &txnLife{ID: id, Txn: *t}
		l.byID[id] = x
		l.txns = append(l.txns, x)
	}
	return x
}

// sync says that a transaction went through the limbo, as its origin wrote it.
func (x *txnLife) sync() bool { return x.Txn.WaitSync && x.Txn.kind() == dml }

// had says that a node has a transaction in its log as it was written, at an entry.
func (x *txnLife) had(id sim.NodeID, at int) bool {
	s := mark(x.Stored, id)
	return s > 0 && s <= at
}

// same says that two transactions have the same rows.
func same(a, b *txn) bool { return slices.Equal(a.Rows, b.Rows) }

// newLedger is the empty book of a run.
func newLedger(run *sim.Run) *ledger {
	l := &ledger{run: run, lives: make([]life, len(run.Nodes)), byID: map[txnID]*txnLife{}}
	lay := layoutOf(run.Plan.Setup, nil)
	l.layout = lay
	for i := range l.lives {
		l.lives[i].Owner = nobody
		l.lives[i].State = "replica"
	}
	for i := range run.Plan.Nodes {
		if !slices.Contains(lay.Anonymous, sim.NodeID(i)) {
			l.voters++
		}
	}
	l.members = l.voters
	l.least = l.voters/2 + 1
	if lay.Quorum > 0 {
		l.faults.LowQuorum = lay.Quorum < l.least
		l.least = lay.Quorum
	}
	return l
}

// call is a client's call, nil if there is none with the number.
func (l *ledger) call(n int64) *callLife {
	if n < 1 || int(n) > len(l.calls) {
		return nil
	}
	return &l.calls[n-1]
}

// registered says that a node has a vote.
func (l *ledger) registered(id sim.NodeID) bool {
	return !slices.Contains(l.layout.Anonymous, id)
}

// loses is a node whose disk is gone: no transaction is on it, nor decided there.
func (l *ledger) loses(id sim.NodeID) {
	for _, x := range l.txns {
		for _, list := range [][]int{x.Stored, x.Nopped, x.Committed, x.Undone} {
			if int(id) < len(list) {
				list[id] = 0
			}
		}
	}
}

// loseDisk is a node that has nothing any more.
func (l *life) loseDisk() {
	l.Clock, l.Log, l.LogAt, l.Base, l.Data = nil, nil, nil, nil, nil
	l.Locals, l.RaftDisk, l.Votes, l.Sent = 0, 0, nil, nil
	l.Owner, l.Term, l.Terms, l.Greatest, l.DoneOf = nobody, 0, nil, 0, nil
	l.Given = summary{}
}

// seen: a client has read it.
func (x *txnLife) seen(at int) {
	if x.Seen == 0 {
		x.Seen = at
	}
}

// unlinked says that a stream with a peer is broken, as far as the node has been told.
func (l *life) unlinked(id sim.NodeID) bool { return int(id) < len(l.Links) && l.Links[id] }
