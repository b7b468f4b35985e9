package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// discovery: positions on the log lane that a node consumes follow each other, and it acts in this
// order on departures and on STARTs (I-28).
func discovery(run *sim.Run) (premises int, v *sim.Violation) {
	r := readRun(run)
	t := &tally{premises: r.consumed}
	for _, g := range r.gaps {
		t.wrong([]int32{g}, "%s takes %s from discovery out of turn", r.name(g),
			sim.Text(r.trace[g].Body))
	}
	return t.premises, t.v
}

// marksOnce is I-1, and of nodes that are not listed that they have no marks.
func marksOnce(r *reading, l *line, t *tally) {
	for n := range l.at {
		s, in := &l.at[n], l.lists(sim.NodeID(n))
		if r.members[n].wiped > l.begun {
			continue // with all that it had
		}
		if in {
			t.premises++
		}
		switch {
		case in && !s.whole():
			t.wrong([]int32{l.ended}, "cut %s is a success, but %s has %d START and %d FINISH%s", l.id,
				r.run.Nodes[n], len(s.starts), len(s.finishes), s.disorder())
		case !in && len(s.starts)+len(s.finishes) > 0:
			t.wrong([]int32{l.listed, l.ended}, "%s marks cut %s, which does not list it",
				r.run.Nodes[n], l.id)
		}
	}
}

// disorder says that marks are in the wrong order, if that is what is wrong.
func (s *station) disorder() string {
	if len(s.starts) == 1 && len(s.finishes) == 1 {
		return ", in the wrong order"
	}
	return ""
}

// lists says that a cut has a node in its baseline.
func (l *line) lists(n sim.NodeID) bool {
	for _, id := range l.baseline {
		if id == n {
			return true
		}
	}
	return false
}

// colour is the condition of Lai and Yang (I-8): what carries a cut finds its receiver in it. A
// node that joined after the cut began ignores it.
func (r *reading) colour(t *tally) {
	for k := range r.bears {
		b := &r.bears[k]
		l := &r.cuts[b.cut]
		if !l.good || b.effect < 0 || b.order > l.topVer {
			continue
		}
		t.premises++
		if in := r.in(l, r.trace[b.entry].Node); in < 0 || in > b.effect {
			t.wrong([]int32{b.entry, b.effect}, "%s applies %s, and is not in cut %s", r.name(b.entry),
				sim.Text(r.trace[b.entry].Body), l.id)
		}
	}
}

// oneCut is I-9 and I-10. A cut whose END is published is over, though a node may learn of it
// later.
func oneCut(r *reading, l *line, t *tally) {
	for k := range r.cuts {
		w := &r.cuts[k]
		if w.begun > l.begun && w.begun < l.ended {
			t.premises++
			r.refuse(l, w, t)
		}
		if w != l && w.id.Version == l.id.Version && w.id.Version > 0 {
			t.premises++
			r.unique(l, w, t)
		}
	}
	for n := range l.at {
		s, m := &l.at[n], &r.members[n]
		if s.entered < 0 {
			continue
		}
		t.premises++
		for _, i := range s.again {
			if !m.fallen(s.entered, i) {
				t.wrong([]int32{s.entered, i}, "%s enters cut %s again", r.run.Nodes[n], l.id)
			}
		}
		if s.other >= 0 {
			r.overlap(l, n, t)
		}
		for _, w := range r.good() {
			if o := w.at[n].entered; w.id.Version > l.id.Version && o >= 0 && o < s.entered {
				t.wrong([]int32{o, s.entered}, "%s enters cut %s after cut %s, which is newer",
					r.run.Nodes[n], l.id, w.id)
			}
		}
	}
}

// refuse: nobody may accept START of a cut between START and END of one that succeeds.
func (r *reading) refuse(l, w *line, t *tally) {
	for n := range w.at {
		if i := w.at[n].entered; i >= 0 && r.trace[i].Body.(entered).By == "start" {
			t.wrong(order(l.begun, i), "%s accepts cut %s, and cut %s is running", r.run.Nodes[n],
				w.id, l.id)
		}
	}
}

