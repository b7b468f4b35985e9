package ignite

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// txID is the near id of a transaction: the name that its client gave it, and the node that
// coordinates it, in which life. Every record and every message of a transaction carries it (1.2).
type txID struct {
	Name string
	Near sim.NodeID
	Life int64 // the join order of Near, 0 of a founder in its first life
}

// Keys is the name.
func (t txID) Keys() []string { return []string{t.Name} }

// role is what a local object stands for (1.2).
type role uint8

const (
	near role = iota
	primary
	backup
)

var roleNames = [...]string{"near", "primary", "backup"}

func (r role) String() string { return roleNames[r] }

// key is the local id of an object: one node may hold several objects of one transaction. Primary
// is the node whose backup a backup object is, and the node itself for a primary object.
type key struct {
	txID
	Role    role
	Primary sim.NodeID
}

// mode is how a transaction takes its locks (1.4).
type mode uint8

const (
	pessimistic  mode = iota // while ACTIVE, key by key
	optimistic               // at the primaries, as they prepare
	serializable             // as optimistic, and reads are validated
)

var modeNames = [...]string{"pessimistic", "optimistic", "serializable"}

func (m mode) String() string { return modeNames[m] }

// syncMode is what the client waits for (1.6).
type syncMode uint8

const (
	fullSync    syncMode = iota // all backups
	primarySync                 // the primaries
	fullAsync                   // nobody
)

var syncNames = [...]string{"full-sync", "primary-sync", "full-async"}

func (s syncMode) String() string { return syncNames[s] }

// write is what a client wants done to a key: set it to a value, or add to it, which the primary
// does under the lock (an entry processor).
type write struct {
	Key   string
	Value string // what it is set to; of an addition "" until the primary has resolved it
	Add   int64  // what is added, if Adds; else 0, or, of a resolved one, its update counter
	Adds  bool
}

// update is a write as the primary resolved it: with its value and its place in the update counter
// of the partition.
type update struct {
	Key     string
	Part    string
	Value   string
	Counter int64
}

// share is what one primary has to do with a transaction, and who its backups are.
type share struct {
	Primary sim.NodeID
	Backups []sim.NodeID // those that must have the writes; nil if there are only reads
	Writes  []write
	Reads   []sight
}

// sight is a read that the primary has to lock, or to validate: the counter that was seen.
type sight struct {
	Key     string
	Counter int64
}

// mapping is transactionNodes: who takes part, fixed when near maps the transaction to a topology,
// and carried by every prepare message (1.2).
type mapping struct {
	Mode     mode
	Sync     syncMode
	OnePhase bool  // as near asks; a primary may demote it
	TopVer   int64 // topology that it was mapped on; 0 is never mapped
	Shares   []share
}

// cutID is a cut as nodes name it: by the name of its request, which is opaque (merged), and by a
// counter (draft). The zero value is no cut.
type cutID struct {
	Name    string
	Version int64
}

func (c cutID) String() string {
	if c == (cutID{}) {
		return "no cut"
	}
	return c.Name
}

// The messages of transactions. Their kinds are the short names of the specification.
type (
	// NPQ is GridNearTxPrepareRequest, near to primary.
	npq struct {
		txID
		Map mapping
	}
	// NPR is GridNearTxPrepareResponse. Err is "" if the primary has prepared (1PC: committed).
	npr struct {
		txID
		Err     string
		Demoted bool // the primary made two phases of one
	}
	// NFQ is GridNearTxFinishRequest.
	nfq struct {
		txID
		Commit bool
	}
	// NFR is GridNearTxFinishResponse.
	nfr struct {
		txID
		Commit bool
	}
	// DPQ is GridDhtTxPrepareRequest, primary to backup.
	dpq struct {
		txID
		Map      mapping
		Updates  []update
		OnePhase bool // the backup commits at once
	}
	// DPR is GridDhtTxPrepareResponse.
	dpr struct {
		txID
		Err string
	}
	// DFQ is GridDhtTxFinishRequest. Reply asks for a DFR. Rescued says that the primary commits by
	// recovery.
	dfq struct {
		txID
		Commit, Reply, Rescued bool
	}
	// DFR is GridDhtTxFinishResponse.
	dfr struct {
		txID
		Commit bool
	}
)

// Locks and reads, which are never signed (1.6).
type (
	// LQ asks the primary for the lock of a key, for a pessimistic transaction.
	lq struct {
		txID
		Map mapping // the mode, the sync mode and the topology; no shares yet
		Key string
	}
	// LR grants it, with what the key holds, or says why not.
	lr struct {
		txID
		Key     string
		Value   string
		Counter int64
		Err     string
	}
	// GQ reads a key without a lock.
	gq struct {
		txID
		Key string
	}
	// GR is the answer.
	gr struct {
		txID
		Key     string
		Value   string
		Counter int64
		Err     string
	}
)

// Recovery (3.1). Objects is how many objects of the transaction the asked node should have.
type (
	// RQ is GridCacheTxRecoveryRequest. Near asks the near node whether it committed; otherwise the
	// question is whether all is prepared.
	rq struct {
		txID
		Ask     int64 // number of the question on the asking node
		Near    bool
		Objects int
		Mapped  int64        // topology of the transaction: a node that joined later was not meant
		Gone    []sim.NodeID // nodes of the transaction that have left, where that is told
	}
	// RR is GridCacheTxRecoveryResponse.
	rr struct {
		txID
		Ask int64
		Yes bool
	}
	// CCQ is a DFQ with a "check committed" flag, near to backup: after the loss of a primary.
	ccq struct {
		txID
		Primary sim.NodeID // the primary that is gone
		Wait    bool       // 2PC: answer once the remote transaction is finished
		Mapped  int64      // topology of the transaction
	}
	// CCR is the answer to it.
	ccr struct {
		txID
		Primary   sim.NodeID
		Committed bool
	}
)

