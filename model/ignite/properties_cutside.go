package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// agreement is I-2: the side is that of the transaction, whatever node and role look at it. A node
// that had failed to commit it before the cut has got it from another since.
func agreement(r *reading, l *line, t *tally) {
	for k := range r.txs {
		c := &r.txs[k]
		first := -1
		for at, d := range c.data {
			switch {
			case !r.tells(l, c, d):
			case first < 0:
				first = at
			default:
				t.premises++
				r.compare(pair{l, c, c.data[first], d}, t)
			}
		}
	}
}

// tells says that a data record tells the side of its transaction. If its node had failed to write
// it before the cut, the record is of a rebalance, however late.
func (r *reading) tells(l *line, c *course, d datum) bool {
	return r.counts(l, d) && !c.unknownOn(d.node, l.at[d.node].entered)
}

// pair is two data records of a transaction, seen from a cut.
type pair struct {
	cut    *line
	course *course
	a, b   datum
}

// compare looks whether both are on the same side.
func (r *reading) compare(p pair, t *tally) {
	a, b := r.before(p.cut, p.a, p.course.id), r.before(p.cut, p.b, p.course.id)
	if a != b {
		t.wrong(order(r.entryOf(p.a), r.entryOf(p.b)), "%s is %s cut %s by %s on %s, and %s by %s on %s",
			p.course.id.Name, sideText(a), p.cut.id, r.keyOf(p.a), r.run.Name(p.a.node), sideText(b),
			r.keyOf(p.b), r.run.Name(p.b.node))
	}
}

// keyOf is the key that a data record writes.
func (r *reading) keyOf(d datum) string {
	return r.logs[d.node].rows[d.row].record.(dataRecord).Update.Key
}

func sideText(before bool) string {
	if before {
		return "before"
	}
	return "after"
}

// oracle is I-3: the side of 1.13, which does not look at tags and records.
func oracle(r *reading, l *line, t *tally) {
	for k := range r.txs {
		c := &r.txs[k]
		if len(c.data) == 0 {
			continue
		}
		after, known := r.truth(l, c)
		if !known {
			continue
		}
		for _, d := range c.data {
			if !r.tells(l, c, d) {
				continue
			}
			t.premises++
			if before := r.before(l, d, c.id); before == after {
				s := c.signer()
				t.wrong(order(r.in(l, s.node), s.at[prepared], r.entryOf(d)),
					"%s is %s cut %s by %s on %s, but the %s on %s decided it %s it was in the cut",
					c.id.Name, sideText(before), l.id, r.keyOf(d), r.run.Name(d.node), s.key.Role,
					r.run.Name(s.node), when(after))
			}
		}
	}
}

func when(after bool) string {
	if after {
		return "when"
	}
	return "before"
}

// order is entries in the order of the trace, without those that are nowhere.
func order(at ...int32) []int32 {
	slices.Sort(at)
	return slices.Compact(slices.DeleteFunc(at, func(i int32) bool { return i < 0 }))
}

// truth is the closed form: a transaction that its user finished is after the cut if and only if
// the node that decided it was in the cut by then, or it was mapped on a later topology. Where
// nobody signs for a primary without a backup (D4), there is no answer.
func (r *reading) truth(l *line, c *course) (after, known bool) {
	s := c.signer()
	if s == nil || !c.byUsers() || c.onePhase() && !c.backed() && len(c.tags) == 0 {
		return false, false
	}
	if c.mapping.TopVer > l.topVer+1 {
		return true, true
	}
	in := r.in(l, s.node)
	return in >= 0 && in < s.at[prepared], true
}

// completely is C1 and W3: each owner of each key that a transaction before the cut writes has that
// before FINISH. Nothing is said of owners that had lost it before the cut.
func completely(r *reading, l *line, t *tally) {
	for k := range r.txs {
		c := &r.txs[k]
		if !r.pulls(l, c) {
			continue
		}
		for s := range c.mapping.Shares {
			r.shareComplete(l, c, &c.mapping.Shares[s], t)
		}
	}
}

// pulls says that a data record of a transaction is before a cut, and not in its full snapshot.
func (r *reading) pulls(l *line, c *course) bool {
	for _, d := range c.data {
		if r.counts(l, d) && d.row > l.at[d.node].base && r.before(l, d, c.id) {
			return true
		}
	}
	return false
}

func (r *reading) shareComplete(l *line, c *course, s *share, t *tally) {
	for _, w := range s.Writes {
		p := r.layout.of(w.Key)
		if p == nil {
			continue
		}
		for _, n := range p.Owners {
			if n != s.Primary && !slices.Contains(s.Backups, n) || !l.at[n].whole() {
				continue
			}
			t.premises++
			if !r.has(l, c, n, w.Key) && !r.lost(l, c, n) {
				t.wrong([]int32{c.mapped, l.ended}, "%s is before cut %s, but %s has not written %s by then",
					c.id.Name, l.id, r.run.Name(n), w.Key)
			}
		}
	}
}

// has says that a node has a key of a transaction before a cut.
func (r *reading) has(l *line, c *course, n sim.NodeID, key string) bool {
	for _, d := range c.data {
		if d.node == n && r.counts(l, d) && r.before(l, d, c.id) && r.keyOf(d) == key {
			return true
		}
	}
	return false
}

// lost says that a node lacks a transaction for a reason that came before the cut: it was gone, or
// failed to commit.
func (r *reading) lost(l *line, c *course, n sim.NodeID) bool {
	in := l.at[n].entered
	return r.members[n].fallen(c.mapped, in) || r.reborn(c, n, in) || c.unknownOn(n, in)
}

// reborn says that a transaction was mapped to a life of a node which was over before an entry:
// near had not consumed its end.
func (r *reading) reborn(c *course, n sim.NodeID, until int32) bool {
	return slices.ContainsFunc(r.members[n].came, func(i int32) bool {
		return i < until && r.trace[i].N >= c.mapping.TopVer
	})
}

// nested is I-25 for sides: of two cuts that ended well, what is before the first is before the
// second.
func (r *reading) nested(t *tally) {
	for k := 1; k < len(r.successes); k++ {
		l, w := r.successes[k-1], r.successes[k]
		for c := range r.txs {
			r.nestedTx(l, w, &r.txs[c], t)
		}
	}
}

func (r *reading) nestedTx(l, w *line, c *course, t *tally) {
	for _, d := range c.data {
		if !r.counts(l, d) || !r.counts(w, d) || !r.before(l, d, c.id) {
			continue
		}
		t.premises++
		if !r.before(w, d, c.id) {
			t.wrong(order(r.entryOf(d), l.ended, w.ended), "%s is before cut %s on %s, but after cut %s",
				c.id.Name, l.id, r.run.Name(d.node), w.id)
		}
	}
}
