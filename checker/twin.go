package checker

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// DownSets are all consistent cuts of a small run, straight from the definition: all sets of events
// that hold with an event everything that happened before it. They are the slow, obvious twin of
// the scan that judges cuts, and share no code with it.
//
// The events are the steps of the machines but the points, which lie between events. A delivery in
// whose handler a point is drawn is put where it takes effect: behind what the handler does only to
// draw.
type DownSets struct {
	Events []int    // entries, at most 64
	Below  []uint64 // by event: the events that happened before it
	Sets   []uint64 // of events
	lines  [][]int  // by node: its steps, points included, in the order of their effects
	place  []int    // by entry: its place in Events, -1 if it is none
}

// DownSets enumerates the down-sets of a run. It is an error if there are more than 64 events or
// more than limit sets.
func (m CutModel) DownSets(run *sim.Run, limit int) (*DownSets, error) {
	d := &DownSets{place: make([]int, len(run.Trace))}
	for i := range d.place {
		d.place[i] = -1
	}
	for n := range run.Nodes {
		line := m.line(run.Trace, sim.NodeID(n))
		d.lines = append(d.lines, line)
		for _, entry := range line {
			if !m.isPoint(run.Trace[entry]) {
				d.place[entry] = len(d.Events)
				d.Events = append(d.Events, entry)
			}
		}
	}
	if len(d.Events) > 64 {
		return nil, fmt.Errorf("%d events are too many to enumerate, at most 64", len(d.Events))
	}
	d.order(m, run.Trace)
	if !d.grow(limit) {
		return nil, fmt.Errorf("more than %d down-sets", limit)
	}
	return d, nil
}

// line is the steps of a node in the order of their effects.
func (m CutModel) line(trace sim.Trace, node sim.NodeID) []int {
	steps := m.lasting(trace, node)
	var line []int
	for len(steps) > 0 {
		size := 1 // of the handler that begins here
		for size < len(steps) && inHandler(trace, steps[size], steps[0]) {
			size++
		}
		line = append(line, m.delayed(trace, steps[:size])...)
		steps = steps[size:]
	}
	return line
}

// lasting is the steps of a node but those that a crash undid: of the last ones before it, up to
// something sent or said or a record that survived, all that does not draw.
func (m CutModel) lasting(trace sim.Trace, node sim.NodeID) []int {
	var steps []int
	records := int64(0)
	for i, e := range trace {
		switch {
		case e.Node != node:
		case e.Kind == sim.EntryCrashed:
			records -= e.N
			steps = m.undone(trace, steps, records)
		case e.Kind.Local():
			steps = append(steps, i)
		}
		if e.Node == node && e.Kind == sim.EntryAppended {
			records = e.N
		}
	}
	return steps
}

// undone is the steps before a crash, without those that it undid.
func (m CutModel) undone(trace sim.Trace, steps []int, records int64) []int {
	if len(steps) == 0 {
		return nil
	}
	last := steps[len(steps)-1]
	draws := m.onlyDraws(trace[last])
	if !draws && lasts(trace[last], records) {
		return steps
	}
	kept := m.undone(trace, steps[:len(steps)-1], records)
	if draws {
		kept = append(kept, last)
	}
	return kept
}

func lasts(e sim.Entry, records int64) bool {
	switch e.Kind {
	case sim.EntrySent, sim.EntryNoted, sim.EntryPublished:
		return true
	case sim.EntryAppended:
		return e.N <= records
	}
	return false
}

// inHandler says that a step belongs to the handler that began with another: it was caused by it,
// or tells it that its disk is ready.
func inHandler(trace sim.Trace, step, first int) bool {
	e := trace[step]
	if e.Kind == sim.EntryTold {
		return e.Cause >= 0 && int(trace[e.Cause].Cause) == first
	}
	return int(e.Cause) == first
}

