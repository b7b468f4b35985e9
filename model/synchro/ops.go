package synchro

import "github.com/downset/downset/sim"

// What clients and operators ask for.
type (
	// putOp writes keys in one transaction: synchronous if one of them is in a synchronous space,
	// or
	// Sync says so; asynchronous if Async says so (force-async).
	putOp struct {
		Writes []row
		Sync   bool // box.commit{is_sync = true}
		Async  bool // internal: bypasses the queue
		Local  bool // in a local space
	}
	// casOp writes Value if Key holds Old.
	casOp struct{ Key, Old, Value string }
	// getOp reads a key.
	getOp struct {
		Key string
		How readMode
	}
	// promoteOp is box.ctl.promote(), Old its old name clear_synchro_queue(); demoteOp is
	// box.ctl.demote().
	promoteOp struct{ Old bool }
	demoteOp  struct{}
	// resignOp gives up leadership in the current term, as an operator who sets the mode to voter
	// and
	// back.
	resignOp struct{}
	// setQuorumOp and setModeOp are box.cfg.
	setQuorumOp struct{ N int }
	setModeOp   struct{ Mode electionMode }
	// snapshotOp is box.snapshot(): the WAL before it is gone.
	snapshotOp struct{}
	// expelOp removes a node from the membership, asked of a node that may write.
	expelOp struct{ Node string }
	// settleOp is the operator's event of solution I: the queue of an expelled node is confirmed or
	// rolled back.
	settleOp struct {
		Node    string
		Confirm bool
	}
	// jamOp makes the journal refuse the next N writes.
	jamOp struct{ N int }
	// hangOp has the main thread do nothing any more; the process still runs (#7512).
	hangOp struct{}
	// cancelOp cancels the client that waits for this key's transaction.
	cancelOp struct{ Key string }
	// reconfigureOp starts stopped appliers again (box.cfg.replication set anew).
	reconfigureOp struct{}
)

// readMode is what a read may see (1.16).
type readMode uint8

const (
	confirmedRead readMode = iota
	dirtyRead
	linearizableRead
)

var readModes = []string{"confirmed", "dirty", "linearizable"}

func (putOp) Kind() string         { return "put" }
func (casOp) Kind() string         { return "cas" }
func (getOp) Kind() string         { return "get" }
func (promoteOp) Kind() string     { return "promote" }
func (demoteOp) Kind() string      { return "demote" }
func (resignOp) Kind() string      { return "resign" }
func (setQuorumOp) Kind() string   { return "quorum" }
func (setModeOp) Kind() string     { return "mode" }
func (snapshotOp) Kind() string    { return "snapshot" }
func (expelOp) Kind() string       { return "expel" }
func (settleOp) Kind() string      { return "settle" }
func (jamOp) Kind() string         { return "jam" }
func (hangOp) Kind() string        { return "jam" }
func (hangOp) String() string      { return "jam main" }
func (cancelOp) Kind() string      { return "cancel" }
func (reconfigureOp) Kind() string { return "reconfigure" }

func (o putOp) Keys() []string    { t := txn{Rows: o.Writes}; return t.Keys() }
func (o casOp) Keys() []string    { return []string{o.Key} }
func (o getOp) Keys() []string    { return []string{o.Key} }
func (o cancelOp) Keys() []string { return []string{o.Key} }

// Answers. An answer with a definite failure is a refusal if nothing was executed, and the answer
// rolledBack if the transaction was undone (1.16).
type (
	// done is success.
	done struct{}
	// value is what a read saw.
	value struct {
		Key, Value string
		There      bool
	}
	// mismatch: a cas found something else, or an insert a key that is there; nothing was done.
	mismatch struct{ Key string }
	// rolledBack: undone. Timeout: by this node's own ROLLBACK when its time was over.
	rolledBack struct{ Timeout bool }
	// unknown: detached, cancelled: it may still take effect.
	unknown struct{ Why string }
	// refusal: never executed, and why.
	refusal struct{ Why string }
	// notPromoted: another was elected, the quorum was lost, time is over.
	notPromoted struct{ Why string }
)

func (done) Kind() string        { return "done" }
func (value) Kind() string       { return "value" }
func (mismatch) Kind() string    { return "mismatch" }
func (rolledBack) Kind() string  { return "rolled-back" }
func (unknown) Kind() string     { return "unknown" }
func (refusal) Kind() string     { return "refused" }
func (notPromoted) Kind() string { return "not-promoted" }

var _ sim.Body = done{}
