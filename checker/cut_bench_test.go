package checker_test

import (
	"fmt"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// lawful is a run of five nodes with so many entries that obeys every rule: transactions go round,
// each to one other node, and every thousand entries a cut is drawn along the messages.
func lawful(entries int) *sim.Run {
	t := newTape("A", "B", "C", "D", "E")
	nodes, cut := t.run.Nodes, int64(0)
	version := make([]int64, len(nodes))
	for tx := 0; len(t.run.Trace) < entries; tx++ {
		from, to := tx%len(nodes), (tx*3+1)%len(nodes)
		if to == from {
			to = (to + 1) % len(nodes)
		}
		t.ask(nodes[from])
		if int64(len(t.run.Trace)/1000) > cut {
			cut++
			version[from] = cut
			t.note(point{cut, cut})
			for n := range nodes {
				if n != from {
					t.tell(nodes[n], start{cut, cut})
					t.note(point{cut, cut})
					version[n] = cut
				}
			}
			continue
		}
		name := fmt.Sprint("tx", tx)
		t.note(commit{name})
		t.tell(nodes[to], notify{name, version[from]})
		t.note(commit{name})
	}
	return t.run
}

func benchmarkSizes(b *testing.B, f func(*sim.Run)) {
	for _, entries := range []int{1_000, 10_000, 100_000} {
		run := lawful(entries)
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f(run)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(run.Trace)), "ns/entry")
		})
	}
}

func BenchmarkConsistentCut(b *testing.B) {
	check := property("consistent-cut").Check
	benchmarkSizes(b, func(run *sim.Run) {
		if premises, v := check(run); v != nil || (premises == 0 && len(run.Trace) > 2000) {
			b.Fatalf("got %d premises and %+v, want a run that holds", premises, v)
		}
	})
}

func BenchmarkEveryPropertyOfCuts(b *testing.B) {
	benchmarkSizes(b, func(run *sim.Run) {
		if v := checker.Judge(run, onTape.Properties()); v.Outcome != checker.Holds {
			b.Fatalf("got %v, want holds\n%s", v.Outcome, reasons(v))
		}
	})
}

func BenchmarkOrder(b *testing.B) {
	benchmarkSizes(b, func(run *sim.Run) { checker.NewOrder(run) })
}

func BenchmarkChain(b *testing.B) {
	benchmarkSizes(b, func(run *sim.Run) {
		if chain := checker.Chain(run, 0, len(run.Trace)-1); chain == nil {
			b.Fatal("no chain from the first entry to the last")
		}
	})
}
