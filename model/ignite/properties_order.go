package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// orderProperties are those of the order between transactions, which a successful cut must respect
// (8, Q15). Each is a layer of its own: a cut may be right for every transaction and still have an
// effect before, and its cause after.
func orderProperties() []sim.Property {
	return []sim.Property{
		{Name: "key-prefix", Layer: 6, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(keyPrefix),
			Doc:   "the writes of a key that are before a cut are a prefix of all its writes (I-20)"},
		{Name: "session-order", Layer: 7, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(sessionOrder),
			Doc: "a transaction that began after near had answered another is not before a cut that " +
				"the other is after (I-21)"},
		{Name: "read-closure", Layer: 8, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(readClosure),
			Doc: "what a transaction before a cut read under a lock was written before it, and what " +
				"one after it read so was not overwritten before it (I-22)"},
	}
}

// sidedCut is a successful cut, with the side of every transaction that has data.
type sidedCut struct {
	*line
	sides []placing // by index of the transaction
}

// placing is where a cut has a transaction.
type placing uint8

const (
	unplaced placing = iota // it has no data there, or owners do not agree
	isBefore
	isAfter
)

// sidedCuts are the successful cuts of a run.
func (t *tales) sidedCuts() []sidedCut {
	if t.sided != nil {
		return t.sided
	}
	t.sided = []sidedCut{}
	for _, l := range t.good() {
		c := sidedCut{l, make([]placing, len(t.list))}
		for k := range t.list {
			switch before, known := t.sideOf(l, t.list[k].id); {
			case t.list[k].failed || !known:
			case before:
				c.sides[k] = isBefore
			default:
				c.sides[k] = isAfter
			}
		}
		t.sided = append(t.sided, c)
	}
	return t.sided
}

// keyPrefix walks along every key: once a write is after a cut, all later ones are.
func keyPrefix(t *tales, p *tally) {
	for _, c := range t.sidedCuts() {
		list := t.history()
		for i := range list {
			t.prefix(&c, &list[i], p)
		}
	}
}

func (t *tales) prefix(c *sidedCut, k *chain, p *tally) {
	late := -1
	for i := range k.versions {
		v := &k.versions[i]
		switch side := c.sides[v.tx]; {
		case side == unplaced:
			continue
		case side == isAfter && late < 0 && t.lasts(v, k.key):
			late = i
		case side == isBefore && late >= 0 && t.lasts(v, k.key):
			o := &k.versions[late]
			p.wrong(order(o.entry, v.entry), "cut %v has %s of %s after it, but the later one of %s before",
				c.id, k.key, t.called(o.tx), t.called(v.tx))
		}
		p.premises++
	}
}

// lasts says that a version of a key is in some log: crashes may have lost it with all owners.
func (t *tales) lasts(v *revision, key string) bool {
	return slices.ContainsFunc(t.list[v.tx].course.data, func(d datum) bool {
		return t.keyOf(d) == key
	})
}

// sessionOrder looks at what began at a near node after another transaction was answered there.
func sessionOrder(t *tales, p *tally) {
	for _, c := range t.sidedCuts() {
		for i := range t.list {
			if x := &t.list[i]; c.sides[i] == isAfter && len(x.answers) > 0 {
				t.session(&c, x, p)
			}
		}
	}
}

func (t *tales) session(c *sidedCut, x *tale, p *tally) {
	for i := range t.list {
		y := &t.list[i]
		if y.id.Near != x.id.Near || y.began < x.answers[0] || c.sides[i] == unplaced {
			continue
		}
		p.premises++
		if c.sides[i] == isBefore {
			p.wrong(order(x.answers[0], y.began), "cut %v has %s after it, but %s before, which began at "+
				"%s after %s was answered", c.id, x.id.Name, y.id.Name, t.run.Name(x.id.Near), x.id.Name)
		}
	}
}

// readClosure looks at what transactions read under locks, or had validated.
func readClosure(t *tales, p *tally) {
	t.history()
	for _, c := range t.sidedCuts() {
		for i := range t.list {
			for _, r := range t.list[i].reads {
				t.closed(&c, &t.list[i], r, p)
			}
		}
	}
}

// closed looks at the version that was read, and at the next one.
func (t *tales) closed(c *sidedCut, x *tale, r sight, p *tally) {
	k := t.chain(r.Key, x.epoch)
	mine := c.sides[x.index]
	if k == nil || mine == unplaced {
		return
	}
	p.premises++
	from, next := k.around(r.Counter)
	if from != nil && from.entry > x.mapped {
		from = nil // the counter of a write that had failed was given again, after the read
	}
	if from != nil && mine == isBefore && c.sides[from.tx] == isAfter && t.lasts(from, r.Key) {
		p.wrong(order(from.entry, x.mapped), "cut %v has %s before it, but not %s, whose %s it read",
			c.id, x.id.Name, t.called(from.tx), r.Key)
	}
	if next != nil && mine == isAfter && c.sides[next.tx] == isBefore && t.lasts(next, r.Key) {
		p.wrong(order(x.mapped, next.entry), "cut %v has %s after it, but not %s, which overwrote the "+
			"%s that it read", c.id, x.id.Name, t.called(next.tx), r.Key)
	}
}

// around are the version with a counter and the next one, nil where there is none.
func (c *chain) around(counter int64) (is, next *revision) {
	for i := range c.versions {
		switch v := &c.versions[i]; {
		case v.counter == counter:
			is = v
		case v.counter > counter:
			return is, v
		}
	}
	return is, nil
}
