package sim

import "slices"

// The fingerprint of a state is a hash of everything that decides how it goes on: what the nodes
// and their disks are, what is in flight, which timers are set, what of the script and of the
// bounds is left; and of as much of the past as the properties read. Sequence numbers, times,
// ordinals and places in memory are left out.

// sums are the parts of a fingerprint.
type sums struct {
	nodes   uint64 // added up
	flight  uint64 // added up, but for FIFO channels
	rest    uint64 // streams, partitions, log lane, members, calls
	trails  uint64 // added up
	history uint64
}

// fingerprint is the hash of the world's state.
func (w *World) fingerprint() uint64 {
	k := w.walk
	p := &k.parts
	*p = sums{flight: w.flightSum(), history: k.past.history}
	for i, sum := range k.nodeSums {
		p.nodes += spot(sum, i)
	}
	for i, t := range k.past.trails {
		p.trails += spot(t, i)
	}
	p.rest = w.linkSum()
	for i := range w.log {
		p.rest = k.coder.body(mix(p.rest, uint64(w.log[i].from)), w.log[i].body)
	}
	for _, id := range w.members {
		p.rest = mix(p.rest, uint64(id))
	}
	for i := range w.calls {
		c := &w.calls[i]
		bits := uint64(c.node) | uint64(c.client)<<16 | uint64(truth(c.answered))<<48 |
			uint64(truth(c.ended))<<49
		p.rest = k.coder.body(mix(p.rest, bits), c.op)
	}
	for i := range w.clients {
		p.rest = mix(p.rest, uint64(w.clients[i].id)|uint64(truth(w.clients[i].busy))<<32)
	}
	p.rest = mix(p.rest, uint64(w.nextID))
	return p.whole(&k.left, doneBits(k.done))
}

// doneBits are the lines that are done, as bits.
func doneBits(done []bool) uint64 {
	var bits uint64
	for i, d := range done {
		bits |= uint64(truth(d)) << i
	}
	return bits
}

// whole is the fingerprint made of its parts, of what is left, and of the lines that are done.
func (p *sums) whole(l *left, done uint64) uint64 {
	h := mix(k0, uint64(l.timers)|uint64(l.crashes)<<8|uint64(l.losses)<<16|
		uint64(l.copies)<<24|uint64(l.parts)<<32|uint64(l.breaks)<<40)
	h = mix(mix(h, done), p.nodes)
	h = mix(mix(h, p.flight), p.rest)
	return mix(mix(h, p.trails), p.history)
}

// spot is a hash at a place, to be added up.
func spot(sum uint64, at int) uint64 { return mix(sum, uint64(at+1)*k2) }

// nodeSum is the hash of one node.
func (w *World) nodeSum(n *node) uint64 {
	c := w.walk.coder
	flags := uint64(truth(n.up)) | uint64(truth(n.member))<<1 | uint64(truth(n.gone))<<2 |
		uint64(truth(n.forever))<<3 | uint64(truth(n.paused))<<4 | uint64(truth(n.waiting))<<5 |
		uint64(truth(n.absent))<<6 | uint64(truth(n.onLog))<<7 | uint64(truth(n.disk.torn))<<8 |
		uint64(truth(n.disk.failing))<<9
	h := mix(k0, flags)
	if n.machine != nil {
		h = c.state(h, n.machine)
	}
	h = w.diskSum(h, &n.disk)
	var timers uint64
	for i := range n.timers {
		t := &n.timers[i]
		h := mix(mix(uint64(t.every), uint64(t.span)), uint64(truth(t.idle)))
		timers += scatter(c.body(h, t.body))
	}
	h = mix(h, timers)
	for _, id := range n.members {
		h = mix(h, uint64(id))
	}
	for _, slot := range n.inbox {
		h = mix(h, w.eventSum(&w.slab[slot]))
	}
	if len(n.pending) > 0 || n.waiting { // its handler goes on
		h = mix(h, uint64(truth(n.idle)))
		for _, i := range n.touched {
			h = mix(h, w.streams[i].key())
		}
	}
	for i := range n.pending {
		h = w.effectSum(h, &n.pending[i])
	}
	return h
}

// effectSum continues h by an effect that is still to come. Streams are named, not numbered: their
// numbers depend on the path.
func (w *World) effectSum(h uint64, e *effect) uint64 {
	n := uint64(e.n)
	if e.what == effStream || e.what == effClose {
		n = w.streams[e.n].key()
	}
	return w.walk.coder.body(mix(mix(h, uint64(e.what)|uint64(e.to)<<8), n), e.body)
}

// diskSum continues h by a disk: records and snapshots, and how much of them would survive a crash.
func (w *World) diskSum(h uint64, k *disk) uint64 {
	c := w.walk.coder
	h = mix(mix(h, uint64(k.first)), uint64(len(k.records)))
	for _, r := range k.records {
		h = c.body(h, r)
	}
	h = mix(mix(h, uint64(k.durable)), uint64(min(k.issued, k.last())))
	h = mix(mix(h, uint64(k.asked)), uint64(k.keep))
	h = c.body(h, k.snapshot)
	for _, s := range k.shadows {
		h = c.body(mix(h, uint64(s.first)), s.snapshot)
	}
	for _, r := range k.trimmed {
		h = c.body(h, r)
	}
	for _, s := range k.submitted {
		h = mix(h, uint64(k.swaps-s))
	}
	for _, s := range k.spoiled {
		h = mix(mix(h, uint64(s.low)), uint64(s.high))
	}
	return h
}

