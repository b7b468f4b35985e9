package pages

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// talk is gossip among nodes: events at random nodes, one an interval, of which so many in a
// hundred send a message to anybody.
type talk struct {
	nodes, events, messages int
	interval                time.Duration
}

func (g talk) begin(of *sim.Protocol, seed uint64) *experiment {
	x := newExperiment(of, "dotted", g.nodes, seed)
	x.setup = []string{"max-offset 1h"}
	for k := range g.events {
		node, at := x.draw.IntN(g.nodes), time.Duration(k)*g.interval
		if x.draw.IntN(100) >= g.messages {
			x.ask(at, node, "tick")
			continue
		}
		x.ask(at, node, "say %s hello", x.name((node+1+x.draw.IntN(g.nodes-1))%g.nodes))
	}
	return x
}

// rates are in how many of a hundred events a message is sent.
var rates = []int{1, 10, 50}

// reach is the greatest difference of counts that the table of close stamps has a row for.
const reach = 12

// stampRuns is of how many runs a share of pairs of stamps is.
const stampRuns = 20

// closeStamps is the table of how often two events are concurrent whose Lamport stamps are equal or
// close, and a second one of all pairs with different stamps.
func closeStamps(of *sim.Protocol) (string, error) {
	var b strings.Builder
	b.WriteString("\n## Close Lamport stamps\n\n| apart | 1 % | 10 % | 50 % " +
		"|\n|---:|---:|---:|---:|\n")
	var ten []spread
	for _, rate := range rates {
		s, err := spreadOf(of, talk{nodes: 10, events: 1000, messages: rate})
		if err != nil {
			return "", err
		}
		ten = append(ten, s)
	}
	for apart := range reach + 1 {
		fmt.Fprintf(&b, "| %d |", apart)
		for _, s := range ten {
			fmt.Fprintf(&b, " %v |", &s.apart[apart])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| nodes | events | messages | L(a) < L(b), and concurrent |\n" +
		"|---:|---:|---:|---:|\n")
	for i, s := range ten {
		b.WriteString(s.row(talk{nodes: 10, events: 1000, messages: rates[i]}))
	}
	for _, g := range []talk{{nodes: 10, events: 300}, {nodes: 2, events: 1000},
		{nodes: 2, events: 300}} {
		for _, g.messages = range rates {
			s, err := spreadOf(of, g)
			if err != nil {
				return "", err
			}
			b.WriteString(s.row(g))
		}
	}
	return b.String(), nil
}

// sampleStamps is a row of the second table that is quick to play.
func sampleStamps(of *sim.Protocol) (string, error) {
	g := talk{nodes: 2, events: 300, messages: 50}
	s, err := spreadOf(of, g)
	return s.row(g), err
}

// spread is which share of the pairs of events is concurrent: by how far their stamps are apart,
// and of all with different stamps.
type spread struct {
	apart []share
	all   share
}

func (s *spread) row(g talk) string {
	return fmt.Sprintf("| %d | %d | %d %% | %v |\n", g.nodes, g.events, g.messages, &s.all)
}

// spreadOf counts over some runs, with an event a millisecond.
func spreadOf(of *sim.Protocol, g talk) (s spread, err error) {
	g.interval = time.Millisecond
	s.apart = make([]share, reach+1)
	for seed := range uint64(stampRuns) {
		run, err := g.begin(of, seed).run()
		if err != nil {
			return s, err
		}
		counts := clocks.Stamps(run, 1<<16)
		for apart := range s.apart {
			s.apart[apart].add(counts.Concurrent[apart], counts.Pairs[apart])
		}
		pairs, concurrent := 0, 0
		for apart := 1; apart < len(counts.Pairs); apart++ {
			pairs += counts.Pairs[apart]
			concurrent += counts.Concurrent[apart]
		}
		s.all.add(concurrent, pairs)
	}
	return s, nil
}

// hybridDrift is the table of how far hybrid stamps get ahead of the clock of their node, and a
// second one of how high their logical part gets.
func hybridDrift(of *sim.Protocol) (string, error) {
	var b strings.Builder
	b.WriteString("\n## Hybrid clocks against the error of clocks\n\n" +
		"| error, ms | largest difference | ahead, delay 0.05 ms | ahead, delay 5 ms |\n" +
		"|---:|---:|---:|---:|\n")
	for _, reach := range []time.Duration{0, 1, 2, 5, 10, 20, 50} {
		c := chatter{reach: reach * time.Millisecond, delay: 50 * time.Microsecond, grain: "1us",
			interval: time.Millisecond}
		quick, err := c.most(of)
		if err != nil {
			return "", err
		}
		c.delay = 5 * time.Millisecond
		slow, err := c.most(of)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", reach, millis(quick.apart), millis(quick.ahead),
			millis(slow.ahead))
	}
	b.WriteString("\n| error, ms | granularity | an event each | delay 0.05 ms: logical part " +
		"| delay 5 ms |\n|---:|---|---|---:|---:|\n")
	for k := range 8 { // each of three choices, one a binary digit
		c := chatter{reach: time.Duration(k/4) * 10 * time.Millisecond, grain: "1us",
			interval: time.Millisecond}
		if k/2%2 == 1 {
			c.grain = "1ms"
		}
		if k%2 == 1 {
			c.interval /= 10
		}
		row, err := c.logicalRow(of)
		if err != nil {
			return "", err
		}
		b.WriteString(row)
	}
	return b.String(), nil
}

// logicalRow is a row of the table of logical parts.
func (c chatter) logicalRow(of *sim.Protocol) (string, error) {
	row := fmt.Sprintf("| %d | %s | %v |", c.reach.Milliseconds(), c.grain, c.interval)
	for _, delay := range []time.Duration{50 * time.Microsecond, 5 * time.Millisecond} {
		c.delay = delay
		h, err := c.most(of)
		if err != nil {
			return "", err
		}
		row += fmt.Sprintf(" %d |", h.logical)
	}
	return row + "\n", nil
}

// chatter is gossip among ten nodes, whose clocks are off by up to reach either way.
type chatter struct {
	reach, delay, interval time.Duration
	grain                  string
}

// heights are by how much stamps are ahead, by how much clocks differ, and the greatest logical
// part.
type heights struct {
	ahead, apart time.Duration
	logical      int64
}

// most is the greatest of each over ten runs.
func (c chatter) most(of *sim.Protocol) (top heights, err error) {
	for seed := range uint64(10) {
		h, err := c.play(of, seed)
		if err != nil {
			return top, err
		}
		top = heights{max(top.ahead, h.ahead), max(top.apart, h.apart), max(top.logical, h.logical)}
	}
	return top, nil
}

func (c chatter) play(of *sim.Protocol, seed uint64) (h heights, err error) {
	x := talk{10, 1000, 50, c.interval}.begin(of, seed)
	x.delay = c.delay
	x.setup = append(x.setup, "granularity "+c.grain)
	x.skew(c.reach)
	run, err := x.run()
	if err != nil {
		return h, err
	}
	low, high := time.Duration(math.MaxInt64), time.Duration(0)
	for _, a := range x.load {
		if a.Verb == sim.Jump {
			low, high = min(low, time.Duration(a.Amount)), max(high, time.Duration(a.Amount))
		}
	}
	h.apart = max(0, high-low)
	h.ahead, h.logical = clocks.Drift(run)
	return h, nil
}

// millis is a duration in milliseconds with three decimals.
func millis(d time.Duration) string {
	us := d.Microseconds()
	return fmt.Sprintf("%d.%03d", us/1000, us%1000)
}
