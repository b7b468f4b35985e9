package ignite

import "github.com/downset/downset/sim"

// Facts are what a node says about itself for checkers to read. A crash can cut off facts together
// with the rest of their handler. What is on the disk is read from the appended records instead.

// Of transactions:
type (
	// began: the near node has begun Tx, at the client's request.
	began struct{ txID }
	// mapped: the near node has mapped Tx to the topology; it is about to prepare it.
	mapped struct {
		txID
		Map mapping
	}
	// moved: the object Object went from one state to another, and who finishes it.
	moved struct {
		Object   key
		From, To state
		By       finalization
	}
	// made: the object was created, in state ACTIVE or PREPARING; Colocated says of a near object
	// that it also is the primary object of this node's share.
	made struct {
		Object    key
		Colocated bool
	}
	// pinned: finalization of the object was taken.
	pinned struct {
		Object key
		By     finalization
	}
	// tagged: the tag of Tx is fixed here, by the node that commits first (1.13: dec). Tag is the zero
	// value for "before".
	tagged struct {
		Object key
		Tag    cutID
	}
	// locked: the transaction has the lock of a key on its primary; the counter and the writer of
	// what it read there.
	locked struct {
		txID
		Key     string
		Counter int64
		Writer  txID
	}
	// saw: the near node read a key, with or without a lock.
	saw struct {
		txID
		Key     string
		Counter int64
		Locked  bool
	}
	// voted: this node answered in recovery whether all of Tx is prepared here (yes is a promise).
	voted struct {
		txID
		Yes bool
	}
	// recovering: this node begins recovery of the object, because of the nodes that are gone.
	recovering struct {
		Object key
		Gone   []sim.NodeID
	}
	// outcome: the near node knows what became of Tx: COMMITTED, ROLLED_BACK or UNKNOWN.
	outcome struct {
		txID
		State state
	}
)

// Of cuts:
type (
	// entered: step A, the node is in the cut from here on. By is the kind of message that brought it,
	// "start" for discovery. TopVer is the topology of the cut.
	entered struct {
		Cut    cutID
		By     string
		TopVer int64
	}
	// tracking: step B is done; the objects that the node waits for.
	tracking struct {
		Cut     cutID
		Objects []key
	}
	// decided: the side of a tracked object. Failed says that it has none: the local cut is
	// inconsistent.
	decided struct {
		Cut    cutID
		Object key
		After  bool
		Failed string
	}
	// failedCut: the local part of the cut has failed, and why.
	failedCut struct {
		Cut cutID
		Why string
	}
	// refusedCut: the node refuses to take part, and why.
	refusedCut struct {
		Cut cutID
		Why string
	}
	// unsigned: the node does not sign with the cut any more.
	unsigned struct{ Cut cutID }
	// forgot: the node has forgotten the cut.
	forgot struct{ Cut cutID }
	// result: the reducer publishes the result of a stage, "start" or "end".
	result struct {
		Cut   cutID
		Stage string
		Err   string
	}
	// listed: the cut that START proposes: its baseline nodes, its initiator.
	listed struct {
		Cut       cutID
		Baseline  []sim.NodeID
		Initiator sim.NodeID
	}
)

func (began) Kind() string      { return "began" }
func (mapped) Kind() string     { return "mapped" }
func (m moved) Kind() string    { return m.To.word() }
func (made) Kind() string       { return "made" }
func (pinned) Kind() string     { return "pinned" }
func (tagged) Kind() string     { return "tagged" }
func (locked) Kind() string     { return "locked" }
func (saw) Kind() string        { return "saw" }
func (voted) Kind() string      { return "voted" }
func (recovering) Kind() string { return "recovering" }
func (outcome) Kind() string    { return "outcome" }
func (entered) Kind() string    { return "entered" }
func (tracking) Kind() string   { return "tracking" }
func (decided) Kind() string    { return "decided" }
func (failedCut) Kind() string  { return "failed" }
func (refusedCut) Kind() string { return "refused" }
func (unsigned) Kind() string   { return "unsigned" }
func (forgot) Kind() string     { return "forgot" }
func (result) Kind() string     { return "result" }
func (listed) Kind() string     { return "listed" }

func (f moved) Keys() []string      { return []string{f.Object.Name, f.Object.Role.String()} }
func (f made) Keys() []string       { return []string{f.Object.Name, f.Object.Role.String()} }
func (f pinned) Keys() []string     { return []string{f.Object.Name, f.Object.Role.String()} }
func (f tagged) Keys() []string     { return []string{f.Object.Name, f.Object.Role.String()} }
func (f locked) Keys() []string     { return []string{f.Name, f.Key} }
func (f saw) Keys() []string        { return []string{f.Name, f.Key} }
func (f recovering) Keys() []string { return []string{f.Object.Name, f.Object.Role.String()} }
func (f entered) Keys() []string    { return []string{f.Cut.Name, f.By} }
func (f tracking) Keys() []string   { return []string{f.Cut.Name} }
func (f decided) Keys() []string    { return []string{f.Object.Name, f.Cut.Name} }
func (f failedCut) Keys() []string  { return []string{f.Cut.Name} }
func (f refusedCut) Keys() []string { return []string{f.Cut.Name} }
func (f unsigned) Keys() []string   { return []string{f.Cut.Name} }
func (f forgot) Keys() []string     { return []string{f.Cut.Name} }
func (f result) Keys() []string     { return []string{f.Cut.Name, f.Stage} }
func (f listed) Keys() []string     { return []string{f.Cut.Name} }
