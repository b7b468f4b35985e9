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
	var seen []sim.Observation
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind != sim.EntryNoted {
			continue
		}
		switch b := e.Body.(type) {
		case granted:
			seen = show(seen, sim.Observation{Node: run.Name(e.Node), Name: "holder",
				Value: b.Holder})
		case acted:
			seen = show(seen, sim.Observation{Node: run.Name(e.Node), Name: "acts " + b.Granter,
				Value: "yes"})
		case idle:
			seen = show(seen, sim.Observation{Node: run.Name(e.Node), Name: "acts " + b.Granter,
				Value: "no"})
		}
	}
	return seen
}

// observeLatency shows of each node
//
//	latency B        how long it last found a message to B to take
//	stopped          yes, if it has stopped since it found itself off
func observeLatency(run *sim.Run) []sim.Observation {
	var seen []sim.Observation
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case latency:
			if e.Kind == sim.EntryReturned {
				seen = show(seen, sim.Observation{Node: run.Name(e.Node), Name: "latency " + b.To,
					Value: fmt.Sprint(b.Took)})
			}
		case stopped:
			seen = show(seen, sim.Observation{Node: run.Name(e.Node), Name: "stopped",
				Value: "yes"})
		}
	}
	return seen
}

// show puts an observation in the place of an earlier one of that name.
func show(seen []sim.Observation, o sim.Observation) []sim.Observation {
	for i := range seen {
		if seen[i].Node == o.Node && seen[i].Name == o.Name {
			seen[i] = o
			return seen
		}
	}
	return append(seen, o)
}
