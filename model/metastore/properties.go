package metastore

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// The layers of properties, from those that localise a fault to those that see what comes of it.
const (
	replicaLayer  = iota // what servers make of the log
	viewLayer            // what one client is told at a time
	wholeLayer           // what all that clients are told comes to
	progressLayer        // that there is an end
)

// properties are all of them. M1 to M20 are the invariants of the specification.
func properties() []sim.Property {
	return slices.Concat(replicaProperties(), answerProperties(), watchProperties(),
		orderProperties(), metadataProperties(), []sim.Property{settles()})
}

func settles() sim.Property {
	p := checker.Settles("settles")
	p.Layer = progressLayer
	return p
}
