package ignite

import "github.com/downset/downset/sim"

// For tests of logs: records and what is made of them.
type (
	TxID            = txID
	CutID           = cutID
	Update          = update
	Partition       = partition
	Entry           = entry
	Share           = share
	Write           = write
	Sight           = sight
	StartRecord     = startRecord
	FinishRecord    = finishRecord
	BaseRecord      = baseRecord
	IncrementRecord = incrementRecord
	GapRecord       = gapRecord
	MetaRecord      = metaRecord
	RebalanceRecord = rebalanceRecord
	RestoredRecord  = restoredRecord
	Restored        = restored
	ReplayRules     = replayRules
	Sided           = sided
)

const (
	Before       = before
	After        = after
	Split        = split
	OnlyIncluded = onlyIncluded
	OnlyExcluded = onlyExcluded
)

func PreparedRecord(t TxID, shares ...Share) sim.Record {
	return txRecord{txID: t, State: prepared, Shares: shares}
}
func CommittedRecord(t TxID) sim.Record      { return txRecord{txID: t, State: committed} }
func RolledBackRecord(t TxID) sim.Record     { return txRecord{txID: t, State: rolledBack} }
func UnknownRecord(t TxID) sim.Record        { return txRecord{txID: t, State: unknown} }
func DataRecord(t TxID, u Update) sim.Record { return dataRecord{t, u} }

// DataOf is what a data record says.
func DataOf(r sim.Record) (TxID, Update, bool) {
	d, ok := r.(dataRecord)
	return d.txID, d.Update, ok
}

func (l Log) RestoreBy(name string, rules ReplayRules) (Restored, error) {
	return l.restore(name, rules)
}

// Letters that records have in the bytes of a log.
func LetterOf(r sim.Record) byte { return byte(letterOf(r)) }
