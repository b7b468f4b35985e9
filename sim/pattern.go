package sim

import (
	"errors"
	"slices"
)

// pattern is a compiled Pattern.
type pattern struct {
	from, to ends
	kind     string
	keys     []string
	mark     uint64 // where only the n-th match counts: the bit that it carries
}

// ends is a set of ends; any is every node.
type ends struct {
	any bool
	ids []NodeID
}

func (e *ends) has(id NodeID) bool {
	return e.any && id < ClientEnd || slices.Contains(e.ids, id)
}

func (w *World) compile(p Pattern) (pattern, error) {
	from, err := w.compileEnds(p.From)
	if err != nil {
		return pattern{}, err
	}
	to, err := w.compileEnds(p.To)
	c := pattern{from: from, to: to, kind: p.Kind, keys: p.Keys}
	if err == nil && p.Nth > 0 {
		err = w.countMatches(&c, p.Nth)
	}
	return c, err
}

// counted is a pattern of which only the n-th match counts: matches are counted from the start of
// the run, whenever the pattern comes to be used.
type counted struct {
	pattern
	nth, seen int
}

func (w *World) countMatches(p *pattern, nth int) error {
	for i := range w.counted {
		if c := &w.counted[i]; c.nth == nth && c.covers(p) && p.covers(&c.pattern) {
			p.mark = 1 << i // they speak of the same event
			return nil
		}
	}
	if len(w.counted) == 64 {
		return errors.New("at most 64 patterns of a scenario may count matches")
	}
	c := counted{pattern: *p, nth: nth}
	p.mark = 1 << len(w.counted)
	w.counted = append(w.counted, c)
	return nil
}

// count marks an event that is the n-th match of a pattern that counts.
func (w *World) count(e *event) {
	if !holdable(e.what) {
		return
	}
	e.marks = 0
	for i := range w.counted {
		c := &w.counted[i]
		if c.seen < c.nth && c.link(e.from, e.to) && w.speaks(&c.pattern, e) {
			if c.seen++; c.seen == c.nth {
				e.marks |= 1 << i
			}
		}
	}
}

func (w *World) compileEnds(names []string) (ends, error) {
	var e ends
	for _, name := range names {
		if name == "*" {
			e.any = true
			continue
		}
		id, err := w.endID(name)
		if err != nil {
			return e, err
		}
		e.ids = append(e.ids, id)
	}
	return e, nil
}

// link says that the pattern speaks of this link. Own work is a link of its own, which "*" does not
// stand for.
func (p *pattern) link(from, to NodeID) bool {
	if from == to {
		return slices.Contains(p.from.ids, from) && slices.Contains(p.to.ids, to)
	}
	return p.from.has(from) && p.to.has(to)
}

// body says that the pattern speaks of such a body.
func (p *pattern) body(b Body) bool {
	return (p.kind == "" || p.kind == b.Kind()) && hasKeys(b, p.keys)
}

func hasKeys(b Body, want []string) bool {
	if len(want) == 0 {
		return true
	}
	have := KeysOf(b)
	for _, k := range want {
		if !slices.Contains(have, k) {
			return false
		}
	}
	return true
}

// covers says that everything q matches, p matches too.
func (p *pattern) covers(q *pattern) bool {
	if p.kind != "" && p.kind != q.kind || p.mark != 0 && p.mark != q.mark {
		return false
	}
	for _, k := range p.keys {
		if !slices.Contains(q.keys, k) {
			return false
		}
	}
	for _, id := range q.from.ids {
		if q.link(id, id) && !p.link(id, id) {
			return false // own work, which a star does not stand for
		}
	}
	return p.from.cover(&q.from) && p.to.cover(&q.to)
}

func (e *ends) cover(f *ends) bool {
	if f.any && !e.any {
		return false
	}
	for _, id := range f.ids {
		if !e.has(id) {
			return false
		}
	}
	return true
}

// matches says that the pattern speaks of a pending event. A sync is spoken of by any record that
// it covers.
func (w *World) matches(p *pattern, e *event) bool {
	if !p.link(e.from, e.to) || p.mark != 0 && e.marks&p.mark == 0 {
		return false
	}
	return w.speaks(p, e)
}

// speaks is matches but for the link and the count.
func (w *World) speaks(p *pattern, e *event) bool {
	if e.what == evSync || e.what == evTold {
		return w.syncMatches(p, e)
	}
	if e.body == nil {
		return p.kind == ""
	}
	return p.body(e.body)
}

func (w *World) syncMatches(p *pattern, e *event) bool {
	if p.kind == "" {
		return true
	}
	k := &w.nodes[e.node].disk
	for lsn := max(LSN(e.low)+1, k.first); lsn <= min(LSN(e.n), k.last()); lsn++ {
		if p.body(k.records[lsn-k.first]) {
			return true
		}
	}
	return p.body(e.body)
}
