package raft

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// grant is a vote, with the last entry of the voter's log that is older than its term.
type grant struct {
	term        int64
	to          sim.NodeID
	entry       int32
	index, last int64
}

// reign is a leader of a term: the terms of its log when it was elected, and of what it has
// appended since.
type reign struct {
	term    int64
	node    sim.NodeID
	entry   int32
	members Members
	known   bool // members
	base    int64
	log     []int64
	moved   bool   // it was asked to hand the lead over
	heir    string // to whom
}

// at is the term of the leader's entry at an index, -1 if it is not known, 0 if there is none.
func (r *reign) at(index int64) int64 {
	switch k := index - r.base; {
	case k <= 0:
		return -1
	case k <= int64(len(r.log)):
		return r.log[k-1]
	}
	return 0
}

// grow takes in what the leader appends. What it overwrites is the matter of leader-appends.
func (r *reign) grow(e *Entry) {
	if e.Index == r.base+int64(len(r.log))+1 {
		r.log = append(r.log, e.Term)
	}
}

// says is a term that a node says it is in: R2 over restarts. Facts of one life are compared with
// those of former ones only, since a node with a slow disk may say late what it has done before.
func (b *book) says(n *nodeBook, at int32, term int64) {
	b.premise(cTermGrows)
	if n.termFloor > term && n.termFloorAt < n.life {
		b.clash(cTermGrows, n.termFloorAt, at, fmt.Sprintf("%s is in term %d, and was in term %d before "+
			"it crashed", b.name(n.id), term, n.termFloor))
	}
	if term > n.termFloor {
		n.termFloor, n.termFloorAt = term, at
	}
}

// granted is a vote: R3, R11.
func (b *book) granted(n *nodeBook, at int32, f Granted) {
	b.says(n, at, f.Term)
	b.premise(cOneVote)
	for k := len(n.grants) - 1; k >= 0; k-- {
		if g := &n.grants[k]; g.term == f.Term && g.to != f.To {
			b.clash(cOneVote, g.entry, at, fmt.Sprintf("%s votes for %s and for %s in term %d",
				b.name(n.id), b.name(g.to), b.name(f.To), f.Term))
			break
		}
	}
	b.premise(cPledgesKept)
	if h := &n.disk.solid.hard; h.Term < f.Term || h.Term == f.Term && h.To != f.To {
		b.fails(cPledgesKept, []int32{n.disk.cache.hardAt, at}, "%s votes for %s in term %d, and "+
			"its disk has %s", b.name(n.id), b.name(f.To), f.Term, b.hardText(h))
	}
	if n.wiped > 0 {
		b.returns(n, at, fmt.Sprintf("votes in term %d", f.Term))
	}
	g := grant{term: f.Term, to: f.To, entry: at}
	g.index, g.last = n.disk.cache.lastBefore(f.Term)
	if f.To != n.id && n.disk.doubt && g.index > n.disk.sure {
		g.index, g.last = 0, 0 // a candidate is given the benefit of the doubt, and so is a voter
	}
	n.grants = append(n.grants, g)
	if f.To == n.id {
		b.stands(n, at, f.Term)
	}
}

func (b *book) hardText(h *HardState) string {
	switch {
	case h.Term == 0:
		return "no term"
	case h.To == sim.Nobody:
		return fmt.Sprintf("term %d without a vote", h.Term)
	}
	return fmt.Sprintf("term %d with a vote for %s", h.Term, b.name(h.To))
}

// returns is what a node does that has lost its disk: R20.
func (b *book) returns(n *nodeBook, at int32, what string) {
	b.clash(cNoReturn, n.wiped, at, fmt.Sprintf("%s has lost its disk, and %s", b.name(n.id), what))
}

// elected is a node that leads from now on: R1.
func (b *book) elected(n *nodeBook, at int32, f Elected) {
	b.says(n, at, f.Term)
	b.premise(cElectionSafety)
	for k := range b.reigns {
		if r := &b.reigns[k]; r.term == f.Term && r.node != n.id {
			b.clash(cElectionSafety, r.entry, at, fmt.Sprintf("%s and %s both lead term %d",
				b.name(r.node), b.name(n.id), f.Term))
			break
		}
	}
	k := len(b.reigns)
	if k < cap(b.reigns) {
		b.reigns = b.reigns[:k+1]
	} else {
		b.reigns = append(b.reigns, reign{})
	}
	v, r := &n.disk.cache, &b.reigns[k]
	*r = reign{term: f.Term, node: n.id, entry: at, members: n.governs, known: n.known,
		base: v.base, log: r.log[:0]}
	for i := range v.slots {
		r.log = append(r.log, v.slots[i].term)
	}
	n.leads, n.reign = f.Term, k
	b.leads(n, f.Term)
	b.goesBy(n, at)
}

func (b *book) deposed(n *nodeBook, at int32, f Deposed) {
	if n.leads == f.Term {
		b.stepsDown(n)
		n.leads = 0
	}
}

// elections judges at the end: each leader has a quorum's votes, R1; nobody voted for a log with
// less than its own, R5.
func (b *book) elections() {
	for k := range b.reigns {
		r := &b.reigns[k]
		if !r.known {
			continue
		}
		b.premise(cElectionSafety)
		votes := func(id sim.NodeID) bool {
			return id == r.node || int(id) < len(b.nodes) && b.nodes[id].voted(r.term, r.node)
		}
		if !r.members.Quorum(votes) {
			b.fails(cElectionSafety, []int32{r.entry}, "%s leads term %d, and of %s no quorum has "+
				"voted for it", b.name(r.node), r.term, r.members.Text(b.name))
		}
	}
	for i := range b.nodes {
		n := &b.nodes[i]
		for k := range n.grants {
			if g := &n.grants[k]; g.to != n.id && int(g.to) < len(b.nodes) {
				b.upToDate(n, g)
			}
		}
	}
}

// voted says that a node has voted for another in a term.
func (n *nodeBook) voted(term int64, to sim.NodeID) bool {
	for k := len(n.grants) - 1; k >= 0; k-- {
		if n.grants[k].term == term && n.grants[k].to == to {
			return true
		}
	}
	return false
}

// upToDate: the paper, 5.4.1.
func (b *book) upToDate(n *nodeBook, g *grant) {
	c := &b.nodes[g.to]
	for k := len(c.grants) - 1; k >= 0; k-- {
		own := &c.grants[k]
		if own.term != g.term || own.to != g.to {
			continue
		}
		b.premise(cLeaderComplete)
		if own.last < g.last || own.last == g.last && own.index < g.index {
			b.fails(cLeaderComplete, []int32{own.entry, g.entry}, "%s votes for %s in term %d, whose "+
				"log ends at %d of term %d, and its own at %d of term %d", b.name(n.id),
				b.name(c.id), g.term, own.index, own.last, g.index, g.last)
		}
		return
	}
}

// completeness: R5, of each leader with all that was committed under leaders of smaller terms.
func (b *book) completeness() {
	for k := range b.reigns {
		r, met := &b.reigns[k], false
		for i := range b.commits {
			c, index := &b.commits[i], int64(i+1)
			if c.lead >= r.term || index <= r.base || c.term < 0 {
				continue
			}
			met = true
			if r.at(index) == c.term {
				continue
			}
			b.fails(cLeaderComplete, []int32{c.by, r.entry}, "%s leads term %d without entry %d of "+
				"term %d, which was committed in term %d", b.name(r.node), r.term, index, c.term,
				c.lead)
			break
		}
		if met {
			b.premise(cLeaderComplete)
		}
	}
}
