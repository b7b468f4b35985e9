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
// script, from every state it can so come to; what it sends is in flight for the others as often as
// it sends it on any of its ways, from the start. Only n stands still. That is more than can happen,
// never less. Handlers depend on their node and their message alone, so each pair is tried once and
// remembered.
//
// A single delivery may be enough as well: see commute.go.
//
// What comes behind something else on a FIFO channel is not before n until n has moved. The log lane
// is one more that moves: see persistlane.go.
//
// Where that is not so, there is no reduction: while a crash, a partition or a break may still come
// (a crash at one node forbids a crash at another), behind a slow disk, when a line of the script or
// a client's next request waits its turn, while a node with streams is down, or one that may come
// back to a log lane. The numbers of calls depend on the order of requests, so a request here
// depends on a request there; with WalkOptions.Deep or History so do all invocations and answers.

// input is something that a node may take up.
type input struct {
	event event  // what is delivered
	timer Timer  // or fires
	line  int32  // or a request of the script, -1
	nth   int    // which is that many calls behind the next
	start bool   // or a restart
	peer  NodeID // of what is delivered from the log lane: who published it
	sum   uint64 // of all this
}

// local is what a node may come to.
type local struct {
	*frozen
	pos   int64  // on the log lane, of what it consumes next
	done  uint64 // the lines of the script that it has taken up
	fired int8   // timers
	took  counts // of what is in flight
	gave  counts // of the same, on its way here
	key   uint64 // of all this
}

// counts is how often there is what p.flying has at a place.
type counts [mostFlying]uint8

// How many pairs are tried in one round for one node of one state before it is given up, and how much may be in
// flight there.
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
	p.coming()
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
	asks     int    // requests that the script still has
	falls    NodeID // who is still to crash for good, Nobody
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
	lines := slices.ContainsFunc(t, func(m Move) bool { return m.Kind == MoveLine && !p.fall(m) })
	if lines && p.lineElsewhere(n) || !p.tame(n, t) || !p.quietWithout(n) {
		return false
	}
	return !p.walk.opt.ordersCalls() || !p.says || !p.anySays(n, t)
}

