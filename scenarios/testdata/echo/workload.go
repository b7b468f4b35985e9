package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// draw makes a random workload: words that anybody says at any time.
func draw(d *sim.Draws) []sim.Action {
	words := strings.Fields("hello goodbye yes no")
	var load []sim.Action
	for i := range d.Ops {
		word := words[d.Int(int64(len(words)), "word", i)]
		load = append(load, sim.Action{Verb: sim.Request, Node: d.Node("who says", i),
			Words: []string{word}, Place: sim.At, Offset: d.At("when", i)})
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}
