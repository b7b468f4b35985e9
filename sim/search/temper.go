package search

import (
	"fmt"
	"time"

	"github.com/downset/downset/sim"
)

// Temperament is how a network spreads its delays, and which kinds of fault it has. Those of
// delays have faults as in the mix, those of faults have delays as in the mix.
//
// The mix draws both for each seed. Of eight seeds one is constant, one uniform, one ranked and
// five are heavy; two are calm, three swarms and three storms. The shares are chosen from what
// results/temperaments.md measures, the seeds it takes each temperament to find each wrong variant.
// None of them is good at everything, and what only one finds the mix finds as much later as that
// one's share is small. The heavy tail is nowhere far from the best; the other delays miss some
// variants nearly or altogether, but lead for a few. Of faults, calm misses all that takes a fault,
// a storm hides what takes none, and a swarm seldom has together two kinds that it takes both. Of
// all shares in eighths these leave the mix least far behind the best pair of delays and faults:
// less than 3 times. Equal shares of delays, with swarms alone, were some 8 times behind for a torn
// record that hides those after it, and 6 for a commit that is forgotten and asked for anew.
type Temperament uint8

// The temperaments.
const (
	Mix       Temperament = iota // another for each seed
	Steady                       // every message takes the same time
	Even                         // anything up to the greatest alike
	HeavyTail                    // mostly quick, some very late
	Ranked                       // each link has a speed of its own, which changes at a few moments
	Calm                         // no faults
	Swarm                        // of the kinds that the protocol stands, each seed leaves most out
	Storm                        // all kinds that the protocol stands, at once
)

var temperNames = []string{"mix", "constant", "uniform", "heavy", "ranked", "calm", "swarm",
	"storm"}

func (t Temperament) String() string { return temperNames[t] }

// Temperaments are the names that ParseTemperament takes.
func Temperaments() []string { return append([]string(nil), temperNames...) }

// ParseTemperament is the temperament called name.
func ParseTemperament(name string) (Temperament, error) {
	for i, n := range temperNames {
		if n == name {
			return Temperament(i), nil
		}
	}
	return 0, fmt.Errorf("no temperament %q%s", name, sim.DidYouMean(name, temperNames))
}

// Temper gives a plan's network the delays and the faults of a temperament, faults only of the
// kinds that the protocol stands, by the plan's seed alone. A plan that says its own delays keeps
// them; so with faults.
func Temper(p *sim.Plan, t Temperament) { Adversity{Temperament: t}.Temper(p) }

// spread is the temperament of a seed's delays in the mix.
func (d *drawer) spread() Temperament {
	switch d.below(8, "temperament") {
	case 0:
		return Steady
	case 1:
		return Even
	case 2:
		return Ranked
	}
	return HeavyTail
}

// weather is the temperament of a seed's faults in the mix.
func (d *drawer) weather() Temperament {
	switch d.below(8, "weather") {
	case 0, 1:
		return Calm
	case 2, 3, 4:
		return Swarm
	}
	return Storm
}

// span is the least and the greatest delay of tempered networks.
const (
	shortest = 100 * time.Microsecond
	longest  = 10 * time.Millisecond
)

func delays(t Temperament, d *drawer, p *sim.Plan) []sim.Link {
	dist := sim.Dist{Low: time.Millisecond}
	high := longest >> d.below(3, "longest")
	switch t {
	case Even:
		dist = sim.Dist{Shape: sim.Uniform, Low: shortest, High: high}
	case HeavyTail:
		dist = sim.Dist{Shape: sim.Heavy, Low: shortest, High: 4 * high}
	case Ranked:
		dist = sim.Dist{Shape: sim.Ranked, Low: shortest, High: high}
	}
	links := []sim.Link{{From: "*", To: "*", Delay: dist}}
	if p.Protocol.Log {
		links = append(links, sim.Link{From: "log", To: "*", Delay: dist})
	}
	for _, n := range p.Nodes {
		own := dist
		own.Low, own.High = 0, own.High/4
		links = append(links, sim.Link{From: n, To: n, Delay: own})
	}
	return links
}

// drawer draws from one seed, by label.
type drawer struct{ seed uint64 }

func (d *drawer) below(n int64, label ...any) int64 {
	return (&sim.Draws{Seed: d.seed}).Int(n, append([]any{"temper "}, label...)...)
}

// one is true once in n.
func (d *drawer) one(n int64, label ...any) bool { return d.below(n, label...) == 0 }
