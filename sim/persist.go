package sim

import (
	"cmp"
	"slices"
)

// Persistent sets. Moves at different nodes do not disturb each other, so their order need not be
// tried, unless one node can send something to the other in time. The moves at one node n are
// enough to go on with from a state if whatever the other nodes may still do without n puts nothing
// new before n: then each of those moves, and none that may come, is independent of all that may
// happen before it, and every end can be reached by making one of n's moves first (Godefroid,
// Partial-Order Methods, 1996, chapter 4; Valmari's stubborn sets, D1 and D2, with a delivery or a
// request at n as the key). All ends are kept, up to the order of independent events; states on the
// way are not.
//
// What the others may still do is found by letting them: from the state on, each other node takes
// every message that is or may come to be in flight, any number of times, fires every timer, gets
// every request of the script, from every state it can so come to; only n stands still. That is
// more than can happen, never less. Handlers depend on their node and their message alone, so each
// pair is tried once and remembered.
//
// A single delivery may be enough as well: see commute.go.
//
// Where that is not so, there is no reduction: while a crash, a partition or a break may still come
// (a crash at one node forbids a crash at another), on a log lane, behind a slow disk, when a line
// of the script or a client's next request waits its turn, while a node with streams is down. The
// numbers of calls depend on the order of requests, so a request here depends on a request there;
// with WalkOptions.Deep or History so do all invocations and answers.

// input is something that a node may take up.
type input struct {
	event event  // what is delivered
	timer Timer  // or fires
	line  int32  // or a request of the script, -1
	start bool   // or a restart
	sum   uint64 // of all this
}

// mostProbes is how many pairs are tried for one node of one state before it is given up.
const mostProbes = 200

// Persistent gives those of a state's moves that are enough to go on with: all moves at one node,
// or all there are. The state is the one that was just saved or loaded.
func (w *World) Persistent(s *State, moves []Move) []Move {
	if !w.reducible() {
		return moves
	}
	p := persistent{World: w, state: s, links: s.linksKey(), at: Nobody}
	defer p.restore()
	for _, id := range p.candidates(moves) {
		p.some = p.some[:0]
		for _, m := range moves {
			if m.Node == id {
				p.some = append(p.some, m)
			}
		}
		if p.enough(id, p.some) {
			return p.fewest(append(moves[:0], p.some...))
		}
	}
	return p.fewest(moves)
}

// reducible says that moves at different nodes do not disturb each other but by messages.
func (w *World) reducible() bool {
	k := w.walk
	if w.plan.Protocol.Log || w.plan.Network.DiskSlow || w.cuts.active ||
		k.left.crashes > 0 || k.left.parts > 0 || k.left.breaks > 0 {
		return false
	}
	for i := range w.script.steps {
		if st := &w.script.steps[i]; !k.done[i] && (st.act.Verb != Request || st.act.Client > 0) {
			return false
		}
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.stopped() || !n.up && len(w.plan.Protocol.Lanes) > 0 {
			return false
		}
	}
	return true
}

// persistent is the search for one state's set.
type persistent struct {
	*World
	state  *State
	links  uint64
	probes int
	dirty  bool // the world is not in its state
	locals [][]*frozen
	flying []input
	says   bool
	some   []Move
	alone  input  // of a delivery that is to commute, see commute.go
	at     NodeID // and its node, else Nobody
}

func (p *persistent) restore() {
	if p.dirty {
		p.Load(p.state)
	}
}

