package ignite_test

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// setup is a client, and four servers that own each key twice.
var setup = []string{"client T", "key u on P R", "key v on Q S", "key w on S P", "key x on P Q",
	"key y on Q R", "key z on R S holds 100"}

// loads are the transactions, over and over: of one phase and of two, in all modes, with additions
// and with reads.
var loads = []string{"x", "y z+1", "u reads v", "v w optimistic", "z-1", "u=5 x serializable",
	"w reads y optimistic", "x z+2 primary-sync", "v"}

// roundRun is five nodes, twenty transactions and a cut.
func roundRun(b *testing.B) *sim.Plan {
	v, err := ignite.Protocol.Variant("fixed")
	if err != nil {
		b.Fatal(err)
	}
	p := &sim.Plan{Protocol: ignite.Protocol, Variant: v, Nodes: []string{"P", "Q", "R", "S", "T"},
		Timed: true}
	p.Network.Links = []sim.Link{{From: "*", To: "*",
		Delay: sim.Dist{Shape: sim.Uniform, Low: time.Millisecond, High: 10 * time.Millisecond}}}
	for _, line := range setup {
		value, err := ignite.Protocol.ParseSetup(strings.Fields(line), p.Nodes)
		if err != nil {
			b.Fatal(err)
		}
		p.Setup = append(p.Setup, value)
	}
	for i := range 21 {
		text := "commit tx" + strconv.Itoa(i) + " " + loads[i%len(loads)]
		if i == 10 {
			text = "cut c1"
		}
		p.Load = append(p.Load, sim.Action{Verb: sim.Request, Node: p.Nodes[i%5],
			Words: strings.Fields(text), Place: sim.At, Offset: time.Duration(i) * 5 * time.Millisecond})
	}
	return p
}

// BenchmarkCheckedRun is G12: five nodes, twenty transactions, one cut, and every property, with the
// collector as Go has it and as a sweep of the command has it.
func BenchmarkCheckedRun(b *testing.B) { eachCollector(b, true) }

// BenchmarkRun is the same run alone, with its trace and without a property.
func BenchmarkRun(b *testing.B) { eachCollector(b, false) }

func eachCollector(b *testing.B, judge bool) {
	for _, percent := range []int{100, 800} {
		b.Run(fmt.Sprintf("gogc=%d", percent), func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(percent))
			b.ReportAllocs()
			play(b, judge)
		})
	}
}

// play plays the run under one seed after the other, and judges it if that is wanted.
func play(b *testing.B, judge bool) {
	p, w := roundRun(b), new(sim.World)
	for b.Loop() {
		p.Seed++
		run, err := w.Execute(p, sim.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if !judge {
			continue
		}
		if o := checker.Judge(run, p.Protocol.Properties).Outcome; o != checker.Holds {
			b.Fatalf("seed %d: %v", p.Seed, o)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
