package ignite

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

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
	GroupBaseRecord = groupBaseRecord
	PagesRecord     = pagesRecord
	Restored        = restored
	ReplayRules     = replayRules
	Sided           = sided
	Arrived         = arrived
	Single          = single
	Stage           = stage
)

const (
	Before       = before
	After        = after
	Split        = split
	OnlyIncluded = onlyIncluded
	OnlyExcluded = onlyExcluded

	Starting = starting
	Ending   = ending
)

func PreparedRecord(t TxID, shares ...Share) sim.Record {
	return txRecord{txID: t, State: prepared, Shares: shares}
}
func CommittedRecord(t TxID) sim.Record      { return txRecord{txID: t, State: committed} }
func RolledBackRecord(t TxID) sim.Record     { return txRecord{txID: t, State: rolledBack} }
func UnknownRecord(t TxID) sim.Record        { return txRecord{txID: t, State: unknown} }
func DataRecord(t TxID, u Update) sim.Record { return dataRecord{t, u} }

// Dump is all that is in a log.
func (l Log) Dump() string { return fmt.Sprintf("%#v", []sim.Record(l)) }

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

// First is what a node of a run has got at its set-up.
func First(run *sim.Run, id sim.NodeID) []Partition {
	return layoutOf(run.Plan.Setup, len(run.Plan.Nodes)).owned(id)
}

func (l Log) RestoreOn(first []Partition, name string) (Restored, error) {
	return l.restoreOn(first, name, replayRules{})
}

// Restorable are the increments and full snapshots that can be restored from a log.
func (l Log) Restorable() []string { return l.restorable() }

// For tests of exchange, rebalance and full snapshots.
type (
	Topology       = topology
	View           = view
	Holding        = holding
	CaughtUp       = caughtUp
	Mapped         = mapped
	DataRecordType = dataRecord
	Rebalanced     = rebalanced
	Exchanged      = exchanged
	Ended          = ended
)

// Owned are the partitions that a node has in the end, as its disk says.
func Owned(run *sim.Run, id sim.NodeID) []Partition {
	n := &node{id: id, layout: *layoutOf(run.Plan.Setup, len(run.Nodes))}
	n.parts = n.layout.owned(id)
	env := &sim.Env{ID: id, Disk: run.Disks[id]}
	n.readLog(env)
	return n.parts
}

// Changed are wrong ways of topology changes, by name.
func Changed(mode, way string) sim.Variant {
	set := map[string]func(*topologyRules){
		"maps-on":          func(r *topologyRules) { r.MapsOn = true },
		"releases-early":   func(r *topologyRules) { r.ReleasesEarly = true },
		"takes-ahead":      func(r *topologyRules) { r.TakesAhead = true },
		"takes-outdated":   func(r *topologyRules) { r.TakesOutdated = true },
		"owns-at-once":     func(r *topologyRules) { r.OwnsAtOnce = true },
		"supplies-late":    func(r *topologyRules) { r.SuppliesLate = true },
		"keeps-quiet":      func(r *topologyRules) { r.KeepsQuiet = true },
		"flag-volatile":    func(r *topologyRules) { r.FlagVolatile = true },
		"flag-until-join":  func(r *topologyRules) { r.FlagUntilJoin = true },
		"cuts-while-taken": func(r *topologyRules) { r.CutsWhileTaken = true },
		"one-wait":         func(r *topologyRules) { r.OneWait = true },
		"unaligned":        func(r *topologyRules) { r.Unaligned = true },
	}[way]
	for _, v := range modes() {
		if v.name == mode {
			return v.with(func(r *rules) { set(&r.topology) })
		}
	}
	panic(mode)
}

// For planted faults of transactions: what only nodes say. Roles and states go by their names.
func objectOf(t TxID, as string, p sim.NodeID) key {
	return key{t, role(slices.Index(roleNames[:], as)), p}
}

func MovedFact(t TxID, as string, p sim.NodeID, states ...string) sim.Fact {
	from, to := slices.Index(stateNames[:], states[0]), slices.Index(stateNames[:], states[1])
	return moved{objectOf(t, as, p), state(from), state(to), byUser}
}
func MadeFact(t TxID, as string, p sim.NodeID) sim.Fact { return made{objectOf(t, as, p), false} }
func RecoveryPin(t TxID, as string, p sim.NodeID) sim.Fact {
	return pinned{objectOf(t, as, p), byRecovery}
}
func VotedFact(t TxID, yes bool) sim.Fact { return voted{t, yes} }
func RolledBackOutcome(t TxID) sim.Fact   { return outcome{t, rolledBack} }
func RolledBackAnswer(tx string) sim.Body { return ended{tx, rolledBack, nil} }

func LockedAt(b sim.Body, counter int64) sim.Body {
	l := b.(locked)
	l.Counter = counter
	return l
}

// ReadBy is a mapping in which a share has other reads.
func ReadBy(b sim.Body, share int, reads ...Sight) sim.Body {
	m := b.(mapped)
	m.Map.Shares = slices.Clone(m.Map.Shares)
	m.Map.Shares[share].Reads = reads
	return m
}

// Use is a use of one key, and of what a client knows of it.
type Use struct {
	Tx, Key   string
	Saw       []string
	Writes    []Write
	Call, End int32 // entries; End is -1 if the client does not know
	Counter   int64
}

func (w write) Onto(held string) string { return w.onto(held) }

// Explained says whether the order of counters explains uses, and what a search says of them.
func Explained(run *sim.Run, uses []Use) (obvious bool, v *sim.Violation, err error) {
	t, list := readTales(run), make([]use, len(uses))
	for i, u := range uses {
		list[i] = use{u.Tx, u.Key, u.Saw, u.Writes, u.Call, u.End, u.Counter, 0}
	}
	_, v, err = t.register().Check(t.operations(list))
	return t.obvious(list), v, err
}

// For tests of the table of rules: a mode's rules, and what a value of a rule sets.
type Rules = rules

func ModeRules(mode string) Rules {
	for _, m := range modes() {
		if m.name == mode {
			return m.rules
		}
	}
	panic("no mode " + mode)
}

func SetRule(rule, value string) func(*Rules) {
	return func(r *Rules) { ruleTable.Set(r, []sim.RuleValue{{Rule: rule, Value: value}}) }
}

// Kept are replies as a reducer keeps them.
func Kept(came []Arrived) []Arrived {
	var p process
	for _, a := range came {
		p.keep(a)
	}
	return p.Replies
}

// ReplyOf is the reply of a node in a stage of a cut that is found among those that are kept. With
// anyCut replies are matched by sender and stage alone.
func ReplyOf(kept []Arrived, of Single, id sim.NodeID, anyCut bool) (Single, bool) {
	n := &node{process: process{Replies: kept}}
	n.rules.process.AnyReply = anyCut
	return n.replyOf(&run{Start: startCut{Cut: of.Cut}, Stage: of.Stage}, id)
}
