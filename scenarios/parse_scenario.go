package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// word is an engine word of -- scenario --. Its method reads what follows it, and gives the
// canonical form of that.
type word struct {
	name  string
	timed bool // an error in still time
	many  bool // may stand more than once: what it is about may not
	first bool // read before the others, which depend on it
	read  func(*parser, *reader) []string
}

// engineTable has the engine words in the order in which Format writes them.
var engineTable = []word{
	{name: "model", first: true, read: (*parser).model},
	{name: "nodes", first: true, read: (*parser).members},
	{name: "later", first: true, read: (*parser).later},
	{name: "variants", read: (*parser).variants},
	{name: "time", first: true, read: (*parser).time},
	{name: "order", read: (*parser).order},
	{name: "explore", read: (*parser).explore},
	{name: "network", read: (*parser).network},
	{name: "inflight", read: (*parser).inflight},
	{name: "delay", timed: true, many: true, read: (*parser).delay},
	{name: "loss", timed: true, many: true, read: (*parser).loss},
	{name: "duplicate", timed: true, many: true, read: (*parser).copies},
	{name: "disk", many: true, read: (*parser).disk},
	{name: "crash", timed: true, read: (*parser).crash},
	{name: "crashes", timed: true, read: (*parser).crashes},
	{name: "restart", timed: true, read: (*parser).restart},
	{name: "break", timed: true, read: (*parser).breaks},
	{name: "detect", timed: true, read: (*parser).detect},
	{name: "reopen", timed: true, read: (*parser).reopen},
	{name: "timeout", timed: true, read: (*parser).timeout},
	{name: "late", timed: true, read: (*parser).late},
	{name: "clients", timed: true, read: (*parser).clients},
	{name: "ops", timed: true, read: (*parser).ops},
	{name: "span", timed: true, read: (*parser).span},
	{name: "seeds", timed: true, read: (*parser).seeds},
	{name: "budget", many: true, read: (*parser).budget},
}

// engineWords are the words that no model may take for its set-up.
var engineWords = namesOf(engineTable)

func namesOf(table []word) []string {
	names := make([]string, len(table))
	for i, w := range table {
		names[i] = w.name
	}
	return names
}

// The most of what costs memory before a run has begun.
const (
	mostNodes   = 10_000
	mostClients = 10_000
	mostOps     = 1_000_000
)

// scenario reads -- scenario --: first the words on which others depend, then the rest.
func (p *parser) scenario(sec *section) error {
	p.s.Header = make([]Line, len(sec.lines))
	copy(p.s.Header, sec.lines)
	for _, first := range []bool{true, false} {
		for i := range p.s.Header {
			if err := p.headerLine(&p.s.Header[i], first); err != nil {
				return err
			}
		}
		if err := p.ready(sec.line, first); err != nil {
			return err
		}
	}
	return nil
}

// ready checks what must be known after each half.
func (p *parser) ready(line int, first bool) error {
	switch {
	case !first:
		return nil
	case p.s.Model == "":
		return p.s.fault(line, `want a line "model NAME" in -- scenario --`)
	case len(p.s.Nodes) == 0:
		return p.s.fault(line, `want a line "nodes NAME..." in -- scenario --`)
	}
	return nil
}

// headerLine reads one line, if it belongs to this half, and makes its words canonical.
func (p *parser) headerLine(l *Line, first bool) error {
	i := slices.Index(engineWords, l.Words[0])
	if i >= 0 && engineTable[i].first != first || i < 0 && first {
		return nil
	}
	r := p.reader(*l)
	opened := p.open(r)
	switch {
	case i >= 0 && opened && first:
		r.failf("%q is the same in all cases: want no $ here", l.Words[0])
	case i >= 0:
		p.engineLine(r, l, engineTable[i], opened)
	case !opened:
		p.s.Setup = append(p.s.Setup, Setup{Words: l.Words, Line: l.Line})
	}
	return p.mark(r, l.Line)
}

func (p *parser) engineLine(r *reader, l *Line, w word, opened bool) {
	if w.timed && !p.s.Timed {
		r.failf("%q takes time: want a line \"time runs\"", w.name)
	}
	if opened {
		return
	}
	r.at = 1
	words := append([]string{w.name}, w.read(p, r)...)
	r.end()
	if r.msg != "" {
		return
	}
	subject := w.name
	if w.many {
		subject = subjectOf(words)
	}
	p.once(r, subject, l.Line)
	l.Words = words
}

// subjectOf is what a word that may stand more than once is about: "delay P->Q", "disk torn".
func subjectOf(words []string) string {
	if words[0] == "disk" || words[0] == "budget" || strings.Contains(words[1], "->") {
		return words[0] + " " + words[1]
	}
	return words[0]
}

