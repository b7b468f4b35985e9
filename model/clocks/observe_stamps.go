package clocks

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// observeStamps are, of each node, the clocks at its last event, and the words that it has now:
//
//	A lamport 5
//	A vector 4 1      by node
//	A hybrid 12ms.3   where there is a hybrid clock
//	A words w1 w2
func observeStamps(run *sim.Run) []sim.Observation {
	last, words := make([]*Stamp, len(run.Nodes)), make([]string, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case stamped:
			last[e.Node] = &b.Stamp
			if b.What == starts {
				words[e.Node] = ""
			}
		case ordered:
			words[e.Node] = wordsOf(b.Words)
		}
	}
	var list []sim.Observation
	for id, s := range last {
		if s == nil {
			continue
		}
		name := run.Nodes[id]
		list = append(list, sim.Observation{Node: name, Name: "lamport",
			Value: fmt.Sprint(s.Lamport.Count)})
		list = append(list, sim.Observation{Node: name, Name: "vector",
			Value: strings.Trim(fmt.Sprint(s.Vector), "[]")})
		if !s.Hybrid.never() {
			list = append(list, sim.Observation{Node: name, Name: "hybrid",
				Value: s.Hybrid.String()})
		}
		if words[id] != "" {
			list = append(list, sim.Observation{Node: name, Name: "words", Value: words[id]})
		}
	}
	return list
}
