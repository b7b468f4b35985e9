package ignite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// graph is which transaction must come before which. Beside transactions it has a knot for every
// answer, so that what clients know of the order takes a line for each transaction and not for each
// two of them.
type graph struct {
	edges []dependency
	knots int32
}

// dependency is why one knot comes before another.
type dependency struct {
	from, to int32
	why      string // "" is by the clock
	entry    int32
}

// acyclic looks for a cycle of transactions.
func acyclic(t *tales, p *tally) {
	g := &graph{knots: int32(len(t.list))}
	for i := range t.history() {
		t.writeEdges(g, &t.chains[i], p)
	}
	for i := range t.list {
		if x := &t.list[i]; x.done() {
			t.readEdges(g, x, p)
		}
	}
	t.clockEdges(g)
	cycle := g.cycle()
	if len(cycle) > 0 {
		t.circle(cycle, p)
	}
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
			g.edges = append(g.edges, dependency{c.versions[last].tx, v.tx, "wrote " + c.key + " before",
				v.entry})
		}
		last = i
	}
}

// readEdges puts a reader between the writer of what it read and the next writer.
func (t *tales) readEdges(g *graph, x *tale, p *tally) {
	for i := range x.mapping.Shares {
		for _, r := range x.mapping.Shares[i].Reads {
			c := t.chain(r.Key)
			if c == nil || !c.steady {
				continue
			}
			p.premises++
			from, next := c.around(r.Counter)
			if from != nil && from.tx != x.index {
				g.edges = append(g.edges, dependency{from.tx, x.index, "wrote the " + r.Key + " read by",
					x.mapped})
			}
			if next != nil && next.tx != x.index && next.steady {
				g.edges = append(g.edges, dependency{x.index, next.tx, "read " + r.Key + " before",
					next.entry})
			}
		}
	}
}

// clockEdges puts a transaction that was answered before those that began later.
func (t *tales) clockEdges(g *graph) {
	type moment struct{ entry, tx, answer int32 }
	var list []moment
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
			g.edges = append(g.edges, dependency{m.tx, g.knots, "", m.entry})
			if now >= 0 {
				g.edges = append(g.edges, dependency{now, g.knots, "", m.entry})
			}
			now = g.knots
			g.knots++
		case now >= 0:
			g.edges = append(g.edges, dependency{now, m.tx, "", m.entry})
		}
	}
}

