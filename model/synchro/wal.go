package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// wal is the journal (1.3): a single FIFO. The disk has one record for each transaction; its place
// there is what relays count by.
type wal struct {
	Clock     clock // vclock: of what is durable
	Locals    lsn   // durable local rows, component 0
	Accepted  clock // applierVclock: what has been accepted for writing; at least Clock
	Next      lsn   // the last LSN given to a row of this node
	NextLocal lsn
	Pending   []write    // submitted, completion not handled, in order
	Handling  sim.LSN    // the place of the one whose completion is being handled, 0: none
	Refuses   int        // writes that the journal will refuse, as a fault
	Final     clock      // of a node that has joined: up to here its giver had validated all
	Giver     sim.NodeID // that one
	Late      []write    // completions whose client has to wake first, if LSNs are told there
	Heard     lsn        // the greatest own LSN that peers have; above Clock if rows were lost
}

// write is a transaction on its way into the journal.
type write struct {
	Pos     sim.LSN // its place on the disk; 0: the journal has refused it
	Txn     txn
	Duty    duty
	Entry   int64      // the limbo's entry, 0: none
	Call    sim.CallID // that waits for the completion itself
	From    sim.NodeID // whose applier waits for the completion: nobody
	Real    bool       // it has the rows that its origin gave it
	Bypass  bool       // of a plain transaction: it does not queue behind others
	Undo    []cell     // of a plain transaction: what its keys held before
	Durable bool       // relays may read it
}

// duty is what the completion of a write is for.
type duty uint8

const (
	commits  duty = iota // a plain transaction: it commits
	queues               // an entry of the limbo: its LSN is known
	controls             // a control row: it takes effect
	persists             // raft's term and vote
	lies                 // nothing: NOPs, rows without effect
)

// write submits a transaction. What follows a write that was refused is refused too (1.3).
func (n *node) write(env *sim.Env, w write) {
	if n.refusing() {
		n.wal.Refuses = max(0, n.wal.Refuses-1)
		n.wal.Pending = append(n.wal.Pending, w)
		if t := &w.Txn; t.LSN > 0 && !t.Local { // it is not taken in twice before it fails
			n.wal.Accepted = n.wal.Accepted.with(t.Origin, t.LSN)
		}
		env.Later(failed{})
		return
	}
	w.Real = w.Real || w.From == nobody
	n.number(&w.Txn)
	w.Pos = env.Disk.Append(w.Txn)
	env.Disk.Flush()
	n.wal.Pending = append(n.wal.Pending, w)
}

// refusing says that the next write will fail: by a fault, or behind one that has failed.
func (n *node) refusing() bool {
	at := len(n.wal.Pending)
	return n.wal.Refuses > 0 || at > 0 && n.wal.Pending[at-1].Pos == 0
}

// number gives own rows their LSN, as the WAL thread does; foreign rows keep theirs, and so do own
// ones that come back from a peer (1.2).
func (n *node) number(t *txn) {
	rows := lsn(len(t.Rows))
	switch {
	case t.Local:
		n.wal.NextLocal += rows
		t.LSN = n.wal.NextLocal
		return
	case t.Origin == n.id && t.LSN == 0:
		t.LSN = n.wal.Next + rows
	}
	if t.Origin == n.id {
		n.wal.Next = max(n.wal.Next, t.LSN)
	}
	n.wal.Accepted = n.wal.Accepted.with(t.Origin, t.LSN)
}

// durable: the file has all up to a place. Relays may read it, before anyone else here learns of
// it.
func (n *node) durable(env *sim.Env, upto sim.LSN) {
	for i := range n.wal.Pending {
		w := &n.wal.Pending[i]
		if w.Pos == 0 || w.Pos > upto {
			break
		}
		if w.Durable {
			continue
		}
		w.Durable = true
		n.count(&w.Txn)
		env.Note(stored{w.Txn, w.Real})
	}
	n.wakeRelays(env)
}

// count moves the vclock over a durable transaction.
func (n *node) count(t *txn) {
	if t.Local {
		n.wal.Locals = max(n.wal.Locals, t.LSN)
		return
	}
	n.wal.Clock = n.wal.Clock.with(t.Origin, t.LSN)
}

// completed: the main thread handles the completions of all writes up to a place, back to back
// (1.3), and then what they have made possible.
func (n *node) completed(env *sim.Env, upto sim.LSN) {
	for len(n.wal.Pending) > 0 {
		w := n.wal.Pending[0]
		if !w.Durable || w.Pos > upto {
			break
		}
		n.wal.Pending = slices.Clone(n.wal.Pending[1:])
		n.wal.Handling = w.Pos
		n.complete(env, w)
		n.wal.Handling = 0
		n.sumUpViews()
	}
	n.joinEnds(env)
	n.acksAreDue(env)
	n.goOn(env)
	env.Later(flow{})
}

