package raft

import (
	"github.com/downset/downset/sim"
)

// contact is when a node has heard from a peer: the last time, and since when never after more than
// steady.
type contact struct {
	last, since sim.Time
	ever        bool
}

// A leader that a majority has heard from at such distances, for so long, is healthy: whoever is
// asked for a pre-vote refuses. That is less than election, since not all that comes from a leader
// says that it leads, and longer than any election of before takes.
const (
	steady = election * 6 / 10
	calm   = 4 * election
)

// delivered is a message that a node takes up.
func (b *book) delivered(n *nodeBook, at int32, e *sim.Entry) {
	if r, ok := e.Body.(interface{ refusesPreVote() bool }); ok && r.refusesPreVote() {
		b.reach(gPreVoteRefused)
	}
	if e.Cause >= 0 {
		if by := &b.trace[e.Cause]; by.Kind == sim.EntryCopied {
			b.reach(gCopyArrived)
		} else if e.At.Sub(by.At) > election {
			n.late = e.At
		}
	}
	if int(e.Peer) >= len(n.heard) {
		return
	}
	c := &n.heard[e.Peer]
	away := !c.ever || e.At.Sub(c.last) > 2*election
	if !c.ever || e.At.Sub(c.last) > steady {
		c.since = e.At
	}
	c.last, c.ever = e.At, true
	if l := &b.nodes[e.Peer]; away && l.leads > 0 && b.healthy(l, e.At) {
		b.premise(cUndisturbed)
	}
}

// healthy says that a node leads, has led for long, and a majority has heard from it all along.
func (b *book) healthy(l *nodeBook, now sim.Time) bool {
	r := &b.reigns[l.reign]
	if !l.known || r.moved || b.clocks > 0 || now.Sub(b.trace[r.entry].At) < calm {
		return false
	}
	return l.governs.Quorum(func(id sim.NodeID) bool {
		if id == l.id || int(id) >= len(b.nodes) {
			return id == l.id
		}
		n := &b.nodes[id]
		c := &n.heard[l.id]
		return n.up && c.ever && now.Sub(c.since) >= calm && now.Sub(c.last) <= steady
	})
}

// stands is a candidate: R19. What reached it late may have been given before the leader was there.
func (b *book) stands(n *nodeBook, at int32, term int64) {
	now := b.trace[at].At
	if n.late > 0 && now.Sub(n.late) < calm {
		return
	}
	for i := range b.nodes {
		l := &b.nodes[i]
		if l == n || !l.up || l.leads == 0 || l.leads >= term || !b.healthy(l, now) {
			continue
		}
		b.premise(cUndisturbed)
		b.fails(cUndisturbed, []int32{b.reigns[l.reign].entry, at}, "%s stands for election in term "+
			"%d, and a majority has heard from %s, which leads term %d, at least every %v", b.name(n.id),
			term, b.name(l.id), l.leads, steady)
	}
}

// transferred is a request to hand the lead over: the leader is not undisturbed any more.
func (b *book) transferred(n *nodeBook, _ int32, t transfer) {
	r := &b.reigns[n.reign]
	r.moved, r.heir = true, t.To
}
