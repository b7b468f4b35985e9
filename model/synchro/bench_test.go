package synchro_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// BenchmarkSweptSeed is what a sweep of cured does with a seed: a workload is drawn, played, and
// judged by every property. Its profile says what of that Porcupine takes:
//
//	go test ./model/synchro -run none -bench SweptSeed -benchtime 2000x -cpuprofile cpu
//	go tool pprof -top -focus anishathalye/porcupine cpu
func BenchmarkSweptSeed(b *testing.B) {
	v, err := synchro.Protocol.Variant("cured")
	if err != nil {
		b.Fatal(err)
	}
	w, seed := new(sim.World), uint64(0)
	for b.Loop() {
		seed++
		plan := search.Random(synchro.Protocol, v, seed, search.Mix)
		run, err := w.Execute(plan, sim.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if o := checker.Judge(run, synchro.Protocol.Properties).Outcome; o != checker.Holds {
			b.Fatalf("seed %d: %v", seed, o)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
