package search_test

import (
	"fmt"
	"runtime/debug"
	"slices"
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

// BenchmarkExplore is G16, G17 and G20: ns a state with a different fingerprint, of every state that
// can be reached; judging no end, or the linearizability of every end, with histories kept apart.
func BenchmarkExplore(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // as the command has it
	for _, judged := range []bool{false, true} {
		for _, jobs := range []string{"core", "jobs=1", "jobs=2"} {
			b.Run(fmt.Sprintf("judged=%t/%s", judged, jobs), func(b *testing.B) {
				x := exploration(b, linearizable(), "abd", threeServers)
				x.Full, x.Walk = true, sim.WalkOptions{History: judged}
				if jobs == "jobs=2" {
					x.Jobs = 2
				}
				if !judged {
					x.Judge = func(*sim.Run) search.Finding { return search.Finding{} }
				}
				measured(b, x)
			})
		}
	}
}

// linearizable is the register judged by linearizability alone.
func linearizable() *sim.Protocol {
	p := *register.Protocol
	p.Properties = slices.DeleteFunc(slices.Clone(p.Properties), func(q sim.Property) bool {
		return q.Name != "linearizable"
	})
	return &p
}

// BenchmarkStateBytes is G19: bytes that the set of visited states takes for each of them. It is no
// time, whatever the unit says.
func BenchmarkStateBytes(b *testing.B) {
	x := exploration(b, register.Protocol, "abd", threeServers)
	x.Full, x.Judge = true, func(*sim.Run) search.Finding { return search.Finding{} }
	r := measured(b, x)
	b.ReportMetric(float64(r.Bytes)/float64(r.States), "ns/op")
}

// BenchmarkReduction is G18: states of a two-phase commit of five participants, all of them and
// those that are visited. It is no time, whatever the unit says.
func BenchmarkReduction(b *testing.B) {
	for _, full := range []bool{true, false} {
		b.Run(fmt.Sprintf("full=%t", full), func(b *testing.B) {
			x := exploration(b, commit.Protocol, "logged", fiveParticipants)
			x.Full = full
			b.ReportMetric(float64(measured(b, x).States), "ns/op")
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

// measured explores, and reports ns a state.
func measured(b *testing.B, x search.Exploration) search.Explored {
	b.Helper()
	var r search.Explored
	for b.Loop() {
		var err error
		r, err = search.Explore(x)
		if err != nil || !r.Complete || len(r.Broken) > 0 {
			b.Fatalf("complete %t, broken %v, error %v: want a clean, complete space", r.Complete,
				r.Broken, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(int64(b.N)*r.States), "ns/op")
	return r
}
