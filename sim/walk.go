package sim

import (
	"errors"
	"fmt"
)

// A walk goes through the states of a small world one move at a time, in any order, back and forth:
// what an exploration is made of. Time stands still, as in a story with `network manual`: whatever
// is sent stays parked until a move delivers it, timers fire when a move says so, requests come
// when a move says so. A path of moves is therefore a story: see Story.
//
//	root := w.Walk(plan, options)      a state: nodes, what is in flight, what is left to happen
//	      w.Moves()                    what may happen next
//	      w.Move(m); next := w.Save()  makes it happen
//	      w.Load(root)                 goes back; another move
//	      w.End(next)                  heals, settles: a Run to judge
//
// States share whatever did not change between them: a node is copied when it is about to change,
// by a copier that is made from its type (codec.go). Two states with one fingerprint go on alike,
// as far as the scopes of the properties tell: see WalkOptions.Deep.

// WalkOptions bound a walk. Each number is how often a path may do that.
type WalkOptions struct {
	Timers     int  // a timer fires
	Crashes    int  // a node crashes, between two handler calls or between two effects of one
	Losses     int  // a datagram in flight is lost
	Duplicates int  // a datagram in flight is copied
	Partitions int  // a node is cut off from all others; healing is free
	Breaks     int  // a stream breaks
	Keep       bool // a crash may also leave what was not synced

	// Deep keeps states apart whose runs so far differ in more than the order of what is independent:
	// another order of events at one node, another cause, another order of invocations and answers.
	// Properties that read the trace need it. Else only what the nodes are, what is in flight, and
	// the facts and answers of each single node in their order there tell states apart, which
	// properties of ScopeState and ScopeEnd read, and History.
	Deep bool
	// History keeps states apart by the order of all invocations and answers, with what they say:
	// properties of ScopeHistory read it. Deep includes it.
	History bool
	// Order keeps states apart by the order of all facts as well, whatever nodes say them:
	// properties of ScopeOrder read it.
	Order bool
	// Facts are the kinds of facts and records whose order at their node tells states apart, where
	// Deep and Order do not: see Property.Reads. nil is all facts and no records.
	Facts []string
	// Trace keeps the entries that led to each state. Properties are judged on them.
	Trace bool
	// Exact lets a run end with timers due when the path made them due, as its story ends. Else End
	// takes each timer to have been set just now (a timer may be late): then how a state ends does
	// not depend on the path to it.
	Exact bool
}

// left is what of the bounds a state has left.
type left struct {
	timers, crashes, losses, copies, parts, breaks int8
}

// walk is what a world that walks has besides.
type walk struct {
	opt    WalkOptions
	coder  *coder
	loaded *State
	left   left
	done   []bool // lines of the script, by index
	past   digests
	moved  Move // the last
	broken bool // a panic ended it

	base   int      // entries before the move
	sums   []uint64 // digests of the entries since
	pasts  []past   // what each of them adds
	handed uint64   // digest of what led to the event at hand
	tails  []Tail   // effects before which a node could have crashed

	sum       uint64 // of the world, if summed
	summed    bool
	parts     sums     // of sum
	nodeSums  []uint64 // of sum
	chains    []uint64 // in use by flightSum
	some      []Move   // in use by atRest
	known     map[pairKey]*learned
	ahead     digests // in use by foresee
	aheadSums []uint64

	reads bool           // a machine has read its clock
	draws bool           // a machine has drawn
	count map[uint64]int // of events alike, when a story is told
	nth   map[int32]int  // by place: the number among those alike
}

// Walk makes the world ready to walk a plan in still time, and gives the state in which all nodes
// have started. Of the script only requests and what befalls nodes and links counts.
func (w *World) Walk(p *Plan, opt WalkOptions) (*State, error) {
	if p.Timed || len(p.Load) > 0 || p.Seed != 0 || len(p.Chance) > 0 {
		return nil, errors.New("a walk wants a story in still time, with nothing by chance")
	}
	if len(p.Script) > 64 {
		return nil, fmt.Errorf("a walk takes at most 64 lines of script, got %d", len(p.Script))
	}
	if err := w.reset(p, Options{}); err != nil {
		return nil, err
	}
	w.limit = p.budget()
	w.deadline = Time(w.limit.Time)
	k := &walk{opt: opt, coder: newCoder(), done: make([]bool, len(p.Script)),
		past: digests{trails: make([]uint64, len(w.nodes)+1)}}
	k.left = left{small(opt.Timers), small(opt.Crashes), small(opt.Losses), small(opt.Duplicates),
		small(opt.Partitions), small(opt.Breaks)}
	for i := range p.Script {
		k.done[i] = w.script.steps[i].skip || !p.Script[i].walks()
	}
	w.walk = k
	w.armed = w.armed || opt.Crashes > 0
	w.holds = append(w.holds[:0], hold{pattern: manual()})
	return w.begin()
}