// delayed is a handler with its delivery moved behind the drawing, if it draws a point.
func (m CutModel) delayed(trace sim.Trace, handler []int) []int {
	draws := slices.ContainsFunc(handler, func(entry int) bool { return m.isPoint(trace[entry]) })
	if !draws || !trace[handler[0]].Kind.Carries() {
		return handler
	}
	k := 1
	for k < len(handler) && m.onlyDraws(trace[handler[k]]) {
		k++
	}
	var line []int
	line = append(line, handler[1:k]...)
	line = append(line, handler[0])
	return append(line, handler[k:]...)
}

func (m CutModel) isPoint(e sim.Entry) bool {
	if e.Kind != sim.EntryNoted || e.Body == nil {
		return false
	}
	_, ok := m.Point(e.Body)
	return ok
}

func (m CutModel) onlyDraws(e sim.Entry) bool {
	if e.Kind == sim.EntryFlushed || e.Kind == sim.EntryTold || m.isPoint(e) {
		return true
	}
	if e.Body == nil || e.Kind.Carries() {
		return false
	}
	if _, ok := m.Point(e.Body); ok {
		return true
	}
	if m.Version != nil {
		if _, ok := m.Version(e.Body); ok {
			return true
		}
	}
	return m.Draws != nil && m.Draws(e.Body)
}

// order finds what is below each event: what stands before it on its line, what sent it, and what
// is below those.
func (d *DownSets) order(m CutModel, trace sim.Trace) {
	d.Below = make([]uint64, len(d.Events))
	for _, line := range d.lines {
		var earlier uint64
		for _, entry := range line {
			if k := d.place[entry]; k >= 0 {
				d.Below[k] = earlier | d.sender(m, trace, entry)
				earlier |= 1 << k
			}
		}
	}
	for via := range d.Events { // Warshall's closure
		for k, below := range d.Below {
			if below>>via&1 == 1 {
				d.Below[k] |= d.Below[via]
			}
		}
	}
}

// sender is the event of another node that led to an entry, as a set.
func (d *DownSets) sender(m CutModel, trace sim.Trace, entry int) uint64 {
	from := m.sender(trace, entry)
	if from < 0 || d.place[from] < 0 || trace[from].Node == trace[entry].Node {
		return 0
	}
	return 1 << d.place[from]
}

// sender is the step that led to an entry by way of the network, the log lane or a disk, or -1.
func (m CutModel) sender(trace sim.Trace, entry int) int {
	e := trace[entry]
	if !e.Kind.Carries() || e.Cause < 0 {
		return -1
	}
	cause := trace[e.Cause]
	switch {
	case !cause.Kind.Local():
		return m.sender(trace, int(e.Cause))
	case m.Beside != nil && cause.Body != nil && m.Beside(cause.Body):
		return -1
	}
	return int(e.Cause)
}

// grow finds all down-sets: the empty one, and from each one those with one more event whose past
// it holds. It says whether there are no more than limit.
func (d *DownSets) grow(limit int) bool {
	d.Sets = []uint64{0}
	seen := map[uint64]bool{0: true}
	for at := 0; at < len(d.Sets); at++ {
		set := d.Sets[at]
		for k := range d.Events {
			larger := set | 1<<k
			if set&d.Below[k] != d.Below[k] || seen[larger] {
				continue
			}
			seen[larger] = true
			d.Sets = append(d.Sets, larger)
		}
		if len(d.Sets) > limit {
			return false
		}
	}
	return true
}

// Has says that some down-set holds, of the events of the nodes that drew a point, exactly those
// that stand before the points. points is by node the entry of its point, -1 if it drew none.
func (d *DownSets) Has(points []int) bool {
	var asked, want uint64
	for n, point := range points {
		if point >= 0 {
			all, before := d.split(d.lines[n], point)
			asked, want = asked|all, want|before
		}
	}
	return slices.ContainsFunc(d.Sets, func(set uint64) bool { return set&asked == want })
}

// split is the events of a line, and those of them before its point.
func (d *DownSets) split(line []int, point int) (all, before uint64) {
	for _, entry := range line {
		if entry == point {
			before = all
		}
		if k := d.place[entry]; k >= 0 {
			all |= 1 << k
		}
	}
	return all, before
}
