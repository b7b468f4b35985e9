package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// limbo is the queue of transactions that wait for their quorum (1.9), and who may fill it.
type limbo struct {
	Owner     sim.NodeID       // whose transactions it may hold; nobody: unclaimed
	Queue     []entry          // in order of submission
	Confirmed lsn              // the durable CONFIRM boundary of the owner
	Quorum    lsn              // volatileConfirmed: its quorum is known, its CONFIRM not yet durable
	Former    clock            // confirmedVclock: the boundaries of owners, former ones too (P3b)
	Acks      clock            // by node, the owner's LSN known to be in that node's WAL
	Again     []lsn            // what ACKs said that said nothing new, if each one counts
	Term      int64            // the greatest term of a durable PROMOTE or DEMOTE
	Claims    []announcedClaim // that may come to take effect, each built on the one before it
	Terms     []int64          // by origin, the greatest term of its durable PROMOTE or DEMOTE
	Fresh     bool             // a PROMOTE was made or seen since the restart
	// What is in flight to the disk.
	Changing    bool // a PROMOTE or DEMOTE, own or foreign: newcomers fail
	RollingBack bool // an own ROLLBACK: newcomers fail, no CONFIRM may start
	Confirming  lsn  // an own CONFIRM, up to there; 0: none
	Latched     bool // a control row is between its validation and its effect
	Working     bool // the worker that writes CONFIRM has been woken
	NextID      int64
}

// entry is a transaction in the limbo.
type entry struct {
	ID      int64 // in order of entering
	Txn     txn   // Txn.LSN is 0 until the completion of its write is handled
	Sync    bool  // false: queued behind a synchronous one
	State   entryState
	Undo    []cell     // what its keys held before
	Call    sim.CallID // of the client that waits, 0: none
	Overdue bool       // the client's time is over
}

// entryState is how far the write of an entry is.
type entryState uint8

const (
	unsubmitted entryState = iota // volatile: ordered, not yet in the journal
	submitted
	written // its completion is handled: its LSN is known
)

// cell is a key and what it holds.
type cell struct {
	Key, Value string
	There      bool
}

// find is the place of an entry in the queue, -1 if it is not there.
func (q *limbo) find(id int64) int {
	return slices.IndexFunc(q.Queue, func(e entry) bool { return e.ID == id })
}

// writes says that a transaction in the queue writes one of some keys. Behind it nothing may be
// final that overwrites what may yet be undone.
func (q *limbo) writes(keys []string) bool {
	return slices.ContainsFunc(q.Queue, func(e entry) bool {
		return slices.ContainsFunc(e.Txn.Keys(), func(k string) bool {
			return slices.Contains(keys, k)
		})
	})
}

// lastSync is the LSN of the last synchronous entry whose LSN is known, the boundary if there is
// none (1.10); all says that no submitted entry is without its LSN.
func (q *limbo) lastSync() (last lsn, all bool) {
	last, all = q.Confirmed, true
	for i := range q.Queue {
		e := &q.Queue[i]
		if e.Sync && e.State == written {
			last = e.Txn.LSN
		}
		all = all && e.State != submitted
	}
	return last, all
}

// queueOf is the queue for transactions of an origin: one for all, but in solution I.
func (n *node) queueOf(origin sim.NodeID) *limbo {
	if n.solution.Which == solutionI && int(origin) < len(n.limbos) {
		return &n.limbos[origin]
	}
	return &n.limbo
}

// lastSync is that of the queue.
func (n *node) lastSync() (lsn, bool) { return n.limbo.lastSync() }

// unwritten says that a control row cannot be validated yet: submitted entries have no LSN. Those
// that are not in the journal may never get one (#12205).
func (n *node) unwritten() bool {
	return slices.ContainsFunc(n.limbo.Queue, func(e entry) bool {
		return e.State == submitted || e.State == unsubmitted && n.rules.log.WaitsVolatile
	})
}

// ackedBy is how many nodes have the owner's rows up to n in their WAL.
func (n *node) ackedBy(to lsn) int { return n.holders(&n.limbo, to) }

func (n *node) holders(q *limbo, to lsn) int {
	count := 0
	for _, a := range n.acks(q) {
		if a >= to {
			count++
		}
	}
	return count
}

// acks are the LSNs that count, the greatest first.
func (n *node) acks(q *limbo) []lsn {
	list := slices.Clone(q.Again)
	for id, to := range q.Acks {
		if n.counts(sim.NodeID(id)) {
			list = append(list, to)
		}
	}
	slices.SortStableFunc(list, func(a, b lsn) int { return int(b - a) })
	return list
}

// counts says that a node counts in quorums: it is registered, and neither anonymous nor expelled
// (1.7).
func (n *node) counts(id sim.NodeID) bool {
	return n.registered(id) ||
		n.rules.limbo.Anonymous && slices.Contains(n.layout.Anonymous, id)
}

// take is what an ACK says of the owner's rows (1.9).
func (n *node) take(env *sim.Env, from sim.NodeID, to lsn) { n.takeIn(env, &n.limbo, from, to) }

func (n *node) takeIn(env *sim.Env, q *limbo, from sim.NodeID, to lsn) {
	switch {
	case to > q.Acks.of(from):
		q.Acks = q.Acks.with(from, to)
	case n.rules.limbo.CountsTwice && to > q.Confirmed && n.counts(from):
		q.Again = append(slices.Clone(q.Again), to)
	default:
		return // duplicates and what comes late must be harmless
	}
	n.measure(q)
	n.tryConfirm(env)
	n.promotionStep(env)
	n.tellState(env)
}

// measure moves the boundary up to which the quorum is known. While a ROLLBACK is being written it
// stands still.
func (n *node) measure(q *limbo) {
	if q.RollingBack && !n.rules.limbo.ConfirmInRollback {
		return
	}
	acks, want := n.acks(q), n.synchroQuorum()
	if want < 1 || len(acks) < want {
		return
	}
	for i := range q.Queue {
		e := &q.Queue[i]
		if !e.Sync {
			continue
		}
		if e.State != written || e.Txn.LSN > acks[want-1] {
			return
		}
		q.Quorum = max(q.Quorum, e.Txn.LSN)
	}
}
