package checker

import "github.com/downset/downset/sim"

// lost tests that a part called complete lacks nothing that never arrived: a transaction before the
// cut on its sender, and sent to a node whose part is complete, is committed there in the end. What
// a node that has left had sent is excused, as what it was to send.
func (r *reading) lost(v *sim.Violation) (premises int, _ *sim.Violation) {
	if r.model.Due == nil || r.model.Complete == nil || !r.run.Settled() {
		return 0, v
	}
	all, completed, down := r.commits(), r.parts().completed, r.downs()
	told := newOnNodes(r.width, 0)
	for s := range r.trace {
		e := &r.trace[s]
		if e.Kind != sim.EntrySent || int(e.Peer) >= r.width || s < down[e.Peer] {
			continue
		}
		tx, ok := read(r.model.Due, e.Body)
		first, mine := all.on(tx, e.Node)
		to := onNode{tx, e.Peer}
		if !ok || !mine {
			continue
		}
		line := r.completeAfter(completed, first, e.Peer)
		if line == nil || r.hasLeft(e.Node, len(r.trace)) || r.hasLeft(e.Peer, len(r.trace)) {
			continue
		}
		if told.put(to, s) {
			continue
		}
		premises++
		if _, done := all.on(tx, e.Peer); !done {
			v = count(v, r.absence(first, s,
				"%s is before cut %s on %s, and %s calls its part complete, but never commits it",
				tx, line.name, r.nameAt(first), r.run.Name(e.Peer)))
		}
	}
	return premises, v
}

// completeAfter is the first finished cut that a commit is before, and of which a node calls its
// part complete; nil if there is none.
func (r *reading) completeAfter(completed [][]bool, commit int, node sim.NodeID) *cutLine {
	for c := range r.cuts {
		line := &r.cuts[c]
		if line.finished && completed[c][node] && line.before(r.trace, commit) &&
			line.member[node] && line.member[r.trace[commit].Node] {
			return line
		}
	}
	return nil
}
