package raft

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// pledge is what a node has told a leader, and the term of its entry there.
type pledge struct {
	Pledged
	entry int32
	last  int64 // -1 if it lies in a snapshot
}

// matched is what a leader believes.
type matched struct {
	Matched
	by    sim.NodeID
	entry int32
}

// commit is an entry that is committed, by the first leader who found it so.
type commit struct {
	term  int64
	lead  int64 // the leader's term
	entry int32 // where the leader wrote it
	by    int32 // where it said so
}

// early is an entry that a node took for committed, or applied, before a leader had found it so.
type early struct {
	index, term int64
	node        sim.NodeID
	entry       int32
}

// pledged is what a node tells a leader that it has: R11.
func (b *book) pledged(n *nodeBook, at int32, f Pledged) {
	b.says(n, at, f.Term)
	b.premise(cPledgesKept)
	d := &n.disk.solid
	switch {
	case d.hard.Term < f.Term:
		b.fails(cPledgesKept, []int32{n.disk.cache.hardAt, at}, "%s tells the leader of term %d "+
			"what it has, and its disk has %s", b.name(n.id), f.Term, b.hardText(&d.hard))
	case f.Match > d.base && d.term(f.Match) < 0:
		b.fails(cPledgesKept, []int32{n.disk.cache.entry(f.Match), at}, "%s tells the leader of term "+
			"%d that it has all up to %d, and its disk has what is up to %d", b.name(n.id), f.Term,
			f.Match, d.last())
	case f.Match > d.base && d.term(f.Match) != n.disk.cache.term(f.Match) &&
		n.disk.cache.term(f.Match) >= 0 && n.disk.cache.newest() <= f.Term:
		b.fails(cPledgesKept, []int32{n.disk.cache.entry(f.Match), at}, "%s tells the leader of term "+
			"%d that it has all up to %d, and its disk has an entry of term %d there", b.name(n.id),
			f.Term, f.Match, d.term(f.Match))
	}
	if n.wiped > 0 {
		b.returns(n, at, fmt.Sprintf("tells the leader of term %d that it has all up to %d", f.Term,
			f.Match))
	}
	last := d.term(f.Match)
	if k := len(n.pledges) - 1; k >= 0 && n.pledges[k].Term == f.Term {
		if f.Match < n.pledges[k].Match {
			return // it has said more
		}
	}
	n.pledges = append(n.pledges, pledge{f, at, last})
}

// committed is that a node knows of what is committed: R8; R9 and R10 if it is the leader who has
// found out.
func (b *book) committed(n *nodeBook, at int32, f Committed) {
	b.says(n, at, f.Term)
	v := &n.disk.cache
	b.premise(cCommitGrows)
	switch {
	case f.Index < n.commit:
		b.clash(cCommitGrows, n.commitAt, at, fmt.Sprintf("%s knows that all up to %d is committed, and "+
			"that all up to %d is", b.name(n.id), n.commit, f.Index))
		return
	case f.Index > v.last():
		b.fails(cCommitGrows, []int32{at}, "%s takes all up to %d for committed, and its log ends "+
			"at %d", b.name(n.id), f.Index, v.last())
		return
	}
	from := max(n.commit, v.base)
	n.commit, n.commitAt = f.Index, at
	if f.Lead {
		b.counted(n, at, f)
	}
	for i := from + 1; i <= f.Index; i++ {
		b.agrees(early{i, v.term(i), n.id, at}, v.entry(i))
	}
}

// counted is what a leader finds committed.
func (b *book) counted(n *nodeBook, at int32, f Committed) {
	v := &n.disk.cache
	b.premise(cOwnTerm)
	if t := v.term(f.Index); t >= 0 && t != f.Term && f.Index > v.base {
		b.fails(cOwnTerm, []int32{v.entry(f.Index), at}, "%s, the leader of term %d, finds entry %d "+
			"of term %d committed by counting", b.name(n.id), f.Term, f.Index, t)
	}
	if n.known {
		b.quorum(n, at, f.Index)
		if len(n.governs.Voters)%2 == 0 {
			b.reach(gEvenGroup)
		}
	}
	if next := int64(len(b.commits)) + 1; next < f.Index && v.term(next) < f.Term {
		b.reach(gOldCommitted)
	}
	for i := int64(len(b.commits)) + 1; i <= f.Index; i++ {
		c := commit{term: v.term(i), lead: f.Term, entry: v.entry(i), by: at}
		b.commits = append(b.commits, c)
		if l, ok := b.trace[c.entry].Body.(Logged); ok && i > v.base {
			b.commits[i-1].lead = f.Term
			if m, ok := l.Command.(Members); ok {
				b.configs = append(b.configs, setting{i, m, at})
			}
			continue
		}
		b.commits[i-1].term = -1 // nobody knows
	}
}

