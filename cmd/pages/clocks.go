package pages

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// experiment is a cluster with constant delays, its requests and its clocks.
type experiment struct {
	of      *sim.Protocol
	variant string
	nodes   int
	delay   time.Duration // of a message, at least
	slowest time.Duration // and at most; 0: the same
	setup   []string
	load    []sim.Action
	draw    *rand.Rand
	seed    uint64
}

func newExperiment(of *sim.Protocol, variant string, nodes int, seed uint64) *experiment {
	return &experiment{of: of, variant: variant, nodes: nodes, delay: 50 * time.Microsecond,
		seed: seed,
		draw: rand.New(rand.NewPCG(seed, 1))}
}

func (x *experiment) name(k int) string { return "N" + strconv.Itoa(k+1) }

// ask adds a request of a node at a time. The node's client waits for the answer before the next.
func (x *experiment) ask(at time.Duration, node int, format string, args ...any) {
	x.askAs(node+1, at, node, fmt.Sprintf(format, args...))
}

// askAs adds a request of one of several clients of a node.
func (x *experiment) askAs(client int, at time.Duration, node int, words string) {
	x.load = append(x.load, sim.Action{Verb: sim.Request, Node: x.name(node), Place: sim.At,
		Offset: at, Words: strings.Fields(words), Client: client})
}

// jump sets the clock of a node off at once.
func (x *experiment) jump(node int, by time.Duration) {
	x.load = append([]sim.Action{{Verb: sim.Jump, Node: x.name(node), Place: sim.At,
		Amount: int64(by)}}, x.load...)
}

// skew sets the clocks of all nodes off, evenly over twice the reach. All go ahead, for a clock
// must not be set back behind what it showed at the start: what counts is how they differ.
func (x *experiment) skew(reach time.Duration) {
	for k := range x.nodes {
		if reach > 0 {
			x.jump(k, time.Duration(x.draw.Int64N(int64(2*reach))))
		}
	}
}

// run plays it.
func (x *experiment) run() (*sim.Run, error) {
	v, err := x.of.Variant(x.variant)
	if err != nil {
		return nil, err
	}
	p := &sim.Plan{Protocol: x.of, Variant: v, Timed: true, Load: x.load, Seed: x.seed,
		Network: sim.Network{Links: []sim.Link{{From: "*", To: "*",
			Delay: sim.Dist{Shape: sim.Uniform, Low: x.delay,
				High: max(x.delay, x.slowest)}}}},
		Budget: sim.Budget{Events: 1 << 22, Bytes: 1 << 32}}
	for k := range x.nodes {
		p.Nodes = append(p.Nodes, x.name(k))
	}
	for _, line := range x.setup {
		s, err := x.of.ParseSetup(strings.Fields(line), p.Nodes)
		if err != nil {
			return nil, err
		}
		p.Setup = append(p.Setup, s)
	}
	run, err := new(sim.World).Execute(p, sim.Options{})
	if err == nil && (run.End != sim.Settled || len(run.Stale) > 0) {
		err = fmt.Errorf("clocks: an experiment with %s ended %v, %s %v", x.variant, run.End,
			run.Why, run.Stale)
	}
	return run, err
}

// Of how many chains of updates a share is: by wall clock, and where none is to be lost at all.
const wallChains, otherChains = 1600, 100

// lostUpdates is a chain of updates of one key, one a gap: whoever is next reads the newest, and
// writes. Clocks are off by up to half of the skew either way. It counts what of it is lost, over
// several chains.
func lostUpdates(of *sim.Protocol, variant string, skew, gap time.Duration) (lost share,
	err error) {
	const steps = 40
	chains := otherChains
	if variant == "wall" {
		chains = wallChains
	}
	for chain := range uint64(chains) {
		x := newExperiment(of, variant, 3, chain)
		x.setup = []string{"max-offset 1h"}
		x.skew(skew / 2)
		for k := range steps {
			writer, at := x.draw.IntN(x.nodes), time.Duration(k)*gap
			x.ask(at+time.Millisecond, writer, "forget")
			x.ask(at+time.Millisecond, writer, "get x")
			x.ask(at+gap, writer, "put x %d", k)
		}
		run, err := x.run()
		if err != nil {
			return lost, err
		}
		told, gone := clocks.Updates(run)
		lost.add(gone, told)
	}
	return lost, nil
}
