package clocks

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// observeLeases shows of each granter
//
//	holder           to whom it gave its lease last
//
// and of each node, of the lease of each granter for which it was asked to act
//
//	acts B           whether it did the last time: yes or no
func observeLeases(run *sim.Run) []sim.Observation {
	b := &sim.Board{Run: run}
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted {
			continue
		}
		switch f := e.Body.(type) {
		case granted:
			b.Set(e.Node, "holder", f.Holder)
		case acted:
			b.Set(e.Node, "acts "+f.Granter, "yes")
		case idle:
			b.Set(e.Node, "acts "+f.Granter, "no")
		}
	}
	return b.Seen
}

// observeLatency shows of each node
//
//	latency B        how long it last found a message to B to take
//	stopped          yes, if it has stopped since it found itself off
func observeLatency(run *sim.Run) []sim.Observation {
	b := &sim.Board{Run: run}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch f := e.Body.(type) {
		case latency:
			if e.Kind == sim.EntryReturned {
				b.Set(e.Node, "latency "+f.To, fmt.Sprint(f.Took))
			}
		case stopped:
			b.Set(e.Node, "stopped", "yes")
		}
	}
	return b.Seen
}
