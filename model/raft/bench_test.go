package raft_test

import (
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// crashing is five nodes, a hundred operations of five clients over two seconds, and a crash about
// every tenth of a second.
func crashing(b *testing.B, variant string, seed uint64) *sim.Plan {
	v, err := raft.Protocol.Variant(variant)
	if err != nil {
		b.Fatal(err)
	}
	p := &sim.Plan{Protocol: raft.Protocol, Variant: v, Nodes: []string{"A", "B", "C", "D", "E"},
		Timed: true, Seed: seed}
	p.Network.Links = []sim.Link{{From: "*", To: "*",
		Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 5 * time.Millisecond}}}
	d := &sim.Draws{Nodes: p.Nodes, Clients: 5, Ops: 100, Span: 2 * time.Second, Seed: seed}
	p.Load = raft.Protocol.Draw(d)
	for k := time.Duration(1); k < 20; k++ {
		n := d.Node("crashed", k)
		p.Load = append(p.Load,
			sim.Action{Verb: sim.Crash, Node: n, Place: sim.At, Offset: k * 100 * time.Millisecond, Maybe: true},
			sim.Action{Verb: sim.Restart, Node: n, Place: sim.At,
				Offset: k*100*time.Millisecond + 80*time.Millisecond, Maybe: true})
	}
	return p
}

// BenchmarkCheckedRun is G13: five nodes, a hundred operations, crashes, and every property.
func BenchmarkCheckedRun(b *testing.B) {
	for _, variant := range []string{"raft", "etcd", "etcd-async"} {
		b.Run(variant, func(b *testing.B) { each(b, variant, true) })
	}
}

// BenchmarkRun is the same run alone.
func BenchmarkRun(b *testing.B) {
	for _, variant := range []string{"raft", "etcd", "etcd-async"} {
		b.Run(variant, func(b *testing.B) { each(b, variant, false) })
	}
}

func each(b *testing.B, variant string, judge bool) {
	w, answered, events := new(sim.World), 0, 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		run, err := w.Execute(crashing(b, variant, uint64(i%100+1)), sim.Options{})
		if err != nil || run.End != sim.Settled {
			b.Fatalf("seed %d: ends %v, %v", i%100+1, run.End, err)
		}
		events += run.Events
		for k := range run.Trace {
			if run.Trace[k].Kind == sim.EntryReturned {
				answered++
			}
		}
		if judge {
			if v := checker.Judge(run, raft.Protocol.Properties); v.Outcome != checker.Holds {
				b.Fatalf("seed %d: %v", i%100+1, v.Broken())
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(answered)/float64(b.N), "answers/run")
	b.ReportMetric(float64(events)/float64(b.N), "events/run")
}
