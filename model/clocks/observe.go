package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// shows are the first words of what can be seen of a run.
var shows = []string{"lamport", "vector", "hybrid", "words", "value", "looks", "stream", "holder",
	"latency", "stopped", "acts", "missed", "lost", "siblings", "kept", "reads", "puts"}

// observe is what can be seen of each node; each part says its own.
func observe(run *sim.Run) []sim.Observation {
	return slices.Concat(observeStamps(run), observeStore(run), observeCRDTs(run),
		observeStreams(run), observeLeases(run), observeLatency(run))
}

// board is what is seen of a run, each thing of a node under a name, in the order in which the
// names came up.
type board struct {
	run  *sim.Run
	seen []sim.Observation
}

// set shows a value in the place of the one before.
func (b *board) set(id sim.NodeID, name, value string) {
	if at := b.find(id, name); at >= 0 {
		b.seen[at].Value = value
		return
	}
	b.seen = append(b.seen, sim.Observation{Node: b.run.Name(id), Name: name, Value: value})
}

// add shows a value after those before.
func (b *board) add(id sim.NodeID, name, value string) {
	if at := b.find(id, name); at >= 0 {
		b.seen[at].Value += ", " + value
		return
	}
	b.set(id, name, value)
}

func (b *board) find(id sim.NodeID, name string) int {
	return slices.IndexFunc(b.seen, func(o sim.Observation) bool {
		return o.Node == b.run.Name(id) && o.Name == name
	})
}