// unique is V1: no other cut may have the version of one that succeeds.
func (r *reading) unique(l, w *line, t *tally) {
	for n := range w.at {
		if i := w.at[n].entered; i >= 0 {
			t.wrong(order(l.begun, i), "%s is in cut %s, which has the version of cut %s", r.run.Nodes[n],
				w.id, l.id)
		}
	}
}

// overlap: a node was in another cut as it entered this one. Versions are not forgotten.
func (r *reading) overlap(l *line, n int, t *tally) {
	s, w := &l.at[n], &r.cuts[l.at[n].other]
	byStart := r.trace[s.entered].Body.(entered).By == "start"
	if byStart && l.id.Version == 0 || w.good && w.ended > s.entered {
		t.wrong([]int32{w.at[n].entered, s.entered}, "%s enters cut %s, and is still in cut %s",
			r.run.Nodes[n], l.id, w.id)
	}
}

// stamped is the second half of R2: nobody signs with a cut that it is not in. Versions are also
// learnt by those who join.
func (r *reading) stamped(t *tally) {
	for k := range r.stamps {
		x := &r.stamps[k]
		l, node := &r.cuts[x.cut], r.trace[x.entry].Node
		if !l.good || l.id.Version > 0 && x.order > 0 {
			continue
		}
		t.premises++
		s := &l.at[node]
		gone := l.id.Version == 0 && s.forgot >= 0 && s.forgot < x.entry
		if in := r.in(l, node); in < 0 || in > x.entry || gone {
			t.wrong([]int32{x.entry}, "%s sends %s, and is not in cut %s", r.run.Name(node),
				sim.Text(r.trace[x.entry].Body), l.id)
		}
	}
}

// joiner is I-30. Where cuts are versions, all learn of them.
func joiner(r *reading, l *line, t *tally) {
	for n := range l.at {
		m, s := &r.members[n], &l.at[n]
		if m.order <= l.topVer || m.joined < l.listed || m.joined > l.ended {
			continue
		}
		t.premises++
		if s.entered > m.joined && l.id.Version == 0 {
			t.wrong([]int32{m.joined, s.entered}, "%s enters cut %s, and joined after its START",
				r.run.Nodes[n], l.id)
		}
		for _, row := range s.starts {
			if i := r.logs[n].rows[row].entry; i > m.joined {
				t.wrong([]int32{m.joined, i}, "%s marks cut %s, and joined after its START",
					r.run.Nodes[n], l.id)
			}
		}
	}
}

// signedRight is G1 and G3: who decides a transaction fixes its tag, and no cut comes between that
// and the decision. Where nobody has to, nobody may have (D4).
func signedRight(r *reading, c *course, t *tally) {
	s := c.signer()
	if s == nil || s.by != byUser || s.at[committing] < 0 {
		return
	}
	t.premises++
	want := r.idOf(s.stood)
	for k := range c.tags {
		x := &c.tags[k]
		by := &c.stints[x.stint]
		switch {
		case !c.signs(by):
			t.wrong([]int32{x.entry}, "the tag of %s is fixed by the %s on %s, not by the %s",
				c.id.Name, by.key.Role, r.run.Name(by.node), s.key.Role)
		case !x.tag.same(want) && !r.learnt(by.node, x.tag, want):
			t.wrong([]int32{x.entry, s.at[prepared]}, "%s is tagged %s, but is decided in %s", c.id.Name,
				cutText(x.tag), cutText(want))
		}
	}
	if len(c.tags) == 0 && want != (cutID{}) && (!c.onePhase() || c.backed()) {
		t.wrong([]int32{s.at[prepared]}, "%s is decided in %s, and nobody tags it", c.id.Name,
			cutText(want))
	}
}

// learnt says that a node may have a version from those whom it joined.
func (r *reading) learnt(n sim.NodeID, have, want cutID) bool {
	return r.members[n].order > 0 && have.Version > want.Version
}

// idOf is the id of a cut, by its index.
func (r *reading) idOf(at int32) cutID {
	if at < 0 {
		return cutID{}
	}
	return r.cuts[at].id
}

func cutText(c cutID) string {
	if c == (cutID{}) {
		return "no cut"
	}
	return "cut " + c.String()
}

