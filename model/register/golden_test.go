package register_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/sim"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden has the trace hash of 50 random plans for each right variant, the digest of bodies and
// states beside it: "VARIANT SEED HASH DIGEST".
const golden = "testdata/golden.txt"

// rough is a plan with everything that chance can do to a register. It is made here alone, so that
// it changes with nothing but the model and the engine.
func rough(t *testing.T, variant string, seed uint64) *sim.Plan {
	t.Helper()
	v, err := register.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
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
	var b strings.Builder
	for _, name := range right {
		w := new(sim.World)
		for seed := uint64(1); seed <= 50; seed++ {
			run, err := w.Execute(rough(t, name, seed), sim.Options{Digest: true})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %d %016x %016x\n", name, seed, run.Hash, run.Digest)
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(string(stored), "\n")
	if len(got) != len(want) {
		t.Fatalf("%s has %d lines, want %d; go test -update rewrites it", golden, len(want), len(got))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s:%d: got %q, want %q; go test -update rewrites it", golden, i+1, got[i], want[i])
		}
	}
}