// lineElsewhere says that the script has a request for another node.
func (p *persistent) lineElsewhere(n NodeID) bool {
	for i := range p.script.steps {
		st := &p.script.steps[i]
		if !p.walk.done[i] && st.node != n && st.act.Verb == Request {
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
		if r := p.moved(n, m); p.fall(m) || r != nil && (r.says || r.wild) {
			return true
		}
	}
	return false
}

// moved is what comes of a move of node n, nil if it befalls a message only, or is the log lane's or
// a crash, which are known.
func (p *persistent) moved(n NodeID, m Move) *learned {
	if n == p.lane() || p.fall(m) {
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
	p.probes, p.says, p.grown = 0, p.falls != Nobody, 0
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
		if p.walk.done[i] || st.act.Verb != Request || !wanted(-1, st.node) {
			continue
		}
		for nth := range p.asks {
			p.flying = append(p.flying, p.summed(input{event: event{node: st.node},
				line: int32(i), nth: nth}))
		}
	}
	if p.falls != Nobody && p.plan.Protocol.Log {
		p.unplaced = append(p.unplaced, logged{Member{p.names[p.falls], false}, Nobody})
	}
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

// spread lets a node take up everything in every state. It says whether nothing comes before n.
func (p *persistent) spread(id, n NodeID) bool {
	for i := 0; i < len(p.locals[id]); i++ {
		f := p.locals[id][i]
		for j := 0; j < len(p.flying); j++ {
			if p.flying[j].event.node == id && !p.take(f, j, n) {
				return false
			}
		}
		for _, in := range p.ownInputs(f) {
			if !p.let(f, in, f, n) {
				return false
			}
		}
	}
	return true
}

// ownInputs are what a node may take up of itself: its timers, or a restart.
func (p *persistent) ownInputs(f local) []input {
	var all []input
	of := event{node: f.node.id}
	if p.walk.left.timers > f.fired {
		for i := range f.node.timers {
			all = append(all, p.summed(input{event: of, timer: f.node.timers[i].body, line: -1}))
		}
	}
	if !f.node.up && !f.node.forever {
		all = append(all, p.summed(input{event: of, start: true, line: -1}))
	}
	return all
}

// take adds what comes of an input in flight, unless it can not be taken up, or has been.
func (p *persistent) take(f local, at int, n NodeID) bool {
	in, next := p.flying[at], f
	switch {
	case in.line >= 0:
		if f.done>>in.line&1 > 0 {
			return true
		}
		next.done |= 1 << in.line
	case in.event.what == evLogged:
		if in.event.n != f.pos {
			return true
		}
		next.pos++
	case f.took[at] >= p.there[at]:
		return true
	default:
		next.took[at]++
	}
	return p.let(f, in, next, n)
}

// let adds what comes of an input: a node, but for what the input has made of it, and messages.
func (p *persistent) let(f local, in input, next local, n NodeID) bool {
	if p.probes++; p.probes > mostProbes {
		return false
	}
	id := in.event.node
	r := p.probe(id, f.frozen, in)
	if r.wild || id == p.at && !p.diamond(f.frozen, in) {
		return false
	}
	p.says = p.says || r.says
	next.frozen = r.next
	if in.timer != nil {
		next.fired++
	}
	for i := range r.sends {
		if !p.send(&r.sends[i].event, &next, n) {
			return false
		}
	}
	p.come(next)
	return true
}

// come adds what a node may come to.
func (p *persistent) come(f local) {
	id := f.node.id
	f.key = mix(mix(mix(f.sum, uint64(id)), uint64(f.pos)), f.done<<8|uint64(f.fired))
	for i := range p.flying {
		if f.took[i] > 0 || f.gave[i] > 0 {
			f.key = mix(f.key, uint64(i)<<16|uint64(f.took[i])<<8|uint64(f.gave[i]))
		}
	}
	if !p.known[f.key] {
		p.known[f.key] = true
		p.locals[id] = append(p.locals[id], f)
		p.grown++
	}
}

// send adds what a node puts in flight. It says whether that does not come before n, and is not too
// much.
func (p *persistent) send(e *event, by *local, n NodeID) bool {
	if e.node == n && e.what != evSequence {
		return e.fifo >= 0 && p.waits(e.fifo) // it comes behind something else
	}
	at, ok := p.put(p.arriving(*e))
	if !ok {
		return false
	}
	if by.gave[at]++; p.had[at]+by.gave[at] <= p.there[at] {
		return true
	}
	p.there[at] = p.had[at] + by.gave[at]
	p.grown++
	return e.what != evSequence || p.publish(logged{e.body, e.from}, n)
}

// put is where in p.flying an input is, from now on. It says whether that is not too much.
func (p *persistent) put(in input) (at int, ok bool) {
	at = slices.IndexFunc(p.flying, func(x input) bool { return x.like(&in) })
	if at < 0 {
		if at = len(p.flying); at == mostFlying {
			return 0, false
		}
		p.flying = append(p.flying, in)
		p.had[at], p.there[at] = 0, 0
		p.grown++
	}
	return at, true
}

// summed fills in the hash of an input.
func (p *persistent) summed(in input) input {
	switch {
	case in.line >= 0:
		in.sum = mix(mix(k1, uint64(in.line)), uint64(in.nth))
	case in.timer != nil:
		in.sum = p.walk.coder.body(k2, in.timer)
	case in.start:
		in.sum = k3
	default:
		in.sum = p.inputSum(&in.event, true)
		if in.event.what == evLogged {
			in.sum = mix(in.sum, uint64(in.peer))
		}
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
	p.foreign(id, in)
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

// foreign puts into the world what others have done before an input and it may meet: the calls that
// were made, and whose places on the log lane come before its own.
func (p *persistent) foreign(id NodeID, in input) {
	w := p.World
	calls := p.asks
	if in.line >= 0 {
		calls = in.nth
	}
	for range calls {
		w.calls = append(w.calls, call{node: id, client: w.newClient(), load: -1})
	}
	for in.event.what == evLogged && int64(len(w.log)) < in.event.n {
		w.log = append(w.log[:len(w.log):len(w.log)], logged{in.event.body, in.peer})
	}
}
