package synchro

import "github.com/downset/downset/sim"

// Facts are what a node says about itself. The ledger of the checkers (6.1) is made of them, of
// clients' calls and of the records on the disks, never of a node's own state.
type (
	// stored: a transaction has become durable in this node's WAL, as it stands there. Was is the
	// transaction that NOPs have replaced, else the zero value.
	stored struct {
		Txn  txn
		Real bool // it has the rows that its origin gave it
	}
	// entered: a transaction is in the limbo. Its LSN may be 0, of an own one that is not written.
	// Call
	// is that of the client that waits for it, 0 if none does.
	entered struct {
		ID   int64
		Txn  txn
		Call sim.CallID
	}
	// committed and undone: a transaction has taken its final effect in this node's memory.
	// ID is that of its entering, 0 if it never was in the limbo.
	committed struct {
		Txn txn
		ID  int64
	}
	// Now is what its keys hold once it is undone.
	undone struct {
		Txn txn
		ID  int64
		Now []cell
	}
	// confirms, rolls: this node, as the owner, has decided to write CONFIRM or ROLLBACK up to N,
	// with
	// so many nodes known to have it.
	confirms struct {
		N     lsn
		Nodes int
	}
	rolls struct{ N lsn }
	// owns: a PROMOTE or DEMOTE has taken effect here; Owner is who owns the queue now.
	owns struct {
		Owner sim.NodeID
		Prev  sim.NodeID
		N     lsn
		Term  int64
		By    sim.NodeID // the origin of the row
		Raft  int64      // the raft term known here, volatile
	}
	// limboState: inactive, leader or replica (1.12).
	limboState struct{ Is string }
	// rises: the volatile raft term is now Term, because of Why ("heard", "election", "promote").
	rises struct {
		Term int64
		Why  string
	}
	// votes: decided, not yet durable.
	votes struct {
		Term        int64
		For         sim.NodeID
		Theirs, Own clock // the vclocks compared, of a vote for another
	}
	// plays: the role in the elections.
	plays struct {
		Role raftRole
		Term int64
	}
	// stops: the applier from a peer is stopped for good, and why: "split-brain: ...".
	stops struct {
		From sim.NodeID
		Why  string
	}
	// filters: what the filter made of a transaction of a peer, if not to apply it.
	filters struct {
		Txn  txn
		Made outcome
		Term int64 // the limbo's term that it was decided by
	}
	// recovered: a restart has read its WAL; Data is what is committed, Clock what is in the WAL.
	// Log are the transactions in the WAL behind the snapshot. So says a node that has joined, too.
	recovered struct {
		Clock clock
		Data  []cell
		Log   []txn
		// Whose the queue is, by which term, and up to where it is confirmed.
		Owner     sim.NodeID
		Term      int64
		Confirmed lsn
		// The transactions that the replay of Log has committed and undone, in order.
		Commits, Undoes []txn
	}
	// snapped: a snapshot of this node is complete.
	snapped struct {
		Clock clock
		Data  []cell
	}
	// ends: the process ends by itself, since a row that it cannot do without was refused (8.8). It
	// is
	// started again, which recovered then says.
	ends struct{}
	// expelled: this node has taken a member off.
	expelled struct{ Node sim.NodeID }
)

func (stored) Kind() string     { return "stored" }
func (entered) Kind() string    { return "entered" }
func (committed) Kind() string  { return "committed" }
func (undone) Kind() string     { return "undone" }
func (confirms) Kind() string   { return "confirms" }
func (rolls) Kind() string      { return "rolls-back" }
func (owns) Kind() string       { return "owns" }
func (limboState) Kind() string { return "limbo" }
func (rises) Kind() string      { return "term" }
func (votes) Kind() string      { return "votes" }
func (plays) Kind() string      { return "plays" }
func (stops) Kind() string      { return "stops" }
func (filters) Kind() string    { return "filters" }
func (recovered) Kind() string  { return "recovered" }
func (snapped) Kind() string    { return "snapped" }
func (ends) Kind() string       { return "ends" }
func (expelled) Kind() string   { return "expelled" }

// Keys of facts about transactions are the transaction's.
func (f stored) Keys() []string     { return f.Txn.Keys() }
func (f entered) Keys() []string    { return f.Txn.Keys() }
func (f committed) Keys() []string  { return f.Txn.Keys() }
func (f undone) Keys() []string     { return f.Txn.Keys() }
func (f filters) Keys() []string    { return f.Txn.Keys() }
func (f limboState) Keys() []string { return []string{f.Is} }
func (f plays) Keys() []string      { return []string{f.Role.String()} }

// outcome is what the filter decides (1.11).
type outcome uint8

const (
	pass       outcome = iota
	becomesNop         // stored as NOPs
	ignored            // stored as it is, without effect
	dropped            // not stored at all
	fatal              // the upstream is stopped
)

var outcomeNames = []string{"pass", "nop", "ignored", "dropped", "fatal"}

func (o outcome) String() string { return outcomeNames[o] }
