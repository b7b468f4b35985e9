package clocks

import (
	"time"

	"github.com/downset/downset/sim"
)

// Event is a stamped event, for tests of what happened before what.
type Event struct {
	Entry    int
	Node     sim.NodeID
	Stamp    Stamp
	Receives bool
	of       *happening
}

// Events are the stamped events of a run.
func Events(run *sim.Run) []Event {
	var list []Event
	for _, e := range happened(run).all {
		list = append(list, Event{e.Entry, e.Node, e.Stamp, e.What == receives, e})
	}
	return list
}

// Before says that an event happened before another.
func (e Event) Before(f Event) bool { return e.of.before(f.of) }

// Grained is what a clock of a granularity of a plan shows.
func Grained(p *sim.Plan, t sim.Time) sim.Time { return layoutOf(p.Setup).grained(t) }

// GrainedBy is what a clock of a granularity shows.
func GrainedBy(grain time.Duration, t sim.Time) sim.Time {
	return layout{Granularity: grain}.grained(t)
}

// Talk is the load of words and ticks alone.
func Talk(d *sim.Draws) []sim.Action { return append(drawTalk(d), drawClocks(d)...) }
