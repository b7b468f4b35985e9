package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// tales are what the properties of transactions share beside the reading of a run.
type tales struct {
	*reading
	list   []tale       // by index of the transaction
	order  []writing    // all data records of transactions, in order
	grants []grant      // of locks, in order
	calls  []invocation // of clients about transactions, in order
	epochs []int32      // by node: how often it was restored, up to the entry that is read

	renewals []renewal // restores that put data in place, in order
	taken    []takenAt // by node: what it took over last
	view     view      // the newest topology, zero if nobody has told of one
	recent   int       // index of the transaction that was asked for last
	chains   []chain   // by key, once they have been asked for
	sided    []sidedCut
	steady   []bool   // by node: it was there from the start and never went down
	absent   [][]span // by node: when it was not there for all that knew
}

// tale is what a trace says of a transaction beside its course.
type tale struct {
	*course
	data   []wrote
	logged []sim.NodeID // where a TxRecord(PREPARED) was written, once for each
	votes  []int32      // facts
	owners []owner      // of all keys that it writes
	reads  []sight      // under locks, or validated
	epoch  int          // how many restores came before it
}

// span is a stretch of the trace: from its first entry up to its last.
type span struct{ from, to int32 }

// takenAt is a node taking over a partition: in the handler of an entry, as caughtUp says.
type takenAt struct {
	part  string
	cause int32
}

// wrote is a data record of a transaction as it was appended, whatever became of it.
type wrote struct {
	entry  int32
	tx     int32
	node   sim.NodeID
	epoch  int32
	update *update
	keyed  int32 // the number of its key
	bare   bool  // a TxRecord(PREPARED) of its own does not stand before it
	stray  bool  // no object that may write it is COMMITTING
}

// writing is a data record of a transaction: which of its.
type writing struct{ tx, nth int32 }

// grant is a transaction getting the lock of a key.
type grant struct {
	entry int32
	tx    int32
	locked
}

// invocation is what a client asked for about a transaction, and how that ended.
type invocation struct {
	op     sim.Op
	tx     txID
	node   sim.NodeID
	call   int32
	end    int32
	result sim.Body
	how    sim.EntryKind // 0 if it did not end
}

// talesMemo is under what the checks of one judging share the tales.
type talesMemo struct{}

// readTales reads what the properties of transactions need.
func readTales(run *sim.Run) *tales {
	if t, ok := run.Memo[talesMemo{}].(*tales); ok && t.run == run {
		return t
	}
	r := readRun(run)
	t, s, nodes := &r.spare.tales, r.spare, len(run.Nodes)
	*t = tales{reading: r, list: cleared(t.list, len(r.txs)), epochs: cleared(t.epochs, nodes),
		calls: t.calls[:0], taken: cleared(t.taken, nodes), steady: cleared(t.steady, nodes),
		absent: cleared(t.absent, nodes), order: t.order[:0], grants: t.grants[:0]}
	for i := range r.txs {
		t.list[i] = tale{course: &r.txs[i], owners: s.owners.some(4), logged: s.nodes.some(4)}
		t.readShares(&t.list[i])
		t.list[i].data = s.wrote.some(len(t.list[i].owners))
	}
	for n := range t.steady {
		t.steady[n] = len(r.members[n].falls) == 0 && r.members[n].order == 0
	}
	t.readAbsences()
	t.scan()
	t.readEpochs()
	if run.Memo != nil {
		run.Memo[talesMemo{}] = t
	}
	return t
}

// scan is the pass over what courses do not have.
func (t *tales) scan() {
	t.spare.byCall = cleared(t.spare.byCall, len(t.run.Clients)+1)
	byCall := t.spare.byCall // by call: index of calls, from 1
	for i := range t.trace {
		e := &t.trace[i]
		switch e.Kind {
		case sim.EntryAppended:
			t.record(int32(i), e)
		case sim.EntryNoted:
			t.note(int32(i), e)
		case sim.EntryLogged:
			t.told(int32(i), e)
		case sim.EntryInvoked, sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown:
			t.client(int32(i), e, &byCall[e.N])
		}
	}
}

