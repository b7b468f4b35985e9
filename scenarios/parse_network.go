package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Words of -- scenario -- for what chance does to links, disks and nodes.

// ends are the ends of links that are not nodes.
var ends = []string{"log", "disk", "clock", "client"}

// everyLink is the link of a word that names none.
const everyLink = "*->*"

// link takes FROM->TO, if it comes; else it is all links between nodes.
func (r *reader) link() (from, to string) {
	w := everyLink
	if strings.Contains(r.peek(), "->") {
		w = r.next("FROM->TO")
	}
	from, to, _ = strings.Cut(w, "->")
	r.ends([]string{from}, []string{to})
	return from, to
}

// ends fails if these are no ends of a link.
func (r *reader) ends(from, to []string) {
	link := strings.Join(from, " ") + "->" + strings.Join(to, " ")
	special := [2]bool{}
	for i, side := range [][]string{from, to} {
		for k, name := range side {
			switch {
			case name == "":
				r.failf("want FROM->TO, got %q", link)
			case slices.Contains(ends, name):
				special[i] = true
			case name != "*":
				r.known(name)
			}
			if slices.Contains(side[:k], name) {
				r.failf("%q stands twice at one end of the link", name)
			}
		}
	}
	switch {
	case special[0] && special[1]:
		r.failf("want a node at one end of the link %s", link)
	case slices.Contains(to, "clock"):
		r.failf("timers are links from the clock: want clock->NODE")
	}
}

// linkWords are the canonical words of a link: none for all links between nodes.
func linkWords(from, to string) []string {
	if from+"->"+to == everyLink {
		return nil
	}
	return []string{from + "->" + to}
}

func (p *parser) delay(r *reader) []string {
	from, to := r.link()
	d := r.dist()
	switch {
	case from == "clock":
		r.failf(`want "late", which is the word for the delay of timers`)
	case from == "disk" || to == "disk":
		r.failf(`want "disk slow 1ms told 1ms", which says how long disks take`)
	}
	p.setLink(from, to, func(l *sim.Link) { l.Delay = d })
	return append(linkWords(from, to), delayWords(d)...)
}

func (p *parser) loss(r *reader) []string {
	from, to := r.link()
	share := r.percent()
	if slices.Contains(ends, from) || to == "disk" || to == "log" || from == to && from != "*" {
		r.failf("only what goes between nodes or to a client is lost, not %s->%s", from, to)
	}
	p.setLink(from, to, func(l *sim.Link) { l.Loss = share })
	return append(linkWords(from, to), percentText(share))
}

func (p *parser) copies(r *reader) []string {
	from, to := r.link()
	share := r.percent()
	if slices.Contains(ends, from) || slices.Contains(ends, to) || from == to && from != "*" {
		r.failf("only what goes between nodes is duplicated, not %s->%s", from, to)
	}
	p.setLink(from, to, func(l *sim.Link) { l.Duplicate = share })
	return append(linkWords(from, to), percentText(share))
}

// setLink sets one trait of the links from one end to another, and leaves the others as they are.
// In a plan the last link that matches decides every trait, so what was said before of links that
// are meant too is said again, with the new trait.
func (p *parser) setLink(from, to string, set func(*sim.Link)) {
	fresh := sim.Link{From: from, To: to}
	set(&fresh)
	links := append(slices.Clone(p.s.Network.Links), fresh)
	for _, l := range p.s.Network.Links {
		both, ok := common(l, from, to)
		if ok {
			set(&both)
			links = append(links, both)
		}
	}
	p.s.Network.Links = lastOfEach(links)
}

// common is l on the links that it shares with those between two other ends, if there are any. Own
// work is a link of its own, for which "*" does not stand.
func common(l sim.Link, from, to string) (sim.Link, bool) {
	same := l.From == from && l.To == to
	var ok [2]bool
	l.From, ok[0] = commonEnd(l.From, from)
	l.To, ok[1] = commonEnd(l.To, to)
	own := l.From == l.To && l.From != "*"
	return l, ok[0] && ok[1] && (same || !own)
}

func commonEnd(a, b string) (string, bool) {
	switch {
	case a == b || a == "*" && !slices.Contains(ends, b):
		return b, true
	case b == "*" && !slices.Contains(ends, a):
		return a, true
	}
	return "", false
}

// lastOfEach leaves out links whose ends come again later.
func lastOfEach(links []sim.Link) []sim.Link {
	last := map[[2]string]int{}
	for i, l := range links {
		last[[2]string{l.From, l.To}] = i
	}
	var kept []sim.Link
	for i, l := range links {
		if last[[2]string{l.From, l.To}] == i {
			kept = append(kept, l)
		}
	}
	return kept
}

func (p *parser) disk(r *reader) []string {
	n := &p.s.Network
	kinds := []string{"slow", "fails", "torn", "keeps"}
	w := kinds[r.oneOf(kinds)]
	if w != "slow" && !p.s.Timed {
		r.failf(`"disk %s" leaves it to chance: want a line "time runs"`, w)
	}
	switch w {
	case "slow":
		return append([]string{w}, p.slow(r)...)
	case "fails":
		n.SyncFail = r.percent()
		return []string{w, percentText(n.SyncFail)}
	case "torn":
		n.Torn = r.percent()
		return []string{w, percentText(n.Torn)}
	}
	r.must("some")
	n.Keep = true
	return []string{w, "some"}
}

// slow is how long a sync takes, and how long until its writer is told.
func (p *parser) slow(r *reader) []string {
	n := &p.s.Network
	n.DiskSlow = true
	if !r.more() {
		return nil
	}
	if !p.s.Timed {
		r.failf(`"disk slow" with a duration takes time: want a line "time runs"`)
	}
	n.SyncTime = r.dist()
	words := delayWords(n.SyncTime)
	if r.is("told") {
		n.Told = r.dist()
		words = append(append(words, "told"), delayWords(n.Told)...)
	}
	return words
}

func (p *parser) crash(r *reader) []string {
	p.s.Network.Crash = r.percent()
	return []string{percentText(p.s.Network.Crash)}
}

func (p *parser) crashes(r *reader) []string {
	p.s.Network.Crashes = int(r.number(1, mostOps))
	return []string{fmt.Sprint(p.s.Network.Crashes)}
}

func (p *parser) restart(r *reader) []string {
	p.s.Network.Restart = r.dist()
	return delayWords(p.s.Network.Restart)
}

func (p *parser) breaks(r *reader) []string {
	p.s.Network.Break = r.percent()
	return []string{percentText(p.s.Network.Break)}
}

func (p *parser) detect(r *reader) []string {
	p.s.Network.Detect = r.duration()
	return []string{durationText(p.s.Network.Detect)}
}

func (p *parser) reopen(r *reader) []string {
	p.s.Network.Reopen = r.dist()
	return delayWords(p.s.Network.Reopen)
}

func (p *parser) timeout(r *reader) []string {
	p.s.Network.Timeout = r.positive()
	return []string{durationText(p.s.Network.Timeout)}
}

func (p *parser) late(r *reader) []string {
	p.s.Network.Late = r.dist()
	return delayWords(p.s.Network.Late)
}
