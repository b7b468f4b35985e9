package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// ledger is what is so of the versions of the store, read from outside the nodes: which call made
// which version, and what its writer had seen. Version a descends from b if the writer of a had
// seen b, or one that descends from b.
type ledger struct {
	run      *sim.Run
	versions []made
	at       map[sim.CallID]int // where in versions
	acked    []sim.CallID       // puts whose clients were told, in the order of the answers
	stages   []stage
}

// made is a version.
type made struct {
	id    sim.CallID
	key   string
	value string   // "" if no replica has made it
	entry int      // where its session sent it, or a replica made it
	times int      // how often replicas made it
	again int      // the entry of the second time
	past  []uint64 // the versions that it descends from, as a set of places in versions
}

// stage is what one replica has of one key from an entry on, with what it had to have besides: what
// it had before, and what it made since.
type stage struct {
	entry, before int // entries of holds; before is -1 of the first
	node          sim.NodeID
	key           string
	ids           []sim.CallID
	text          string       // the values, and the vectors if there are any
	had           []sim.CallID // what it had said before
	owed          []sim.CallID // that and what it made since, in the order in which they came
	restart       bool         // the first since a restart
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

// replicaKey is a key on a replica.
type replicaKey struct {
	node sim.NodeID
	key  string
}

func readLedger(run *sim.Run) *ledger {
	l := &ledger{run: run, at: map[sim.CallID]int{}}
	b := reading{l, map[replicaKey]int{}, nil, map[replicaKey][]sim.CallID{},
		make([]int, len(run.Nodes)), make([]bool, len(run.Nodes))}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryStarted:
			b.fresh[e.Node], b.starting[e.Node] = i, true
		case sim.EntryCrashed:
			b.starting[e.Node] = false
		case sim.EntryArrived, sim.EntryDelivered, sim.EntryWorked, sim.EntryFired:
			b.started(e.Node)
		case sim.EntryNoted:
			b.noted(e, i)
		case sim.EntryReturned:
			if w, ok := e.Body.(wrote); ok {
				l.acked = append(l.acked, w.ID)
			}
		}
	}
	for id := range run.Nodes {
		b.started(sim.NodeID(id))
	}
	return l
}

// reading is what has been read of a ledger so far.
type reading struct {
	*ledger
	last     map[replicaKey]int // place in stages
	shelves  []replicaKey       // those in last, in the order in which they were first heard of
	owed     map[replicaKey][]sim.CallID
	fresh    []int  // by node: the entry of its last start
	starting []bool // by node: it has started, and taken nothing up since
}

// noted takes in a fact.
func (b *reading) noted(e *sim.Entry, entry int) {
	switch f := e.Body.(type) {
	case intends:
		b.add(f.Call, f.Key, f.Seen, entry)
	case accepted:
		b.accept(f, entry)
		s := replicaKey{e.Node, f.Key}
		b.owed[s] = append(b.owed[s], f.ID)
	case holds:
		b.stage(stage{entry: entry, before: -1, node: e.Node, key: f.Key, ids: f.IDs,
			text: f.Text})
	}
}

// stage enters what a replica has of a key from now on.
func (b *reading) stage(next stage) {
	s := replicaKey{next.node, next.key}
	next.owed = b.owed[s]
	if k, known := b.last[s]; known {
		was := &b.stages[k]
		next.before, next.had = was.entry, was.ids
		next.owed = append(slices.Clone(was.ids), b.owed[s]...)
		next.restart = was.entry < b.fresh[next.node]
	} else {
		b.shelves = append(b.shelves, s)
	}
	delete(b.owed, s)
	b.last[s] = len(b.stages)
	b.stages = append(b.stages, next)
}

// started is that a node's start is over: of what it has not said then it has nothing any more.
func (b *reading) started(node sim.NodeID) {
	if !b.starting[node] {
		return
	}
	b.starting[node] = false
	for _, s := range b.shelves {
		if s.node == node && b.stages[b.last[s]].entry < b.fresh[node] {
			b.stage(stage{entry: b.fresh[node], before: -1, node: node, key: s.key})
		}
	}
}

// add enters a version with what its writer had seen.
func (l *ledger) add(id sim.CallID, key string, seen []sim.CallID, entry int) *made {
	if k, known := l.at[id]; known {
		return &l.versions[k]
	}
	k := len(l.versions)
	l.at[id] = k
	m := made{id: id, key: key, entry: entry}
	for _, s := range seen {
		if from, known := l.at[s]; known {
			m.learn(from, l.versions[from].past)
		}
	}
	l.versions = append(l.versions, m)
	return &l.versions[k]
}

// accept counts that a replica made a version.
func (l *ledger) accept(a accepted, entry int) {
	m := l.add(a.ID, a.Key, a.Seen, entry)
	m.value = a.Value
	if m.times++; m.times == 2 {
		m.again = entry
	}
}

// learn adds a version and its past to the past.
func (m *made) learn(from int, past []uint64) {
	for len(m.past) <= max(from/64, len(past)-1) {
		m.past = append(m.past, 0)
	}
	m.past[from/64] |= 1 << (from % 64)
	for i, w := range past {
		m.past[i] |= w
	}
}

// before says that version b descends from version a.
func (l *ledger) before(a, b sim.CallID) bool {
	i, known := l.at[a]
	j, too := l.at[b]
	if !known || !too {
		return false
	}
	past := l.versions[j].past
	return i/64 < len(past) && past[i/64]&(1<<(i%64)) != 0
}

// relation is how two versions truly stand to each other.
func (l *ledger) relation(a, b sim.CallID) Relation {
	switch {
	case a == b:
		return Equal
	case l.before(a, b):
		return Before
	case l.before(b, a):
		return After
	}
	return Concurrent
}

// kept says that a version is among ids, or that one of them descends from it.
func (l *ledger) kept(id sim.CallID, ids []sim.CallID) bool {
	return slices.ContainsFunc(ids, func(have sim.CallID) bool {
		return have == id || l.before(id, have)
	})
}

// alike says that two versions of a key have one value: nobody who reads can tell them apart.
func (l *ledger) alike(a, b sim.CallID) bool {
	i, known := l.at[a]
	j, too := l.at[b]
	return known && too && l.versions[i].key == l.versions[j].key &&
		l.versions[i].value == l.versions[j].value
}

// lost says that of a version nothing is among ids: not itself, nor what descends from it, nor
// another with its value.
func (l *ledger) lost(id sim.CallID, ids []sim.CallID) bool {
	return !l.kept(id, ids) && !slices.ContainsFunc(ids, func(have sim.CallID) bool {
		return l.alike(have, id)
	})
}

// entryOf is where a version came to be.
func (l *ledger) entryOf(id sim.CallID) int { return l.versions[l.at[id]].entry }

// last are the stages in which the run ends, one for each key of a replica, in the order of their
// entries.
func (l *ledger) last() []stage {
	final := map[replicaKey]int{}
	for k := range l.stages {
		final[replicaKey{l.stages[k].node, l.stages[k].key}] = k
	}
	var list []stage
	for k := range l.stages {
		if final[replicaKey{l.stages[k].node, l.stages[k].key}] == k {
			list = append(list, l.stages[k])
		}
	}
	return list
}
