package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// streamOrders is the table of the events that consumers are given after one that follows them in
// the log, by how far the clocks of the producers are apart.
func streamOrders(of *sim.Protocol) (string, error) {
	const interval = 2 * time.Millisecond
	var b strings.Builder
	b.WriteString("\n## Streams by the producers' clocks\n\n" +
		"| skew / interval | timestamp | sequence |\n|---:|---:|---:|\n")
	for _, tenths := range []int{0, 5, 10, 15, 20, 40, 80} {
		fmt.Fprintf(&b, "| %d.%d |", tenths/10, tenths%10)
		for _, variant := range []string{"stamped-stream", "dotted"} {
			late, err := lateEvents(of, variant, interval, interval*time.Duration(tenths)/20)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %v |", &late)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// Of how many runs a share of events is: by stamps, and where none is to be late at all.
const stampedRuns, orderedRuns = 400, 50

// lateEvents is the share of events that are late. Producers emit in turns that are drawn, one
// event an interval, by clocks that are off by up to reach, and one node consumes them.
func lateEvents(of *sim.Protocol, variant string, interval, reach time.Duration) (late share,
	err error) {
	runs := orderedRuns
	if variant == "stamped-stream" {
		runs = stampedRuns
	}
	for seed := range uint64(runs) {
		x := newExperiment(of, variant, 3, seed)
		x.setup = []string{"max-offset 1h"}
		x.skew(reach)
		x.ask(0, 0, "consume p")
		for k := range 100 {
			x.ask(time.Millisecond+time.Duration(k)*interval, x.draw.IntN(x.nodes), "emit p e%d", k)
		}
		x.ask(time.Second, 0, "poll")
		run, err := x.run()
		if err != nil {
			return late, err
		}
		given, behind := clocks.Given(run)
		late.add(behind, given)
	}
	return late, nil
}

// twoClocks is the table of what becomes of leases and of measured latencies, by whose clock their
// end is told.
func twoClocks(of *sim.Protocol) (string, error) {
	var b strings.Builder
	b.WriteString("\n## Leases and latencies by two clocks\n\n" +
		"| form | two holders at once | refused to its holder | impossible latency |\n" +
		"|---|---:|---:|---:|\n")
	for _, f := range []struct{ name, variant string }{
		{"a duration, from the question", "dotted"},
		{"a duration, from the answer", "lease-from-answer"},
		{"a time of the granter's monotonic clock", "absolute-lease"},
		{"a time of the wall clocks", "wall-lease"},
		{"latency by two monotonic clocks", "subtracted-latency"},
	} {
		broken, err := brokenLeases(of, f.variant)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %v | %v | %v |\n", f.name, &broken[0], &broken[1], &broken[2])
	}
	return b.String(), nil
}

// leaseProperties are those of the columns.
var leaseProperties = [...]string{"one-holder", "lease-usable", "latency-possible"}

// brokenLeases is which share of runs breaks each property.
func brokenLeases(of *sim.Protocol, variant string) (broken [len(leaseProperties)]share,
	err error) {
	for seed := range uint64(leaseRuns) {
		run, err := holders(of, variant, seed)
		if err != nil {
			return broken, err
		}
		for k, property := range leaseProperties {
			broken[k].add(breaks(of, run, property), 1)
		}
	}
	return broken, nil
}

// leaseRuns is how many runs a share of them is of.
const leaseRuns = 600

// holders are two nodes that want the lease of a third over and over and act upon it, on hosts that
// were started at different times, with clocks that are off by up to 20 ms and messages that take 1
// to 10 ms.
func holders(of *sim.Protocol, variant string, seed uint64) (*sim.Run, error) {
	x := newExperiment(of, variant, 3, seed)
	x.delay, x.slowest = time.Millisecond, 10*time.Millisecond
	for k := range x.nodes {
		x.setup = append(x.setup, fmt.Sprintf("boot %s %dh", x.name(k), 1+x.draw.IntN(5000)))
	}
	x.skew(20 * time.Millisecond)
	for k := range 300 {
		at := time.Duration(k) * 2 * time.Millisecond
		for holder := 1; holder < x.nodes; holder++ {
			if x.draw.IntN(30) == 0 {
				x.ask(at, holder, "lease at N1")
			}
			x.ask(at+time.Millisecond, holder, "act at N1")
		}
	}
	x.ask(time.Millisecond, 1, "measure N1")
	return x.run()
}

// breaks is 1 if a run breaks a property, else 0.
func breaks(of *sim.Protocol, run *sim.Run, name string) int {
	for _, p := range of.Properties {
		if p.Name == name {
			if _, v := p.Check(run); v != nil {
				return 1
			}
			return 0
		}
	}
	panic("clocks has no property " + name)
}
