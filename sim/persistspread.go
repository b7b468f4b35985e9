package sim

import "slices"

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
