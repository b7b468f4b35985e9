package search

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// Adversity is what a search lets happen to plans that leave it open: delays and kinds of fault
// (Temperament), and an adversary with a plan of its own (Nemesis).
//
// Random faults hardly ever come in the order that hurts: the crash just after a vote, the
// partition just after an election. A nemesis is made of such orders. The mix draws one for some
// seeds beside the faults of their temperament (a storm has one always, calm none); to ask for one
// leaves those out.
type Adversity struct {
	Temperament Temperament
	Nemesis     string // "" is the mix; see Nemeses
}

// The nemeses of every protocol; its own come beside them (sim.Protocol.Nemeses).
const (
	ByChance = "random" // faults by chance and by the clock, and none that a fact sets off
	ByFacts  = "facts"  // faults that facts set off, at Protocol.Moments, and no others
)

// Nemeses are the names that Adversity.Nemesis may have for a protocol, beside "".
func Nemeses(p *sim.Protocol) []string {
	names := []string{ByChance, ByFacts}
	for _, n := range p.Nemeses {
		names = append(names, n.Name)
	}
	return names
}

// Fits says why a nemesis is none of a protocol.
func (a Adversity) Fits(p *sim.Protocol) error {
	if names := Nemeses(p); a.Nemesis != "" && !slices.Contains(names, a.Nemesis) {
		return fmt.Errorf("%s has no nemesis %q%s", p.Name, a.Nemesis, sim.DidYouMean(a.Nemesis, names))
	}
	return nil
}

// Temper gives a plan's network delays, and the plan faults, faults only of the kinds that the
// protocol stands, by the plan's seed alone. A plan that says its own delays keeps them; so with
// faults.
func (a Adversity) Temper(p *sim.Plan) {
	d := drawer{p.Seed}
	spread, weather := d.spread(), d.weather()
	switch t := a.Temperament; t {
	case Mix:
	case Steady, Even, HeavyTail, Ranked:
		spread = t
	case Calm, Swarm, Storm:
		weather = t
	}
	if len(p.Network.Links) == 0 {
		p.Network.Links = delays(spread, &d, p)
	}
	if p.Network.Crash == 0 && p.Network.Break == 0 {
		a.beset(p, &nemesis{d, weather})
	}
}

// beset gives a plan its faults.
func (a Adversity) beset(p *sim.Plan, d *nemesis) {
	span := spanOf(p) // before there are faults in it
	switch a.Nemesis {
	case "":
		faults(d, p)
		byFact(d, p, span)
		if own := p.Protocol.Nemeses; len(own) > 0 && d.has(3, "nemesis?") {
			strike(p, &own[d.below(int64(len(own)), "nemesis")])
		}
	case ByChance:
		faults(d, p)
	case ByFacts:
		for k := range factStrikes {
			byFact(&nemesis{drawer{d.seed + uint64(k)<<32}, Storm}, p, span)
		}
	default:
		for i := range p.Protocol.Nemeses {
			if n := &p.Protocol.Nemeses[i]; n.Name == a.Nemesis {
				strike(p, n)
			}
		}
	}
}

// factStrikes is how many faults that facts set off the nemesis of facts has in one plan.
const factStrikes = 3

// strike lets a protocol's own nemesis into a plan.
func strike(p *sim.Plan, n *sim.Nemesis) {
	s := n.Draw(&sim.Draws{Nodes: p.Nodes, Later: p.Later, Setup: p.Setup, Span: spanOf(p),
		Ops: len(p.Load), Clients: 1, Seed: p.Seed})
	p.Setup = append(slices.Clip(p.Setup), s.Setup...)
	armed := make([]sim.Action, 0, len(s.Armed)+len(p.Script))
	for _, a := range s.Armed {
		a.Maybe = true
		armed = append(armed, a)
	}
	p.Script = append(armed, p.Script...)
	for _, a := range s.Load {
		load(p, a.Offset, a)
	}
}
