package scenarios

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Pin is the plan of a run with chance taken out of it: the seed is forgotten, and every decision
// of the run that was not boring is told. The run must have been recorded (sim.Options.Record).
// What is pinned plays as the run did, however the code that draws changes.
func Pin(p *sim.Plan, run *sim.Run) *sim.Plan {
	pinned := *p
	pinned.Seed = 0
	pinned.Chance = slices.Clone(run.Chosen)
	return &pinned
}