// readAbsences takes a node to be absent from its fall on until it is up again.
func (t *tales) readAbsences() {
	for n := range t.members {
		m := &t.members[n]
		for _, from := range m.falls {
			to := t.last() + 1
			if at, _ := slices.BinarySearch(m.rises, from); at < len(m.rises) {
				to = m.rises[at]
			}
			t.absent[n] = append(t.absent[n], span{from, to})
		}
	}
}

// told extends the absence of a node: some are told only later that it has left, even if it is back
// by then.
func (t *tales) told(i int32, e *sim.Entry) {
	m, ok := e.Body.(sim.Member)
	if !ok || m.Joined {
		return
	}
	spans := t.absent[slices.Index(t.run.Nodes, m.Name)]
	for k := len(spans) - 1; k >= 0; k-- {
		if spans[k].from < i {
			spans[k].to = max(spans[k].to, i)
		}
	}
}

// of is the tale of a transaction, nil if there is none. Whoever asks often asks for the same one.
func (t *tales) of(id txID) *tale {
	if t.recent < len(t.list) && t.list[t.recent].id == id {
		return &t.list[t.recent]
	}
	at, ok := t.tx.find(&id)
	if !ok {
		return nil
	}
	t.recent = int(at)
	return &t.list[at]
}

// record takes in what is written to a log.
func (t *tales) record(i int32, e *sim.Entry) {
	switch f := e.Body.(type) {
	case txRecord:
		if x := t.of(f.txID); f.State == prepared {
			x.logged = append(x.logged, e.Node)
		}
	case dataRecord:
		x := t.of(f.txID)
		if t.taken[e.Node] == (takenAt{f.Update.Part, e.Cause}) {
			return // a rebalance does over again what others have done
		}
		u := append(t.spare.updates.some(1), f.Update)
		w := wrote{entry: i, tx: x.index, node: e.Node, epoch: t.epochs[e.Node], update: &u[0],
			keyed: int32(t.keyed(f.Update.Key))}
		if t.trace[e.Cause].Kind != sim.EntryStarted { // else a crash cut it off, in its commit
			w.bare = x.bare(e.Node, i)
			w.stray = !x.commits(e.Node, f.Update.Key, i)
		}
		t.order = append(t.order, writing{x.index, int32(len(x.data))})
		x.data = append(x.data, w)
	case restoredRecord:
		t.renewed(i, e)
	}
}

// bare says that a node has fewer TxRecords(PREPARED) than objects that became PREPARED before an
// entry, or none at all.
func (x *tale) bare(node sim.NodeID, i int32) bool {
	records, objects := 0, 0
	for _, n := range x.logged {
		if n == node {
			records++
		}
	}
	for k := range x.stints {
		if l := &x.stints[k]; l.node == node && l.at[prepared] >= 0 && l.at[prepared] < i {
			objects++
		}
	}
	return records == 0 || records < objects
}

// commits says that an object which may write a key is COMMITTING on a node at an entry.
func (x *tale) commits(node sim.NodeID, k string, i int32) bool {
	for at := range x.stints {
		l := &x.stints[at]
		from, to := l.at[committing], l.at[committed]
		if l.node == node && from >= 0 && from < i && (to < 0 || i < to) &&
			(l.at[unknown] < 0 || i < l.at[unknown]) && (l.fell < 0 || i < l.fell) && x.may(l, k) {
			return true
		}
	}
	return false
}

// may says that a key is among what an object has to write.
func (x *tale) may(l *stint, k string) bool {
	for i := range x.mapping.Shares {
		s := &x.mapping.Shares[i]
		if s.Primary != l.key.Primary || !slices.ContainsFunc(s.Writes, writes(k)) {
			continue
		}
		return l.key.Role != backup || slices.Contains(s.Backups, l.node)
	}
	return false
}

// writes says of a write that it is of a key.
func writes(k string) func(write) bool { return func(w write) bool { return w.Key == k } }

