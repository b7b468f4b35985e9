package clocks

import (
	"slices"
	"sort"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// happening is a stamped event, and what happened before it.
type happening struct {
	stamped
	Entry int
	Node  sim.NodeID
	Nth   int   // among those of its node, from 1
	Past  []int // by node: how many of its events happened before this one, itself included
	// the greatest reading of a clock among those that happened before and this one: what the
	// physical part of a hybrid stamp has to be
	Top sim.Time
	// of a start: of events that crashes left on the disk, before their node said anything of them
	Unsaid []Stamp
}

// happenings are the stamped events of a run, in the order of the trace and by node.
type happenings struct {
	run *sim.Run
	all []*happening
	of  [][]*happening
}

// happenMemo is the key of a run's happenings.
type happenMemo struct{}

// happened reads the stamped events of a run. Their order is that of the trace, but for messages
// that were delivered and not taken up: refused, or cut off by a crash.
func happened(run *sim.Run) *happenings {
	if h, ok := run.Memo[happenMemo{}].(*happenings); ok {
		return h
	}
	h := &happenings{run: run, of: make([][]*happening, len(run.Nodes))}
	kept := keptTicks(run)
	written := make([][]Stamp, len(run.Nodes)) // by node: what is on its disk and not said
	for i := range run.Trace {
		e := &run.Trace[i]
		switch s := e.Body.(type) {
		case ticked:
			if kept[i] {
				written[e.Node] = append(written[e.Node], s.Stamp)
			}
		case stamped:
			one := &happening{stamped: s, Entry: i, Node: e.Node, Nth: len(h.of[e.Node]) + 1}
			if before := len(written[e.Node]) - 1; before > 0 {
				one.Unsaid = slices.Clip(written[e.Node][:before])
			}
			written[e.Node] = nil
			h.all, h.of[e.Node] = append(h.all, one), append(h.of[e.Node], one)
		}
	}
	h.order()
	if run.Memo != nil {
		run.Memo[happenMemo{}] = h
	}
	return h
}

// order finds out what happened before what.
func (h *happenings) order() {
	order := checker.NewOrder(takenUp(h.run))
	steps := make([][]int32, len(h.of)) // by node: of its events, their places among all its steps
	clocks := make([][]int32, len(h.all))
	for i, e := range h.all {
		clocks[i] = order.Clock(e.Entry)
		steps[e.Node] = append(steps[e.Node], clocks[i][e.Node])
	}
	for i, e := range h.all {
		e.Past = make([]int, len(h.of))
		e.Top = e.Stamp.Physical
		for _, s := range e.Unsaid {
			e.Top = max(e.Top, s.Physical)
		}
		for node, known := range clocks[i] {
			e.Past[node] = sort.Search(len(steps[node]), func(k int) bool {
				return steps[node][k] > known
			})
			if last := h.last(e, sim.NodeID(node)); last != nil {
				e.Top = max(e.Top, last.Top)
			}
		}
	}
}

// last is the last event of a node that happened before another, nil if none did.
func (h *happenings) last(e *happening, node sim.NodeID) *happening {
	past := e.Past[node]
	if node == e.Node {
		past--
	}
	if past == 0 {
		return nil
	}
	return h.of[node][past-1]
}

// lasts are the last events of each node that happened before another.
func (h *happenings) lasts(e *happening) []*happening {
	var list []*happening
	for node := range h.of {
		if last := h.last(e, sim.NodeID(node)); last != nil {
			list = append(list, last)
		}
	}
	return list
}

// concurrent are the first events of each other node that are concurrent to one.
func (h *happenings) concurrent(e *happening) []*happening {
	var list []*happening
	for node, events := range h.of {
		if past := e.Past[node]; sim.NodeID(node) != e.Node && past < len(events) &&
			!e.before(events[past]) {
			list = append(list, events[past])
		}
	}
	return list
}

// before says that one event happened before another.
func (e *happening) before(f *happening) bool {
	return e.Entry < f.Entry && e.Nth <= f.Past[e.Node]
}

// takenUp is a run as its nodes' clocks know it: what was delivered and not taken up has not come.
func takenUp(run *sim.Run) *sim.Run {
	lost := ignored(run)
	if len(lost) == 0 {
		return run
	}
	trace := slices.Clone(run.Trace)
	for _, i := range lost {
		trace[i].Kind = sim.EntryLost
	}
	return &sim.Run{Plan: run.Plan, Nodes: run.Nodes, Trace: trace}
}

// ignored are the deliveries of which a node's clocks took up nothing: there is no stamp of the
// receipt, nor a record of it that a crash left, before anybody heard of it, for the next life.
func ignored(run *sim.Run) []int {
	var list []int
	kept := keptTicks(run)
	open := make([]int, len(run.Nodes)) // by node: a delivery without a stamp so far, -1 if none
	for i := range open {
		open[i] = -1
	}
	leave := func(node sim.NodeID) {
		if open[node] >= 0 {
			list = append(list, open[node])
		}
		open[node] = -1
	}
	for i := range run.Trace {
		e := &run.Trace[i]
		if int(e.Node) >= len(open) {
			continue
		}
		switch e.Kind {
		case sim.EntryDelivered:
			leave(e.Node)
			open[e.Node] = i
		case sim.EntryWorked, sim.EntryFired, sim.EntryArrived, sim.EntryStarted:
			leave(e.Node)
		case sim.EntryNoted:
			if s, ok := e.Body.(stamped); ok && s.What == receives {
				open[e.Node] = -1
			}
		case sim.EntryAppended:
			if t, ok := e.Body.(ticked); ok && t.What == receives && kept[i] {
				open[e.Node] = -1
			}
		}
	}
	for node := range open {
		leave(sim.NodeID(node))
	}
	slices.Sort(list)
	return list
}

// keptTicks are the entries of the records of events that are on the disks of their nodes: written,
// and not lost in a crash, after which another has the place.
func keptTicks(run *sim.Run) map[int]bool {
	kept := map[int]bool{}
	after := make([]int64, len(run.Nodes)) // by node: the least place that is written later on
	for id := range after {
		after[id] = int64(run.Disks[id].Last()) + 1
	}
	for i := len(run.Trace) - 1; i >= 0; i-- {
		e := &run.Trace[i]
		if e.Kind != sim.EntryAppended || e.N >= after[e.Node] {
			continue
		}
		after[e.Node] = e.N
		_, whole := run.Disks[e.Node].At(sim.LSN(e.N)).(ticked)
		_, ok := e.Body.(ticked)
		kept[i] = ok && whole
	}
	return kept
}
