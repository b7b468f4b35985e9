package sim

import (
	"cmp"
	"slices"
)

// The log lane in persistent sets: one more that moves, though not a node. What was published waits
// before it; a move of the lane gives one of these a place, and puts it last on the FIFO channel of
// every node that follows the lane. So moves of the lane depend on each other, on who publishes,
// and on a node that has nothing from the lane before it. A node that has something takes that
// first, whatever the lane does: its moves do not depend on the lane's.
//
// The moves of the lane are enough if nobody can publish before it has moved. While it may move
// itself, all that waits before it, or may come to, gets every one of the next places.
//
// What is sent to a node that has crashed for good is lost without a trace in anybody: such a
// delivery alone is enough to go on with, unless the past tells states apart (WalkOptions.Deep,
// History, Order).

// mostUnplaced is how much may wait for a place on the log lane.
const mostUnplaced = 3

// lane is the log lane among those who move: the one after the nodes.
func (p *persistent) lane() NodeID { return NodeID(len(p.nodes)) }

// taker is who takes up an event: a node, the lane, Nobody.
func (p *persistent) taker(e *event) NodeID {
	if e.what == evSequence {
		return p.lane()
	}
	return e.node
}

// mover is at whom a move happens: a node, the lane, Nobody.
func (p *persistent) mover(m Move) NodeID {
	if m.Kind == MoveDeliver {
		return p.taker(&p.state.slab[m.At])
	}
	return m.Node
}

// reducible says that moves at different nodes do not disturb each other but by messages, and that
// all that the script still has is requests.
func (w *World) reducible() bool {
	k := w.walk
	streams := len(w.plan.Protocol.Lanes) > 0
	if w.plan.Network.DiskSlow || w.cuts.active ||
		k.left.crashes > 0 || k.left.parts > 0 || k.left.breaks > 0 {
		return false
	}
	for i := range w.script.steps {
		if a := w.script.steps[i].act; !k.done[i] && (a.Verb != Request || a.Client > 0) {
			return false
		}
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.stopped() || !n.up && (streams || w.plan.Protocol.Log && !n.forever) {
			return false
		}
	}
	return true
}

// awaited notes how many requests the script still has.
func (p *persistent) awaited() {
	for _, done := range p.walk.done {
		p.asks += int(truth(!done))
	}
	if p.asks > 0 {
		p.links = mix(p.links, uint64(p.asks))
	}
}

// unheard is a delivery of a message that finds nobody, now or ever.
func (w *World) unheard(s *State, moves []Move) (Move, bool) {
	l := &w.walk.left
	if l.losses > 0 || l.copies > 0 || len(moves) < 2 || w.walk.opt.ordersCalls() {
		return Move{}, false
	}
	found := slices.DeleteFunc(slices.Clone(moves), func(m Move) bool {
		return m.Kind != MoveDeliver || s.slab[m.At].what != evDatagram || !w.never(m.Node)
	})
	if len(found) == 0 {
		return Move{}, false
	}
	return slices.MinFunc(found, func(a, b Move) int {
		return cmp.Compare(w.inputSum(&s.slab[a.At], false), w.inputSum(&s.slab[b.At], false))
	}), true
}

// never says that a node is down and stays so.
func (w *World) never(id NodeID) bool {
	if n := &w.nodes[id]; n.up || !n.forever && !n.gone {
		return false
	}
	for i := range w.script.steps {
		if st := &w.script.steps[i]; !w.walk.done[i] && st.act.Verb != Request && st.node == id {
			return false
		}
	}
	return true
}

// next is the position on the log lane that a node consumes next.
func (p *persistent) next(id NodeID) int64 {
	for _, slot := range p.state.parked {
		e := &p.state.slab[slot]
		if e.what == evLogged && e.node == id && e.inc == p.state.nodes[id].node.inc {
			return e.n
		}
	}
	return int64(len(p.state.log)) + 1
}

// arriving is the input that an event in flight is.
func (p *persistent) arriving(e event) input {
	in := input{event: e, line: -1}
	if e.what == evLogged {
		in.peer = p.state.log[e.n-1].from
	}
	return p.summed(in)
}

// arrange puts what waits for a place on the log lane into an order that does not depend on the
// path to the state.
func (p *persistent) arrange() {
	sum := func(x logged) uint64 { return p.walk.coder.body(mix(k1, uint64(x.from)), x.body) }
	slices.SortStableFunc(p.unplaced, func(a, b logged) int { return cmp.Compare(sum(a), sum(b)) })
}

// place puts what waits for a place on the log lane before all who follow it, each at all of the
// places that are next. It says whether that is not too much.
func (p *persistent) place() bool {
	if len(p.unplaced) > mostUnplaced {
		return false
	}
	for i, f := range p.state.nodes {
		if !f.node.up || !f.node.onLog {
			continue
		}
		for _, x := range p.unplaced {
			if !p.placeAt(NodeID(i), x) {
				return false
			}
		}
	}
	return true
}

// placeAt does so for one that waits and one node.
func (p *persistent) placeAt(id NodeID, x logged) bool {
	next := int64(len(p.state.log)) + 1
	for k := range p.unplaced {
		e := event{body: x.body, what: evLogged, from: LogEnd, to: id, node: id,
			n: next + int64(k), fifo: p.logFifo(&p.nodes[id]), stream: -1}
		if _, ok := p.put(p.summed(input{event: e, line: -1, peer: x.from})); !ok {
			return false
		}
	}
	return true
}

// publish adds what comes to wait for a place on the log lane. It says whether n does not depend on
// that, and it is not too much.
func (p *persistent) publish(x logged, n NodeID) bool {
	p.unplaced = append(p.unplaced, x)
	return p.inTurn(n) && p.place()
}

// inTurn says that nobody takes a place on the log lane that n must not miss: before n moves, if it
// is the lane or would have it before itself at once.
func (p *persistent) inTurn(n NodeID) bool {
	switch {
	case !p.plan.Protocol.Log:
		return true
	case n == Nobody: // none stands still
		return true
	case n == p.lane():
		return len(p.unplaced) == 0
	}
	f := &p.state.nodes[n].node
	return len(p.unplaced) == 0 || !f.up || !f.onLog || p.waits(p.logFifo(&p.nodes[n]))
}

// waits says that something is on a FIFO channel before what comes on it, and stays there.
func (p *persistent) waits(fifo int32) bool {
	for i := range p.state.streams {
		if s := &p.state.streams[i]; s.fifo == fifo && s.mailbox {
			return false
		}
	}
	return slices.ContainsFunc(p.state.parked, func(slot int32) bool {
		return p.state.slab[slot].fifo == fifo
	})
}
