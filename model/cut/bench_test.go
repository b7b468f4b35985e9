package cut_test

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/sim"
)

// BenchmarkCheckedRun is G12: five nodes, twenty transactions, one cut, and every property, with the
// collector as Go has it and as a sweep of the command has it.
func BenchmarkCheckedRun(b *testing.B) {
	v, err := cut.Protocol.Variant("signed")
	if err != nil {
		b.Fatal(err)
	}
	p := &sim.Plan{Protocol: cut.Protocol, Variant: v, Nodes: []string{"P", "Q", "R", "S", "T"},
		Timed: true}
	p.Network.Links = []sim.Link{{From: "*", To: "*",
		Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 10 * time.Millisecond}}}
	for i := range 21 {
		words := []string{"commit", "tx" + strconv.Itoa(i)}
		if i == 10 {
			words = []string{"cut", "1"}
		}
		p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: p.Nodes[i%5], Words: words,
			Place: sim.At, Offset: time.Duration(i) * time.Millisecond})
	}
	for _, percent := range []int{100, 800} {
		b.Run(fmt.Sprintf("gogc=%d", percent), func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(percent))
			b.ReportAllocs()
			checked(b, *p)
		})
	}
}

// checked plays and judges a plan under one seed after the other.
func checked(b *testing.B, p sim.Plan) {
	w := new(sim.World)
	for b.Loop() {
		p.Seed++
		run, err := w.Execute(&p, sim.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if o := checker.Judge(run, p.Protocol.Properties).Outcome; o != checker.Holds {
			b.Fatalf("seed %d: %v", p.Seed, o)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
