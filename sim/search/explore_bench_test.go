package search_test

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// The spaces that are measured. The register of three servers is of the size of Paxos: each of two
// operations asks a majority twice.
const (
	threeServers = "# A writer and a reader.\n\n-- scenario --\nmodel register\nnodes P Q R\n\n" +
		"-- script --\nP write x 1\nQ read x\n\n-- expect --\nabd holds\n"
	fiveParticipants = "# One coordinator, five participants.\n\n-- scenario --\nmodel commit\n" +
		"nodes C P Q R S T\n\n-- script --\nC commit tx1 P Q R S T\n\n-- expect --\nlogged holds\n"
	twoParticipants = "# As the peers measure it.\n\n-- scenario --\nmodel commit\nnodes C P Q\n\n" +
		"-- script --\nC commit tx1 P Q\n\n-- expect --\nlogged holds\n"
)

// BenchmarkExplore is G16, G19 and G20: ns a state with a different fingerprint, of every state that
// can be reached, and only of those that persistent sets leave; judging every end (linearizability
// among it) or none.
func BenchmarkExplore(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // as the command has it
	for _, full := range []bool{true, false} {
		for _, judged := range []bool{false, true} {
			for jobs := 1; jobs <= 2; jobs++ {
				name := fmt.Sprintf("full=%t/judged=%t/jobs=%d", full, judged, jobs)
				b.Run(name, func(b *testing.B) {
					x := exploration(b, register.Protocol, "abd", threeServers)
					x.Full, x.Jobs, x.Walk = full, jobs, sim.WalkOptions{Deep: judged}
					if !judged {
						x.Judge = func(*sim.Run) search.Finding { return search.Finding{} }
					}
					measured(b, x)
				})
			}
		}
	}
}

// BenchmarkReduction is G18: states of a two-phase commit of five participants, all of them and
// those that are visited.
func BenchmarkReduction(b *testing.B) {
	for _, full := range []bool{true, false} {
		b.Run(fmt.Sprintf("full=%t", full), func(b *testing.B) {
			x := exploration(b, commit.Protocol, "logged", fiveParticipants)
			x.Full = full
			b.ReportMetric(float64(measured(b, x)), "ns/op") // states, not time
		})
	}
}

// BenchmarkOrders is G21: all of the smallest two-phase commit with a crash at every moment.
func BenchmarkOrders(b *testing.B) {
	x := exploration(b, commit.Protocol, "logged", twoParticipants)
	x.Walk.Crashes = 1
	measured(b, x)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/op")
}

func exploration(b *testing.B, p *sim.Protocol, variant, story string) search.Exploration {
	b.Helper()
	s, err := scenarios.Parse("bench.txt", []byte(story))
	if err != nil {
		b.Fatal(err)
	}
	plan, err := s.Plan(p, variant, 0)
	if err != nil {
		b.Fatal(err)
	}
	c, err := scenarios.NewCampaign(p, variant, s)
	if err != nil {
		b.Fatal(err)
	}
	return search.Exploration{Plan: plan, Judge: c.Judge, Jobs: 1, All: true}
}

// measured explores, reports ns a state, and gives the number of states.
func measured(b *testing.B, x search.Exploration) int64 {
	b.Helper()
	var states int64
	for b.Loop() {
		r, err := search.Explore(x)
		if err != nil || !r.Complete || len(r.Broken) > 0 {
			b.Fatalf("complete %t, broken %v, error %v: want a clean, complete space", r.Complete,
				r.Broken, err)
		}
		states = r.States
		b.ReportMetric(float64(r.Bytes)/float64(r.States), "B/state")
		b.ReportMetric(float64(r.States), "states")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(int64(b.N)*states), "ns/op")
	return states
}
