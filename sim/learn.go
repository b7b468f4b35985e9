package sim

import "slices"

// What a handler does depends on its node and on what it takes up, on nothing else. So a walk
// remembers each such pair and what came of it: then the fingerprint of what a move leads to is
// known without making the move, and most moves lead to states that were visited before. Where more
// than the node and what it sent has changed, nothing is learned.

// pairKey is a node's state and what it takes up; and what else its effects meet.
type pairKey struct {
	local, input, links uint64
	node                NodeID
}

// learned is what came of a pair.
type learned struct {
	next  *frozen
	sends []sent
	pasts []past
	tails []Tail
	says  bool // something that is told apart by its order among all nodes
	wild  bool // more has changed than the node and what it sent
	blind bool // what it leads to cannot be foreseen
}

// sent is something put in flight.
type sent struct {
	event event
	sum   uint64 // but for the past
	cause int32  // the entry that sent it, as in past
}

// inputSum is the hash of a pending event as its node sees it: where it comes from in the past does
// not matter.
func (w *World) inputSum(e *event, live bool) uint64 {
	bits := uint64(e.what) | uint64(e.from)<<8 | uint64(e.to)<<24 | uint64(truth(e.idle))<<40 |
		uint64(truth(e.sync))<<41 | uint64(truth(e.failed))<<42 | uint64(truth(!live))<<43
	h := mix(mix(mix(k1, bits), uint64(e.n)), uint64(e.low))
	if e.stream >= 0 {
		h = mix(h, uint64(e.lane))
	}
	return w.walk.coder.body(h, e.body)
}

// linksKey tells apart what else a handler's effects meet: members, links that are cut, calls that
// have ended, streams and where they are.
func (s *State) linksKey() uint64 {
	h := uint64(k2)
	for i := range s.calls {
		h = mix(h, uint64(truth(s.calls[i].ended))|uint64(truth(s.calls[i].answered))<<1)
	}
	for _, id := range s.members {
		h = mix(h, uint64(id))
	}
	for _, f := range s.nodes { // whom a message or a stream cannot reach
		h = mix(h, uint64(truth(f.node.up))|uint64(truth(f.node.member))<<1)
	}
	if s.cuts.active {
		for _, b := range s.cuts.bits {
			h = mix(h, b)
		}
	}
	return streamsKey(h, s.streams)
}

func streamsKey(h uint64, streams []stream) uint64 {
	for i := range streams {
		x := &streams[i]
		h = mix(mix(mix(h, x.key()), uint64(x.toldEpoch)), uint64(x.epoch)<<8|
			uint64(truth(x.up))|uint64(truth(x.upHere))<<1|uint64(truth(x.used))<<2)
	}
	return h
}

// pair is the key of a move from a state, and what led to it. Only deliveries of datagrams and own
// work, and timers, are learned.
func (w *World) pair(s *State, m Move) (key pairKey, handed uint64, ok bool) {
	if m.Crash > 0 || m.Node == Nobody {
		return key, 0, false
	}
	f := s.nodes[m.Node]
	key = pairKey{local: f.sum, node: m.Node}
	switch m.Kind {
	case MoveDeliver:
		e := &s.slab[m.At]
		if e.fifo >= 0 || e.what != evDatagram && e.what != evOwn || e.inc != f.node.inc {
			return key, 0, false
		}
		key.input, handed = w.inputSum(e, true), e.sum
	case MoveFire:
		t := &f.node.timers[m.At]
		key.input, handed = w.walk.coder.body(k2, t.body), t.sum
	default:
		return key, 0, false
	}
	key.links = s.linksKey()
	return key, handed, true
}

// Foresee gives the fingerprint of what a move leads to, and its effects, if that is known.
// The world need not be in that state.
func (w *World) Foresee(s *State, m Move) (sum uint64, tails []Tail, ok bool) {
	key, handed, ok := w.pair(s, m)
	if !ok {
		return 0, nil, false
	}
	l := w.walk.known[key]
	if l == nil || l.wild || l.blind || l.says {
		return 0, nil, false
	}
	return w.foresee(s, m, l, handed), l.tails, true
}

