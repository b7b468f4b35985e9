package ignite

import "github.com/downset/downset/sim"

// What clients ask for. Tx is the name of a transaction, which a node that remembers one of that
// name gives to no other.
type (
	// beginOp opens a transaction.
	beginOp struct {
		Tx   string
		Mode mode
		Sync syncMode
	}
	// commitOp commits a transaction: one that is open, or a new one that first does its Writes and
	// Reads.
	commitOp struct {
		Tx     string
		Mode   mode
		Sync   syncMode
		Writes []write
		Reads  []string
	}
	// accessOp writes and reads in an open transaction.
	accessOp struct {
		Tx     string
		Writes []write
		Reads  []string
	}
	// rollbackOp, suspendOp and resumeOp are for an open transaction.
	rollbackOp struct{ Tx string }
	suspendOp  struct{ Tx string }
	resumeOp   struct{ Tx string }
	// refuseOp makes this node fail to prepare Tx, failOp makes it fail while it commits Tx.
	refuseOp struct{ Tx string }
	failOp   struct{ Tx string }
	// cutOp makes an increment of the newest full snapshot by a consistent cut.
	cutOp struct{ Cut string }
	// baseOp makes a full snapshot; restoreOp restores a cut.
	baseOp    struct{ Name string }
	restoreOp struct{ Cut string }
	// baselineOp changes the baseline to the servers of these names.
	baselineOp struct{ Nodes []string }
)

func (beginOp) Kind() string    { return "begin" }
func (commitOp) Kind() string   { return "commit" }
func (accessOp) Kind() string   { return "access" }
func (rollbackOp) Kind() string { return "rollback" }
func (suspendOp) Kind() string  { return "suspend" }
func (resumeOp) Kind() string   { return "resume" }
func (refuseOp) Kind() string   { return "refuse" }
func (failOp) Kind() string     { return "fail" }
func (cutOp) Kind() string      { return "cut" }
func (baseOp) Kind() string     { return "snapshot" }
func (restoreOp) Kind() string  { return "restore" }
func (baselineOp) Kind() string { return "baseline" }

func (o beginOp) Keys() []string    { return []string{o.Tx} }
func (o commitOp) Keys() []string   { return []string{o.Tx} }
func (o accessOp) Keys() []string   { return []string{o.Tx} }
func (o rollbackOp) Keys() []string { return []string{o.Tx} }
func (o suspendOp) Keys() []string  { return []string{o.Tx} }
func (o resumeOp) Keys() []string   { return []string{o.Tx} }
func (o refuseOp) Keys() []string   { return []string{o.Tx} }
func (o failOp) Keys() []string     { return []string{o.Tx} }
func (o cutOp) Keys() []string      { return []string{o.Cut} }
func (o baseOp) Keys() []string     { return []string{o.Name} }
func (o restoreOp) Keys() []string  { return []string{o.Cut} }
func (o baselineOp) Keys() []string { return o.Nodes }

// AppendKeys adds the name of the transaction.
func (o commitOp) AppendKeys(list []string) []string { return append(list, o.Tx) }

// txAsked is the name of the transaction that a client asks for something of.
func txAsked(op sim.Op) (name string, ok bool) {
	switch op := op.(type) {
	case beginOp:
		return op.Tx, true
	case commitOp:
		return op.Tx, true
	case accessOp:
		return op.Tx, true
	case rollbackOp:
		return op.Tx, true
	case suspendOp:
		return op.Tx, true
	case resumeOp:
		return op.Tx, true
	}
	return "", false
}

// What clients get.
type (
	// done answers what only had to be done.
	done struct{}
	// ended answers commit and rollback: the outcome, and what was read.
	ended struct {
		Tx    string
		State state
		Reads []entry
	}
	// cutEnded answers cut: "" is success, else why it failed.
	cutEnded struct {
		Cut string
		Err string
	}
	// unable is why a call was refused.
	unable struct{ Why string }
)

func (done) Kind() string       { return "ok" }
func (e ended) Kind() string    { return e.State.word() }
func (unable) Kind() string     { return "unable" }
func (u unable) String() string { return u.Why }

func (e ended) Keys() []string { return []string{e.Tx} }

func (c cutEnded) Kind() string {
	if c.Err == "" {
		return "done"
	}
	return "failed"
}

func (c cutEnded) Keys() []string { return []string{c.Cut} }

func (c cutEnded) String() string {
	if c.Err == "" {
		return "cut " + c.Cut + " done"
	}
	return "cut " + c.Cut + " failed: " + c.Err
}
