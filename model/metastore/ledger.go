package metastore

import (
	"slices"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// ledger is what is so, read from outside the nodes: the log that was committed, what a store of
// the same dialect makes of it that forgets nothing and fails at nothing, and what clients were
// told.
type ledger struct {
	run     *sim.Run
	dialect Dialect
	entries []line // by index, from 1: entries[0] is none
	state   State  // with the whole log, and all that was ever compacted
	asks    []question
	streams []*stream
	says    []said // of replicas, in the order of the trace
	acts    []deed // of nodes that attend
	pages   []int  // entries in which pages are returned
	dead    []bool // by node: it is down when the run ends
}

// line is an entry of the log.
type line struct {
	raft.Entry
	At        int // the entry of the trace in which it was applied first, 0: it never was
	Does      bool
	Command   Command
	Answer    Answer // of the replay
	Again     bool   // it has been done before, and is remembered
	Rev       int64  // of the store, with it
	Compacted int64
}

// question is one that a client's library has asked.
type question struct {
	asked
	Node    sim.NodeID
	From    int    // the entry in which it was asked
	At      int    // in which the answer was taken, -1: in none
	Got     Answer // the answer
	Want    Answer // what it must be, if Known
	Known   bool
	Follows bool // it was asked by one that follows
}

// said is what a replica has said of itself.
type said struct {
	replica
	Node sim.NodeID
	At   int
}

// deed is what a node that attends has done.
type deed struct {
	processed
	Node sim.NodeID
	At   int
}

// ledgerKey is under what the checks of one judging share the ledger.
type ledgerKey struct{}

func ledgerOf(run *sim.Run) *ledger {
	if l, ok := run.Memo[ledgerKey{}].(*ledger); ok && l.run == run {
		return l
	}
	l := readLedger(run)
	if run.Memo != nil {
		run.Memo[ledgerKey{}] = l
	}
	return l
}

func readLedger(run *sim.Run) *ledger {
	l := &ledger{run: run, entries: make([]line, 1), dead: make([]bool, len(run.Nodes))}
	open := map[[2]int64]int{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryNoted:
			l.noted(i, open)
		case sim.EntryCrashed, sim.EntryLeft:
			l.dead[e.Node] = true
			l.lost(e.Node)
		case sim.EntryStarted:
			l.dead[e.Node] = false
		case sim.EntryReturned:
			l.returned(i)
		}
	}
	l.replay()
	return l
}

// noted takes in a fact.
func (l *ledger) noted(i int, open map[[2]int64]int) {
	e := &l.run.Trace[i]
	switch f := e.Body.(type) {
	case serves:
		l.dialect = f.Dialect
	case raft.Done:
		l.entry(i, f.Entry)
	case replica:
		l.says = append(l.says, said{f, e.Node, i})
	case asked:
		open[[2]int64{f.Session, f.Seq}] = len(l.asks)
		l.asks = append(l.asks, question{asked: f, Node: e.Node, From: i, At: -1})
	case answered:
		if k, known := open[[2]int64{f.Session, f.Seq}]; known {
			l.asks[k].At, l.asks[k].Got = i, f.Answer
		}
	case processed:
		l.acts = append(l.acts, deed{f, e.Node, i})
	default:
		l.told(i)
	}
}

// entry enters what has been applied somewhere.
func (l *ledger) entry(at int, e raft.Entry) {
	for int64(len(l.entries)) <= e.Index {
		l.entries = append(l.entries, line{})
	}
	if n := &l.entries[e.Index]; n.At == 0 {
		n.Entry, n.At = e, at
		n.Command, n.Does = e.Command.(Command)
	}
}

func (l *ledger) returned(i int) {
	if a, ok := l.run.Trace[i].Body.(Answer); ok && a.OK {
		l.pages = append(l.pages, i)
	}
}

// replay does the log once more, and finds what each question had to be answered. It ends where the
// log is not known, which is so at the end of a run that ended early.
func (l *ledger) replay() {
	l.state = newState(storeRules{Dialect: l.dialect})
	l.entries[0].Rev, l.entries[0].Compacted = l.state.Rev, l.state.Compacted
	byIndex := make([][]int, len(l.entries))
	for k := range l.asks {
		q := &l.asks[k]
		if q.At >= 0 && q.Got.Index >= 0 && q.Got.Index < int64(len(l.entries)) {
			byIndex[q.Got.Index] = append(byIndex[q.Got.Index], k)
		}
	}
	for index := range l.entries {
		if index > 0 && !l.apply(&l.entries[index]) {
			l.entries = l.entries[:index]
			return
		}
		for _, k := range byIndex[index] {
			l.expect(&l.asks[k])
		}
	}
}

// apply does one entry. It says whether it is known.
func (l *ledger) apply(n *line) bool {
	if n.At == 0 {
		return false
	}
	if n.Does {
		_, n.Again = l.state.recall(n.Command)
		n.Answer = l.state.Apply(n.Index, n.Term, n.Command)
	} else {
		l.state.Skip(n.Index)
	}
	n.Rev, n.Compacted = l.state.Rev, l.state.Compacted
	return true
}

// expect is what a question had to be answered from the state as it is now.
func (l *ledger) expect(q *question) {
	q.Known = true
	switch what := q.What.(type) {
	case read:
		q.Want = l.state.Read(what.Query)
	case keepAlive:
		q.Want = Answer{Rev: l.state.Rev, Index: l.state.Applied, OK: true}
		if !l.state.has(what.ID) {
			q.Want.OK, q.Want.Why = false, NoLease
		}
	case snapshot, transfer:
		q.Want = q.Got
	default:
		l.expectDeed(q)
	}
}

// expectDeed: a deed has the answer of its command, or was refused before it was proposed.
func (l *ledger) expectDeed(q *question) {
	if d, is := q.What.(Deed); is {
		if why := d.fits(&l.dialect); why != "" {
			q.Want = Answer{Rev: l.state.Rev, Index: l.state.Applied, Why: why}
			return
		}
	}
	n := &l.entries[q.Got.Index]
	if n.Does && n.Command.Session == q.Session && n.Command.Seq == q.Seq {
		q.Want = n.Answer
		return
	}
	q.Want = Answer{Rev: -1, Why: "no such command"}
}

// revAt is the greatest revision that any server had made when an entry of the trace happened, and
// the greatest that was compacted.
func (l *ledger) revAt(entry int) (rev, compacted int64) {
	rev, compacted = l.dialect.First, -1
	for i := range l.entries {
		if n := &l.entries[i]; i == 0 || n.At <= entry {
			rev, compacted = max(rev, n.Rev), max(compacted, n.Compacted)
		}
	}
	return rev, compacted
}

// made is the entry of the log that made a revision, 0 if none did.
func (l *ledger) made(rev int64) int {
	i, found := slices.BinarySearchFunc(l.entries, rev, func(n line, rev int64) int {
		return int(n.Rev - rev)
	})
	if !found {
		return 0
	}
	return i
}

// witnessed is a violation, the first of its kind; those that follow are counted.
func witnessed(v *sim.Violation, reason string, entries ...int) *sim.Violation {
	if v != nil {
		v.Count++
		return v
	}
	slices.Sort(entries)
	entries = slices.DeleteFunc(slices.Compact(entries), func(e int) bool { return e < 0 })
	return &sim.Violation{Reason: reason, Witness: entries, Count: 1}
}
