package raft

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// book is what one reading of a run comes to: what each node's disk and log were, who led when,
// what was committed, and what of the properties that breaks. What depends on nothing but the node
// itself is judged on the spot, what compares nodes mostly at the end, so that it does not depend
// on which of them came first.
type book struct {
	run      *sim.Run
	trace    sim.Trace
	findings [codes]finding
	nodes    []nodeBook
	reigns   []reign
	places   []int32 // by index: the first in matches, -1 if none
	matching []matching
	matches  []matched
	commits  []commit  // by index less one
	early    []early   // what was taken for committed before it was
	configs  []setting // the committed ones
	cells    []celled  // snapshots that were made
	images   []pictured
	calls    []callBook
	told     int64 // the greatest index that a client was told
	toldAt   int32
	first    Members // the first configuration
	firstAt  int32
	eager    bool // configurations count as soon as they are written
	ignored  []ignoring
	clocks   int32 // where a clock was changed first, 0 if none was
	reached  [goals]int
}

// finding is what a property comes to.
type finding struct {
	premises  int
	violation *sim.Violation
}

// nodeBook is what is known of one node, up to the entry that is read.
type nodeBook struct {
	id    sim.NodeID
	up    bool
	disk  diskBook
	life  int32 // where it started
	wiped int32 // where its disk was lost, 0 if it was not

	// of this life
	leads     int64 // the term that it leads, 0 if none
	reign     int   // of b.reigns, while it leads
	commit    int64
	commitAt  int32
	applied   int64
	appliedAt int32
	governs   Members
	governsAt int32
	governsOf int64   // its index
	known     bool    // that it goes by a configuration
	changes   []int32 // configurations that it has written at its present step

	// of all lives
	termFloor   int64 // what it has said or synced
	termFloorAt int32
	lifeTerm    int64 // of records of this life
	lifeTermAt  int32
	grants      []grant
	reads       []readBook
	pledges     []pledge
	heard       []contact // by peer
	late        sim.Time  // when it was handed a message that was long under way, or resumed
}

// memo is under what the checks of one judging share the book.
type bookKey struct{}

// spareBook is under what memory is left for the next.
type spareBook struct{}

// bookOf reads a run, once a judging.
func bookOf(run *sim.Run) *book {
	if b, ok := run.Memo[bookKey{}].(*book); ok && b.run == run {
		return b
	}
	b := freshBook(run)
	for i := range b.trace {
		b.see(int32(i), &b.trace[i])
	}
	b.end()
	if run.Memo != nil {
		run.Memo[bookKey{}] = b
	}
	return b
}

// freshBook is an empty book for a run. It takes the memory of the run before, which nobody needs
// any more, if it is that of a judging.
func freshBook(run *sim.Run) *book {
	b := &book{}
	if run.Memo != nil && run.Spare != nil {
		if old, ok := run.Spare[spareBook{}].(*book); ok {
			b = old
		}
		run.Spare[spareBook{}] = b
	}
	old := *b
	*b = book{run: run, trace: run.Trace, nodes: old.nodes, reigns: old.reigns[:0],
		places: old.places[:0], matching: old.matching[:0], matches: old.matches[:0],
		commits: old.commits[:0], early: old.early[:0], configs: old.configs[:0],
		cells: old.cells[:0], images: old.images[:0], calls: old.calls[:0],
		ignored: old.ignored[:0]}
	for len(b.nodes) < len(run.Nodes) {
		b.nodes = append(b.nodes, nodeBook{})
	}
	b.nodes = b.nodes[:len(run.Nodes)]
	for i := range b.nodes {
		b.nodes[i].reset(sim.NodeID(i), len(run.Nodes))
	}
	return b
}

func (n *nodeBook) reset(id sim.NodeID, nodes int) {
	old := *n
	*n = nodeBook{id: id, disk: old.disk, changes: old.changes[:0], reads: old.reads[:0],
		grants: old.grants[:0], pledges: old.pledges[:0]}
	n.disk.reset()
	if cap(old.heard) < nodes {
		old.heard = make([]contact, nodes)
	}
	n.heard = old.heard[:nodes]
	clear(n.heard)
}

