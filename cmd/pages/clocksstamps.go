package pages

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// gossip is a thousand events of nodes, one a millisecond, of which so many in a hundred send a
// message to anybody.
func gossip(of *sim.Protocol, nodes, messages int, seed uint64) *experiment {
	x := newExperiment(of, "dotted", nodes, seed)
	x.setup = []string{"max-offset 1h"}
	for k := range 1000 {
		node, at := x.draw.IntN(nodes), time.Duration(k)*time.Millisecond
		if x.draw.IntN(100) >= messages {
			x.ask(at, node, "tick")
			continue
		}
		x.ask(at, node, "say %s hello", x.name((node+1+x.draw.IntN(nodes-1))%nodes))
	}
	return x
}

// rates are in how many of a hundred events a message is sent.
var rates = []int{1, 10, 50}

// reach is the greatest difference of counts that the table of close stamps has a row for.
const reach = 12

// closeStamps is the table of how often two events are concurrent whose Lamport stamps are equal or
// close, and a second one of all pairs with different stamps.
func closeStamps(of *sim.Protocol) (string, error) {
	var b strings.Builder
	b.WriteString("\n## Close Lamport stamps\n\n| apart | 1 % | 10 % | 50 % " +
		"|\n|---:|---:|---:|---:|\n")
	var ten []clocks.Spread
	for _, rate := range rates {
		s, err := spreadOf(of, 10, rate, reach)
		if err != nil {
			return "", err
		}
		ten = append(ten, s)
	}
	for apart := range reach + 1 {
		fmt.Fprintf(&b, "| %d |", apart)
		for _, s := range ten {
			fmt.Fprintf(&b, " %s |", percent(s.Concurrent[apart], s.Pairs[apart]))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| nodes | messages | pairs with L(a) < L(b) | of them concurrent |\n" +
		"|---:|---:|---:|---:|\n")
	for _, nodes := range []int{10, 2} {
		for _, rate := range rates {
			s, err := spreadOf(of, nodes, rate, 1<<16)
			if err != nil {
				return "", err
			}
			pairs, concurrent := 0, 0
			for apart := 1; apart < len(s.Pairs); apart++ {
				pairs, concurrent = pairs+s.Pairs[apart], concurrent+s.Concurrent[apart]
			}
			fmt.Fprintf(&b, "| %d | %d %% | %d | %s |\n", nodes, rate, pairs, percent(concurrent,
				pairs))
		}
	}
	return b.String(), nil
}

func spreadOf(of *sim.Protocol, nodes, rate, reach int) (clocks.Spread, error) {
	run, err := gossip(of, nodes, rate, 3).run()
	if err != nil {
		return clocks.Spread{}, err
	}
	return clocks.Stamps(run, reach), nil
}

// hybridDrift is the table of how far hybrid stamps get ahead of the clock of their node, and a
// second one of how high their logical part gets.
func hybridDrift(of *sim.Protocol) (string, error) {
	var b strings.Builder
	b.WriteString("\n## Hybrid clocks against the error of clocks\n\n" +
		"| error, ms | largest difference | ahead, delay 0.05 ms | ahead, delay 5 ms |\n" +
		"|---:|---:|---:|---:|\n")
	for _, reach := range []time.Duration{0, 1, 2, 5, 10, 20, 50} {
		reach *= time.Millisecond
		apart, quick, slow, err := driftOf(of, reach)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", reach.Milliseconds(), millis(apart),
			millis(quick), millis(slow))
	}
	b.WriteString("\n| error, ms | granularity | delay | greatest logical part " +
		"|\n|---:|---|---|---:|\n")
	for _, c := range []chatter{
		{0, 50 * time.Microsecond, "1us"}, {0, 5 * time.Millisecond, "1us"},
		{0, 50 * time.Microsecond, "1ms"}, {0, 5 * time.Millisecond, "1ms"},
		{10 * time.Millisecond, 50 * time.Microsecond, "1us"},
		{10 * time.Millisecond, 5 * time.Millisecond, "1us"},
		{10 * time.Millisecond, 50 * time.Microsecond, "1ms"},
		{10 * time.Millisecond, 5 * time.Millisecond, "1ms"},
	} {
		h, err := c.play(of, 1)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %d | %s | %v | %d |\n", c.reach.Milliseconds(), c.grain, c.delay,
			h.logical)
	}
	return b.String(), nil
}

// driftOf is by how much clocks differ at most over five seeds, and by how much stamps are ahead at
// most, with quick messages and with slow ones.
func driftOf(of *sim.Protocol, reach time.Duration) (apart, quick, slow time.Duration, err error) {
	for seed := range uint64(5) {
		q, err := chatter{reach, 50 * time.Microsecond, "1us"}.play(of, seed)
		if err != nil {
			return 0, 0, 0, err
		}
		s, err := chatter{reach, 5 * time.Millisecond, "1us"}.play(of, seed)
		if err != nil {
			return 0, 0, 0, err
		}
		apart, quick, slow = max(apart, q.apart), max(quick, q.ahead), max(slow, s.ahead)
	}
	return apart, quick, slow, nil
}

// chatter is gossip among ten nodes, whose clocks are off by up to reach either way.
type chatter struct {
	reach, delay time.Duration
	grain        string
}

// heights are by how much stamps are ahead, by how much clocks differ, and the greatest logical
// part.
type heights struct {
	ahead, apart time.Duration
	logical      int64
}

func (c chatter) play(of *sim.Protocol, seed uint64) (h heights, err error) {
	x := gossip(of, 10, 50, seed)
	x.delay = c.delay
	x.setup = append(x.setup, "granularity "+c.grain)
	x.skew(c.reach)
	run, err := x.run()
	if err != nil {
		return h, err
	}
	var low, high time.Duration
	for _, a := range x.load {
		if a.Verb == sim.Jump {
			low, high = min(low, time.Duration(a.Amount)), max(high, time.Duration(a.Amount))
		}
	}
	h.apart = high - low
	h.ahead, h.logical = clocks.Drift(run)
	return h, nil
}

// millis is a duration in milliseconds with three decimals.
func millis(d time.Duration) string {
	us := d.Microseconds()
	return fmt.Sprintf("%d.%03d", us/1000, us%1000)
}
