package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// observeCRDTs shows of each node what it last said that it has of an object:
//
//	value or-set cart     apple pear
//
// and of the reads that it coordinated what they returned, in order:
//
//	looks or-set cart     empty, apple pear
func observeCRDTs(run *sim.Run) []sim.Observation {
	var seen []sim.Observation
	show := func(id sim.NodeID, name, value string, more bool) {
		at := slices.IndexFunc(seen, func(o sim.Observation) bool {
			return o.Node == run.Name(id) && o.Name == name
		})
		switch {
		case at < 0:
			seen = append(seen, sim.Observation{Node: run.Name(id), Name: name, Value: value})
		case more:
			seen[at].Value += ", " + value
		default:
			seen[at].Value = value
		}
	}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case object:
			if e.Kind == sim.EntryNoted {
				show(e.Node, fmt.Sprintf("value %v %s", b.Type, b.Key), b.Text, false)
			}
		case looked:
			if e.Kind == sim.EntryReturned {
				show(e.Node, fmt.Sprintf("looks %v %s", b.Type, b.Key), b.Text, true)
			}
		}
	}
	return seen
}
