package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// setting is a configuration of the log.
type setting struct {
	index   int64
	members Members
	entry   int32
}

// ignoring is a node that leads by a configuration, and has a newer one in its log.
type ignoring struct {
	node       sim.NodeID
	index, has int64
	entry, at  int32
}

// before is the configuration of a log at an index or behind: of the newest entry up to it that is
// one, else that of the cell, or the first one.
func (b *book) before(v *logView, index int64) (s setting, ok bool) {
	for i := min(index, v.last()); i > v.base; i-- {
		at := v.entry(i)
		l, _ := b.trace[at].Body.(Logged)
		if m, is := l.Command.(Members); is {
			return setting{i, m, at}, true
		}
	}
	if v.base > 0 && index >= v.base {
		c, ok := b.trace[v.cell].Body.(Snapshot)
		return setting{v.base, c.Members, v.cell}, ok
	}
	return b.agreed(min(index, v.base))
}

// agreed is the committed configuration at an index.
func (b *book) agreed(index int64) (s setting, ok bool) {
	for k := len(b.configs) - 1; k >= 0; k-- {
		if b.configs[k].index <= index {
			return b.configs[k], true
		}
	}
	return setting{0, b.first, b.firstAt}, len(b.first.Voters) > 0
}

// change is a configuration that a node writes. What its leader may do is judged once the node has
// done with what it was at, since it may have found the one before committed just now.
func (b *book) change(n *nodeBook, at int32, e *Entry, m Members) {
	for _, id := range m.Learners {
		if slices.Contains(m.Voters, id) {
			b.premise(cQuorumsMeet)
			b.fails(cQuorumsMeet, []int32{at}, "in the configuration at %d, %s, %s both votes and "+
				"learns", e.Index, m.Text(b.name), b.name(id))
		}
	}
	if n.leads > 0 && e.Term == n.leads {
		n.changes = append(n.changes, at)
	}
}

// input is something that a node takes up: what it was at before is done.
func (b *book) input(n *nodeBook, at int32) {
	for _, c := range n.changes {
		b.changed(n, c)
	}
	n.changes = n.changes[:0]
}

// changed judges a configuration that a leader has appended: R13.
func (b *book) changed(n *nodeBook, at int32) {
	e, _ := b.trace[at].Body.(Logged)
	m, _ := e.Command.(Members)
	was, ok := b.before(&n.disk.cache, e.Index-1)
	if !ok || n.disk.cache.entry(e.Index) != at {
		return
	}
	b.premise(cQuorumsMeet)
	if one, other, apart := disjoint(was.members, m); apart {
		b.fails(cQuorumsMeet, []int32{was.entry, at}, "from %s to %s: %s are a quorum of the one, and "+
			"%s of the other", was.members.Text(b.name), m.Text(b.name),
			Members{Voters: one}.Text(b.name), Members{Voters: other}.Text(b.name))
	}
	if was.index > n.commit {
		b.fails(cQuorumsMeet, []int32{was.entry, at}, "%s appends a configuration at %d, and knows "+
			"that all up to %d is committed, not the one at %d", b.name(n.id), e.Index, n.commit,
			was.index)
	}
}

// disjoint are a quorum of each of two configurations that do not meet, if there are any.
func disjoint(x, y Members) (one, other []sim.NodeID, apart bool) {
	all := slices.Concat(x.Voters, x.Outgoing, y.Voters, y.Outgoing)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > maxVoters {
		return nil, nil, false
	}
	for bits := range uint32(1) << len(all) {
		in := func(id sim.NodeID) bool {
			k, ok := slices.BinarySearch(all, id)
			return ok && bits>>k&1 == 1
		}
		out := func(id sim.NodeID) bool { return !in(id) }
		if x.Quorum(in) && y.Quorum(out) {
			return filter(all, in), filter(all, out), true
		}
	}
	return nil, nil, false
}

// maxVoters bounds the sets of nodes that disjoint tries: all of them.
const maxVoters = 14

func filter(ids []sim.NodeID, has func(sim.NodeID) bool) []sim.NodeID {
	var list []sim.NodeID
	for _, id := range ids {
		if has(id) {
			list = append(list, id)
		}
	}
	return list
}

// governed is a configuration that a node goes by from now on: R13.
func (b *book) governed(n *nodeBook, at int32, f Governs) {
	b.goes(n, &f.Members)
	n.governs, n.governsAt, n.governsOf, n.known = f.Members, at, f.Index, true
	if len(f.Members.Voters) == 0 {
		n.known = false
		return
	}
	if f.Index == 0 && len(b.first.Voters) == 0 {
		b.first, b.firstAt = f.Members, at
	}
	b.premise(cQuorumsMeet)
	is, ok := b.before(&n.disk.cache, f.Index)
	if ok && !is.members.Equal(f.Members) {
		b.fails(cQuorumsMeet, []int32{is.entry, at}, "%s goes by the configuration %s of index %d, "+
			"where it has %s", b.name(n.id), f.Members.Text(b.name), f.Index,
			is.members.Text(b.name))
	}
	if f.Index <= n.commit {
		return
	}
	b.eager = b.eager || f.Index > n.disk.cache.base
	if n.leads == 0 || n.disk.cache.term(f.Index) != n.leads {
		return
	}
	b.premise(cQuorumsMeet)
	if n.disk.cache.term(n.commit) != n.leads {
		b.fails(cQuorumsMeet, []int32{b.reigns[n.reign].entry, at}, "%s goes by the configuration at "+
			"%d, and nothing of its term %d is committed yet", b.name(n.id), f.Index, n.leads)
	}
}

// goesBy looks whether a leader goes by the newest configuration of its log. It has to where
// configurations count as soon as they are written, which is known at the end.
func (b *book) goesBy(n *nodeBook, at int32) {
	if !n.known || n.disk.doubt {
		return
	}
	s, ok := b.before(&n.disk.cache, n.disk.cache.last())
	if ok && s.index > n.governsOf && s.index > n.disk.cache.base && !s.members.Equal(n.governs) {
		b.ignored = append(b.ignored, ignoring{n.id, n.governsOf, s.index, s.entry, at})
	}
}

// passedOver judges that at the end: R13.
func (b *book) passedOver() {
	for k := range b.ignored {
		if i := &b.ignored[k]; b.eager {
			b.premise(cQuorumsMeet)
			b.fails(cQuorumsMeet, []int32{i.entry, i.at}, "%s leads by the configuration of index %d, "+
				"and its log has one at %d", b.name(i.node), i.index, i.has)
		}
	}
}