// see takes in an entry.
func (b *book) see(at int32, e *sim.Entry) {
	if int(e.Node) >= len(b.nodes) {
		return
	}
	n := &b.nodes[e.Node]
	if n.disk.dirty && e.Kind != sim.EntryAppended && e.Kind != sim.EntryReplaced {
		b.wrote(n, at)
	}
	switch e.Kind {
	case sim.EntryNoted:
		b.fact(n, at, e)
	case sim.EntryAppended:
		b.append(n, at, e)
	case sim.EntrySynced:
		b.synced(n, at, e)
	case sim.EntryDelivered:
		b.input(n, at)
		b.delivered(n, at, e)
	case sim.EntryFired, sim.EntryWorked:
		b.input(n, at)
	case sim.EntryReplaced:
		b.replace(n, at, e)
	default:
		b.rare(n, at, e)
	}
}

// rare takes in what is not of every step.
func (b *book) rare(n *nodeBook, at int32, e *sim.Entry) {
	switch e.Kind {
	case sim.EntryStarted:
		if e.N > 1 {
			b.premise(cNoReturn) // it comes back
		}
		b.start(n, at)
	case sim.EntryCrashed, sim.EntryLeft:
		b.crash(n, at, e)
	case sim.EntryDisk:
		if e.N == int64(sim.DiskLost) {
			b.premise(cNoReturn)
			n.wiped = at
			n.disk.reset()
		}
	case sim.EntryResumed:
		n.late = e.At
	case sim.EntryClock:
		if b.clocks == 0 {
			b.clocks = at
		}
	case sim.EntryInvoked:
		b.invoked(at, e)
	case sim.EntryArrived:
		b.input(n, at)
		b.arrived(n, at, e)
	case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
		b.ended(n, at, e)
	case sim.EntrySent:
		if e.Peer == sim.ClientEnd {
			b.replied(e)
		}
	}
}

// start begins a life: what a node knows is what its disk holds.
func (b *book) start(n *nodeBook, at int32) {
	n.up, n.life = true, at
	n.leads, n.commit, n.commitAt, n.known = 0, 0, 0, false
	n.applied, n.appliedAt = n.disk.cache.base, n.disk.cache.cell
	n.governs, n.governsAt, n.governsOf = Members{}, 0, 0
	n.changes = n.changes[:0]
	n.lifeTerm, n.lifeTermAt = 0, 0
	clear(n.heard)
	b.restarted(n)
}

func (b *book) crash(n *nodeBook, at int32, e *sim.Entry) {
	b.fell(n)
	b.input(n, at)
	n.up, n.leads = false, 0
	if e.Kind == sim.EntryCrashed {
		n.disk.crash(b.trace, e.N)
	}
}

// fact takes in what a node says.
func (b *book) fact(n *nodeBook, at int32, e *sim.Entry) {
	switch f := e.Body.(type) {
	case Committed:
		b.committed(n, at, f)
	case Done:
		b.done(n, at, f)
	case Pledged:
		b.pledged(n, at, f)
	case Matched:
		b.matches = append(b.matches, matched{f, n.id, at})
	case Granted:
		b.granted(n, at, f)
	case Elected:
		b.elected(n, at, f)
	case Deposed:
		b.deposed(n, at, f)
	case Governs:
		b.governed(n, at, f)
	case Installed:
		b.installed(n, at, f)
	case Asked:
		b.asked(n, at, f)
	case Served:
		b.served(n, at, f)
	case Replaces:
		b.reach(gReplaced)
	case Image:
		b.images = append(b.images, pictured{f, at, n.id})
	}
}

// premise counts that the precondition of a property was met.
func (b *book) premise(c code) { b.findings[c].premises++ }

// fails is a violation of a property, with the entries that show it; those of -1 and 0 are none.
func (b *book) fails(c code, witness []int32, format string, args ...any) {
	f := &b.findings[c]
	if f.violation != nil {
		f.violation.Count++
		return
	}
	var entries []int
	for _, at := range witness {
		if at > 0 {
			entries = append(entries, int(at))
		}
	}
	slices.Sort(entries)
	f.violation = &sim.Violation{Reason: fmt.Sprintf(format, args...),
		Witness: slices.Compact(entries), Count: 1}
}

// clash is fails of what two entries alone show.
func (b *book) clash(c code, one, other int32, reason string) {
	b.fails(c, []int32{one, other}, "%s", reason)
	if f := &b.findings[c]; f.violation.Count == 1 && one > 0 && other > 0 {
		f.violation.Clash = slices.Clone(f.violation.Witness)
	}
}

func (b *book) name(id sim.NodeID) string { return b.run.Name(id) }
