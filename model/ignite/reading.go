package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// reading is what all properties share of a run, from one pass over its trace. A place in it is an
// entry of the trace; nowhere is that of what did not happen.
type reading struct {
	run     *sim.Run
	trace   sim.Trace
	layout  *layout
	txs     []course  // transactions, in the order in which they are first heard of
	cuts    []line    // cuts, the same
	logs    []wal     // by node: what its log holds in the end
	members []member  // by node
	bears   []bearing // deliveries of messages that carry a cut
	stamps  []stamp   // sendings of them
	tx      map[txID]int32
	cut     map[cutID]int32

	successes []*line      // cuts that ended well, by when they did
	byRules   *replayRules // of the variant, when first asked for
	told      []int32      // what clients got that wanted a cut
	restores  []int32      // facts that a node has restored a cut
	consumed  int          // positions of the log lane that nodes have taken
	gaps      []int32      // where one does not follow the one before
	lefts     []int32      // where a node takes from the log lane that another has left
}

// nowhere is the place of what did not happen, and the index of no transaction and no cut.
const nowhere int32 = -1

// member is what became of a node.
type member struct {
	falls  []int32 // its crashes, and its leaving
	rises  []int32 // its starts
	order  int64   // its join order, 0 of a founder
	joined int32   // where the log lane says that it has joined, for the last time
	came   []int32 // all these places
	left   []int32 // and where it says that it has left
	up     bool    // in the end
	wiped  int32   // where its disk was lost, for the last time
	cut    int32   // index of the cut that it is in, in the end
	signs  bool    // and signs with
	newest int32   // index of the cut with the greatest version that it has entered
	at     int64   // position of the log lane that it took last, 0 at its start
	acted  int64   // and that it acted on last, as far as facts say
}

// stands is the index of the cut that a node stands in: where cuts are versions, the newest that it
// has entered; else the one that it signs with.
func (r *reading) stands(node sim.NodeID) int32 {
	m := &r.members[node]
	if m.newest >= 0 || !m.signs {
		return m.newest
	}
	return m.cut
}

// course is what a trace says of one transaction.
type course struct {
	id       txID
	index    int32
	began    int32
	mapped   int32
	mapping  mapping // the zero value if it was never mapped
	failed   bool    // an object became UNKNOWN
	demoted  bool    // a primary made two phases of one
	stints   []stint // its objects, in the order in which they were made
	tags     []tag
	outcomes []int32 // what near says became of it
	calls    []int32 // what its client asked for
	answers  []int32 // what its client got
	entries  []int32 // facts, records, sendings and deliveries that are about it
	data     []datum // its data records that are in the logs in the end, node by node
}

// stint is a local object, from when it was made. One that is made again is another stint.
type stint struct {
	key   key
	node  sim.NodeID
	made  int32
	moves []int32 // facts of its transitions
	pins  []int32 // facts that its finalization was taken
	at    [unknown + 1]int32
	state state
	by    finalization // who finishes it
	stood int32        // index of the cut that its node stood in as it became PREPARED
	fell  int32        // where its node fell before it was done
}

// tag is where the tag of a transaction is fixed.
type tag struct {
	entry int32
	stint int32 // index of the object
	tag   cutID
	stood int32 // index of the cut that the node stood in
}

// datum is one data record in a log.
type datum struct {
	node sim.NodeID
	row  int32
}

// wal is the log of a node.
type wal struct {
	rows []row
	all  Log // the same as a log, when first asked for
}

// row is a record in a log, and where it was appended.
type row struct {
	entry  int32
	record sim.Record
}

// bearing is the delivery of a message that carries a cut.
type bearing struct {
	entry  int32
	cut    int32
	order  int64 // join order of the receiver at the time
	topVer int64 // of the cut
	effect int32 // the first thing that came of the message itself
}

// stamp is the sending of a message that carries a cut.
type stamp struct {
	entry int32
	cut   int32
	tag   cutID
	tx    int32
	order int64 // join order of the sender at the time
}

