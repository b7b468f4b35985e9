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
			lost, err := lostUpdates(of, o.variant, gap*time.Duration(tenths)/10, gap)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %v |", &lost)
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
		var refused share
		for _, o := range orders {
			lost, no, err := concurrentLost(of, o.variant, delay*10/time.Duration(tenths))
			if err != nil {
				return "", err
			}
			refused = no
			fmt.Fprintf(&b, " %v |", &lost)
		}
		fmt.Fprintf(&b, " %v |\n", &refused)
	}
	return b.String(), nil
}

// concurrentLost is which share of updates are lost, over some runs, and which were refused.
func concurrentLost(of *sim.Protocol, variant string, interval time.Duration) (lost,
	refused share, err error) {
	for seed := range uint64(concurrentRuns) {
		run, err := concurrentWriters(of, variant, interval, seed)
		if err != nil {
			return lost, refused, err
		}
		told, gone := clocks.Updates(run)
		lost.add(gone, told)
		refused.add(refusals(run), concurrentWrites)
	}
	return lost, refused, nil
}

// concurrentRuns is how many runs a share is of, and concurrentWrites how many writes a run has.
const concurrentRuns, concurrentWrites = 100, 60

// concurrentWriters is writes of one key, each by a client of its own that has read its node's
// replica just before. The interval is that between two writes on average, whatever they wait for:
// no client waits for another, and a session is over before the next of its node begins.
func concurrentWriters(of *sim.Protocol, variant string, interval time.Duration,
	seed uint64) (*sim.Run, error) {
	x := newExperiment(of, variant, 3, seed)
	x.delay = 5 * time.Millisecond
	for k := range concurrentWrites {
		writer := x.draw.IntN(x.nodes)
		at := time.Duration(k)*interval + time.Duration(x.draw.Int64N(int64(interval-thinks)))
		x.askAs(k+1, at, writer, "forget")
		x.askAs(k+1, at, writer, "get x")
		x.askAs(k+1, at+thinks, writer, fmt.Sprintf("put x %d", k))
	}
	return x.run()
}

// thinks is how long a client takes between what it reads and what it writes.
const thinks = 200 * time.Microsecond

func refusals(run *sim.Run) int {
	n := 0
	for i := range run.Trace {
		if run.Trace[i].Kind == sim.EntryRefused {
			n++
		}
	}
	return n
}
