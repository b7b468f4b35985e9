package scenarios

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// Bounds are how often on one way an exploration lets something happen that need not: timers that
// fire before all is done, and faults. Deliveries, requests, restarts and heals are not bounded.
type Bounds struct {
	Timers, Crashes, Losses, Duplicates, Partitions, Breaks int

	// Keep: a crash may also leave some or all of what was not synced.
	Keep bool
}

// MostBound is the most that a bound may be.
const MostBound = 99

// UsualBounds are those of a story that says none: a timer, and a crash if the protocol stands it.
func UsualBounds(p *sim.Protocol) Bounds {
	b := Bounds{Timers: 1}
	if p.Stands.Has(sim.Crashes) {
		b.Crashes = 1
	}
	return b
}

// Bounds are those that the story says, else the usual ones.
func (s *Scenario) Bounds(p *sim.Protocol) (b Bounds, said bool) {
	if s.Explore != nil {
		return *s.Explore, true
	}
	return UsualBounds(p), false
}

// String is "timers 1, crashes 1, keep", or "no timers, no faults".
func (b Bounds) String() string {
	words := b.words()
	if len(words) == 0 {
		return "no timers, no faults"
	}
	text := ""
	for i, w := range words {
		switch {
		case i > 0 && spanOf(w, "0123456789") < len(w):
			text += ", "
		case i > 0:
			text += " "
		}
		text += w
	}
	return text
}

// bound is a bound with its name.
type bound struct {
	name string
	n    *int
}

// all are the bounds in the order in which they are written.
func (b *Bounds) all() []bound {
	return []bound{{"timers", &b.Timers}, {"crashes", &b.Crashes}, {"losses", &b.Losses},
		{"duplicates", &b.Duplicates}, {"partitions", &b.Partitions}, {"breaks", &b.Breaks}}
}

// words are the bounds that are not zero, as a story says them.
func (b *Bounds) words() []string {
	if b == nil {
		return nil
	}
	var words []string
	for _, x := range b.all() {
		if *x.n > 0 {
			words = append(words, x.name, fmt.Sprint(*x.n))
		}
	}
	if b.Keep {
		words = append(words, "keep")
	}
	return words
}

// walk is the bounds as the engine takes them.
func (b *Bounds) walk() sim.WalkOptions {
	return sim.WalkOptions{Timers: b.Timers, Crashes: b.Crashes, Losses: b.Losses,
		Duplicates: b.Duplicates, Partitions: b.Partitions, Breaks: b.Breaks, Keep: b.Keep}
}

// explore reads how far an exploration of the story goes: "explore timers 2 crashes 1 keep".
func (p *parser) explore(r *reader) []string {
	if p.s.Timed {
		r.failf(`"explore" is for still time, in which all orders can be tried`)
	}
	b := &Bounds{}
	known := []string{}
	for _, x := range b.all() {
		known = append(known, x.name)
	}
	known = append(known, "keep")
	for said := map[string]bool{}; r.more(); {
		i := r.oneOf(known)
		if r.msg == "" && said[known[i]] {
			r.failf("%q stands twice", known[i])
		}
		said[known[i]] = true
		if known[i] == "keep" {
			b.Keep = true
			continue
		}
		*b.all()[i].n = int(r.number(1, MostBound))
	}
	p.s.Explore = b
	return b.words()
}
