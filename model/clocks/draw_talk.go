package clocks

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// drawTalk makes a load of words, each once, and of events of nodes for themselves.
func drawTalk(d *sim.Draws) []sim.Action {
	var load []sim.Action
	for k := range max(d.Ops, 1) {
		if d.Int(3, "tick?", k) == 0 {
			load = append(load, ask(d, "talk", k, "tick"))
			continue
		}
		a := ask(d, "talk", k)
		a.Words = []string{"say", other(d, a.Node, k), fmt.Sprintf("w%d", k+1)}
		load = append(load, a)
	}
	return load
}

// other is a node to talk to: another one, if there is one, but now and then the same.
func other(d *sim.Draws, node string, k int) string {
	if d.Int(8, "to itself?", k) == 0 {
		return node
	}
	at := d.Int(int64(max(len(d.Nodes)-1, 1)), "to", k)
	for _, name := range d.Nodes {
		switch {
		case name == node && len(d.Nodes) > 1:
			continue
		case at == 0:
			return name
		}
		at--
	}
	return node
}
