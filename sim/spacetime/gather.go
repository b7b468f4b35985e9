package spacetime

import (
	"slices"

	"github.com/downset/downset/sim"
)

// gatherer makes events of entries. A call of a machine is one step, whatever it did, unless others
// acted in between (it waited for a disk) or a point lies within it.
type gatherer struct {
	*scene
	states []status
	open   int // the step that the next effect of its node joins, or none
}

func (s *scene) gather() {
	g := gatherer{scene: s, states: slices.Clone(s.begin), open: none}
	for i := s.from; i < s.to; i++ {
		e := s.run.Trace[i]
		if lane := s.lane(e.Node); lane >= 0 {
			g.states[lane] = g.states[lane].next(e.Kind)
		}
		if !s.trivial(i) {
			g.take(i, e)
		}
		g.settle()
	}
	s.dropHidden()
	s.index()
}

// trivial says that an entry opens the trace or closes it without consequences: first starts, and
// an epilogue after which nothing happens.
func (s *scene) trivial(i int) bool {
	e := s.run.Trace[i]
	last := i+1 == len(s.run.Trace)
	switch {
	case slices.Contains(s.o.Mark, i):
		return false
	case e.Kind == sim.EntryStarted:
		return e.N <= 1 && (last || int(s.run.Trace[i+1].Cause) != i)
	}
	return e.Kind == sim.EntryEpilogue && last
}

// hidden says that an entry is to be left out.
func (s *scene) hidden(i int) bool {
	return s.o.Hide != nil && s.o.Hide(i) && !slices.Contains(s.o.Mark, i)
}

// dropHidden takes the hidden entries from the events, and the events that have no others. It does
// so once all events are known, since what is hidden still says which event an entry belongs to,
// and on which side of a point.
func (s *scene) dropHidden() {
	if s.o.Hide == nil {
		return
	}
	kept := s.events[:0]
	for _, e := range s.events {
		if s.thin(&e); len(e.entries) > 0 {
			kept = append(kept, e)
		} else if len(kept) > 0 {
			kept[len(kept)-1].after = e.after
		}
	}
	s.events = kept
}

// thin takes the hidden entries from an event.
func (s *scene) thin(e *event) {
	first := e.entries[0]
	e.entries = slices.DeleteFunc(e.entries, s.hidden)
	if len(e.entries) == 0 {
		return
	}
	if e.what != step && e.what != point && e.entries[0] != first {
		left := s.run.Trace[e.entries[0]]
		e.what, e.lane = s.sortOf(left.Kind, s.lane(left.Node))
	}
	arrived := func(i int) bool { return s.run.Trace[i].Kind == sim.EntryArrived }
	e.request = slices.ContainsFunc(e.entries, arrived)
}

// settle records the states after the last event.
func (g *gatherer) settle() {
	if k := len(g.events) - 1; k >= 0 {
		g.events[k].after = append(g.events[k].after[:0], g.states...)
	}
}

func (g *gatherer) take(i int, e sim.Entry) {
	lane := g.lane(e.Node)
	switch {
	case e.Kind == sim.EntryNoted && g.isPoint(e.Body) && !g.hidden(i):
		g.point(i, lane)
	case g.joins(i, e):
		g.extend(i)
	default:
		what, lane := g.sortOf(e.Kind, lane)
		g.open = len(g.events)
		g.events = append(g.events, event{what: what, lane: lane, entries: []int{i}})
	}
	if e.Kind == sim.EntryArrived && g.open >= 0 {
		g.events[g.open].request = true
	}
}

func (g *gatherer) isPoint(b sim.Body) bool {
	if g.o.Point == nil || b == nil {
		return false
	}
	_, ok := g.o.Point(b)
	return ok
}

// sortOf is the sort and the lane of the event that an entry opens.
func (s *scene) sortOf(k sim.EntryKind, lane int) (sort, int) {
	switch k {
	case sim.EntryInvoked:
		return asked, lane
	case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
		return answered, lane
	case sim.EntryCrashed:
		return crash, lane
	case sim.EntryPaused:
		return pause, lane
	case sim.EntryResumed:
		return resume, lane
	case sim.EntryJoined:
		return join, lane
	case sim.EntryLeft:
		return leave, lane
	case sim.EntryClock, sim.EntryDisk:
		return fault, lane
	case sim.EntryLost:
		return gone, none
	case sim.EntryCopied:
		return copied, none
	case sim.EntrySequenced:
		return sequenced, s.log
	case sim.EntryParted:
		return parted, none
	case sim.EntryHealed:
		return healed, none
	case sim.EntryEpilogue:
		return epilogue, none
	}
	return step, lane
}

