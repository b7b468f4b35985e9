package sim

import (
	"cmp"
	"slices"
)

// Deliveries that commute. One delivery alone is enough to go on with if, whatever else may happen
// before it, at its node too, the two can change places: the same state comes of both orders. So
// the votes that a coordinator counts need not be tried in every order. Whether two inputs of a
// node commute is tried in every state that the node may come to without the delivery (see
// persist.go for what may happen).
//
// With WalkOptions.Deep nothing commutes at one node, since its order there is part of the past;
// with History it is not tried; and while a datagram may be lost or copied, its delivery is not
// alone.

// fewest are the moves to go on with: one that commutes with all that may come before it, if there
// is one, else those given.
func (p *persistent) fewest(moves []Move) []Move {
	l := &p.walk.left
	if len(moves) < 2 || p.walk.opt.ordersCalls() || l.losses > 0 || l.copies > 0 {
		return moves
	}
	for _, m := range p.inOrder(moves) {
		if p.commutes(m) {
			return append(moves[:0], m)
		}
	}
	return moves
}

// inOrder are the deliveries among the moves that may be alone, in an order that does not depend on
// the path to the state.
func (p *persistent) inOrder(moves []Move) []Move {
	var all []Move
	for _, m := range moves {
		if m.Kind == MoveDeliver && p.mayBeAlone(&p.state.slab[m.At]) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b Move) int {
		return cmp.Compare(p.inputSum(&p.state.slab[a.At], true),
			p.inputSum(&p.state.slab[b.At], true))
	})
	return all
}

// mayBeAlone says that no node but the one that takes up an event could put something before it: it
// is on no channel, or the first that comes to its node from the log lane.
func (p *persistent) mayBeAlone(e *event) bool {
	return e.node != Nobody && (e.fifo < 0 || e.what == evLogged)
}

// commutes says that a delivery commutes with all that may happen before it.
func (p *persistent) commutes(m Move) bool {
	if !p.gather(func(slot int32, _ NodeID) bool { return slot != m.At }) {
		return false
	}
	p.alone, p.at = p.arriving(p.state.slab[m.At]), m.Node
	defer func() { p.at = Nobody }()
	if p.probe(m.Node, p.state.nodes[m.Node], p.alone).wild {
		return false
	}
	for known := -1; known != p.grown; {
		known, p.probes = p.grown, 0
		for id := range p.nodes {
			if !p.spread(NodeID(id), Nobody) {
				return false
			}
		}
	}
	return true
}

// diamond says that in a state of its node the delivery and another input lead to the same in both
// orders.
func (p *persistent) diamond(f *frozen, in input) bool {
	id := p.at
	first := p.probe(id, f, p.alone)
	second := p.probe(id, f, in)
	if first.wild || second.wild || in.timer != nil && first.next.node.timer(in.timer) < 0 {
		return false
	}
	after := p.probe(id, first.next, in)
	before := p.probe(id, second.next, p.alone)
	return !after.wild && !before.wild && after.next.sum == before.next.sum &&
		p.sent(first, after) == p.sent(second, before) &&
		p.told(first, after) == p.told(second, before)
}

// sent is the hash of what two inputs after each other put in flight: a multiset, but on FIFO
// channels in its order.
func (p *persistent) sent(a, b *learned) uint64 {
	var sum uint64
	chains := make([]uint64, len(p.fifos))
	for _, l := range []*learned{a, b} {
		for i := range l.sends {
			x := &l.sends[i]
			if x.event.fifo < 0 {
				sum += scatter(x.sum)
				continue
			}
			chains[x.event.fifo] = mix(chains[x.event.fifo], x.sum)
		}
	}
	for i, c := range chains {
		if c != 0 {
			sum += spot(c, i)
		}
	}
	return sum
}

// told is the hash of what two inputs after each other add to the past of their node.
func (p *persistent) told(a, b *learned) uint64 {
	d := digests{trails: make([]uint64, len(p.nodes)+1)}
	for _, l := range []*learned{a, b} {
		for i := range l.pasts {
			p.walk.continues(&l.pasts[i], &d, nil, 0)
		}
	}
	h := d.history
	for i, t := range d.trails {
		h += spot(t, i)
	}
	return h
}