// foresee is the fingerprint of what a learned move leads to.
func (w *World) foresee(s *State, m Move, l *learned, handed uint64) uint64 {
	k := w.walk
	p, left := s.parts, s.left
	p.nodes += spot(l.next.sum, int(m.Node)) - spot(s.nodes[m.Node].sum, int(m.Node))
	if m.Kind == MoveFire {
		left.timers--
	} else {
		p.flight -= scatter(k.withPast(w.inputSum(&s.slab[m.At], true), handed))
	}
	d := digests{append(k.ahead.trails[:0], s.past.trails...), s.past.history}
	sums := k.aheadSums[:0]
	for i := range l.pasts {
		sums = append(sums, k.continues(&l.pasts[i], &d, sums, handed))
	}
	for i := range l.sends {
		x := &l.sends[i]
		cause := handed
		if x.cause >= 0 {
			cause = sums[x.cause]
		}
		p.flight += scatter(k.withPast(x.sum, cause))
	}
	p.trails, p.history = 0, d.history
	for i, t := range d.trails {
		p.trails += spot(t, i)
	}
	k.ahead.trails, k.aheadSums = d.trails, sums
	return p.whole(&left, doneBits(s.done))
}

// withPast is the hash of a pending event with what led to it, if that matters.
func (k *walk) withPast(sum, past uint64) uint64 {
	if k.opt.Deep {
		return mix(sum, past)
	}
	return sum
}

// Learn remembers what came of the move that was just made from a state.
func (w *World) Learn(s *State, m Move) {
	k := w.walk
	key, handed, ok := w.pair(s, m)
	if !ok || k.known[key] != nil {
		return
	}
	w.Sum()
	before := len(s.parked)
	if m.Kind == MoveDeliver {
		before--
	}
	l := w.outcome(s, m.Node, before)
	l.blind = l.wild || l.blind || k.parts.rest != s.parts.rest || w.foresee(s, m, l, handed) != k.sum
	k.remember(key, l)
}

// mostKnown is how many pairs are remembered, each of which takes some kilobytes. Then all are
// forgotten.
const mostKnown = 1 << 16

func (k *walk) remember(key pairKey, l *learned) {
	if k.known == nil || len(k.known) >= mostKnown {
		k.known = map[pairKey]*learned{}
	}
	k.known[key] = l
}

// stillParked says that all that was in flight still is, at its place, but for what was taken up.
func (w *World) stillParked(s *State, before int) bool {
	gone := 0
	for i, slot := range s.parked {
		at := i - gone
		if at >= before || at >= len(w.parked) || w.parked[at] != slot ||
			w.slab[slot].cause != s.slab[slot].cause { // its place is another's
			gone++
		}
	}
	return len(s.parked)-gone == before
}

// outcome is what a node has come to from a state in which so many events were in flight besides
// the one that it took up.
func (w *World) outcome(s *State, id NodeID, before int) *learned {
	k := w.walk
	l := &learned{tails: slices.Clone(k.tails)}
	for i := range w.nodes {
		if o := &w.nodes[i]; NodeID(i) != id && o.still != s.nodes[i] {
			return &learned{wild: true}
		}
	}
	if !w.stillParked(s, before) || w.nodes[id].stopped() ||
		streamsKey(0, w.streams) != streamsKey(0, s.streams) {
		return &learned{wild: true}
	}
	for _, slot := range w.parked[before:] {
		e := w.slab[slot]
		if e.fifo >= 0 {
			l.blind = true // where it stands on its channel is not known
		}
		x := sent{event: e, cause: -1}
		x.sum = w.inputSum(&e, e.node == Nobody || w.nodes[e.node].inc == e.inc)
		if i := int(e.cause) - k.base; i >= 0 && i < len(k.pasts) {
			x.cause = int32(i)
		}
		l.sends = append(l.sends, x)
	}
	for _, p := range k.pasts {
		switch p.kind {
		case EntryInvoked, EntryReturned, EntryRefused, EntryUnknown, EntryLate:
			l.says = true
		case EntryNoted, EntryFailed:
			l.says = l.says || k.opt.Order
		}
		l.pasts = append(l.pasts, p)
	}
	n := &w.nodes[id]
	l.next = w.freeze(n, w.nodeSum(n))
	return l
}