// memo is under what the properties of one judging share the reading.
type memo struct{}

// readRun is the reading of a run.
func readRun(run *sim.Run) *reading {
	if r, ok := run.Memo[memo{}].(*reading); ok && r.run == run {
		return r
	}
	r := &reading{run: run, trace: run.Trace, layout: &layout{},
		logs: make([]wal, len(run.Nodes)), members: make([]member, len(run.Nodes)),
		txs: make([]course, 0, len(run.Clients)), tx: make(map[txID]int32, len(run.Clients)),
		cut: map[cutID]int32{}}
	if run.Plan != nil {
		r.layout = layoutOf(run.Plan.Setup, len(run.Plan.Nodes))
	}
	p := pass{reading: r, open: make([]int32, len(run.Nodes)), last: nowhere}
	for n := range r.members {
		m := &r.members[n]
		m.cut, m.newest, m.joined, m.wiped = nowhere, nowhere, nowhere, nowhere
		p.open[n] = nowhere
		if n < len(run.Disks) {
			r.logs[n].rows = make([]row, 0, run.Disks[n].Last())
		}
	}
	for i := range r.trace {
		p.see(int32(i), &r.trace[i])
	}
	r.readLogs()
	for k := range r.cuts {
		if r.cuts[k].good {
			r.successes = append(r.successes, &r.cuts[k])
		}
	}
	slices.SortStableFunc(r.successes, func(a, b *line) int { return int(a.ended - b.ended) })
	if run.Memo != nil {
		run.Memo[memo{}] = r
	}
	return r
}

// pass is the pass over the trace.
type pass struct {
	*reading
	open []int32 // by node: index of the bearing whose handler runs, and has had no effect
	last int32   // index of the transaction that was asked for last
	room room
}

// room is memory for short lists of places.
type room []int32

// some is an empty list with room for n places.
func (r *room) some(n int) []int32 {
	if len(*r) < n {
		*r = make([]int32, max(n, 1024))
	}
	list := (*r)[:0:n]
	*r = (*r)[n:]
	return list
}

func (p *pass) see(i int32, e *sim.Entry) {
	if int(e.Node) >= len(p.members) {
		p.sequenced(i, e)
		return
	}
	if b := p.open[e.Node]; b >= 0 && e.Kind.Local() {
		p.effect(i, e, b)
	}
	switch e.Kind {
	case sim.EntryStarted:
		m := &p.members[e.Node]
		m.up, m.at, m.acted, m.rises = true, 0, 0, append(m.rises, i)
	case sim.EntryCrashed, sim.EntryLeft:
		p.fall(i, e)
	case sim.EntryAppended:
		l := &p.logs[e.Node]
		l.rows = append(l.rows[:min(len(l.rows), max(0, int(e.N)-1))], row{i, e.Body})
		p.about(i, e.Body)
	case sim.EntrySent:
		p.sent(i, e)
	case sim.EntryDelivered:
		p.delivered(i, e)
	case sim.EntryNoted:
		p.noted(i, e)
	case sim.EntryLogged:
		p.logged(i, e)
	case sim.EntryDisk:
		p.wiped(i, e)
	case sim.EntryInvoked:
		p.invoked(i, e)
	case sim.EntryReturned:
		p.returned(i, e)
	}
}

// fall takes a node down: objects of its transactions are gone, and what it had not synced.
func (p *pass) fall(i int32, e *sim.Entry) {
	m := &p.members[e.Node]
	m.up, m.cut, m.signs, m.falls = false, nowhere, false, append(m.falls, i)
	p.open[e.Node] = nowhere
	if p.layout.client(e.Node) {
		m.newest = nowhere // it has no disk to keep that on
	}
	if l := &p.logs[e.Node]; e.Kind == sim.EntryCrashed {
		l.rows = l.rows[:max(0, len(l.rows)-int(e.N))]
	}
	for t := range p.txs {
		for k := range p.txs[t].stints {
			if l := &p.txs[t].stints[k]; l.node == e.Node && l.fell < 0 && !l.state.done() {
				l.fell = i
			}
		}
	}
}

