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
	tx      txIndex
	cut     map[cutID]int32

	spare *spare // memory

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
	asked    int32   // where a primary let its backup commit at once
	refused  int32   // where such a primary was answered that the backup cannot prepare
	decided  int32   // where a finish request reached a primary
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
	rows   []row
	all    Log // the same as a log, when first asked for
	memory Log // for it
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
	s := spareOf(run)
	r := s.reading.begin(run, s)
	s.open = cleared(s.open, len(run.Nodes))
	p := pass{reading: r, open: s.open, last: nowhere}
	for n := range p.open {
		p.open[n] = nowhere
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

// begin makes a reading ready for a run, in the memory of an old one.
func (r *reading) begin(run *sim.Run, s *spare) *reading {
	*r = reading{run: run, trace: run.Trace, layout: &layout{}, spare: s,
		txs: r.txs[:0], cuts: r.cuts[:0], bears: r.bears[:0], stamps: r.stamps[:0], tx: r.tx,
		logs: r.logs, members: r.members, cut: r.cut}
	if r.cut == nil {
		r.cut = map[cutID]int32{}
	}
	clear(r.cut)
	r.tx.reset(len(run.Clients))
	if run.Plan != nil {
		r.layout = layoutOf(run.Plan.Setup, len(run.Plan.Nodes))
	}
	for len(r.logs) < len(run.Nodes) {
		r.logs = append(r.logs, wal{})
	}
	r.logs, r.members = r.logs[:len(run.Nodes)], cleared(r.members, len(run.Nodes))
	for n := range r.members {
		m := &r.members[n]
		m.cut, m.newest, m.joined, m.wiped = nowhere, nowhere, nowhere, nowhere
		m.falls, m.rises = s.places.some(2), s.places.some(2)
		r.logs[n] = wal{rows: r.logs[n].rows[:0], memory: r.logs[n].memory}
	}
	return r
}

// pass is the pass over the trace.
type pass struct {
	*reading
	open []int32 // by node: index of the bearing whose handler runs, and has had no effect
	last int32   // index of the transaction that was asked for last
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
	body, s := laidOpen(e.Body)
	c := p.about(i, body)
	if c == nil {
		return
	}
	if s.Cut != (cutID{}) {
		p.stamps = append(p.stamps, stamp{i, p.line(s.Cut).index, s.Tag, c.index,
			p.members[e.Node].order})
	}
	switch m := body.(type) {
	case npr:
		c.demoted = c.demoted || m.Demoted
	case dpq:
		c.demoted = c.demoted || c.mapping.OnePhase && !m.OnePhase
		if m.OnePhase {
			first(&c.asked, i)
		}
	}
}

func (p *pass) delivered(i int32, e *sim.Entry) {
	p.open[e.Node] = nowhere
	body, s := laidOpen(e.Body)
	if s.Cut != (cutID{}) {
		p.open[e.Node] = int32(len(p.bears))
		p.bears = append(p.bears, bearing{i, p.line(s.Cut).index, p.members[e.Node].order, s.TopVer,
			nowhere})
	}
	c := p.about(i, body)
	switch m := body.(type) {
	case nfq:
		first(&c.decided, i)
	case dpr:
		if m.Err != "" && c.asked >= 0 {
			first(&c.refused, i)
		}
	}
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

// about notes an entry of a transaction, and gives its course; nil if it is of none.
func (p *pass) about(i int32, b sim.Body) *course {
	t, ok := subject(b)
	if !ok {
		return nil
	}
	return p.entry(i, &t)
}

// entry notes an entry of a transaction, and gives its course.
func (p *pass) entry(i int32, t *txID) *course {
	c := p.course(t)
	c.entries = append(c.entries, i)
	return c
}

// course is that of a transaction, a new one if need be.
func (p *pass) course(t *txID) *course {
	if p.last >= 0 && p.tx.ids[p.last] == *t {
		return &p.txs[p.last]
	}
	at, ok := p.tx.find(t)
	if !ok {
		p.tx.add(*t)
		s := p.spare
		p.txs = append(p.txs, course{id: *t, index: at, began: nowhere, mapped: nowhere,
			asked: nowhere, refused: nowhere, decided: nowhere,
			entries: s.places.some(96), stints: s.stints.some(8), tags: s.tags.some(2),
			outcomes: s.places.some(1), calls: s.places.some(2), answers: s.places.some(2),
			data: s.data.some(4)})
	}
	p.last = at
	return &p.txs[at]
}

// invoked is what a client asks for.
func (p *pass) invoked(i int32, e *sim.Entry) {
	switch e.Body.(type) {
	case beginOp, commitOp, rollbackOp:
		name, _ := txAsked(e.Body)
		id := p.idAt(name, e.Node, i)
		c := p.course(&id)
		c.calls = append(c.calls, i)
	}
}

// returned is what a client got.
func (p *pass) returned(i int32, e *sim.Entry) {
	switch b := e.Body.(type) {
	case ended:
		id := p.idAt(b.Tx, e.Node, i)
		c := p.course(&id)
		c.answers = append(c.answers, i)
	case cutEnded:
		p.told = append(p.told, i)
	}
}
