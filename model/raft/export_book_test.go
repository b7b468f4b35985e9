package raft

import (
	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// Bodies of hand-made traces that only the package can make.

// Wrote is the answer to a put.
func Wrote(index int64) sim.Body { return wrote{index} }

// Read is the answer to a get.
func Read(value string, index int64) sim.Body { return got{value, index} }

// Swapped is the answer to a cas.
func Swapped(ok bool, index int64) sim.Body { return swapped{ok, index} }

// Changed is the answer to a change of members.
func Changed(index int64) sim.Body { return changed{index} }

// Refusal is a message that refuses a pre-vote.
func Refusal() sim.Body { return voted{Pre: true} }

// Healthy is for how long a leader has to be heard before it is healthy.
const Healthy = calm

// Disjoint are quorums of two configurations that do not meet.
func Disjoint(x, y Members) (one, other []sim.NodeID, apart bool) { return disjoint(x, y) }

// SearchAlone judges histories without a look at indexes.
func SearchAlone() sim.Property {
	spec := checker.Registers(access)
	spec.Steps = 20_000
	return checker.Linearizable(spec)
}

// OrderedByIndex says that the indexes of its answers show a run's history to be linearizable.
func OrderedByIndex(run *sim.Run) bool {
	_, ok := bookOf(run).ordered()
	return ok
}
