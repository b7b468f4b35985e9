package clocks

import "github.com/downset/downset/sim"

// stampGoals are the situations in which clocks differ in what they can say.
func stampGoals() []sim.Goal {
	return []sim.Goal{
		{Name: "lamport-concurrent", Doc: "of two concurrent events one has the lesser Lamport " +
			"stamp", Count: func(run *sim.Run) int { return concurrent(run, false) }},
		{Name: "lamport-tie", Doc: "concurrent events on two nodes have equal Lamport stamps",
			Count: func(run *sim.Run) int { return concurrent(run, true) }},
		{Name: "went-back", Doc: "a node's clock showed less than at the event before, and its " +
			"hybrid clock went on", Count: wentBack},
		{Name: "refused-stamp", Doc: "a message was refused, from too far ahead",
			Count: countFacts[refused]},
		{Name: "logical-4", Doc: "the logical part of a hybrid stamp was above three",
			Count: countStamps(func(e *happening) bool { return e.Stamp.Hybrid.Logical > 3 })},
		{Name: "restart-ahead", Doc: "a restart went on from a hybrid stamp that was ahead of its " +
			"node's clock",
			Count: countStamps(func(e *happening) bool {
				return e.What == starts && e.Stamp.Hybrid.Wall > e.Stamp.Physical
			})},
	}
}

// concurrent counts, of each event and each other node, whether the first event there that is
// concurrent to it has an equal Lamport stamp, or another.
func concurrent(run *sim.Run, equal bool) int {
	h, n := happened(run), 0
	for _, e := range h.all {
		for _, f := range h.concurrent(e) {
			if equal == (f.Stamp.Lamport.Count == e.Stamp.Lamport.Count) {
				n++
			}
		}
	}
	return n
}

// wentBack counts clocks that show less than before, within a life of a node.
func wentBack(run *sim.Run) int {
	n := 0
	for _, events := range happened(run).of {
		for i := 1; i < len(events); i++ {
			d, e := events[i-1].Stamp, events[i].Stamp
			if events[i].What != starts && e.Physical < d.Physical &&
				e.Hybrid.Compare(d.Hybrid) > 0 {
				n++
			}
		}
	}
	return n
}

// countStamps counts the events for which something holds.
func countStamps(holds func(*happening) bool) func(*sim.Run) int {
	return func(run *sim.Run) int {
		n := 0
		for _, e := range happened(run).all {
			if holds(e) {
				n++
			}
		}
		return n
	}
}