// sameTag is G2. Until anybody stops signing with the cut, what commits carries the tag.
func (r *reading) sameTag(t *tally) {
	for k := range r.stamps {
		x := &r.stamps[k]
		c := &r.txs[x.tx]
		want, ok := r.fixedTag(c, x.entry)
		if !ok || x.tag == (cutID{}) && !r.owesTag(c, x, want) {
			continue
		}
		t.premises++
		if want.same(x.tag) {
			continue
		}
		t.wrong([]int32{c.tags[0].entry, x.entry}, "%s is tagged %s, but %s sends %s", c.id.Name,
			cutText(want), r.name(x.entry), sim.Text(r.trace[x.entry].Body))
	}
}

// fixedTag is the tag that was fixed before an entry, by who has to, and who was there to tell it.
func (r *reading) fixedTag(c *course, before int32) (cutID, bool) {
	for k := range c.tags {
		x := &c.tags[k]
		s := &c.stints[x.stint]
		if x.entry < before && c.signs(s) && !r.members[s.node].fallen(x.entry, before) {
			return x.tag, true
		}
	}
	return cutID{}, false
}

// owesTag says that a message without a tag should have it.
func (r *reading) owesTag(c *course, x *stamp, want cutID) bool {
	at, ok := r.lineOf(want)
	if !ok || !r.cuts[at].good || !c.byUsers() ||
		r.cuts[at].quiet >= 0 && r.cuts[at].quiet < x.entry {
		return false
	}
	switch m := unwrap(r.trace[x.entry].Body).(type) {
	case nfq:
		return m.Commit
	case dfq:
		return m.Commit
	case npr:
		return m.Err == "" && c.onePhase()
	case dpr:
		return m.Err == "" && c.onePhase()
	}
	return false
}

// byUsers says that nothing but the user's commit has finished the transaction's objects.
func (c *course) byUsers() bool {
	for k := range c.stints {
		if s := &c.stints[k]; s.by == byRecovery || s.at[unknown] >= 0 {
			return false
		}
	}
	return true
}

// setsClean is I-5 and I-7, and I-4 on one node. Between nodes I-4 is part of agreement.
func setsClean(r *reading, x listing, t *tally) {
	t.premises++
	const where = "FINISH of cut %s on %s "
	cut, node := x.cut.id, r.run.Name(x.node)
	if holds(x.station.sets.Included, x.tx) && holds(x.station.sets.Excluded, x.tx) {
		t.wrong([]int32{x.finish}, where+"has %s in both sets", cut, node, x.tx.Name)
		return
	}
	if x.course == nil {
		t.wrong([]int32{x.finish}, where+"names %s, which nobody knows", cut, node, x.tx.Name)
		return
	}
	for k := range x.course.stints {
		s := &x.course.stints[k]
		if s.node == x.node && s.ends() > x.station.entered && s.ends() < x.finish {
			return
		}
	}
	t.wrong([]int32{x.finish}, where+"names %s, which did not commit there between step A and FINISH",
		cut, node, x.tx.Name)
}

// ends is where an object committed, or became UNKNOWN.
func (s *stint) ends() int32 { return max(s.at[committed], s.at[unknown]) }

// tracks says that a node waited for an object.
func (r *reading) tracks(s *station, k key) bool {
	return s.tracking >= 0 && slices.Contains(r.trace[s.tracking].Body.(tracking).Objects, k)
}

// setsTrusted is I-6, of the objects that the node waited for.
func setsTrusted(r *reading, x listing, t *tally) {
	if x.course == nil {
		return
	}
	t.premises++
	for k := range x.course.stints {
		s := &x.course.stints[k]
		in := s.ends() > x.station.entered && s.ends() < x.finish
		if s.node != x.node || !in || !r.tracks(x.station, s.key) {
			continue
		}
		if s.by == byRecovery || s.at[unknown] >= 0 {
			t.wrong([]int32{s.ends(), x.finish}, "FINISH of cut %s on %s names %s, whose %s is %s, by %s",
				x.cut.id, r.run.Name(x.node), x.tx.Name, s.key.Role, s.state, s.by)
		}
	}
}
