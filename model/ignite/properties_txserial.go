package ignite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// graph is which transaction must come before which. Beside transactions it has a knot for every
// answer, so that what clients know of the order takes a line for each transaction and not for each
// two of them.
type graph struct {
	edges   []dependency
	knots   int32
	moments []int32 // by knot: when a transaction first committed, or was answered
}

// dependency is why one knot comes before another.
type dependency struct {
	from, to int32
	why      why
	key      string // "" by the clock
	entry    int32
}

// why is what puts one transaction before another.
type why uint8

const (
	byClock why = iota
	byWrites
	byRead
	byNextWrite
)

// text says why one comes before the other.
func (d *dependency) text() string {
	switch d.why {
	case byWrites:
		return "wrote " + d.key + " before"
	case byRead:
		return "wrote the " + d.key + " read by"
	case byNextWrite:
		return "read " + d.key + " before"
	}
	return "was answered before"
}

// acyclic looks for a cycle of transactions.
func acyclic(t *tales, p *tally) {
	g := &t.spare.graph
	*g = graph{knots: int32(len(t.list)), edges: g.edges[:0], moments: g.moments[:0]}
	for i := range t.history() {
		t.writeEdges(g, &t.chains[i], p)
	}
	for i := range t.list {
		x := &t.list[i]
		g.moments = append(g.moments, nowhere)
		if l := x.earliest(committed); l != nil {
			g.moments[i] = l.at[committed]
		}
		if x.done() {
			t.readEdges(g, x, p)
		}
	}
	t.clockEdges(g)
	if g.timely() {
		return
	}
	cycle := g.cycle()
	if len(cycle) > 0 {
		t.circle(cycle, p)
	}
}

// timely says that all edges lead from what was earlier to what was later: then there is no cycle.
// It is nearly always so.
func (g *graph) timely() bool {
	for i := range g.edges {
		from := g.moments[g.edges[i].from]
		if from < 0 || from >= g.moments[g.edges[i].to] {
			return false
		}
	}
	return true
}

// done says that a transaction has committed somewhere.
func (x *tale) done() bool { return !x.failed && x.earliest(committed) != nil }

// writeEdges puts the writers of a key in order.
func (t *tales) writeEdges(g *graph, c *chain, p *tally) {
	last := -1
	for i := range c.versions {
		v := &c.versions[i]
		if !c.steady || !v.steady {
			continue
		}
		p.premises++
		if last >= 0 && c.versions[last].tx != v.tx {
			g.edges = append(g.edges, dependency{c.versions[last].tx, v.tx, byWrites, c.key,
				v.entry})
		}
		last = i
	}
}

// readEdges puts a reader between the writer of what it read and the next writer.
func (t *tales) readEdges(g *graph, x *tale, p *tally) {
	for _, r := range x.reads {
		c := t.chain(r.Key, x.epoch)
		if c == nil || !c.steady {
			continue
		}
		p.premises++
		from, next := c.around(r.Counter)
		if from != nil && from.tx != x.index {
			g.edges = append(g.edges, dependency{from.tx, x.index, byRead, r.Key, x.mapped})
		}
		if next != nil && next.tx != x.index && next.steady {
			g.edges = append(g.edges, dependency{x.index, next.tx, byNextWrite, r.Key, next.entry})
		}
	}
}

// clockEdges puts a transaction that was answered before those that began later.
func (t *tales) clockEdges(g *graph) {
	type moment struct{ entry, tx, answer int32 }
	list := make([]moment, 0, 2*len(t.list))
	for i := range t.list {
		x := &t.list[i]
		if !x.done() || x.began < 0 {
			continue
		}
		list = append(list, moment{x.began, x.index, 0})
		if said := t.answered(x); said >= 0 {
			list = append(list, moment{said, x.index, 1})
		}
	}
	slices.SortStableFunc(list, func(a, b moment) int { return cmp.Compare(a.entry, b.entry) })
	now := nowhere
	for _, m := range list {
		switch {
		case m.answer == 1:
			g.edges = append(g.edges, dependency{from: m.tx, to: g.knots, entry: m.entry})
			if now >= 0 {
				g.edges = append(g.edges, dependency{from: now, to: g.knots, entry: m.entry})
			}
			now = g.knots
			g.knots++
			g.moments = append(g.moments, m.entry)
		case now >= 0:
			g.edges = append(g.edges, dependency{from: now, to: m.tx, entry: m.entry})
		}
	}
}

// cycle is a cycle of the graph, nil if there is none.
func (g *graph) cycle() []dependency {
	edges, start := g.sorted()
	next := slices.Clone(start)
	open, over := make([]bool, g.knots), make([]bool, g.knots)
	var path []dependency
	for root := range g.knots {
		path = append(path[:0], dependency{from: nowhere, to: root})
		for len(path) > 0 && !over[root] {
			at := path[len(path)-1].to
			open[at] = true
			if next[at] == start[at+1] {
				open[at], over[at] = false, true
				path = path[:len(path)-1]
				continue
			}
			e := edges[next[at]]
			next[at]++
			switch {
			case open[e.to]:
				return closing(append(path, e))
			case !over[e.to]:
				path = append(path, e)
			}
		}
	}
	return nil
}

// sorted are the edges by where they come from, and by knot its first edge.
func (g *graph) sorted() (edges []dependency, start []int32) {
	start = make([]int32, g.knots+1)
	for i := range g.edges {
		start[g.edges[i].from+1]++
	}
	for k := range g.knots {
		start[k+1] += start[k]
	}
	edges, next := make([]dependency, len(g.edges)), slices.Clone(start)
	for i := range g.edges {
		at := &next[g.edges[i].from]
		edges[*at] = g.edges[i]
		*at++
	}
	return edges, start
}

// closing is the part of a path that is a cycle: its last edge leads to where the cycle begins.
func closing(path []dependency) []dependency {
	end := path[len(path)-1].to
	for i := range path {
		if path[i].from == end {
			return path[i:]
		}
	}
	return path[len(path)-1:]
}

// circle tells of a cycle.
func (t *tales) circle(cycle []dependency, p *tally) {
	var words []string
	var witness []int32
	for i, e := range cycle {
		txs := int32(len(t.list))
		switch {
		case e.from < txs && e.why != byClock:
			words = append(words, fmt.Sprintf("%s %s %s", t.called(e.from), e.text(), t.called(e.to)))
		case e.from < txs:
			words = append(words, fmt.Sprintf("%s %s %s began", t.called(e.from), e.text(),
				t.called(t.following(cycle, i))))
		}
		witness = append(witness, e.entry)
	}
	p.wrong(order(witness...), "%s", strings.Join(words, ", "))
}

// following is the next transaction of a cycle.
func (t *tales) following(cycle []dependency, i int) int32 {
	for k := range cycle {
		if e := cycle[(i+k)%len(cycle)]; e.to < int32(len(t.list)) {
			return e.to
		}
	}
	return cycle[i].to
}
