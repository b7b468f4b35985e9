package commit_test

import (
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/sim"
)

// BenchmarkCheckedRun is a coordinator, two participants, a transaction, loss, a crash in some
// runs, and every property.
func BenchmarkCheckedRun(b *testing.B) {
	v, err := commit.Protocol.Variant("logged")
	if err != nil {
		b.Fatal(err)
	}
	p := &sim.Plan{Protocol: commit.Protocol, Variant: v, Nodes: []string{"C", "P", "Q"}, Timed: true,
		Load: []sim.Action{{Verb: sim.Request, Node: "C", Words: []string{"commit", "tx1", "P", "Q"},
			Place: sim.At}},
		Network: sim.Network{
			Links: []sim.Link{{From: "*", To: "*", Loss: 50_000,
				Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 10 * time.Millisecond}}},
			Crash: 10_000, Crashes: 1,
			Restart: sim.Dist{Shape: sim.Uniform, High: 20 * time.Millisecond},
		}}
	w := new(sim.World)
	for b.Loop() {
		p.Seed++
		run, err := w.Execute(p, sim.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if o := checker.Judge(run, p.Protocol.Properties).Outcome; o != checker.Holds {
			b.Fatalf("seed %d: %v", p.Seed, o)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
