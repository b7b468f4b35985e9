package scenarios

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// happenings are the words for what a node does, in events.
var happenings = []string{
	sim.Sends: "sends", sim.Receives: "receives", sim.Sets: "sets", sim.Fires: "fires",
	sim.Writes: "writes", sim.Syncs: "syncs", sim.Notes: "notes", sim.Returns: "returns",
}

// pattern takes LINK [KIND [KEY...]] [2nd], to the end of the line. Either end of the link may be
// several: "A B->C D row k".
func (r *reader) pattern() sim.Pattern {
	var p sim.Pattern
	for len(p.To) == 0 && r.msg == "" {
		w := r.peek()
		from, to, arrow := strings.Cut(w, "->")
		switch {
		case arrow:
			p.From, p.To = append(p.From, from), []string{to}
		case w == "*" || slices.Contains(ends, w) || slices.Contains(r.nodes, w):
			p.From = append(p.From, w)
		default:
			r.want("FROM->TO")
		}
		r.at++
	}
	for slices.Contains(r.nodes, r.peek()) {
		p.To = append(p.To, r.next("a node"))
	}
	r.ends(p.From, p.To)
	p.Kind, p.Keys, p.Nth = r.matter()
	return p
}

// matter takes [KIND [KEY...]] [2nd], to the end of the line.
func (r *reader) matter() (kind string, keys []string, nth int) {
	if r.more() && !ordinalLike(r.peek()) {
		kind = r.next("a kind")
	}
	if kind == "*" {
		r.failf(`"*" stands for any node: for any kind, leave the kind out`)
	}
	for r.more() && !ordinalLike(r.peek()) {
		keys = append(keys, r.next("a key"))
	}
	nth = r.nth(0)
	r.end()
	return kind, keys, nth
}

// event takes NODE WHAT [KIND [KEY...]] [2nd], to the end of the line.
func (r *reader) event() sim.Event {
	var e sim.Event
	if isVerb(r.peek()) {
		r.want(`an event such as "P sends finish"`)
	}
	if e.Node = r.next("a node"); e.Node != "*" {
		r.known(e.Node)
	}
	e.What = sim.EventKind(1 + r.oneOf(happenings[1:]))
	e.Kind, e.Keys, e.Nth = r.matter()
	return e
}

// triggerEvent takes an event that a line follows.
func (r *reader) triggerEvent() sim.Event {
	to := r.eventEnd()
	inner := &reader{words: slices.Clone(r.words[:to]), at: r.at, nodes: r.nodes, msg: r.msg}
	for i := min(r.at, to); i < to; i++ {
		w := &inner.words[i]
		if i == to-1 {
			*w = strings.TrimSuffix(*w, ":")
		}
		switch {
		case slices.Contains(prefixes, *w):
			inner.failf("%q stands too late: want %s", *w, lineForm)
		case *w == "" || strings.HasSuffix(*w, ":"):
			inner.failf("want one colon, at the end of the event's last word")
		}
	}
	e := inner.event()
	r.msg, r.at = inner.msg, to
	if !r.more() {
		r.failf("want a line after the event, as in \"when P sends finish crash P\"")
	}
	return e
}

// eventEnd is where the line begins that follows an event: after a colon or an ordinal, else at the
// first word that can begin one.
func (r *reader) eventEnd() int {
	colon := func(w string) bool { return strings.HasSuffix(w, ":") }
	if i := slices.IndexFunc(r.words[min(r.at, len(r.words)):], colon); i >= 0 {
		r.closed = true
		return r.at + i + 1
	}
	for i := r.at + 2; i < len(r.words); i++ {
		w := r.words[i]
		if ordinalLike(w) {
			r.closed = true
			return i + 1
		}
		if w == "by" || isVerb(w) || slices.Contains(r.nodes, w) {
			return i
		}
	}
	return len(r.words)
}

// claim takes WHO... NAME VALUE..., to the end of the line.
func (r *reader) claim() sim.Claim {
	var c sim.Claim
	for r.peek() == "*" || slices.Contains(r.nodes, r.peek()) {
		w := r.next("a node")
		if slices.Contains(c.Who, w) {
			r.failf("%q stands twice", w)
		}
		c.Who = append(c.Who, w)
	}
	switch {
	case len(c.Who) == 0 && r.more() && nodeName(r.peek()):
		r.node()
	case len(c.Who) == 0:
		r.want("WHO... NAME VALUE...")
	case !r.more():
		r.want("what is to be seen")
	}
	c.Words = r.rest()
	return c
}
