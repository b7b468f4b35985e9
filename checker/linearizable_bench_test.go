package checker_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// BenchmarkLinearizable is the whole check of 100 operations of 5 clients, from the trace to the
// verdict, by Porcupine and zones both. The median is over different histories.
func BenchmarkLinearizable(b *testing.B) {
	for _, keys := range []int{1, 5} {
		b.Run(fmt.Sprintf("100 operations 5 clients %d keys", keys), func(b *testing.B) {
			benchmark(b, checker.Workload{Clients: 5, Ops: 100, Keys: keys})
		})
	}
	b.Run("100 operations 5 clients 1 key stale", func(b *testing.B) {
		benchmark(b, checker.Workload{Clients: 5, Ops: 100, Keys: 1, Stale: 20})
	})
	b.Run("100 operations 5 clients 1 key swaps", func(b *testing.B) {
		benchmark(b, checker.Workload{Clients: 5, Ops: 100, Keys: 1, Swaps: true})
	})
}

// BenchmarkZones is the whole check of 1,000 operations of 20 clients on one register, which zones
// decide.
func BenchmarkZones(b *testing.B) {
	b.Run("1000 operations 20 clients", func(b *testing.B) {
		benchmark(b, checker.Workload{Clients: 20, Ops: 1000, Keys: 1})
	})
	b.Run("1000 operations 20 clients open", func(b *testing.B) {
		benchmark(b, checker.Workload{Clients: 20, Ops: 1000, Keys: 1, Open: 10})
	})
	b.Run("1000 operations 20 clients stale", func(b *testing.B) {
		benchmark(b, checker.Workload{Clients: 20, Ops: 1000, Keys: 1, Stale: 20})
	})
}

func benchmark(b *testing.B, w checker.Workload) {
	property := checker.Linearizable(w.Spec())
	runs := make([]*sim.Run, 64)
	for i := range runs {
		runs[i] = w.Run(uint64(i + 1))
	}
	times := make([]time.Duration, 0, b.N)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		property.Check(runs[i%len(runs)])
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "ns-median")
}