// quorum: R10.
func (b *book) quorum(n *nodeBook, at int32, index int64) {
	b.premise(cDurableQuorum)
	term := n.disk.cache.term(index)
	has := func(id sim.NodeID) bool {
		return int(id) < len(b.nodes) && b.nodes[id].disk.solid.last() >= index &&
			b.nodes[id].disk.solid.has(index, term)
	}
	if n.governs.Quorum(has) {
		return
	}
	var who []sim.NodeID
	for i := range b.nodes {
		if id := sim.NodeID(i); has(id) {
			who = append(who, id)
		}
	}
	b.fails(cDurableQuorum, []int32{n.disk.cache.entry(index), n.governsAt, at}, "%s finds entry %d "+
		"of term %d committed by %s, and on the disks of %s it is", b.name(n.id), index, term,
		n.governs.Text(b.name), orNobody(Members{Voters: who}.Text(b.name)))
}

func orNobody(names string) string {
	if names == "" {
		return "nobody"
	}
	return names
}

// agrees compares what a node takes for committed with what a leader has found so: R6.
func (b *book) agrees(e early, logged int32) {
	if e.index > int64(len(b.commits)) {
		b.early = append(b.early, e)
		return
	}
	b.premise(cSameCommands)
	c := &b.commits[e.index-1]
	if e.term == c.term || e.term < 0 || c.term < 0 {
		return
	}
	b.fails(cSameCommands, []int32{c.by, logged, e.entry}, "%s takes its entry %d of term %d for "+
		"committed, and that of term %d is, found by %s in term %d", b.name(e.node), e.index, e.term,
		c.term, b.name(b.trace[c.by].Node), c.lead)
}

// done is an entry that a node applies: R6, R17.
func (b *book) done(n *nodeBook, at int32, f Done) {
	b.premise(cAppliedOnce)
	switch {
	case f.Index != n.applied+1:
		b.fails(cAppliedOnce, []int32{n.life, n.appliedAt, at}, "%s applies entry %d after entry %d",
			b.name(n.id), f.Index, n.applied)
	case f.Index > n.commit:
		b.fails(cAppliedOnce, []int32{n.commitAt, at}, "%s applies entry %d, and knows that all up "+
			"to %d is committed", b.name(n.id), f.Index, n.commit)
	}
	n.applied, n.appliedAt = f.Index, at
	if f.Index > int64(len(b.commits)) || f.Index < 1 {
		b.early = append(b.early, early{f.Index, f.Term, n.id, at})
		return
	}
	b.premise(cSameCommands)
	c := &b.commits[f.Index-1]
	l, ok := b.trace[c.entry].Body.(Logged)
	if !ok || c.term < 0 || f.Term == c.term && alike(l.Command, f.Command) {
		return
	}
	b.fails(cSameCommands, []int32{c.by, at}, "%s applies entry %d of term %d, %s, and committed is "+
		"that of term %d, %s, found by %s", b.name(n.id), f.Index, f.Term, sim.Text(f.Command),
		c.term, sim.Text(l.Command), b.name(b.trace[c.by].Node))
}

// belated judges at the end what was taken for committed early.
func (b *book) belated() {
	for k := range b.early {
		e := &b.early[k]
		if e.index >= 1 && e.index <= int64(len(b.commits)) {
			b.agrees(*e, 0)
			continue
		}
		b.premise(cSameCommands)
		b.fails(cSameCommands, []int32{e.entry}, "%s takes entry %d of term %d for committed, and no "+
			"leader has found it so", b.name(e.node), e.index, e.term)
	}
}

// prefixes judges at the end what leaders and their followers said of common prefixes: R12.
func (b *book) prefixes() {
	for i := range b.nodes {
		n := &b.nodes[i]
		for k := range n.pledges {
			b.sharesPrefix(n, &n.pledges[k])
		}
	}
	for k := range b.matches {
		m := &b.matches[k]
		b.premise(cMatchTrue)
		if int(m.Of) >= len(b.nodes) || b.nodes[m.Of].hasPledged(m.Term, m.Match) {
			continue
		}
		b.fails(cMatchTrue, []int32{m.entry}, "%s, the leader of term %d, takes it that %s has all up "+
			"to %d, which that has not told it", b.name(m.by), m.Term, b.name(m.Of), m.Match)
	}
}

func (n *nodeBook) hasPledged(term, match int64) bool {
	for k := len(n.pledges) - 1; k >= 0; k-- {
		if p := &n.pledges[k]; p.Term == term && p.Match >= match {
			return true
		}
	}
	return false
}

// sharesPrefix compares a pledge with the log of the leader that it was made to.
func (b *book) sharesPrefix(n *nodeBook, p *pledge) {
	for k := len(b.reigns) - 1; k >= 0; k-- {
		r := &b.reigns[k]
		if r.term != p.Term {
			continue
		}
		is := r.at(p.Match)
		if p.last < 0 || is < 0 {
			return
		}
		b.premise(cMatchTrue)
		if is != p.last {
			b.fails(cMatchTrue, []int32{r.entry, p.entry}, "%s tells %s, the leader of term %d, that "+
				"their logs agree up to %d, where it has an entry of term %d and the leader %s",
				b.name(n.id), b.name(r.node), p.Term, p.Match, p.last, termOrNone(is))
		}
		return
	}
}

func termOrNone(term int64) string {
	if term <= 0 {
		return "none"
	}
	return fmt.Sprintf("one of term %d", term)
}
