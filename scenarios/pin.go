package scenarios

import (
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Pin is the plan that plays a recorded run again without its seed: what chance chose becomes the
// plan's exceptions. The run must be one of p with sim.Options.Record.
func Pin(p *sim.Plan, run *sim.Run) *sim.Plan { return search.Pin(p, run) }
