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
// whatever is in flight, once each, in every order, fires every timer, gets every request of the
// script, from every state it can so come to; what it sends is in flight for the others as often
// as it sends it on any of its ways, from the start. Only n stands still. That is more than can
// happen, never less. Handlers depend on their node and their message alone, so each pair is tried
// once and remembered.
//
// A single delivery may be enough as well: see commute.go.
//
// What comes behind something else on a FIFO channel is not before n until n has moved. The log
// lane is one more that moves: see persistlane.go.
//
// Where that is not so, there is no reduction: while a crash, a partition or a break may still come
// (a crash at one node forbids a crash at another), behind a slow disk, when a line of the script
// or a client's next request waits its turn, while a node with streams is down, or one that may
// come back to a log lane. The numbers of calls depend on the order of requests, so a request here
// depends on a request there; with WalkOptions.Deep or History so do all invocations and answers.

// How many pairs are tried in one round for one node of one state before it is given up, and how
// much may be in flight there.
const (
	mostProbes = 300
	mostFlying = 32
)

// Persistent gives those of a state's moves that are enough to go on with: all moves at one node,
// or all there are. The state is the one that was just saved or loaded.
func (w *World) Persistent(s *State, moves []Move) []Move {
	if m, ok := w.unheard(s, moves); ok {
		return append(moves[:0], m)
	}
	if !w.reducible() {
		return moves
	}
	p := persistent{World: w, state: s, links: s.linksKey(), at: Nobody}
	p.awaited()
	defer p.restore()
	for _, id := range p.candidates(moves) {
		p.some = p.some[:0]
		for _, m := range moves {
			if p.mover(m) == id {
				p.some = append(p.some, m)
			}
		}
		if p.enough(id, p.some) {
			return p.fewest(append(moves[:0], p.some...))
		}
	}
	return p.fewest(moves)
}

// persistent is the search for one state's set.
type persistent struct {
	*World
	state    *State
	links    uint64
	asks     int // requests that the script still has
	probes   int
	dirty    bool // the world is not in its state
	locals   [][]local
	flying   []input
	there    counts          // how often each is in flight, or may come to be
	had      counts          // how often it is in the state
	known    map[uint64]bool // the keys of all locals
	grown    int             // how often something was added to all this
	unplaced []logged        // what waits for a place on the log lane
	says     bool
	some     []Move
	alone    input  // of a delivery that is to commute, see commute.go
	at       NodeID // and its node, else Nobody
}

func (p *persistent) restore() {
	if p.dirty {
		p.Load(p.state)
	}
}

// candidates are the nodes at which something happens that is not optional, those with the fewest
// moves first. With one alone there is nothing to reduce.
func (p *persistent) candidates(moves []Move) []NodeID {
	counts := make([]int, len(p.nodes)+1)
	var ids []NodeID
	for _, m := range moves {
		id := p.mover(m)
		if id == Nobody {
			return nil
		}
		counts[id]++
		if !m.Optional() && !slices.Contains(ids, id) {
			ids = append(ids, id)
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

// moved is what comes of a move of node n, nil if it befalls a message only, or is the log lane's,
// which is known.
func (p *persistent) moved(n NodeID, m Move) *learned {
	if n == p.lane() {
		return nil
	}
	in := input{line: -1}
	switch m.Kind {
	case MoveDeliver:
		in = p.arriving(p.state.slab[m.At])
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
	if !p.gather(func(_ int32, id NodeID) bool { return id != n }) || !p.inTurn(n) {
		return false
	}
	for known := -1; known != p.grown; {
		known, p.probes = p.grown, 0
		for id := range p.nodes {
			if NodeID(id) != n && !p.spread(NodeID(id), n) {
				return false
			}
		}
	}
	return true
}

// gather begins anew with what is in flight and what the script still asks, as far as it is wanted:
// by its place in flight, -1 for a request, and who takes it up. From then on lists grow while they
// are read: a node's new states meet the old messages when they are come to, the old states the new
// messages in the next round. It says whether it is not too much.
func (p *persistent) gather(wanted func(slot int32, id NodeID) bool) bool {
	p.probes, p.says, p.grown = 0, false, 0
	p.flying, p.unplaced, p.there = p.flying[:0], p.unplaced[:0], counts{}
	for _, slot := range p.state.parked {
		switch e := p.state.slab[slot]; {
		case !wanted(slot, p.taker(&e)):
		case e.what == evSequence:
			p.unplaced = append(p.unplaced, logged{e.body, e.from})
		default:
			p.flying = append(p.flying, p.arriving(e))
		}
	}
	for i := range p.script.steps {
		st := &p.script.steps[i]
		if p.walk.done[i] || !wanted(-1, st.node) {
			continue
		}
		for nth := range p.asks {
			p.flying = append(p.flying, p.summed(input{event: event{node: st.node},
				line: int32(i), nth: nth}))
		}
	}
	p.arrange()
	if len(p.flying) > mostFlying || !p.place() {
		return false
	}
	p.tidy()
	p.stand()
	return true
}

// tidy puts what is in flight into an order that does not depend on the path to the state, since it
// decides what is tried first, each once.
func (p *persistent) tidy() {
	slices.SortStableFunc(p.flying, func(a, b input) int { return cmp.Compare(a.sum, b.sum) })
	kept := p.flying[:0]
	for _, in := range p.flying {
		if k := len(kept); k == 0 || !kept[k-1].like(&in) {
			kept = append(kept, in)
		}
		p.there[len(kept)-1]++
	}
	p.flying, p.had = kept, p.there
}

// like says that two inputs are the same to the same node.
func (in *input) like(x *input) bool { return in.sum == x.sum && in.event.node == x.event.node }

// stand lets every node be what it is.
func (p *persistent) stand() {
	if p.locals == nil {
		p.locals, p.known = make([][]local, len(p.nodes)), map[uint64]bool{}
	}
	clear(p.known)
	for i, f := range p.state.nodes {
		p.locals[i] = p.locals[i][:0]
		p.come(local{frozen: f, pos: p.next(NodeID(i))})
	}
}
