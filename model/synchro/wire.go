package synchro

import (
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// lsn numbers the rows of one origin, from 1. Zero is before the first, or not known yet.
type lsn = int64

// nobody owns an unclaimed queue.
const nobody = sim.Nobody

// clock is a vclock: by origin, the greatest LSN. Local rows (component 0) are not in it.
type clock []lsn

// of is the component of an origin.
func (c clock) of(id sim.NodeID) lsn {
	if int(id) < len(c) {
		return c[id]
	}
	return 0
}

// with is the clock with a component at least n. It shares nothing with c.
func (c clock) with(id sim.NodeID, n lsn) clock {
	c = slices.Clone(c)
	c.set(id, max(n, c.of(id)))
	return c
}

// set sets a component of a clock that nobody else holds.
func (c *clock) set(id sim.NodeID, n lsn) {
	for int(id) >= len(*c) {
		*c = append(*c, 0)
	}
	(*c)[id] = n
}

// covers says that c is at least d in every component.
func (c clock) covers(d clock) bool {
	for i := range d {
		if c.of(sim.NodeID(i)) < d[i] {
			return false
		}
	}
	return true
}

// rowType is the type of a row (1.2).
type rowType uint8

const (
	dml         rowType = iota
	nop                 // a row without effect, which keeps its LSN
	confirmRow          // CONFIRM(prev, n)
	rollbackRow         // ROLLBACK(prev, n)
	promoteRow          // PROMOTE(prev, n, term)
	demoteRow           // DEMOTE(prev, n, term)
	raftRow             // RAFT(term, vote): local, never relayed
	termRow             // RAFT_TERM(term), global: solution IV, and the triplet of the plan
	expelRow            // a row of the membership table: Prev is a member no more
	changeRow           // CHANGE_OWNER(prev, n): solution III, a pair in one row
	registerRow         // a row of the membership table: Prev is a member from now on
	claimRow            // CLAIM(prev, n, term) on a term: a cure, what goes before PROMOTE or DEMOTE
)

var rowNames = []string{"DML", "NOP", "CONFIRM", "ROLLBACK", "PROMOTE", "DEMOTE", "RAFT",
	"RAFT_TERM", "EXPEL", "CHANGE_OWNER", "REGISTER", "CLAIM"}

func (t rowType) String() string { return rowNames[t] }

// control says that rows of the type act on the queue.
func (t rowType) control() bool { return t >= confirmRow && t <= demoteRow || t == changeRow }

// action is what a DML row does to its key.
type action uint8

const (
	replace action = iota
	insert         // fails if the key is there
	remove
)

// row is one row of a transaction.
type row struct {
	Type    rowType
	Do      action // of DML
	Key     string // of DML
	Value   string // of DML
	Prev    sim.NodeID
	N       lsn
	Term    int64
	Vote    sim.NodeID // of RAFT: nobody if none
	Upto    lsn        // of ROLLBACK in solution II: the last LSN that it undoes; 0: there is no end
	On      int64      // of CLAIM: the term of the claim that it is built on
	Demotes bool       // of CLAIM: a DEMOTE follows
}

// txn is a transaction as it is written and sent: whole (#5566). Its rows have consecutive LSNs.
type txn struct {
	Origin sim.NodeID
	LSN    lsn // of the last row; of a local one, its number among local rows
	Rows   []row
	Local  bool // group local: never relayed
	// The flags of the last row (1.2).
	WaitSync bool // it was in the limbo as it was written
	WaitAck  bool // it is truly synchronous
	System   bool // it touches system spaces
}

// first is the LSN of the first row, tsn.
func (t *txn) first() lsn { return t.LSN - lsn(len(t.Rows)) + 1 }

// kind is the type of a transaction: of its first row, since control rows stand alone.
func (t *txn) kind() rowType { return t.Rows[0].Type }

// empty says that all rows are NOPs.
func (t *txn) empty() bool {
	return !slices.ContainsFunc(t.Rows, func(r row) bool { return r.Type != nop })
}

// nopified is the transaction with rows that do nothing, flags cleared (1.11).
func (t txn) nopified() txn {
	rows := make([]row, len(t.Rows))
	for i := range rows {
		rows[i] = row{Type: nop}
	}
	t.Rows, t.WaitSync, t.WaitAck, t.System = rows, false, false, false
	return t
}

// Kind of a record on the disk.
func (txn) Kind() string { return "row" }

// Keys are the keys that it writes, or its type in capitals if it is a control row.
func (t txn) Keys() []string {
	var keys []string
	for i := range t.Rows {
		r := &t.Rows[i]
		switch {
		case r.Type != dml:
			keys = append(keys, r.Type.String())
		case !slices.Contains(keys, r.Key):
			keys = append(keys, r.Key)
		}
	}
	return slices.Compact(keys)
}

// String is the transaction for people: "1.3 SYNC k=1", "2.2 ROLLBACK(1, 3)".
func (t txn) String() string {
	s := strconv.Itoa(int(t.Origin)+1) + "." + strconv.FormatInt(t.LSN, 10)
	if t.Local {
		s = "0." + strconv.FormatInt(t.LSN, 10)
	}
	if t.kind() == dml {
		s += " " + t.class()
	}
	for i := range t.Rows {
		s += " " + t.Rows[i].String()
	}
	return s
}

// class is how its client waits for it.
func (t *txn) class() string {
	switch {
	case t.WaitAck:
		return "SYNC"
	case t.WaitSync:
		return "QUEUED"
	}
	return "ASYNC"
}

func (r row) String() string {
	id := func(n sim.NodeID) string {
		if n == nobody {
			return "0"
		}
		return strconv.Itoa(int(n) + 1)
	}
	num := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch r.Type {
	case dml:
		switch {
		case r.Do == remove:
			return r.Key + " removed"
		case r.Value == "":
			return r.Key
		}
		return r.Key + "=" + r.Value
	case confirmRow, rollbackRow, changeRow:
		if r.Upto > 0 {
			return r.Type.String() + "(" + id(r.Prev) + ", " + num(r.N) + " to " + num(r.Upto) + ")"
		}
		return r.Type.String() + "(" + id(r.Prev) + ", " + num(r.N) + ")"
	case promoteRow, demoteRow, claimRow:
		return r.Type.String() + "(" + id(r.Prev) + ", " + num(r.N) + ", " + num(r.Term) + ")"
	case raftRow:
		return "RAFT(" + num(r.Term) + ", " + id(r.Vote) + ")"
	case termRow:
		return "RAFT_TERM(" + num(r.Term) + ")"
	case expelRow, registerRow:
		return r.Type.String() + "(" + id(r.Prev) + ")"
	}
	return r.Type.String()
}

// The lanes of a connection: a relay's to its applier, the applier's back, and the relay's messages
// that are no rows, heartbeats and the state of raft: these come from a mailbox, and overtake rows
// or
// lag behind them (1.4). All are one TCP connection: Conn is its number, given by the applier as it
// subscribes; what comes with another number belongs to a connection that is gone.
const (
	relayLane sim.Lane = iota
	applierLane
	raftLane
)

// Messages of an applier to the relay that it subscribes to.
type (
	// subscribe opens a connection (1.5).
	subscribe struct {
		Conn  int64
		Clock clock // of its WAL: the first ACK
		Join  bool  // it has nothing and wants a snapshot first (1.15)
		Term  int64 // of raft, volatile; 0: it does not say (1.5)
	}
	// ack says what is in the WAL of the applier's node (1.7).
	ack struct {
		Conn  int64
		Clock clock
		Term  int64 // of raft, volatile; 0 before P3a
		Echo  int64 // the number of the heartbeat that it answers, 0 if none
	}
)

// Messages of a relay to its applier.
type (
	// welcome answers a subscription. Gap says that rows which the peer lacks are gone from the
	// WAL.
	welcome struct {
		Conn  int64
		Clock clock
		Gap   bool
	}
	// relayed is a transaction. Raft is, where it matters, how many raft messages the relay has
	// sent before it: it is not taken in before they are (#6754, #5433).
	relayed struct {
		Conn int64
		Txn  txn
		Raft int64
	}
	// beat is a heartbeat, sent also while rows flow (#7515). Echo is asked back.
	beat struct {
		Conn int64
		Echo int64
	}
	// raftMsg is the state of the sender's election machine (1.13). It goes from a mailbox of depth
	// one on the same connection.
	raftMsg struct {
		Conn int64
		Raft announced
	}
	// joinData is a snapshot for a node that joins.
	joinData struct {
		Conn     int64
		Snapshot snapshot
	}
)

// announced is what a raft message says. Only what is durable is ever announced.
type announced struct {
	Term   int64
	Vote   sim.NodeID // nobody: none
	Leader sim.NodeID // that the sender knows of, nobody: none
	Seen   bool       // the sender sees that leader itself
	Role   raftRole
	Clock  clock // of candidates only
}

func (subscribe) Kind() string { return "subscribe" }
func (ack) Kind() string       { return "ack" }
func (welcome) Kind() string   { return "welcome" }
func (relayed) Kind() string   { return "row" }
func (beat) Kind() string      { return "beat" }
func (raftMsg) Kind() string   { return "raft" }
func (joinData) Kind() string  { return "join" }

// Keys are those of the transaction.
func (m relayed) Keys() []string { return m.Txn.Keys() }

func (m relayed) String() string { return "row " + m.Txn.String() }

// Own work, each a step of its own (1.17).
type (
	// mail has the relay to a peer empty its mailbox.
	mail struct{ To sim.NodeID }
	// hears has the main thread take in an ACK that a relay has received.
	hears struct {
		From sim.NodeID
		Conn int64
		Ack  ack
	}
	// flow has the appliers go on with what was waiting for a latch.
	flow struct{}
	// failed completes writes that the journal has not taken.
	failed struct{}
)

func (mail) Kind() string   { return "mail" }
func (hears) Kind() string  { return "hears" }
func (flow) Kind() string   { return "flow" }
func (failed) Kind() string { return "failed" }

// Timers.
type (
	// beatTimer fires each replication timeout: heartbeats, and who has been silent for too long.
	beatTimer struct{}
	// electionTimer fires when an election has taken too long, or may begin.
	electionTimer struct{}
	// deathTimer fires when the leader has not been heard of for the death timeout.
	deathTimer struct{}
	// quorumTimer fires when a transaction has waited for its quorum for too long (1.9), or a
	// manual
	// promotion for what it waits for.
	quorumTimer struct{ Call sim.CallID }
	// retryTimer has an applier subscribe again after an error that passes.
	retryTimer struct{ From sim.NodeID }
)

func (beatTimer) Kind() string     { return "beat" }
func (electionTimer) Kind() string { return "election" }
func (deathTimer) Kind() string    { return "death" }
func (quorumTimer) Kind() string   { return "timeout" }
func (retryTimer) Kind() string    { return "retry" }
