package sim

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