func (p *parser) model(r *reader) []string {
	p.s.Model = r.next("the name of a model")
	return []string{p.s.Model}
}

func (p *parser) members(r *reader) []string {
	p.s.Nodes = p.declare(r)
	return p.s.Nodes
}

func (p *parser) later(r *reader) []string {
	p.s.Later = p.declare(r)
	return p.s.Later
}

// declare takes names for nodes.
func (p *parser) declare(r *reader) []string {
	if !r.more() {
		r.want("the names of nodes")
	}
	for r.more() {
		name := r.peek()
		switch {
		case !nodeName(name):
			r.want("a node's name (a capital, then letters, digits or _)")
		case slices.Contains(p.nodes, name):
			r.failf("node %q stands twice", name)
		case len(p.nodes) == mostNodes:
			r.failf("want at most %d nodes", mostNodes)
		}
		p.nodes = append(p.nodes, name)
		r.at++
	}
	return slices.Clone(r.words[1:])
}

// nodeName says that a word can name a node.
func nodeName(w string) bool {
	return w != "" && w[0] >= 'A' && w[0] <= 'Z' && nameLength(w) == len(w)
}

// nameLength is how much of w, from its start, is a name: a letter, then letters, digits and _.
func nameLength(w string) int {
	for i := range len(w) {
		c := w[i]
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return i
		}
	}
	return len(w)
}

func (p *parser) variants(r *reader) []string {
	if !r.more() {
		r.want("the names of variants")
	}
	p.s.Played = r.variants(r.rest())
	return p.s.Played
}

func (p *parser) time(r *reader) []string {
	kinds := []string{"still", "runs"}
	i := r.oneOf(kinds)
	p.s.Timed = i == 1
	return []string{kinds[i]}
}

func (p *parser) order(r *reader) []string {
	if p.s.Timed {
		r.failf(`"order fixed" is for still time, in which other orders are tried`)
	}
	r.must("fixed")
	p.s.Fixed = true
	return []string{"fixed"}
}

func (p *parser) network(r *reader) []string {
	if p.s.Timed {
		r.failf(`"network manual" is still time with a hold on all links: want no "time runs"`)
	}
	r.must("manual")
	p.s.Network.Manual = true
	return []string{"manual"}
}

// fates are the words for what a partition does to what is in flight.
var fates = []string{sim.Spare: "spare", sim.Park: "park", sim.Lose: "lose"}

func (p *parser) inflight(r *reader) []string {
	p.s.Network.InFlight = sim.InFlight(r.oneOf(fates))
	return []string{fates[p.s.Network.InFlight]}
}

func (p *parser) clients(r *reader) []string {
	p.s.Clients = int(r.number(1, mostClients))
	return []string{fmt.Sprint(p.s.Clients)}
}

func (p *parser) ops(r *reader) []string {
	p.s.Ops = int(r.number(1, mostOps))
	return []string{fmt.Sprint(p.s.Ops)}
}

func (p *parser) span(r *reader) []string {
	p.s.Span = r.positive()
	return []string{durationText(p.s.Span)}
}

// seeds is "1..200", or "200" for the same.
func (p *parser) seeds(r *reader) []string {
	seeds := read(r, "seeds such as 1..200", parseSeeds)
	p.s.Seeds = seeds
	return []string{seedsText(seeds)}
}

func parseSeeds(w string) (Seeds, bool) {
	low, high, ranged := strings.Cut(w, "..")
	if !ranged {
		low, high = "1", w
	}
	from, ok := parseNumber(low)
	to, fine := parseNumber(high)
	return Seeds{uint64(from), uint64(to)}, ok && fine && from >= 1 && from <= to
}

func seedsText(s Seeds) string { return fmt.Sprintf("%d..%d", s.From, s.To) }

// limits are the words for the bounds of a run.
var limits = []string{"events", "time", "bytes", "linger"}

func (p *parser) budget(r *reader) []string {
	b := &p.s.Budget
	w := limits[r.oneOf(limits)]
	switch w {
	case "events":
		b.Events = int(r.number(1, math.MaxInt32))
		return []string{w, fmt.Sprint(b.Events)}
	case "bytes":
		b.Bytes = r.number(1, math.MaxInt64)
		return []string{w, fmt.Sprint(b.Bytes)}
	case "time":
		b.Time = r.positive()
		return []string{w, durationText(b.Time)}
	}
	b.Linger = r.positive()
	return []string{w, durationText(b.Linger)}
}
