package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// World is the state of one run. It belongs to one goroutine; executing again reuses its memory.
type World struct {
	plan  *Plan
	opt   Options
	names []string
	nodes []node
	now   Time
	seq   uint64

	queue  queue
	slab   []event
	free   []int32
	urgent []int32 // the next events of this instant, before the queue's
	head   int     // of urgent

	trace   Trace
	hidden  bool // the trace is for the script's own use: its claims look at it
	entries int
	hash    uint64
	digest  uint64
	digests []uint64
	bytes   int64

	seed       uint64  // the plan's, spread over all bits
	named      bool    // names of decisions are needed
	armed      bool    // triggers, crash exceptions or crashes by chance are about
	calm       bool    // in the epilogue: nothing by chance
	flow       bool    // timers run with the clock
	counts     counter // ordinals of names
	keys       []string
	exceptions counter
	used       []bool // exceptions, by index
	chosen     []Exception
	boundaries []Boundary // with Options.Boundaries

	cur      *node // whose handler runs
	holds    []hold
	parked   []int32 // events that may not pass, in their original order
	cuts     cuts
	links    []linkRule
	perfect  linkRule // of a link that no rule speaks of; never written to
	fifos    []fifo
	streams  []stream
	streamAt counter
	log      []logged
	crashes  int // by chance so far

	founders []NodeID // the nodes of Plan.Nodes
	members  []NodeID // of the cluster, as the world has it; shared, never written to
	counted  []counted
	limit    Budget
	deadline Time
	lastLoad Time // when the last action of the load is due

	answersTravel bool // answers are events of their own
	calls         []call
	clients       []client
	callers       []ClientID
	nextID        ClientID

	steps  []int // where events began, with Options.Steps
	forked bool
	paced  bool // and was still before
	ahead  Plan // of a run that forked: from there on

	script script
	busy   int           // pending events that keep the world from settling
	active Time          // last fact, return or append
	period time.Duration // the longest of a timer that is set
	unsure bool          // of period: such a timer was taken off

	walk      *walk // nil in a run
	deferring bool  // actions that triggers put off are being done
	events    int
	stopped   Ending
	why       string
	failed    *Panic
	epilogue  int
	result    Run
	spares    map[any]any // memory of checks
}

// errBudget ends a run that exceeds its budget.
var errBudget = errors.New("budget")

// errHalt ends a run at Options.Until.
var errHalt = errors.New("halt")

// Execute plays a plan, and keeps its trace. The error is about the plan, never about the protocol.
func Execute(p *Plan) (*Run, error) { return new(World).Execute(p, Options{}) }

// Execute plays a plan. The Run shares the world's memory: it is valid until the next Execute.
func (w *World) Execute(p *Plan, opt Options) (*Run, error) {
	if err := w.reset(p, opt); err != nil {
		return nil, err
	}
	w.play()
	return w.finish(), nil
}

// play runs the plan to its end. A panic in a machine ends the run; one in the engine goes on up.
func (w *World) play() {
	defer w.recoverMachine()
	for i := range w.nodes {
		if w.nodes[i].up {
			w.start(&w.nodes[i])
		}
	}
	err := w.runScript()
	if err == nil {
		err = w.runEpilogue()
	}
	switch err {
	case nil:
	case errHalt:
		w.stopped = Halted
	default:
		w.stopped = Unsettled
	}
}

// reset makes the world ready for a plan.
func (w *World) reset(p *Plan, opt Options) error {
	if w.walk != nil {
		w.nodes, w.walk, w.log = nil, nil, nil // its states may still be in use
	}
	w.plan, w.opt = p, opt
	w.names = append(append(w.names[:0], p.Nodes...), p.Later...)
	if err := p.validate(w.names); err != nil {
		return err
	}
	w.now, w.seq, w.entries, w.hash, w.digest, w.bytes = 0, 0, 0, k0, k0, 0
	w.reseed()
	w.clearEvents()
	w.trace, w.digests = w.trace[:0], w.digests[:0]
	w.unsure, w.deferring, w.walk = false, false, nil
	w.calm, w.cur, w.crashes, w.busy, w.active, w.period, w.events = false, nil, 0, 0, 0, 0, 0
	w.stopped, w.why, w.failed, w.epilogue = Settled, "", nil, -1
	w.flow, w.lastLoad = p.Timed, 0
	w.chosen, w.boundaries = nil, nil
	w.forked, w.steps = false, w.steps[:0]
	w.resetNodes()
	w.resetNetwork()
	w.resetClients()
	w.counts.reset()
	if err := w.checkFork(opt.Fork); err != nil {
		return err
	}
	if err := w.intern(); err != nil {
		return err
	}
	if err := w.resetScript(); err != nil {
		return err
	}
	w.opt.NoTrace = opt.NoTrace && !w.script.looks
	w.hidden = opt.NoTrace
	w.named = p.Seed != 0 || len(p.Chance) > 0 || opt.Record || opt.Fork != nil
	w.armed = w.script.triggers || w.exceptions.size > 0 || p.Network.Crash > 0 || opt.Boundaries
	return w.resetLinks()
}

