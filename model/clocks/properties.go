package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// The layers of properties, from those that localise a fault to those that see what comes of it.
const (
	clockLayer    = iota // what a clock says of an event
	judgeLayer           // what a comparison says of two versions
	dataLayer            // what a replica keeps, a consumer sees, a holder does
	outcomeLayer         // what becomes of updates in the end
	sessionLayer         // what a session sees
	progressLayer        // that there is an end
	costLayer            // that it does not cost ever more
)

// properties are all of them.
func properties() []sim.Property {
	return slices.Concat(stampProperties(), storeProperties(), crdtProperties(), streamProperties(),
		leaseProperties(), latencyProperties(), []sim.Property{answersProperty()})
}

// goalList are the situations that a campaign must reach.
func goalList() []sim.Goal {
	return slices.Concat(stampGoals(), storeGoals(), crdtGoals(), streamGoals(), leaseGoals(),
		latencyGoals())
}