// joins says that an entry belongs to the event before it.
func (g *gatherer) joins(i int, e sim.Entry) bool {
	if g.open < 0 {
		return false
	}
	last := &g.events[g.open]
	same := last.lane >= 0 && last.lane == g.lane(e.Node)
	switch e.Kind {
	case sim.EntrySent, sim.EntryQueued, sim.EntryNoted, sim.EntryFailed, sim.EntryPublished:
		return same && last.what == step
	case sim.EntryAppended, sim.EntryReplaced, sim.EntryFlushed, sim.EntryReturned, sim.EntryRefused,
		sim.EntrySynced, sim.EntrySyncFailed, sim.EntryTold:
		return same && (last.what == step || last.what == point)
	case sim.EntryUnknown:
		return same && last.what == crash
	case sim.EntryStarted:
		return same && last.what == join
	case sim.EntryArrived:
		return same && last.what == asked && g.run.Trace[last.entries[0]].N == e.N
	case sim.EntryLost, sim.EntryCopied:
		return slices.Contains(last.entries, int(e.Cause)) ||
			same && (last.what == crash || last.what == leave)
	case sim.EntryParted:
		return last.what == parted
	}
	return false
}

// extend adds an entry to the event that it joins.
func (g *gatherer) extend(i int) {
	e := &g.events[g.open]
	e.entries = append(e.entries, i)
	if e.what == asked {
		e.what = step
	}
}

// point makes an event of a point of a cut. A step that draws its point before it does anything
// else takes up its message after the point: what was received in between is nothing yet.
func (g *gatherer) point(i, lane int) {
	name, _ := g.o.Point(g.run.Trace[i].Body)
	p := event{what: point, lane: lane, entries: []int{i}, cut: g.cutNamed(name)}
	if g.open < 0 || g.events[g.open].lane != lane || !g.bare(&g.events[g.open]) {
		g.open = len(g.events)
		g.events = append(g.events, p)
		return
	}
	last := &g.events[g.open]
	if !g.receives(last) {
		last.what, last.cut = point, p.cut
		last.entries = append(last.entries, i)
		return
	}
	p.after = slices.Clone(last.after)
	g.events = append(g.events, *last)
	g.events[g.open] = p
	g.open++
}

// bare says that an event is a step that has not done anything yet.
func (s *scene) bare(e *event) bool {
	if e.what != step {
		return false
	}
	for _, i := range e.entries {
		switch s.run.Trace[i].Kind {
		case sim.EntrySent, sim.EntryQueued, sim.EntryPublished, sim.EntryNoted, sim.EntryFailed,
			sim.EntryReturned, sim.EntryRefused:
			return false
		}
	}
	return true
}

func (g *gatherer) cutNamed(name string) int {
	for i := range g.cuts {
		if g.cuts[i].name == name {
			return i
		}
	}
	c := cut{name: name, points: make([]int, len(g.lanes))}
	for i := range c.points {
		c.points[i] = none
	}
	g.cuts = append(g.cuts, c)
	return len(g.cuts) - 1
}

func (s *scene) receives(e *event) bool {
	for _, i := range e.entries {
		switch s.run.Trace[i].Kind {
		case sim.EntryDelivered, sim.EntryLogged:
			return true
		}
	}
	return false
}

// index notes where each entry went, and each cut's points.
func (s *scene) index() {
	s.at = make([]int, s.to-s.from)
	for i := range s.at {
		s.at[i] = none
	}
	for k := range s.events {
		e := &s.events[k]
		for _, i := range e.entries {
			s.at[i-s.from] = k
			e.marked = e.marked || slices.Contains(s.o.Mark, i)
		}
		if e.what == point && e.lane >= 0 && s.cuts[e.cut].points[e.lane] == none {
			s.cuts[e.cut].points[e.lane] = k
			e.first = true
		}
	}
}
