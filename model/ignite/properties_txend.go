package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// atomicity compares the owners of a transaction that stayed up.
func atomicity(t *tales, p *tally) { each((*tales).atomic)(t, p) }

func (t *tales) atomic(x *tale, p *tally) {
	if x.failed || len(x.data) == 0 {
		return
	}
	has, lacks := -1, -1
	for i, o := range x.owners {
		switch {
		case !t.survives(x, o):
		case x.wrote(o) >= 0:
			has = i
		default:
			lacks = i
		}
	}
	p.premises++
	if has < 0 || lacks < 0 {
		return
	}
	a, b := x.owners[has], x.owners[lacks]
	p.wrong(order(x.mapped, x.wrote(a), t.ending(x, b.node)), "%s has committed %s of %s, but %s has "+
		"not committed %s of it", t.run.Name(a.node), a.key, x.id.Name, t.run.Name(b.node), b.key)
}

// ending is where a node rolled a transaction back, nowhere if it did not.
func (t *tales) ending(x *tale, node sim.NodeID) int32 {
	end := nowhere
	for k := range x.stints {
		if l := &x.stints[k]; l.node == node {
			end = max(end, l.at[rollingBack])
		}
	}
	return end
}

// outcomes compares what near said with the data, and what its client got with what near said.
func outcomes(t *tales, p *tally) { each((*tales).reported)(t, p) }

func (t *tales) reported(x *tale, p *tally) {
	if len(x.outcomes) == 0 {
		return
	}
	said := t.trace[x.outcomes[0]].Body.(outcome).State
	for _, i := range slices.Concat(x.outcomes[1:], x.answers) {
		p.premises++
		if s := t.stateSaid(i); s != said {
			p.wrong(order(x.outcomes[0], i), "near of %s says first %v, and then %v", x.id.Name, said, s)
		}
	}
	if x.failed || !said.done() || said == unknown {
		return
	}
	for _, o := range x.owners {
		if !t.survives(x, o) {
			continue
		}
		p.premises++
		if w := x.wrote(o); (w >= 0) != (said == committed) {
			p.wrong(order(x.outcomes[0], w, t.ending(x, o.node)), "near of %s says %v, but %s %s %s",
				x.id.Name, said, t.run.Name(o.node), didWrite(w >= 0), o.key)
		}
	}
}

func didWrite(did bool) string {
	if did {
		return "has written"
	}
	return "has not written"
}

// stateSaid is the outcome that an entry tells: a fact of near, or an answer.
func (t *tales) stateSaid(i int32) state {
	switch b := t.trace[i].Body.(type) {
	case outcome:
		return b.State
	case ended:
		return b.State
	}
	return unknown
}

// recoveries looks at transactions in two phases whose near fell, and nobody else.
func recoveries(t *tales, p *tally) { each((*tales).recovered)(t, p) }

func (t *tales) recovered(x *tale, p *tally) {
	if x.onePhase() || x.failed || x.decided >= 0 {
		return
	}
	fell := t.fallOf(x.id.Near, x.mapped)
	if fell < 0 {
		return
	}
	all, never, known := true, false, false
	var rest []owner
	for _, o := range x.owners {
		if o.node == x.id.Near {
			continue
		}
		if t.gone(x, o.node, t.last()+1) {
			return
		}
		rest = append(rest, o)
		at := x.preparedOn(o)
		all = all && at >= 0 && at < fell
		never = never || at < 0
		known = known || at >= 0
	}
	for k := range x.mapping.Shares {
		s := &x.mapping.Shares[k]
		if len(s.Writes) > 0 || s.Primary == x.id.Near {
			continue
		}
		if t.gone(x, s.Primary, t.last()+1) {
			return
		}
		at := x.preparedAt(s.Primary)
		all = all && at >= 0 && at < fell
		never = never || at < 0
	}
	if len(rest) == 0 || !known || all == never {
		return
	}
	p.premises++
	for _, o := range rest {
		if w := x.wrote(o); (w >= 0) != all {
			p.wrong(order(x.mapped, fell, w, t.ending(x, o.node)), "near of %s fell, %s, but %s %s %s",
				x.id.Name, whoPrepared(all), t.run.Name(o.node), didWrite(w >= 0), o.key)
		}
	}
}

func whoPrepared(all bool) string {
	if all {
		return "and all had prepared"
	}
	return "and not all ever prepared"
}

// fallOf is where a node went down after an entry, nowhere if it did not.
func (r *reading) fallOf(node sim.NodeID, after int32) int32 {
	for _, i := range r.members[node].falls {
		if i > after {
			return i
		}
	}
	return nowhere
}

