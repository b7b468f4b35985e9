package register_test

import (
	"flag"
	"testing"
	"time"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

// rough is a plan with everything that chance can do to a register. It is made here alone, so that
// it changes with nothing but the model and the engine.
func rough(_ *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan {
	d := &sim.Draws{Nodes: []string{"A", "B", "C", "D"}[:3+seed%2], Clients: 3, Ops: 20,
		Span: 40 * time.Millisecond, Seed: seed}
	return &sim.Plan{Protocol: register.Protocol, Variant: v, Nodes: d.Nodes, Timed: true, Seed: seed,
		Load: register.Protocol.Draw(d),
		Network: sim.Network{
			Links: []sim.Link{{From: "*", To: "*", Loss: 30_000, Duplicate: 30_000,
				Delay: sim.Dist{Shape: sim.Heavy, Low: time.Millisecond, High: 20 * time.Millisecond}}},
			Crash: 5000, Restart: sim.Dist{Shape: sim.Uniform, High: 20 * time.Millisecond},
			DiskSlow: true, SyncTime: sim.Dist{Shape: sim.Uniform, High: 2 * time.Millisecond},
			Keep: true, Torn: 200_000, Timeout: 30 * time.Millisecond,
			Late: sim.Dist{Shape: sim.Uniform, High: 10 * time.Millisecond},
		}}
}

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	scenarios.Hashes(t, register.Protocol, scenarios.HashOptions{Plan: rough})
}
