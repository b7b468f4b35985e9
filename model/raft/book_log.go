package raft

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// matching is what a log had at an index, with a term: all that have that must agree before it.
type matching struct {
	term, before int64 // before is the term of the entry before it, -1 if that is not known
	entry        int32
	next         int32 // the next of the same index in matching, -1 if none
}

// append is a record that a node writes.
func (b *book) append(n *nodeBook, at int32, e *sim.Entry) {
	switch r := e.Body.(type) {
	case Logged:
		n.disk.append(at, e)
		b.logged(n, at, &r.Entry)
	case HardState:
		b.hard(n, at, r)
		n.disk.append(at, e)
		n.disk.hardDoubt = false
	default:
		n.disk.append(at, e)
	}
}

// hard is a hard state that a node writes: R2, R3 within a life.
func (b *book) hard(n *nodeBook, at int32, r HardState) {
	b.premise(cTermGrows)
	floor, from := n.lifeTerm, n.lifeTermAt
	if n.termFloor > floor {
		floor, from = n.termFloor, n.termFloorAt
	}
	if r.Term < floor {
		b.clash(cTermGrows, from, at, fmt.Sprintf("%s goes to term %d, and was in term %d",
			b.name(n.id), r.Term, floor))
	}
	n.lifeTerm, n.lifeTermAt = r.Term, at
	was := &n.disk.cache.hard
	if r.Term != was.Term || was.To == sim.Nobody || was.Term == 0 || n.disk.hardDoubt {
		return
	}
	if b.premise(cOneVote); r.To != was.To {
		b.clash(cOneVote, n.disk.cache.hardAt, at, fmt.Sprintf("%s has voted for %s in term %d, and "+
			"writes that it votes for %s", b.name(n.id), b.name(was.To), r.Term, b.voted(r.To)))
	}
}

func (b *book) voted(id sim.NodeID) string {
	if id == sim.Nobody {
		return "nobody"
	}
	return b.name(id)
}

// logged is an entry that a node writes: R4.
func (b *book) logged(n *nodeBook, at int32, e *Entry) {
	v := &n.disk.cache
	if e.Index <= v.base {
		return
	}
	before := v.term(e.Index - 1)
	if before < 0 {
		b.premise(cLogMatching)
		b.fails(cLogMatching, []int32{at}, "%s writes entry %d of term %d, and has no entry %d",
			b.name(n.id), e.Index, e.Term, e.Index-1)
		return
	}
	if n.leads == e.Term {
		b.reigns[n.reign].grow(e)
		b.forwarded(n, e)
	}
	if m, ok := e.Command.(Members); ok {
		b.change(n, at, e, m)
	}
	b.match(n, at, e, before)
}

// match compares an entry with the first of its index and term.
func (b *book) match(n *nodeBook, at int32, e *Entry, before int64) {
	for int64(len(b.places)) <= e.Index {
		b.places = append(b.places, -1)
	}
	for k := b.places[e.Index]; k >= 0; k = b.matching[k].next {
		m := &b.matching[k]
		if m.term != e.Term {
			continue
		}
		b.premise(cLogMatching)
		first, _ := b.trace[m.entry].Body.(Logged)
		switch {
		case m.before != before:
			b.clash(cLogMatching, m.entry, at, fmt.Sprintf("entry %d of term %d follows one of term %d "+
				"on %s, and one of term %d on %s", e.Index, e.Term, m.before,
				b.name(b.trace[m.entry].Node), before, b.name(n.id)))
		case !alike(first.Command, e.Command):
			b.clash(cLogMatching, m.entry, at, fmt.Sprintf("entry %d of term %d is %s on %s, and %s on "+
				"%s", e.Index, e.Term, sim.Text(first.Command), b.name(b.trace[m.entry].Node),
				sim.Text(e.Command), b.name(n.id)))
		}
		return
	}
	b.matching = append(b.matching, matching{e.Term, before, at, b.places[e.Index]})
	b.places[e.Index] = int32(len(b.matching) - 1)
}

// alike says that two commands are the same.
func alike(x, y Command) bool {
	switch x := x.(type) {
	case command:
		y, ok := y.(command)
		return ok && x.Call == y.Call && x.Client == y.Client && x.Try == y.Try &&
			alike(x.Op, y.Op)
	case put:
		y, ok := y.(put)
		return ok && x == y
	case get:
		y, ok := y.(get)
		return ok && x == y
	case cas:
		y, ok := y.(cas)
		return ok && x == y
	case Noop:
		_, ok := y.(Noop)
		return ok
	case Members:
		y, ok := y.(Members)
		return ok && x.Equal(y)
	case nil:
		return y == nil
	}
	return y != nil && x.Kind() == y.Kind() && sim.Text(x) == sim.Text(y)
}

// replace is a cell that a node writes.
func (b *book) replace(n *nodeBook, at int32, e *sim.Entry) {
	s, ok := e.Body.(Snapshot)
	if !ok {
		return
	}
	b.cell(n, at, &s)
	n.disk.replace(b.trace, at, &s)
}

// synced is a disk that is durable up to somewhere.
func (b *book) synced(n *nodeBook, at int32, e *sim.Entry) {
	submitted := at
	if e.Cause >= 0 && b.trace[e.Cause].Kind == sim.EntryFlushed {
		submitted = e.Cause
	}
	n.disk.sync(b.trace, submitted, e.N)
	if h := &n.disk.solid; h.hard.Term > n.termFloor && !n.disk.torn {
		n.termFloor, n.termFloorAt = h.hard.Term, h.hardAt
	}
}

// wrote is what a node has done to its log in one go: what is behind low is gone, or another.
func (b *book) wrote(n *nodeBook, at int32) {
	d := &n.disk
	d.dirty = false
	low := d.low
	if last := d.cache.last(); last < d.was && (low == 0 || last < low) {
		low = last + 1
	}
	leads := n.leads > 0 && d.cache.hard.Term <= n.leads // else it is about to say that it does not
	if leads {
		b.premise(cLeaderAppends)
	}
	if low == 0 {
		return
	}
	b.reach(gTailCut)
	entry := d.cache.entry(low)
	if leads {
		b.fails(cLeaderAppends, []int32{b.reigns[n.reign].entry, entry, at},
			"%s leads term %d, and its log loses what it had at %d", b.name(n.id), n.leads, low)
	}
	if low <= n.commit {
		b.fails(cCommitGrows, []int32{n.commitAt, entry, at}, "%s knows that all up to %d is "+
			"committed, and its log loses what it had at %d", b.name(n.id), n.commit, low)
	}
	b.breaks(n, low, []int32{entry, at})
}

// breaks is a log that has lost what it had from low on: R11, if that was pledged.
func (b *book) breaks(n *nodeBook, low int64, witness []int32) {
	if len(n.pledges) == 0 {
		return
	}
	p := &n.pledges[len(n.pledges)-1]
	if low <= p.Match && n.disk.cache.newest() <= p.Term {
		b.fails(cPledgesKept, append(witness, p.entry), "%s has told the leader of term %d that it "+
			"has all up to %d, and loses what it had at %d", b.name(n.id), p.Term, p.Match, low)
	}
}
