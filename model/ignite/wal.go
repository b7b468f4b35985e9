package ignite

import (
	"strings"

	"github.com/downset/downset/sim"
)

// The records of the write-ahead log (1.7, 1.8, 4). Their letters are those of the golden logs
// (5.6): P prepared, D data, C committed, R rolled back, S start of a cut, F its finish.
type (
	// txRecord is a TxRecord: a state that an object reached. Shares is the primary-to-backups map
	// that a PREPARED record carries.
	txRecord struct {
		txID
		State  state
		Shares []share
	}
	// dataRecord is a DataRecord: one entry written by a commit.
	dataRecord struct {
		txID
		Update update
	}
	// startRecord is ConsistentCutStartRecord: the node's mark of a cut.
	startRecord struct{ Cut cutID }
	// finishRecord is ConsistentCutFinishRecord: which transactions the position of their data
	// records puts on the wrong side. Both sets are in the order of the near ids' decisions.
	finishRecord struct {
		Cut                cutID
		Included, Excluded []txID
	}
	// baseRecord is the ClusterSnapshotRecord: what is before it is in the full snapshot Name. Data is
	// the snapshot's copy of the partitions that this node owns.
	baseRecord struct {
		Name string
		Data []partition
	}
	// incrementRecord is the local metadata of an increment, written with FINISH, and perhaps once
	// more when its cut was a success in the end; Removed takes it back, since the cut failed.
	incrementRecord struct {
		Cut     cutID
		Base    string // the full snapshot that it is an increment of
		Index   int    // from 1
		Removed bool
	}
	// gapRecord closes counters that no transaction will use (a RollbackRecord).
	gapRecord struct {
		Part     string
		From, To int64
	}
	// metaRecord is what a node keeps in its MetaStorage: the newest version of the draft, whether
	// increments are forbidden because data and log differ, and what it was restored to.
	metaRecord struct {
		Version   int64
		Forbidden string // why, "" if they are not
	}
	// rebalanceRecord says that a partition was taken over from another node, outside of the log.
	rebalanceRecord struct {
		Part partition
		From sim.NodeID
		Full bool // all of it, not only what was missing
	}
	// restoredRecord begins the log anew after a restore: what is before it does not count.
	restoredRecord struct {
		Cut  cutID
		Data []partition
	}
)

// partition is the content of one partition on one node.
type partition struct {
	Name     string
	Group    string
	Counter  int64   // of the newest update
	Reserved int64   // of the newest update that has a counter on the primary
	Entries  []entry // by key
}

// entry is what a key holds, and the transaction that wrote it.
type entry struct {
	Key     string
	Value   string
	Counter int64
	Tx      txID
}

func (r txRecord) Kind() string      { return r.State.word() }
func (dataRecord) Kind() string      { return "data" }
func (startRecord) Kind() string     { return "start" }
func (finishRecord) Kind() string    { return "finish" }
func (baseRecord) Kind() string      { return "base" }
func (incrementRecord) Kind() string { return "increment" }
func (gapRecord) Kind() string       { return "gap" }
func (metaRecord) Kind() string      { return "meta" }
func (rebalanceRecord) Kind() string { return "rebalanced" }
func (restoredRecord) Kind() string  { return "restored" }

func (r dataRecord) Keys() []string      { return []string{r.Name, r.Update.Key} }
func (r startRecord) Keys() []string     { return []string{r.Cut.Name} }
func (r finishRecord) Keys() []string    { return []string{r.Cut.Name} }
func (r baseRecord) Keys() []string      { return []string{r.Name} }
func (r incrementRecord) Keys() []string { return []string{r.Cut.Name} }
func (r gapRecord) Keys() []string       { return []string{r.Part} }
func (r rebalanceRecord) Keys() []string { return []string{r.Part.Name} }
func (r restoredRecord) Keys() []string  { return []string{r.Cut.Name} }

// String is the record for people: finish c1 +tx1 -tx2.
func (r finishRecord) String() string {
	words := []string{"finish", r.Cut.Name}
	for _, t := range r.Included {
		words = append(words, "+"+t.Name)
	}
	for _, t := range r.Excluded {
		words = append(words, "-"+t.Name)
	}
	return strings.Join(words, " ")
}
