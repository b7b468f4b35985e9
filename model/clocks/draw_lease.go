package clocks

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// drawLeases makes a load of one or two granters, of whom nodes ask for the lease, act by it while
// it lasts and a little longer, and ask again; others ask meanwhile, and when it should be over. In
// some loads nodes look at all others' clocks besides.
func drawLeases(d *sim.Draws) []sim.Action {
	var load []sim.Action
	if d.Int(3, "measures?") == 0 {
		for k := 0; len(load) < d.Ops/2; k++ {
			load = append(load, drawMeasures(d, k)...)
		}
		load = load[:d.Ops/2]
	}
	left := d.Ops - len(load)
	rounds := max(1, left/9)
	granters, base := 1+d.Int(2, "granters"), d.Int(int64(len(d.Nodes)), "granter")
	for k := range rounds {
		at := (base + d.Int(granters, "granter of", k)) % int64(len(d.Nodes))
		t := tenureDraws{Draws: d, k: k, granter: d.Nodes[at], left: left / rounds,
			begin: d.Span / time.Duration(rounds) * time.Duration(k)}
		load = append(load, t.draw()...)
	}
	return load
}

// tenureDraws draws what comes of one request for a lease.
type tenureDraws struct {
	*sim.Draws
	k             int
	granter       string
	holder, rival string
	begin, term   time.Duration
	end           time.Duration // of the lease, or of its renewal, after begin
	left          int           // how many requests may yet come
	crowd         bool          // most of it happens about the end
	load          []sim.Action
}

// draw draws it: a holder acts again and again, until after its end, and another asks again and
// again, by a client of its own each. Some holders renew, some granters restart, have their wall
// clocks jump, or are not heard for a while.
func (d *tenureDraws) draw() []sim.Action {
	d.term = layoutOf(d.Setup).Term
	first := int(d.Int(int64(len(d.Nodes)), "holder", d.k))
	other := 1 + int(d.Int(int64(max(1, len(d.Nodes)-1)), "rival", d.k))
	d.holder, d.rival = d.Nodes[first], d.Nodes[(first+other)%len(d.Nodes)]
	d.begin, d.end = d.begin+d.pick(d.term/4, "lease", 0), d.term
	d.ask(d.holder, "lease", 0)
	asked := time.Duration(0)
	d.crowd = d.Int(2, "crowds the end?", d.k) == 0
	if d.left > 3 && (d.Int(3, "renews?", d.k) > 0) == d.crowd {
		asked = d.pick(d.term, "renewal", 0)
		d.ask(d.holder, "lease", asked)
		d.end += asked
	}
	for j := int64(0); d.left > 1; j++ {
		switch d.Int(5, "acts?", d.k, j) {
		case 0, 1:
			d.ask(d.holder, "act", d.when("act", j))
		case 2:
			d.ask(d.rival, "lease", d.when("rival", j))
		default:
			at := d.when("rival", j)
			d.ask(d.rival, "lease", at)
			d.ask(d.holder, "act", at+d.pick(retry/3, "act", j))
		}
	}
	d.strikes(asked)
	return d.load
}

// strikes draws what befalls the granter, who was asked last at a time.
func (d *tenureDraws) strikes(asked time.Duration) {
	switch what := d.Int(4, "strikes", d.k); {
	case d.crowd && what < 2:
		d.strike(sim.Partition, asked)
		d.strike(sim.Heal, asked+retry/2+d.pick(retry, "heal", 0))
	case !d.crowd && what < 2:
		down := d.pick(d.end*3/4, "crash", 0)
		d.strike(sim.Crash, down)
		d.strike(sim.Restart, down+d.pick(d.term/8, "restart", 0))
	case !d.crowd && what == 2:
		d.strike(sim.Jump, d.pick(d.end, "jump", 0))
	}
}

// pick draws a time from 0 to a span.
func (d *tenureDraws) pick(span time.Duration, label string, j int64) time.Duration {
	return time.Duration(d.Int(int64(span), label, d.k, j)).Truncate(time.Microsecond)
}

// when is a time of the tenure, or close to its end.
func (d *tenureDraws) when(label string, j int64) time.Duration {
	if (d.Int(4, "about the end? "+label, d.k, j) > 0) == d.crowd {
		return d.end + d.pick(retry/2, label, j)
	}
	return d.pick(d.end, label, j)
}

func (d *tenureDraws) ask(node, word string, after time.Duration) {
	d.left--
	d.load = append(d.load, sim.Action{Verb: sim.Request, Node: node, Place: sim.At,
		Words: []string{word, "at", d.granter}, Offset: min(d.begin+after, d.Span)})
}

// strike does something to the granter: a jump of its clock is by about a term, a partition loses
// what it says.
func (d *tenureDraws) strike(verb sim.Verb, after time.Duration) {
	a := sim.Action{Verb: verb, Node: d.granter, Place: sim.At, Maybe: true,
		Offset: min(d.begin+after, d.Span)}
	switch verb {
	case sim.Jump:
		a.Amount = int64(d.term - d.pick(2*d.term, "jump by", 0) + d.pick(d.term, "jump on", 0))
	case sim.Partition:
		rest := slices.DeleteFunc(slices.Clone(d.Nodes),
			func(n string) bool { return n == d.granter })
		a.Node, a.Groups, a.OneWay = "", [][]string{{d.granter}, rest}, true
	case sim.Heal:
		a.Node = ""
	}
	d.load = append(d.load, a)
}

// drawMeasures has a node look at the clocks of all others.
func drawMeasures(d *sim.Draws, k int) []sim.Action {
	var load []sim.Action
	node, from := d.Node("measuring", k), d.At("measures at", k)
	for _, to := range d.Nodes {
		load = append(load, sim.Action{Verb: sim.Request, Node: node, Place: sim.At,
			Words: []string{"measure", to}, Offset: from})
	}
	return load
}