// candidates are the nodes at which something happens that is not optional, those with the fewest
// moves first. With one alone there is nothing to reduce.
func (p *persistent) candidates(moves []Move) []NodeID {
	counts := make([]int, len(p.nodes))
	var ids []NodeID
	for _, m := range moves {
		if m.Node == Nobody {
			return nil
		}
		counts[m.Node]++
		if !m.Optional() && !slices.Contains(ids, m.Node) {
			ids = append(ids, m.Node)
		}
	}
	ids = slices.DeleteFunc(ids, func(id NodeID) bool { return counts[id] == len(moves) })
	slices.SortStableFunc(ids, func(a, b NodeID) int {
		if c := cmp.Compare(counts[a], counts[b]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return ids
}

// enough says that the moves t, all of node n, are enough.
func (p *persistent) enough(n NodeID, t []Move) bool {
	lines := slices.ContainsFunc(t, func(m Move) bool { return m.Kind == MoveLine })
	if lines && p.lineElsewhere(n) || !p.tame(n, t) || !p.quietWithout(n) {
		return false
	}
	return !p.walk.opt.ordersCalls() || !p.says || !p.anySays(n, t)
}

// lineElsewhere says that the script has a request for another node.
func (p *persistent) lineElsewhere(n NodeID) bool {
	for i := range p.script.steps {
		if !p.walk.done[i] && p.script.steps[i].node != n {
			return true
		}
	}
	return false
}

// tame says that no move of node n does more than change the node and put something in flight: one
// that replaces what is in flight, or closes a stream, meets moves at other nodes.
func (p *persistent) tame(n NodeID, t []Move) bool {
	for _, m := range t {
		if r := p.moved(n, m); r != nil && r.wild {
			return false
		}
	}
	return true
}

// anySays says that one of the moves of node n invokes or answers.
func (p *persistent) anySays(n NodeID, t []Move) bool {
	for _, m := range t {
		if r := p.moved(n, m); r != nil && (r.says || r.wild) {
			return true
		}
	}
	return false
}

// moved is what comes of a move of node n, nil if it befalls a message only.
func (p *persistent) moved(n NodeID, m Move) *learned {
	in := input{line: -1}
	switch m.Kind {
	case MoveDeliver:
		in.event = p.state.slab[m.At]
	case MoveFire:
		in.timer = p.state.nodes[n].node.timers[m.At].body
	case MoveLine:
		in.line = m.At
	case MoveRestart:
		in.start = true
	default:
		return nil
	}
	return p.probe(n, p.state.nodes[n], p.summed(in))
}

// quietWithout says that whatever the other nodes do while n stands still, nothing new comes before
// n. It notes whether any of it invokes or answers.
func (p *persistent) quietWithout(n NodeID) bool {
	p.gather(func(_ int32, id NodeID) bool { return id != n })
	for known := -1; known != p.size(); {
		known = p.size()
		for id := range p.nodes {
			if NodeID(id) != n && !p.spread(NodeID(id), n) {
				return false
			}
		}
	}
	return true
}

// gather begins anew with what is in flight and what the script still asks, as far as it is wanted:
// by its place in flight, -1 for a request, and its node. From then on lists grow while they are
// read: a node's new states meet the old messages when they are come to, the old states the new
// messages in the next round.
func (p *persistent) gather(wanted func(slot int32, id NodeID) bool) {
	p.probes, p.says = 0, false
	p.locals = slices.Grow(p.locals[:0], len(p.nodes))[:len(p.nodes)]
	p.flying = p.flying[:0]
	for i, f := range p.state.nodes {
		p.locals[i] = append(p.locals[i][:0], f)
	}
	for _, slot := range p.state.parked {
		if e := p.state.slab[slot]; wanted(slot, e.node) {
			p.flying = append(p.flying, p.summed(input{event: e, line: -1}))
		}
	}
	for i := range p.script.steps {
		if st := &p.script.steps[i]; !p.walk.done[i] && wanted(-1, st.node) {
			p.flying = append(p.flying, p.summed(input{event: event{node: st.node},
				line: int32(i)}))
		}
	}
	// In an order that does not depend on the path to the state: it decides what is tried first.
	slices.SortStableFunc(p.flying, func(a, b input) int { return cmp.Compare(a.sum, b.sum) })
}

// size is how much the other nodes are known to be able to do.
func (p *persistent) size() int {
	size := len(p.flying)
	for _, l := range p.locals {
		size += len(l)
	}
	return size
}

// spread lets a node take up everything in every state. It says whether nothing comes before n.
func (p *persistent) spread(id, n NodeID) bool {
	for i := 0; i < len(p.locals[id]); i++ {
		f := p.locals[id][i]
		for j := 0; j < len(p.flying); j++ {
			if p.flying[j].event.node == id && !p.take(f, p.flying[j], n) {
				return false
			}
		}
		for _, in := range p.ownInputs(f) {
			if !p.take(f, in, n) {
				return false
			}
		}
	}
	return true
}

// ownInputs are what a node may take up of itself: its timers, or a restart.
func (p *persistent) ownInputs(f *frozen) []input {
	var all []input
	of := event{node: f.node.id}
	if p.walk.left.timers > 0 {
		for i := range f.node.timers {
			all = append(all, p.summed(input{event: of, timer: f.node.timers[i].body, line: -1}))
		}
	}
	if !f.node.up {
		all = append(all, p.summed(input{event: of, start: true, line: -1}))
	}
	return all
}

// take adds what comes of one input.
func (p *persistent) take(f *frozen, in input, n NodeID) bool {
	if p.probes++; p.probes > mostProbes {
		return false
	}
	id := in.event.node
	r := p.probe(id, f, in)
	if r.wild || id == p.at && !p.diamond(f, in) {
		return false
	}
	p.says = p.says || r.says
	known := func(g *frozen) bool { return g.sum == r.next.sum }
	if !slices.ContainsFunc(p.locals[id], known) {
		p.locals[id] = append(p.locals[id], r.next)
	}
	for i := range r.sends {
		e := &r.sends[i].event
		if e.node == n {
			return false
		}
		in := p.summed(input{event: *e, line: -1})
		if !slices.ContainsFunc(p.flying, func(x input) bool { return x.sum == in.sum }) {
			p.flying = append(p.flying, in)
		}
	}
	return true
}

// summed fills in the hash of an input.
func (p *persistent) summed(in input) input {
	switch {
	case in.line >= 0:
		in.sum = mix(k1, uint64(in.line))
	case in.timer != nil:
		in.sum = p.walk.coder.body(k2, in.timer)
	case in.start:
		in.sum = k3
	default:
		in.sum = p.inputSum(&in.event, true)
	}
	return in
}

// probe is what a node's state and an input lead to: learned before, or tried.
func (p *persistent) probe(id NodeID, f *frozen, in input) *learned {
	key := pairKey{f.sum, in.sum, p.links, id}
	if l := p.walk.known[key]; l != nil {
		return l
	}
	l := p.try(id, f, in)
	p.walk.remember(key, l)
	return l
}

// try lets one node take up one input, in a world that is otherwise the state's.
func (p *persistent) try(id NodeID, f *frozen, in input) *learned {
	w := p.World
	w.Load(p.state)
	p.dirty = true
	n := &w.nodes[id]
	*n = f.node
	n.w, n.env.node, n.env.Disk = w, n, Disk{n}
	w.limit = w.plan.budget()
	err := w.moving(func() error {
		switch {
		case in.line >= 0:
			w.perform(&w.script.steps[in.line], -1, false)
		case in.timer != nil:
			w.fireNow(n, &n.timers[n.timer(in.timer)])
		case in.start:
			w.restart(n)
		default:
			e := in.event
			e.passed, e.inc, e.sum = true, n.inc, 1
			if e.stream >= 0 {
				w.streams[e.stream].flying++
			}
			e.fifo = -1
			w.urgent = append(w.urgent, w.place(&e))
		}
		return w.quiet()
	})
	if err != nil || w.walk.broken || len(w.streams) != len(p.state.streams) {
		return &learned{wild: true}
	}
	return w.outcome(p.state, id, len(p.state.parked))
}
