package checker

import "github.com/downset/downset/sim"

// readEffect finds out when the message took effect whose handler drew a point, or adopted a
// version.
func (r *reading) readEffect(point int) {
	handler := r.trace[point].Cause
	if handler < 0 || r.trace[handler].Node != r.trace[point].Node {
		return
	}
	if _, known := r.effects[handler]; !known {
		r.effects[handler] = r.firstEffect(handler)
	}
}

// firstEffect is the first entry of a handler that does more than draw, else its last entry: then
// whatever the message did came after the points. A handler may wait for its disk in between.
func (r *reading) firstEffect(handler int32) int32 {
	node, last := r.trace[handler].Node, handler
	for i := int(handler) + 1; i < len(r.trace); i++ {
		e := &r.trace[i]
		if e.Node != node || !e.Kind.Local() || e.Kind == sim.EntryTold {
			continue
		}
		if e.Cause != handler {
			break
		}
		if !r.model.draws(e) {
			return int32(i)
		}
		last = int32(i)
	}
	return last
}

// draws says that an effect is part of drawing a point.
func (m *CutModel) draws(e *sim.Entry) bool {
	if e.Kind == sim.EntryFlushed {
		return true
	}
	if e.Body == nil {
		return false
	}
	_, point := m.Point(e.Body)
	_, version := read(m.Version, e.Body)
	return point || version || is(m.Draws, e.Body)
}

// effect is when what was delivered at this entry took effect.
func (r *reading) effect(delivery int) int32 {
	if at, drew := r.effects[int32(delivery)]; drew {
		return at
	}
	return int32(delivery)
}

// readCrashes finds out what crashes undid.
func (r *reading) readCrashes() {
	left := make([]residue, r.width)
	for i := range r.trace {
		if node := int(r.trace[i].Node); node < r.width {
			left[node].see(r, i)
		}
	}
}

// residue is what a node took up and wrote since it last did something that no crash undoes. What
// is in it when the node crashes, but for what the records that survive came of, never happened.
// Drawing does not count: a point says nothing of the message that the node had taken up before.
type residue struct {
	entries []int // deliveries and records
	last    int64 // LSN of the last record
}

func (s *residue) see(r *reading, entry int) {
	e := &r.trace[entry]
	switch e.Kind {
	case sim.EntryDelivered, sim.EntryLogged:
		s.entries = append(s.entries, entry)
	case sim.EntryAppended:
		s.last = e.N
		if !r.model.draws(e) {
			s.entries = append(s.entries, entry)
		}
	case sim.EntrySent, sim.EntryNoted, sim.EntryPublished:
		if !r.model.draws(e) {
			s.entries = s.entries[:0]
		}
	case sim.EntryCrashed:
		s.last -= e.N
		s.wipe(r)
	}
}

// wipe undoes the deliveries after the last record that survives.
func (s *residue) wipe(r *reading) {
	for k := len(s.entries) - 1; k >= 0; k-- {
		e := &r.trace[s.entries[k]]
		if e.Kind == sim.EntryAppended && e.N <= s.last {
			break
		}
		if e.Kind != sim.EntryAppended {
			r.wiped[s.entries[k]] = true
		}
	}
	s.entries = s.entries[:0]
}

// source is the step of another node that a step was brought by, -1 if there is none, or none that
// counts for cuts.
func (r *reading) source(delivery int) int {
	if !r.trace[delivery].Kind.Carries() || !isStep(r.run, delivery) || r.wiped[delivery] {
		return -1
	}
	from, ok := origin(r.trace, delivery)
	if !ok || r.trace[from].Node == r.trace[delivery].Node || !isStep(r.run, from) {
		return -1
	}
	if is(r.model.Beside, r.trace[from].Body) {
		return -1
	}
	return from
}

// cutShort are the handlers that may not have come to their end: the last of each node before a
// crash, and before the end of a run that did not come to rest.
func (r *reading) cutShort() map[int]bool {
	short := map[int]bool{}
	last := make([]int, r.width)
	for i := range r.trace {
		e := &r.trace[i]
		switch {
		case int(e.Node) >= r.width:
		case e.Kind == sim.EntryDelivered:
			last[e.Node] = i
		case e.Kind == sim.EntryCrashed || e.Kind == sim.EntryLeft:
			short[last[e.Node]] = true
		}
	}
	if !r.run.Settled() {
		for _, i := range last {
			short[i] = true
		}
	}
	return short
}