// cycle is a cycle of the graph, nil if there is none.
func (g *graph) cycle() []dependency {
	slices.SortStableFunc(g.edges, func(a, b dependency) int { return cmp.Compare(a.from, b.from) })
	start := make([]int32, g.knots+1) // by knot: its first edge
	for _, e := range g.edges {
		start[e.from+1]++
	}
	for k := range g.knots {
		start[k+1] += start[k]
	}
	next := slices.Clone(start)
	open, over := make([]bool, g.knots), make([]bool, g.knots)
	for root := range g.knots {
		path := []dependency{{from: nowhere, to: root}}
		for len(path) > 0 && !over[root] {
			at := path[len(path)-1].to
			open[at] = true
			if next[at] == start[at+1] {
				open[at], over[at] = false, true
				path = path[:len(path)-1]
				continue
			}
			e := g.edges[next[at]]
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
		case e.from < txs && e.why != "":
			words = append(words, fmt.Sprintf("%s %s %s", t.called(e.from), e.why, t.called(e.to)))
		case e.from < txs:
			words = append(words, fmt.Sprintf("%s was answered before %s began", t.called(e.from),
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

// use is what a transaction does to one key, as its client knows it.
type use struct {
	Tx     string
	Key    string
	Saw    []string // what it read there, before it wrote
	Writes []write
}

func (use) Kind() string     { return "use" }
func (u use) Keys() []string { return []string{u.Tx, u.Key} }

func (u use) String() string {
	var words []string
	for _, s := range u.Saw {
		words = append(words, fmt.Sprintf("reads %q", s))
	}
	for _, w := range u.Writes {
		words = append(words, "writes "+w.words())
	}
	return u.Tx + " " + strings.Join(words, ", ") + " at " + u.Key
}

// atomicKeys takes from every answer what it says of each key, and has the histories judged as
// those of registers. Reads without a lock promise nothing. What a restore does to keys no client
// can tell.
func atomicKeys(t *tales, p *tally) {
	if t.restored() {
		return
	}
	h := t.uses()
	n, v, err := t.register().Check(h)
	if err != nil {
		panic("ignite: " + err.Error())
	}
	p.premises += n
	if v == nil {
		return
	}
	var witness []int32
	for _, i := range v.Witness {
		witness = append(witness, int32(i/t.width()))
	}
	p.wrong(order(witness...), "%s", v.Reason)
}

// register is the object that a key is.
func (t *tales) register() checker.Spec {
	return checker.Spec{
		Init: func() any { return held{} },
		Step: func(state any, op sim.Op, _ sim.Body, open bool) (bool, any) {
			h, u := state.(held), op.(use)
			value := h.value
			if !h.written {
				value = t.layout.of(u.Key).Holds
			}
			if !open && slices.ContainsFunc(u.Saw, func(s string) bool { return s != value }) {
				return false, state
			}
			for _, w := range u.Writes {
				value = w.onto(value)
			}
			if len(u.Writes) == 0 {
				return true, state
			}
			return true, held{value, true}
		},
		Key:   func(op sim.Op) string { return op.(use).Key },
		Reads: func(op sim.Op) bool { return len(op.(use).Writes) == 0 },
		Shows: func(state any) string { return state.(held).value },
		Says:  func(op sim.Op, _ sim.Body) string { return op.(use).String() },
	}
}

// held is what a key holds, if it was written at all.
type held struct {
	value   string
	written bool
}

// uses is the history of all keys.
func (t *tales) uses() (h checker.History) {
	lost := t.failedKeys()
	for i := range t.list {
		x := &t.list[i]
		if len(x.calls) == 0 || x.mapped < 0 || len(x.answers) == 0 && len(x.data) == 0 {
			continue
		}
		switch said := t.answered(x); {
		case said < 0:
			h = t.usesOf(h, x, nowhere)
		case t.stateSaid(said) == committed:
			h = t.usesOf(h, x, said)
		}
	}
	h = slices.DeleteFunc(h, func(o checker.Operation) bool {
		return slices.Contains(lost, o.Op.(use).Key)
	})
	slices.SortStableFunc(h, func(a, b checker.Operation) int { return cmp.Compare(a.Call, b.Call) })
	for i := range h {
		h[i].ID, h[i].Client = sim.CallID(i+1), sim.ClientID(i+1)
	}
	return h
}

// answered is the answer that says how a transaction ended, nowhere if none does: UNKNOWN is none.
func (t *tales) answered(x *tale) int32 {
	if len(x.answers) == 0 || t.stateSaid(x.answers[0]) == unknown {
		return nowhere
	}
	return x.answers[0]
}

// failedKeys are the keys that a transaction wrote which ended UNKNOWN somewhere.
func (t *tales) failedKeys() []string {
	var keys []string
	for i := range t.list {
		if x := &t.list[i]; x.failed {
			for _, o := range t.owners(x) {
				keys = append(keys, o.key)
			}
		}
	}
	return keys
}

// width is by how much places in the trace are spread, so that each key of a transaction can have a
// place of its own.
func (t *tales) width() int {
	n := 1
	for i := range t.layout.Places {
		n += len(t.layout.Places[i].Keys)
	}
	return n
}

// usesOf adds what a transaction does to each of its keys, up to its answer.
func (t *tales) usesOf(h checker.History, x *tale, end int32) checker.History {
	var all []use
	add := func(k string) *use {
		at := slices.IndexFunc(all, func(u use) bool { return u.Key == k })
		if at < 0 {
			at, all = len(all), append(all, use{Tx: x.id.Name, Key: k})
		}
		return &all[at]
	}
	for i := range t.calls {
		c := &t.calls[i]
		if c.tx != x.id || c.how == sim.EntryRefused {
			continue
		}
		for _, w := range writesOf(c.op) {
			u := add(w.Key)
			u.Writes = append(u.Writes, w)
		}
	}
	if end >= 0 && x.mapping.Mode != optimistic {
		for _, e := range t.trace[end].Body.(ended).Reads {
			u := add(e.Key)
			u.Saw = append(u.Saw, e.Value)
		}
	}
	for i, u := range all {
		o := checker.Operation{Op: u, Call: int(x.calls[0])*t.width() + i, Return: checker.Never,
			Node: x.id.Near, Fate: checker.Unknown}
		if end >= 0 {
			o.Result, o.Return, o.Fate = done{}, int(end)*t.width()+i, checker.Returned
		}
		h = append(h, o)
	}
	return h
}

// writesOf are the writes that a request asks for.
func writesOf(op sim.Op) []write {
	switch op := op.(type) {
	case commitOp:
		return op.Writes
	case accessOp:
		return op.Writes
	}
	return nil
}
