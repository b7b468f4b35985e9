package checker

import (
	"slices"

	"github.com/downset/downset/sim"
)

// completeness is that what is called complete is. When a node calls its part of a cut complete,
// every other member has drawn its point, or it could not know what is in the channels from there;
// and nothing arrives later that was sent before the cut. In a run that came to rest, a transaction
// before the cut is committed by all who were told to. The premises are such parts and
// transactions.
func (r *reading) completeness() (premises int, v *sim.Violation) {
	told := r.transits()
	var order *Order
	for _, c := range r.completions() {
		at, known := r.index[c.cut]
		if !known || !r.cuts[at].finished || c.first != c.entry {
			continue
		}
		if order == nil {
			order = NewOrder(r.run)
		}
		premises++
		v = count(v, r.hasty(order, &r.cuts[at], c.entry))
		for _, t := range told.list {
			if t.to == r.trace[c.entry].Node && t.taken > c.entry && r.inChannel(&r.cuts[at], t) {
				v = count(v, r.violation(c.entry, t.taken,
					"%s calls its part of cut %s complete, and then gets %s, which is before it",
					r.nameAt(c.entry), c.cut, t.what))
			}
		}
	}
	due, v := r.dues(v)
	lost, v := r.lost(v)
	return premises + due + lost, v
}

// hasty is that a node completes its part of a cut and cannot know that another, which has not
// left, has drawn its point.
func (r *reading) hasty(order *Order, line *cutLine, entry int) *sim.Violation {
	for n, at := range line.at {
		node := sim.NodeID(n)
		if !line.member[n] || node == r.trace[entry].Node || order.Before(int(at), entry) {
			continue
		}
		if !r.hasLeft(node, entry) {
			return r.absence(entry, int(at),
				"%s calls its part of cut %s complete, but cannot know that %s has drawn its point",
				r.nameAt(entry), line.name, r.run.Name(node))
		}
	}
	return nil
}

// hasLeft says that a node had left by an entry.
func (r *reading) hasLeft(node sim.NodeID, entry int) bool {
	if r.known.left == nil {
		r.known.left = slices.Repeat([]int{Never}, r.width)
		for i := range r.trace {
			e := &r.trace[i]
			if e.Kind == sim.EntryLeft && int(e.Node) < r.width {
				r.known.left[e.Node] = min(r.known.left[e.Node], i)
			}
		}
	}
	return int(node) < r.width && r.known.left[node] < entry
}

// dues tests that who was told to commit a transaction before a cut did, unless it crashed since,
// or was told by a node that had left.
func (r *reading) dues(v *sim.Violation) (premises int, _ *sim.Violation) {
	if r.model.Due == nil || !r.run.Settled() {
		return 0, v
	}
	all, down := r.commits(), r.downs()
	for d := range r.trace {
		e := &r.trace[d]
		if e.Kind != sim.EntryDelivered || !isStep(r.run, d) || d < down[e.Node] {
			continue
		}
		tx, ok := read(r.model.Due, e.Body)
		if !ok {
			continue
		}
		line := r.cutAfter(all, tx, e.Node)
		if line == nil {
			continue
		}
		premises++
		if _, done := all.on(tx, e.Node); !done && !r.hasLeft(e.Peer, d) {
			sign, _ := all.signed(tx)
			v = count(v, r.absence(sign, d, "%s is before cut %s on %s, but %s never commits it",
				tx, line.name, r.nameAt(sign), r.nameAt(d)))
		}
	}
	return premises, v
}

// downs is by node its last crash.
func (r *reading) downs() []int {
	if r.known.down != nil {
		return r.known.down
	}
	down := make([]int, r.width)
	for i := range r.trace {
		e := &r.trace[i]
		if (e.Kind == sim.EntryCrashed || e.Kind == sim.EntryLeft) && int(e.Node) < r.width {
			down[e.Node] = i
		}
	}
	r.known.down = down
	return down
}

// cutAfter is the first finished cut that a transaction is before, and of which both the node that
// committed it first and another are members; nil if there is none.
func (r *reading) cutAfter(all *commits, tx string, other sim.NodeID) *cutLine {
	first, signed := all.signed(tx)
	for c := range r.cuts {
		line := &r.cuts[c]
		if signed && line.finished && line.before(r.trace, first) && line.member[other] &&
			line.member[r.trace[first].Node] {
			return line
		}
	}
	return nil
}