// flightSum is the hash of what is in flight: a multiset, but on FIFO channels in its order.
func (w *World) flightSum() uint64 {
	var sum uint64
	chains := w.walk.chains[:0]
	for _, slot := range w.parked {
		e := &w.slab[slot]
		if e.fifo < 0 {
			sum += scatter(w.eventSum(e))
			continue
		}
		for int(e.fifo) >= len(chains) {
			chains = append(chains, 0)
		}
		chains[e.fifo] = mix(chains[e.fifo], w.eventSum(e))
	}
	for _, c := range chains {
		if c != 0 {
			sum += scatter(c)
		}
	}
	w.walk.chains = chains
	return sum
}

// eventSum is the hash of a pending event.
func (w *World) eventSum(e *event) uint64 {
	live := e.node == Nobody || w.nodes[e.node].inc == e.inc
	return w.walk.withPast(w.inputSum(e, live), e.sum)
}

// linkSum is the hash of streams and partitions.
func (w *World) linkSum() uint64 {
	var sum uint64
	for i := range w.streams {
		s := &w.streams[i]
		bits := uint64(s.from) | uint64(s.to)<<16 | uint64(s.lane)<<32 |
			uint64(truth(s.used))<<40 | uint64(truth(s.up))<<41 | uint64(truth(s.upHere))<<42 |
			uint64(truth(s.reopening))<<43
		sum += scatter(mix(mix(bits, uint64(s.epoch)), uint64(s.toldEpoch)))
	}
	if w.mayBreak() {
		sum += w.orderSum()
	}
	if w.cuts.active {
		for _, b := range w.cuts.bits {
			sum = mix(sum, b)
		}
	}
	return sum
}

// mayBreak says that several streams may break or come up again at once.
func (w *World) mayBreak() bool {
	l := &w.walk.left
	if l.crashes > 0 || l.parts > 0 || l.breaks > 0 || w.cuts.active {
		return true
	}
	for i := range w.nodes {
		if !w.nodes[i].up {
			return true
		}
	}
	for i := range w.script.steps {
		if !w.walk.done[i] && w.script.steps[i].act.Verb != Request {
			return true
		}
	}
	return false
}

// orderSum is the hash of the order in which each node has come to know its streams: in that order
// it is told what becomes of them.
func (w *World) orderSum() uint64 {
	var sum uint64
	for i := range w.nodes {
		var h uint64
		for j := range w.streams {
			if s := &w.streams[j]; int(s.from) == i || int(s.to) == i {
				h = mix(h, s.key())
			}
		}
		sum += spot(h, i)
	}
	return sum
}

// past is what an entry adds to the digests of the past, but for what came before it.
type past struct {
	sum   uint64 // of the entry alone
	cause int32  // the entry of this move that led to it; -1: what led to the event at hand
	lane  int32  // whose digest it continues: a node's, or that of all that belongs to none
	kind  EntryKind
	kept  bool // its order at its node tells states apart
}

// noteSum adds an entry to the digests of the past.
func (w *World) noteSum(at int, e *Entry) {
	k := w.walk
	h := mix(uint64(e.Kind)|uint64(e.Node)<<8|uint64(e.Peer)<<24, uint64(e.N))
	p := past{sum: k.coder.body(h, e.Body), cause: -1, lane: int32(len(w.nodes)), kind: e.Kind}
	if int(e.Node) < len(w.nodes) {
		p.lane = int32(e.Node)
	}
	if i := int(e.Cause) - k.base; e.Cause >= 0 && i >= 0 && i < len(k.sums) {
		p.cause = int32(i)
	}
	p.kept = k.keeps(e)
	k.pasts = append(k.pasts, p)
	k.sums = append(k.sums, k.continues(&p, &k.past, k.sums, k.handed))
}

// keeps says that the order of an entry among those of its node tells states apart.
func (k *walk) keeps(e *Entry) bool {
	switch e.Kind {
	case EntryFailed:
		return true
	case EntryNoted:
		return k.opt.Facts == nil || slices.Contains(k.opt.Facts, e.Body.Kind())
	case EntryAppended:
		return slices.Contains(k.opt.Facts, e.Body.Kind())
	}
	return false
}

// digests are the digests of the past.
type digests struct {
	trails  []uint64 // of what each node did; the last of what belongs to none
	history uint64   // of invocations and answers, in their order
}

// ordersCalls says that invocations and answers of different nodes are told apart by their order.
func (o *WalkOptions) ordersCalls() bool { return o.Deep || o.History || o.Order }

// continues adds an entry to digests and gives the digest of the entry itself.
func (k *walk) continues(p *past, d *digests, sums []uint64, handed uint64) uint64 {
	h := p.sum
	trail := &d.trails[p.lane]
	switch p.kind {
	case EntryInvoked, EntryReturned, EntryRefused, EntryUnknown, EntryLate:
		if k.opt.ordersCalls() {
			d.history = mix(d.history, h)
		} else {
			*trail = mix(*trail, h)
		}
	case EntryNoted, EntryFailed:
		if k.opt.Order {
			d.history = mix(d.history, h)
		}
	}
	if p.kept && !k.opt.Deep {
		*trail = mix(*trail, h)
	}
	if !k.opt.Deep {
		return 0
	}
	if p.kind.Carries() || p.kind.Local() {
		cause := handed
		if p.cause >= 0 {
			cause = sums[p.cause]
		}
		h = mix(h, cause)
	}
	h = mix(h, *trail)
	if p.kind == EntryLost { // which befalls a message, not the node
		*trail += scatter(h)
	} else {
		*trail = h
	}
	return h
}

// causeSum is the digest of the entry that led to another: one of this move, or what led to the
// event at hand.
func (k *walk) causeSum(cause int32) uint64 {
	if i := int(cause) - k.base; cause >= 0 && i >= 0 && i < len(k.sums) {
		return k.sums[i]
	}
	return k.handed
}
