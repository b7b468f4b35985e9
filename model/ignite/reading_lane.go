package ignite

import "github.com/downset/downset/sim"

// sequenced is the log lane: it says when nodes join, and with which order, and what becomes of
// cuts.
func (p *pass) sequenced(i int32, e *sim.Entry) {
	if e.Kind != sim.EntrySequenced {
		return
	}
	switch b := e.Body.(type) {
	case sim.Member:
		p.changed(i, e.N, b)
	case startCut:
		if l := p.line(b.Cut); l.begun < 0 {
			l.begun, l.call = i, p.callOf(i)
		}
	case startResult:
		if l := p.line(b.Cut); l.oneStage {
			l.end(i, e, b.Err)
		}
	case endResult:
		p.line(b.Cut).end(i, e, b.Err)
	}
}

// changed is a node that joined or left, as the log lane has it.
func (p *pass) changed(i int32, pos int64, b sim.Member) {
	for n, name := range p.run.Nodes {
		m := &p.members[n]
		switch {
		case name != b.Name:
		case b.Joined:
			m.order, m.joined, m.came = pos, i, append(m.came, i)
		default:
			m.left = append(m.left, i)
		}
	}
}

// logged is a node that takes the next event of the log lane.
func (p *pass) logged(i int32, e *sim.Entry) {
	m := &p.members[e.Node]
	p.consumed++
	if m.at > 0 && e.N != m.at+1 {
		p.gaps = append(p.gaps, i)
	}
	m.at = e.N
	if b, ok := e.Body.(sim.Member); ok && !b.Joined {
		p.lefts = append(p.lefts, i)
	}
}

// acts is a node that acts on a position of the log lane, at once or later.
func (p *pass) acts(i int32, node sim.NodeID, pos int64) {
	m := &p.members[node]
	if pos < m.acted {
		p.gaps = append(p.gaps, i)
	}
	m.acted = max(m.acted, pos)
}

// callOf is the call that led to an entry, 0 if none did.
func (r *reading) callOf(i int32) int64 {
	for ; i >= 0; i = r.trace[i].Cause {
		if r.trace[i].Kind == sim.EntryArrived {
			return r.trace[i].N
		}
	}
	return 0
}

// idAt is the id of the transaction that a client means which speaks of it at an entry: that of the
// life that its node is in, or begins next if the node is down.
func (r *reading) idAt(name string, node sim.NodeID, at int32) txID {
	m, came := &r.members[node], nowhere
	for _, i := range m.came {
		if i < at {
			came = i
		}
	}
	if m.fallen(came, at) {
		came = max(came, r.comes(node, at))
	}
	if came < 0 {
		return txID{Name: name, Near: node}
	}
	return txID{name, node, r.trace[came].N}
}

// comes is where a node joins next.
func (r *reading) comes(node sim.NodeID, at int32) int32 {
	for i := at; i < int32(len(r.trace)); i++ {
		b, ok := r.trace[i].Body.(sim.Member)
		if ok && b.Joined && r.trace[i].Kind == sim.EntrySequenced && b.Name == r.run.Nodes[node] {
			return i
		}
	}
	return nowhere
}
