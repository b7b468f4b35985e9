package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// orders are the conflict rules that are compared, and what they are called there.
var orders = []struct{ variant, name string }{
	{"wall", "wall clock"}, {"hybrid", "hybrid"}, {"lamport", "Lamport"}, {"dotted", "siblings"},
	{"conditional", "conditional"},
}

// ofOrders are the heads of the columns of the orders.
func ofOrders() string {
	heads := ""
	for _, o := range orders {
		heads += " " + o.name + " |"
	}
	return heads
}

// lostBySkew is the table of the updates of a chain that are lost, by how far clocks are off. The
// interval between two writes is 10 ms.
func lostBySkew(of *sim.Protocol) (string, error) {
	const gap = 10 * time.Millisecond
	var b strings.Builder
	b.WriteString("\n## Lost updates against skew\n\n| skew / interval |" + ofOrders() + "\n|---:|" +
		strings.Repeat("---:|", len(orders)) + "\n")
	for _, tenths := range []int{0, 5, 8, 10, 12, 15, 20, 40, 80, 160} {
		fmt.Fprintf(&b, "| %d.%d |", tenths/10, tenths%10)
		for _, o := range orders {
			told, lost, err := lostUpdates(of, o.variant, gap*time.Duration(tenths)/10, gap)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %s |", percent(lost, told))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// lostByConcurrency is the table of what is lost among writers that do not wait for each other,
// with clocks that are right: the delay of a message against the interval between two writes.
func lostByConcurrency(of *sim.Protocol) (string, error) {
	const delay = 5 * time.Millisecond
	var b strings.Builder
	b.WriteString("\n## Lost updates of concurrent writers\n\n| delay / interval |" + ofOrders() +
		" conditional, refused |\n|---:|" + strings.Repeat("---:|", len(orders)+1) + "\n")
	for _, tenths := range []int{1, 2, 5, 10, 20, 50} {
		fmt.Fprintf(&b, "| %d.%d |", tenths/10, tenths%10)
		var refused int
		for _, o := range orders {
			share, no, err := concurrentLost(of, o.variant, delay*10/time.Duration(tenths))
			if err != nil {
				return "", err
			}
			refused = no
			fmt.Fprintf(&b, " %s |", share)
		}
		fmt.Fprintf(&b, " %s |\n", percent(refused, concurrentRuns*concurrentWrites))
	}
	return b.String(), nil
}

// concurrentLost is the share of updates that are lost, over some runs, and how many were refused.
func concurrentLost(of *sim.Protocol, variant string, interval time.Duration) (share string,
	refused int, err error) {
	told, lost := 0, 0
	for seed := range uint64(concurrentRuns) {
		run, err := concurrentWriters(of, variant, interval, seed)
		if err != nil {
			return "", 0, err
		}
		t, l := clocks.Updates(run)
		told, lost, refused = told+t, lost+l, refused+refusals(run)
	}
	return percent(lost, told), refused, nil
}

// concurrentRuns is how many runs a share is of, and concurrentWrites how many writes a run has.
const concurrentRuns, concurrentWrites = 10, 60

// concurrentWriters is writes of one key, each by a node that has read its own replica just before.
func concurrentWriters(of *sim.Protocol, variant string, interval time.Duration,
	seed uint64) (*sim.Run, error) {
	x := newExperiment(of, variant, 3, seed)
	x.delay = 5 * time.Millisecond
	for k := range concurrentWrites {
		writer := x.draw.IntN(x.nodes)
		at := time.Duration(k)*interval + time.Duration(x.draw.Int64N(int64(interval)))
		x.ask(at, writer, "forget")
		x.ask(at, writer, "get x")
		x.ask(at+200*time.Microsecond, writer, "put x %d", k)
	}
	return x.run()
}

func refusals(run *sim.Run) int {
	n := 0
	for i := range run.Trace {
		if run.Trace[i].Kind == sim.EntryRefused {
			n++
		}
	}
	return n
}
