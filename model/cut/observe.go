package cut

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What can be seen of a node:
//
//	data             the transactions committed there, in order
//	version          the newest cut that it knows of
//	cut 1            open, complete or abandoned: how far its share of cut 1 is
//	learned 1        the kind of message that made it draw its point, or request
//	side 1 tx5       before or after: where transaction tx5 is as seen from cut 1
//	side tx5         the same for the newest cut of which it has drawn its point
//	channel 1 P->Q   what Q found in the channel from P for cut 1, sorted, or empty
//
// A transaction that is in the channel state is before the cut.

// view is what the facts of a run say of one node.
type view struct {
	name    string
	started bool // it has been a member
	version int
	txs     []string       // committed, in order
	points  []seenPoint    // in order
	end     map[int]string // by cut
}

type seenPoint struct {
	point
	before  int // how many of view.txs were committed by then
	channel []channel
}

func observe(run *sim.Run) []sim.Observation {
	views := make([]view, len(run.Nodes))
	for i := range views {
		views[i] = view{name: run.Nodes[i], end: map[int]string{}}
	}
	for i := range run.Trace {
		switch e := &run.Trace[i]; e.Kind {
		case sim.EntryStarted:
			views[e.Node].started = true
		case sim.EntryNoted:
			views[e.Node].see(e.Body)
		}
	}
	var seen []sim.Observation
	for i := range views {
		if views[i].started {
			seen = views[i].show(seen, run)
		}
	}
	return seen
}

// see takes in a fact. What is said again counts once.
func (v *view) see(b sim.Body) {
	switch f := b.(type) {
	case committed:
		if !slices.Contains(v.txs, f.Tx) {
			v.txs = append(v.txs, f.Tx)
		}
	case point:
		v.version = max(v.version, f.Cut)
		if v.point(f.Cut) == nil {
			v.points = append(v.points, seenPoint{point: f, before: len(v.txs)})
			v.end[f.Cut] = "open"
		}
	case channel:
		if p := v.point(f.Cut); p != nil && !slices.Contains(p.channel, f) {
			p.channel = append(p.channel, f)
		}
	case complete:
		v.end[f.Cut] = "complete"
	case abandoned:
		v.end[f.Cut] = "abandoned"
	case adopted:
		v.version = max(v.version, f.Version)
	}
}

func (v *view) point(cut int) *seenPoint {
	at := slices.IndexFunc(v.points, func(p seenPoint) bool { return p.Cut == cut })
	if at < 0 {
		return nil
	}
	return &v.points[at]
}

// show lists what can be seen of a node.
func (v *view) show(seen []sim.Observation, run *sim.Run) []sim.Observation {
	add := func(value, format string, args ...any) {
		name := fmt.Sprintf(format, args...)
		seen = append(seen, sim.Observation{Node: v.name, Name: name, Value: value})
	}
	add(orEmpty(v.txs), "data")
	add(strconv.Itoa(v.version), "version")
	for i := range v.points {
		p := &v.points[i]
		add(v.end[p.Cut], "cut %d", p.Cut)
		add(p.By, "learned %d", p.Cut)
		for _, id := range p.Of {
			if run.Name(id) != v.name {
				add(orEmpty(p.from(id)), "channel %d %s->%s", p.Cut, run.Name(id), v.name)
			}
		}
		for k, tx := range v.txs {
			side := p.side(k, tx)
			add(side, "side %d %s", p.Cut, tx)
			if i == len(v.points)-1 {
				add(side, "side %s", tx)
			}
		}
	}
	return seen
}

// from are the transactions that the channel from a peer carried across the cut.
func (p *seenPoint) from(peer sim.NodeID) []string {
	var txs []string
	for _, c := range p.channel {
		if c.From == peer {
			txs = append(txs, c.Tx)
		}
	}
	slices.Sort(txs)
	return txs
}

func (p *seenPoint) side(k int, tx string) string {
	if k < p.before {
		return "before"
	}
	if slices.ContainsFunc(p.channel, func(c channel) bool { return c.Tx == tx }) {
		return "before"
	}
	return "after"
}

func orEmpty(words []string) string {
	if len(words) == 0 {
		return "empty"
	}
	return strings.Join(words, " ")
}
