package clocks

import (
	"fmt"

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
	b := &sim.Board{Run: run}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch f := e.Body.(type) {
		case object:
			if e.Kind == sim.EntryNoted {
				b.Set(e.Node, fmt.Sprintf("value %v %s", f.Type, f.Key), f.Text)
			}
		case looked:
			if e.Kind == sim.EntryReturned {
				b.Add(e.Node, fmt.Sprintf("looks %v %s", f.Type, f.Key), between, f.Text)
			}
		}
	}
	return b.Seen
}