// wakes is a client who wakes after the completion of its write.
type wakes struct{}

func (wakes) Kind() string { return "wakes" }

// wake tells entries their LSN as late as their clients wake (#6842).
func (n *node) wake(env *sim.Env) {
	late := n.wal.Late
	n.wal.Late = nil
	for _, w := range late {
		n.queued(env, w)
	}
	n.goOn(env)
}

// goOn does what a change of the queue may have made possible.
func (n *node) goOn(env *sim.Env) {
	n.submitVolatile(env)
	n.registerPeers(env)
	n.tryConfirm(env)
	n.tryRollback(env)
	n.promotionStep(env)
	n.viewsStep(env)
	n.readsStep(env)
	n.tellState(env)
}

// complete handles one completion.
func (n *node) complete(env *sim.Env, w write) {
	switch w.Duty {
	case commits:
		n.settle(env, w.Txn, w.Entry)
		n.reply(env, w.Call, done{})
	case queues:
		if n.rules.limbo.LateLSN {
			n.wal.Late = append(slices.Clone(n.wal.Late), w)
			env.Later(wakes{})
			return
		}
		n.queued(env, w)
	case controls:
		n.written(env, w)
		n.controlled(w)
	case persists:
		n.raftWritten(env, w)
	case lies:
	}
}

// controlled: what an own control row in flight has stood in the way of is free again (1.9).
func (n *node) controlled(w write) {
	if w.Txn.Origin != n.id {
		return
	}
	q := n.queueOf(w.Txn.Rows[0].Prev)
	switch w.Txn.kind() {
	case rollbackRow:
		q.RollingBack = false
	case confirmRow:
		if q.Confirming <= w.Txn.Rows[0].N {
			q.Confirming = 0
		}
	}
}

// completeFailed: the failure of a write fails all that were submitted after it, the newest first.
// An own control row whose write fails ends the process, but for CONFIRM once a worker writes it
// (8.8). A leader whose journal fails resigns (#9399).
func (n *node) completeFailed(env *sim.Env) {
	at := slices.IndexFunc(n.wal.Pending, func(w write) bool { return w.Pos == 0 })
	if at < 0 {
		return
	}
	gone := slices.Clone(n.wal.Pending[at:])
	if slices.ContainsFunc(gone, n.fatal) {
		n.halt(env) // nobody who waits for a write is told that it was refused
		return
	}
	n.wal.Pending = slices.Clone(n.wal.Pending[:at])
	n.wal.Accepted = n.submitted()
	slices.Reverse(gone)
	for _, w := range gone {
		n.undoWrite(env, w)
	}
	if n.raft.Role == leader && !n.rules.raft.Stays {
		n.resign(env, "the journal fails")
	}
	n.goOn(env)
	env.Later(flow{})
}

// submitted is the vclock of all that is in the journal's file or on its way there.
func (n *node) submitted() clock {
	c := slices.Clone(n.wal.Clock)
	for _, w := range n.wal.Pending {
		if w.Pos != 0 && !w.Txn.Local {
			c.set(w.Txn.Origin, max(c.of(w.Txn.Origin), w.Txn.LSN))
		}
	}
	return c
}

// fatal says that the process cannot go on without a write (8.8).
func (n *node) fatal(w write) bool {
	if w.Txn.Origin != n.id {
		return false
	}
	switch w.Txn.kind() {
	case promoteRow, demoteRow, rollbackRow, raftRow, termRow, changeRow, claimRow:
		return true
	case confirmRow:
		return !n.rules.limbo.Worker
	}
	return false
}

// undoWrite undoes a transaction whose write was refused. What came from a peer ends the appliers.
func (n *node) undoWrite(env *sim.Env, w write) {
	switch w.Duty {
	case commits:
		n.restore(w.Undo)
		n.spoilViews(0)
		env.Note(undone{w.Txn, w.Entry, n.cellsOf(&w.Txn)})
		n.reply(env, w.Call, rolledBack{})
	case queues:
		q := n.queueOf(w.Txn.Origin)
		if at := q.find(w.Entry); at >= 0 {
			n.cutBack(env, q, at)
		}
	case controls:
		n.controlled(w)
	}
	if w.Txn.Origin != n.id || w.From != nobody {
		n.refused(env, w)
	}
}