func (w *World) clearEvents() {
	w.queue.items = w.queue.items[:0]
	clear(w.slab)
	w.slab, w.free = w.slab[:0], w.free[:0]
	w.urgent, w.head = w.urgent[:0], 0
	w.parked = w.parked[:0]
}

// validate checks what the rest of the world relies on.
func (p *Plan) validate(names []string) error {
	if p.Protocol == nil {
		return errors.New("plan has no protocol")
	}
	if p.Variant.New == nil {
		return fmt.Errorf("variant %q of %s makes no machines", p.Variant.Name, p.Protocol.Name)
	}
	if len(p.Nodes) == 0 {
		return errors.New("no nodes")
	}
	if len(names) >= int(ClientEnd) {
		return fmt.Errorf("%d nodes are too many, at most %d", len(names), ClientEnd-1)
	}
	if len(names) <= 64 { // a script names them; beyond, a program made them
		for i, n := range names {
			if slices.Contains(names[:i], n) {
				return fmt.Errorf("two nodes are called %q", n)
			}
		}
	}
	for _, n := range names {
		if n == "" || n[0] < 'A' || n[0] > 'Z' || strings.ContainsAny(n, " \t\n->|*#=:") {
			return fmt.Errorf("node %q: a node's name is one word and begins with a capital", n)
		}
	}
	return nil
}

// budget are the plan's limits with defaults filled in.
func (p *Plan) budget() Budget {
	b := p.Budget
	if b.Events == 0 {
		b.Events = DefaultBudget.Events
	}
	if b.Time == 0 {
		b.Time = DefaultBudget.Time
	}
	if b.Bytes == 0 {
		b.Bytes = DefaultBudget.Bytes
	}
	if b.Linger == 0 {
		b.Linger = DefaultBudget.Linger
	}
	return b
}

// add appends an entry to the trace, at the present time, and gives its position.
func (w *World) add(e Entry) int32 {
	at := w.entries
	w.entries++
	e.At = w.now
	packed := uint64(e.Node) | uint64(e.Peer)<<16 | uint64(e.Kind)<<32
	w.hash = mix(w.hash^uint64(w.now), packed^uint64(uint32(e.Cause))*k0^uint64(at)<<40)
	if w.opt.Digest {
		w.digest = digestOf(mix(w.digest^uint64(at), uint64(e.N)), e.Body)
		w.digests = append(w.digests, w.digest)
	}
	if w.walk != nil {
		w.noteSum(at, &e)
	}
	if !w.opt.NoTrace {
		w.trace = append(w.trace, e)
	}
	switch e.Kind {
	case EntryNoted, EntryReturned, EntryAppended:
		w.active = w.now
	}
	return int32(at)
}

// finish makes the Run.
func (w *World) finish() *Run {
	if w.stopped == Halted && len(w.trace) > w.opt.Until {
		w.trace = w.trace[:w.opt.Until]
	}
	if w.spares == nil {
		w.spares = map[any]any{}
	}
	run := &w.result
	*run = Run{Plan: w.plan, Nodes: w.names, Trace: w.trace, Disks: run.Disks[:0], Hash: w.hash,
		Entries: w.entries, Events: w.events, End: w.stopped, Why: w.why, Epilogue: w.epilogue,
		Panic: w.failed, Chosen: w.chosen, Boundaries: w.boundaries, Stale: w.stale(),
		Checks: w.script.checks, Drifts: w.script.drifts, Steps: w.steps, Spare: w.spares}
	if w.opt.Digest {
		run.Digest, run.Digests = w.digestNodes(), w.digests
	}
	for i := range w.nodes {
		run.Disks = append(run.Disks, Disk{&w.nodes[i]})
	}
	run.Clients = w.callers[:0]
	for i := range w.calls {
		run.Clients = append(run.Clients, w.calls[i].client)
	}
	w.callers = run.Clients
	if w.hidden {
		run.Trace = nil
	}
	if run.Epilogue < 0 || w.stopped == Halted {
		run.Epilogue = len(run.Trace)
	}
	return run
}

// view is the run so far.
func (w *World) view() *Run {
	run := &Run{Plan: w.plan, Nodes: w.names, Trace: w.trace, Entries: w.entries,
		Epilogue: len(w.trace), Drifts: w.script.drifts}
	for i := range w.nodes {
		run.Disks = append(run.Disks, Disk{&w.nodes[i]})
	}
	return run
}
