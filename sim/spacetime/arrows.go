package spacetime

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// join finds the arrows: from each send to its delivery or loss, and along the log lane.
func (s *scene) join() {
	landed := make([]bool, s.to-s.from)
	for i := s.from; i < s.to; i++ {
		e := s.run.Trace[i]
		switch e.Kind {
		case sim.EntryDelivered, sim.EntryLost, sim.EntrySequenced, sim.EntryLogged:
			s.land(i, e, landed)
		}
	}
	for i := s.from; i < s.to; i++ {
		e := s.run.Trace[i]
		if e.Kind == sim.EntrySent && !landed[i-s.from] && s.eventOf(i) >= 0 {
			s.add(arrow{sent: i, got: none, fate: flying, start: s.lane(e.Node),
				end: s.lane(e.Peer)})
		}
	}
}

// land adds the arrow that ends in an entry.
func (s *scene) land(i int, e sim.Entry, landed []bool) {
	sent := s.origin(i)
	if sent < 0 {
		return
	}
	if sent >= s.from {
		landed[sent-s.from] = true
	}
	if s.eventOf(i) < 0 && s.eventOf(sent) < 0 {
		return
	}
	from := s.run.Trace[sent]
	a := arrow{sent: sent, got: i, start: s.lane(from.Node), end: s.lane(e.Node)}
	switch {
	case e.Kind == sim.EntryLost:
		a.fate = lost
	case e.Kind == sim.EntrySequenced:
		a.end, a.lane = s.log, true
	case e.Kind == sim.EntryLogged:
		a.start, a.lane = s.log, true
	}
	s.add(a)
}

// origin is the entry at which what arrived at an entry was sent, or none. Copies have the send
// itself as their origin.
func (s *scene) origin(entry int) int {
	want := sim.EntrySent
	switch s.run.Trace[entry].Kind {
	case sim.EntrySequenced:
		want = sim.EntryPublished
	case sim.EntryLogged:
		want = sim.EntrySequenced
	}
	for i := int(s.run.Trace[entry].Cause); i >= 0 && i < entry; i = int(s.run.Trace[i].Cause) {
		e := s.run.Trace[i]
		if e.Kind == want {
			return i
		}
		if e.Kind != sim.EntryCopied || int(e.Cause) >= i {
			return none
		}
	}
	return none
}

// add keeps an arrow whose ends are lanes of the picture.
func (s *scene) add(a arrow) {
	if a.start < 0 || a.end < 0 || a.start == a.end {
		return
	}
	a.from, a.to = s.eventOf(a.sent), none
	if a.got >= 0 {
		a.to = s.eventOf(a.got)
	}
	for _, k := range []int{a.from, a.to} {
		if k >= 0 {
			s.events[k].linked = true
		}
	}
	s.arrows = append(s.arrows, a)
}

// side says on which side of a cut an event of a lane lies: before, after, or unknown.
func (c *cut) side(lane, k int) (before, known bool) {
	p := c.points[lane]
	if p == none || k == none {
		return false, false
	}
	return k < p, true
}

// judge finds the messages that cross a cut, and notes those that do it backwards and those that
// are in its channels.
func (s *scene) judge() {
	var backwards, forwards []string
	for i := range s.arrows {
		a := &s.arrows[i]
		for c := range s.cuts {
			sent, known := s.cuts[c].side(a.start, a.from)
			got, also := s.cuts[c].side(a.end, a.to)
			if !known || !also || sent == got || a.fate != arrives || s.aside(a) {
				continue
			}
			what, name := clean(sim.Text(s.run.Trace[a.sent].Body)), s.cuts[c].name
			if sent {
				forwards = append(forwards, fmt.Sprintf(
					"%s is in a channel of cut %s: sent before (%d), received after (%d)",
					what, name, a.sent, a.got))
				continue
			}
			a.backwards = true
			backwards = append(backwards, fmt.Sprintf(
				"%s crosses cut %s backwards: sent after (%d), received before (%d)",
				what, name, a.sent, a.got))
		}
	}
	s.crossings = append(backwards, forwards...)
	s.notes = atMost(s.crossings, 3)
}

// aside says that a message does not belong to what cuts order.
func (s *scene) aside(a *arrow) bool {
	if s.run.Plan == nil || s.run.Plan.Protocol == nil {
		return false
	}
	p := s.run.Plan.Protocol
	return p.Aside != nil && p.Aside(s.run.Trace[a.sent].Body)
}

// atMost is the first n notes, and how many more there are.
func atMost(notes []string, n int) []string {
	if len(notes) <= n {
		return notes
	}
	return append(notes[:n:n], fmt.Sprintf("and %d more messages cross a cut", len(notes)-n))
}