func (npq) Kind() string { return "NPQ" }
func (npr) Kind() string { return "NPR" }
func (nfq) Kind() string { return "NFQ" }
func (nfr) Kind() string { return "NFR" }
func (dpq) Kind() string { return "DPQ" }
func (dpr) Kind() string { return "DPR" }
func (dfq) Kind() string { return "DFQ" }
func (dfr) Kind() string { return "DFR" }
func (lq) Kind() string  { return "LQ" }
func (lr) Kind() string  { return "LR" }
func (gq) Kind() string  { return "GQ" }
func (gr) Kind() string  { return "GR" }
func (rq) Kind() string  { return "RQ" }
func (rr) Kind() string  { return "RR" }
func (ccq) Kind() string { return "CCQ" }
func (ccr) Kind() string { return "CCR" }

func (m lq) Keys() []string { return []string{m.Name, m.Key} }
func (m lr) Keys() []string { return []string{m.Name, m.Key} }
func (m gq) Keys() []string { return []string{m.Name, m.Key} }
func (m gr) Keys() []string { return []string{m.Name, m.Key} }

// The engine asks the messages of transactions for their keys all the time.

func (m npq) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m npr) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m nfq) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m nfr) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m dpq) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m dpr) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m dfq) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m dfr) AppendKeys(list []string) []string { return append(list, m.Name) }
func (m lq) AppendKeys(list []string) []string  { return append(list, m.Name, m.Key) }
func (m lr) AppendKeys(list []string) []string  { return append(list, m.Name, m.Key) }
func (m gq) AppendKeys(list []string) []string  { return append(list, m.Name, m.Key) }
func (m gr) AppendKeys(list []string) []string  { return append(list, m.Name, m.Key) }

func (m npr) String() string { return answered("NPR", m.txID, m.Err) }
func (m dpr) String() string { return answered("DPR", m.txID, m.Err) }
func (m nfq) String() string { return finished("NFQ", m.txID, m.Commit) }
func (m dfq) String() string { return finished("DFQ", m.txID, m.Commit) }
func (m rr) String() string  { return yesNo("RR", m.txID, m.Yes) }
func (m ccr) String() string { return yesNo("CCR", m.txID, m.Committed) }

func answered(kind string, t txID, err string) string {
	if err == "" {
		return kind + " " + t.Name
	}
	return kind + " " + t.Name + ", no: " + err
}

func finished(kind string, t txID, commit bool) string {
	if commit {
		return kind + " " + t.Name
	}
	return kind + " " + t.Name + " rollback"
}

func yesNo(kind string, t txID, yes bool) string {
	if yes {
		return kind + " " + t.Name + " yes"
	}
	return kind + " " + t.Name + " no"
}

// signed is a message with the cut that its sender is in (1.9). Its kind and keys are those of the
// message.
type signed struct {
	Cut     cutID
	Tag     cutID // the transaction's tag, if the message carries one: the cut that it is after
	TopVer  int64 // the topology of the cut
	Message sim.Message
}

func (s signed) Kind() string   { return s.Message.Kind() }
func (s signed) Keys() []string { return sim.KeysOf(s.Message) }

// AppendKeys adds those of the message.
func (s signed) AppendKeys(list []string) []string { return sim.AppendKeys(list, s.Message) }

func (s signed) String() string {
	text := sim.Text(s.Message) + " [" + s.Cut.String()
	if s.Tag != (cutID{}) {
		text += ", after " + s.Tag.String()
	}
	return text + "]"
}

// addressed is a message from or to a node that has joined the running cluster, or come back to it.
// Ignite's node ids are new with each life: what is sent to one life of a node does not reach
// another, and a node waits with what comes from one that it does not know yet. Between founders in
// their first lives messages need no address. Its kind and keys are those of the message.
type addressed struct {
	From, To int64 // the positions on the discovery log at which sender and receiver joined
	Message  sim.Message
}

func (a addressed) Kind() string   { return a.Message.Kind() }
func (a addressed) Keys() []string { return sim.KeysOf(a.Message) }
func (a addressed) String() string { return sim.Text(a.Message) }

// opened is a message without its address, and the lives that it is from and for.
func opened(m sim.Message) (from, to int64, _ sim.Message) {
	if a, ok := m.(addressed); ok {
		return a.From, a.To, a.Message
	}
	return 0, 0, m
}

// unwrap is a message without its address and the cut.
func unwrap(m sim.Message) sim.Message {
	_, _, m = opened(m)
	if s, ok := m.(signed); ok {
		return s.Message
	}
	return m
}

// txOf is the transaction that a message, record or fact is about.
func txOf(b sim.Body) (txID, bool) {
	t, ok := unwrap(b).(interface{ tx() txID })
	if !ok {
		return txID{}, false
	}
	return t.tx(), true
}

func (t txID) tx() txID { return t }

func (k key) String() string { return fmt.Sprintf("%s %s", k.Role, k.Name) }