// preparedOn is where the object that has to write a key on a node became PREPARED.
func (x *tale) preparedOn(o owner) int32 {
	for k := range x.stints {
		l := &x.stints[k]
		if l.node == o.node && l.at[prepared] >= 0 && x.may(l, o.key) {
			return l.at[prepared]
		}
	}
	return nowhere
}

// preparedAt is where an object of a primary that only has reads became PREPARED.
func (x *tale) preparedAt(n sim.NodeID) int32 {
	for k := range x.stints {
		if l := &x.stints[k]; l.node == n && l.key.Role == primary && l.at[prepared] >= 0 {
			return l.at[prepared]
		}
	}
	return nowhere
}

// yesVotes looks at what becomes of what nodes have answered to be prepared.
func yesVotes(t *tales, p *tally) {
	t.promises(p, true, func(l *stint, i int32) {
		for _, s := range []state{markedRollback, rollingBack} {
			if by := t.by(l, s); l.at[s] > i && by != byRecovery {
				p.wrong(order(i, l.at[s]), "%s voted yes, but %s became %v by %v", t.run.Name(l.node),
					t.text(l), s, by)
				return
			}
		}
	})
}

// noVotes looks at what becomes of what nodes have answered not to be prepared.
func noVotes(t *tales, p *tally) {
	t.promises(p, false, func(l *stint, i int32) {
		for _, s := range []state{prepared, committing} {
			if l.at[s] > i {
				p.wrong(order(i, l.at[s]), "%s voted no, but %s became %v", t.run.Name(l.node), t.text(l), s)
				return
			}
		}
	})
}

// promises shows for each vote of a kind the objects that it binds: those of its node, as long as
// it is up.
func (t *tales) promises(p *tally, yes bool, look func(l *stint, i int32)) {
	for n := range t.list {
		x := &t.list[n]
		for _, i := range x.votes {
			if t.trace[i].Body.(voted).Yes != yes || x.failed {
				continue // one that is UNKNOWN here votes no, and may be done elsewhere
			}
			p.premises++
			t.bound(x, i, look)
		}
	}
}

func (t *tales) bound(x *tale, i int32, look func(l *stint, i int32)) {
	node := t.trace[i].Node
	for k := range x.stints {
		l := &x.stints[k]
		if l.node == node && !t.fell(node, min(i, l.made), max(i, l.made)) {
			look(l, i)
		}
	}
}

// completion looks for what never comes.
func completion(t *tales, p *tally) {
	for n := range t.list {
		x := &t.list[n]
		for k := range x.stints {
			l := &x.stints[k]
			p.premises++
			if l.fell < 0 && !l.state.done() && !t.open(x, l) {
				p.wrong(order(l.made, l.moved()), "%s stays %v for ever", t.text(l), l.state)
			}
		}
	}
	excused := t.idles() || !t.served()
	for i := range t.calls {
		c := &t.calls[i]
		p.premises++
		if c.how == 0 && t.members[c.node].up && !(excused && t.begins(c)) {
			p.wrong(order(c.call), "the client of %s that asks %s waits for ever", t.run.Name(c.node),
				sim.Text(c.op))
		}
	}
}

// idles says that in the end a client has left a transaction open. A change of the topology waits
// for it, and others wait for that before they begin.
func (t *tales) idles() bool {
	for n := range t.list {
		x := &t.list[n]
		near := x.newest(x.id.Near, nearKey(x.id))
		if near != nil && near.fell < 0 && setOf(active, suspended).has(near.state) &&
			!slices.ContainsFunc(t.calls, func(c invocation) bool { return c.how == 0 && c.tx == x.id }) {
			return true
		}
	}
	return false
}

// served says that a server is up in the end. With none nobody can agree on a topology, and who has
// not been mapped waits for one.
func (t *tales) served() bool {
	for id := range t.members {
		if t.members[id].up && !t.layout.client(sim.NodeID(id)) {
			return true
		}
	}
	return false
}

// begins says that a request is for a transaction that has not been mapped yet.
func (t *tales) begins(c *invocation) bool {
	x := t.of(c.tx)
	near := x.newest(c.tx.Near, nearKey(c.tx))
	return x.mapped < 0 && near != nil && near.state == active
}

// moved is where an object came to its last state, nowhere if it is in its first.
func (l *stint) moved() int32 {
	if len(l.moves) == 0 {
		return nowhere
	}
	return l.moves[len(l.moves)-1]
}

// open says that an object may stay as it is, since its client has not ended the transaction.
func (t *tales) open(x *tale, l *stint) bool {
	near := x.newest(x.id.Near, nearKey(x.id))
	idle := setOf(active, suspended)
	return idle.has(l.state) && near != nil && near.fell < 0 && idle.has(near.state)
}
