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

// between stands between the values that a node shows of one thing.
const between = ", "
