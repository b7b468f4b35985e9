package search_test

import (
	"fmt"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// BenchmarkSweep is G10: the same seeds played, judged and collected by one worker and by two, with
// the collector as Go has it and as the command has it; ns a seed.
func BenchmarkSweep(b *testing.B) {
	const seeds = 2000
	for _, c := range []struct {
		protocol *sim.Protocol
		variant  string
	}{{cut.Protocol, "signed"}, {register.Protocol, "abd"}} {
		campaign, err := scenarios.NewCampaign(c.protocol, c.variant, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, percent := range []int{100, 800} {
			for jobs := 1; jobs <= 2; jobs++ {
				name := fmt.Sprintf("%s/gogc=%d/jobs=%d", c.protocol.Name, percent, jobs)
				b.Run(name, func(b *testing.B) {
					defer debug.SetGCPercent(debug.SetGCPercent(percent))
					s := campaign.Sweep()
					s.From, s.To, s.Jobs = 1, seeds, jobs
					for b.Loop() {
						clean(b, search.Sweep(s), seeds)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*seeds), "ns/op")
				})
			}
		}
	}
}

// clean tests that a sweep played what it was to play, and that nothing broke.
func clean(b *testing.B, s search.Summary, seeds int) {
	if s.Seeds != seeds || s.Failing > 0 || len(s.Errors) > 0 || len(s.Hung) > 0 {
		b.Fatalf("%d seeds of %d, %d failing, errors %q, hung %v: want all, and none", s.Seeds, seeds,
			s.Failing, s.Errors, s.Hung)
	}
}

// BenchmarkSpin is what the machine has to give: a loop that touches no memory, in one goroutine
// and in two; ns a turn, of either.
func BenchmarkSpin(b *testing.B) {
	for jobs := 1; jobs <= 2; jobs++ {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			var all sync.WaitGroup
			for range jobs {
				all.Go(func() { whirl(b, b.N/jobs) })
			}
			all.Wait()
		})
	}
}

func whirl(b *testing.B, turns int) {
	x := uint64(88172645463325252)
	for range turns {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		b.Error("xorshift came to 0, which it never does")
	}
}