// note takes in a fact.
func (t *tales) note(i int32, e *sim.Entry) {
	switch f := e.Body.(type) {
	case voted:
		x := t.of(f.txID)
		x.votes = append(x.votes, i)
	case caughtUp:
		t.taken[e.Node] = takenAt{f.Part, e.Cause}
	case topology:
		if f.View.Ver >= t.view.Ver {
			t.view = f.View
		}
	case locked:
		t.grants = append(t.grants, grant{i, t.of(f.txID).index, f})
	case restoredCut:
		r := t.renewal(f.Call, i)
		r.facts = append(r.facts, i)
	}
}

// client takes in what a client asks for about a transaction, and how that ends. at is the place of
// the call in the list of calls.
func (t *tales) client(i int32, e *sim.Entry, at *int32) {
	if e.Kind != sim.EntryInvoked {
		if *at > 0 {
			c := &t.calls[*at-1]
			c.end, c.result, c.how = i, e.Body, e.Kind
		}
		return
	}
	name, ok := txAsked(e.Body)
	if !ok {
		return
	}
	t.calls = append(t.calls, invocation{op: e.Body, tx: t.idAt(name, e.Node, i), node: e.Node,
		call: i, end: nowhere})
	*at = int32(len(t.calls))
}

// last is the last entry of the trace.
func (r *reading) last() int32 { return int32(len(r.trace)) - 1 }

// fell says that a node went down after an entry and before another.
func (r *reading) fell(node sim.NodeID, after, until int32) bool {
	return r.members[node].fallen(after+1, until-1)
}

// gone says that a node was not there at some time between the mapping of a transaction and an
// entry, or that somebody took up then that it had not been there before; or that near meant a life
// of the node which was over, and had not consumed its end.
func (t *tales) gone(x *tale, node sim.NodeID, until int32) bool {
	return t.reborn(x.course, node, until) || slices.ContainsFunc(t.absent[node], func(s span) bool {
		return s.from < until && s.to > x.mapped
	})
}

// newest is the last stint of an object, nil if it was never made.
func (c *course) newest(node sim.NodeID, k key) *stint {
	for at := len(c.stints) - 1; at >= 0; at-- {
		if l := &c.stints[at]; l.node == node && l.key == k {
			return l
		}
	}
	return nil
}

// duty is the stint of the object that does a primary's part: the primary object, or the near
// object if near and primary are one node.
func (c *course) duty(p sim.NodeID) *stint {
	if p == c.id.Near {
		return c.newest(p, nearKey(c.id))
	}
	return c.newest(p, key{c.id, primary, p})
}

// owner is a node that has to write a key of a transaction.
type owner struct {
	node    sim.NodeID
	key     string
	primary bool // as the primary of the key
}

// readShares finds out who has to write what of a transaction, and what it read.
func (t *tales) readShares(x *tale) {
	for i := range x.mapping.Shares {
		s := &x.mapping.Shares[i]
		if x.reads == nil {
			x.reads = slices.Clip(s.Reads)
		} else {
			x.reads = append(x.reads, s.Reads...)
		}
		for j, w := range s.Writes {
			if !slices.ContainsFunc(s.Writes[:j], writes(w.Key)) {
				x.owners = append(x.owners, owner{s.Primary, w.Key, true})
				t.readBackups(x, s.Backups, w.Key)
			}
		}
	}
}

// readBackups adds those backups of a share that own a key.
func (t *tales) readBackups(x *tale, backups []sim.NodeID, k string) {
	p := t.layout.of(k)
	for _, b := range backups {
		if p == nil || slices.Contains(p.Owners, b) {
			x.owners = append(x.owners, owner{b, k, false})
		}
	}
}

// wrote is where a node wrote a key of a transaction, nowhere if it did not.
func (x *tale) wrote(o owner) int32 {
	for i := range x.data {
		if w := &x.data[i]; w.node == o.node && w.update.Key == o.key {
			return w.entry
		}
	}
	return nowhere
}

// survives says that an owner was there all the time since a transaction was mapped: the end of a
// run must show it there, or not show it there.
func (t *tales) survives(x *tale, o owner) bool { return !t.gone(x, o.node, t.last()+1) }