// begin starts all nodes.
func (w *World) begin() (root *State, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Uncopyable:
			root, err = nil, r
		default:
			panic(r)
		}
	}()
	if err := w.moving(func() error {
		for i := range w.nodes {
			if w.nodes[i].up {
				w.start(&w.nodes[i])
			}
		}
		return w.quiet()
	}); err != nil {
		return nil, err
	}
	if w.walk.broken {
		return nil, &FellAtStart{w.finish()}
	}
	w.holdAll() // as a story does whose first lines are holds
	return w.Save(nil), nil
}

// FellAtStart is the error of a walk whose machines panic when they start.
type FellAtStart struct{ Run *Run }

func (f *FellAtStart) Error() string { return f.Run.Why }

func small(n int) int8 { return int8(min(max(n, 0), 100)) }

// walks says that a line of the script is one that a walk makes happen.
func (a *Action) walks() bool {
	switch a.Verb {
	case Request, Crash, Restart, Join, Leave, Partition, Heal, SpoilDisk:
		return a.When == nil
	}
	return false
}

// manual is what a manual network holds.
func manual() pattern { return pattern{from: ends{any: true}, to: ends{any: true}} }

// holdAll parks everything that travels: between nodes, own work, on the log lane, to a slow disk.
func (w *World) holdAll() {
	w.holds = append(w.holds[:0], hold{pattern: manual()})
	park := func(from, to NodeID) {
		w.holds = append(w.holds, hold{pattern: pattern{from: ends{ids: []NodeID{from}},
			to: ends{ids: []NodeID{to}}}})
	}
	for i := range w.nodes {
		id := NodeID(i)
		park(id, id)
		if w.plan.Protocol.Log {
			park(LogEnd, id)
			park(id, LogEnd)
		}
		if w.plan.Network.DiskSlow {
			park(id, DiskEnd)
			park(DiskEnd, id)
		}
	}
}

// Sum is the fingerprint of the world's state.
func (w *World) Sum() uint64 {
	k := w.walk
	if k.summed {
		return k.sum
	}
	if w.head < len(w.urgent) || w.queue.len() > 0 && w.pendingQueued() {
		panic("sim: a state is looked at in the middle of a move")
	}
	k.nodeSums = k.nodeSums[:0]
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.still == nil {
			k.nodeSums = append(k.nodeSums, w.nodeSum(n))
			continue
		}
		k.nodeSums = append(k.nodeSums, n.still.sum)
	}
	k.sum, k.summed = w.fingerprint(), true
	return k.sum
}

// pendingQueued says that the queue holds more than what was taken back.
func (w *World) pendingQueued() bool {
	for _, it := range w.queue.items {
		if w.slab[it.slot].what != evNone {
			return true
		}
	}
	for _, it := range w.queue.items {
		w.discard(it.slot)
	}
	w.queue.items = w.queue.items[:0]
	return false
}

// moving plays a part of a walk. A panic in a machine is an end that is judged.
func (w *World) moving(part func() error) (err error) {
	k := w.walk
	k.base, k.sums, k.pasts, k.handed = w.entries, k.sums[:0], k.pasts[:0], 0
	k.tails = k.tails[:0]
	k.summed = false
	w.trace = w.trace[:0]
	func() {
		defer w.recoverMachine()
		w.stopped, w.why, w.failed, w.epilogue = Unsettled, "", nil, -1
		err = part()
		w.stopped = Settled
	}()
	k.broken = w.stopped == Panicked
	return err
}

// End heals the world in a state and lets it settle, as every run ends, and gives the run. It is
// valid until the world moves on. The world has then no state: Load comes next.
func (w *World) End(s *State) *Run {
	w.Load(s)
	for i := range w.nodes {
		w.nodes[i].own() // all of it may change, from here on
	}
	w.trace = s.path(w.trace[:0])
	w.stopped, w.why, w.failed, w.epilogue = Settled, "", nil, -1
	w.limit = w.plan.budget()
	w.deadline = Time(w.limit.Time)
	if walk := w.walk; !walk.opt.Exact {
		w.rewind()
	}
	walk := w.walk
	func() {
		defer w.recoverMachine()
		if w.runEpilogue() != nil {
			w.stopped = Unsettled
		}
	}()
	w.calm, w.flow = false, false
	w.armed = walk.opt.Crashes > 0
	w.holdAll()
	for i := range w.nodes {
		w.nodes[i].still = nil
	}
	return w.finish()
}