// sent is a message on its way.
func (p *pass) sent(i int32, e *sim.Entry) {
	body := e.Body
	_, _, body = opened(body)
	s, carries := body.(signed)
	if carries {
		body = s.Message
	}
	c := p.about(i, body)
	if c == nil {
		return
	}
	if carries && s.Cut != (cutID{}) {
		p.stamps = append(p.stamps, stamp{i, p.line(s.Cut).index, s.Tag, c.index,
			p.members[e.Node].order})
	}
	switch m := body.(type) {
	case npr:
		c.demoted = c.demoted || m.Demoted
	case dpq:
		c.demoted = c.demoted || c.mapping.OnePhase && !m.OnePhase
	}
}

func (p *pass) delivered(i int32, e *sim.Entry) {
	p.open[e.Node] = nowhere
	body := e.Body
	_, _, body = opened(body)
	if s, ok := body.(signed); ok && s.Cut != (cutID{}) {
		p.open[e.Node] = int32(len(p.bears))
		p.bears = append(p.bears, bearing{i, p.line(s.Cut).index, p.members[e.Node].order, s.TopVer,
			nowhere})
	}
	p.about(i, unwrap(body))
}

// effect notes the first thing that comes of a message beside what comes of its cut.
func (p *pass) effect(i int32, e *sim.Entry, b int32) {
	if e.Cause != p.bears[b].entry {
		return
	}
	switch e.Kind {
	case sim.EntryNoted, sim.EntryAppended, sim.EntrySent, sim.EntryQueued:
		if _, ok := subject(e.Body); ok {
			p.bears[b].effect, p.open[e.Node] = i, nowhere
		}
	}
}

// subject is the transaction that something is about that comes of a message. Which side a
// transaction is on comes of a cut.
func subject(b sim.Body) (txID, bool) {
	switch b := b.(type) {
	case moved:
		return b.Object.txID, true
	case made:
		return b.Object.txID, true
	case pinned:
		return b.Object.txID, true
	case tagged:
		return b.Object.txID, true
	case recovering:
		return b.Object.txID, true
	case step:
		return b.Object.txID, true
	case logPrepared:
		return b.Object.txID, true
	}
	return txOf(b)
}

// about notes an entry of a transaction, and gives its course; nil if it is of none.
func (p *pass) about(i int32, b sim.Body) *course {
	t, ok := subject(b)
	if !ok {
		return nil
	}
	c := p.course(t)
	c.entries = append(c.entries, i)
	return c
}

// course is that of a transaction, a new one if need be.
func (p *pass) course(t txID) *course {
	if p.last >= 0 && p.txs[p.last].id == t {
		return &p.txs[p.last]
	}
	at, ok := p.tx[t]
	if !ok {
		at = int32(len(p.txs))
		p.tx[t] = at
		p.txs = append(p.txs, course{id: t, index: at, began: nowhere, mapped: nowhere,
			entries: p.room.some(64), stints: make([]stint, 0, 4)})
	}
	p.last = at
	return &p.txs[at]
}

// invoked is what a client asks for.
func (p *pass) invoked(i int32, e *sim.Entry) {
	switch e.Body.(type) {
	case beginOp, commitOp, rollbackOp:
		name, _ := txAsked(e.Body)
		c := p.course(txID{name, e.Node})
		c.calls = append(c.calls, i)
	}
}

// returned is what a client got.
func (p *pass) returned(i int32, e *sim.Entry) {
	switch b := e.Body.(type) {
	case ended:
		c := p.course(txID{b.Tx, e.Node})
		c.answers = append(c.answers, i)
	case cutEnded:
		p.told = append(p.told, i)
	}
}
