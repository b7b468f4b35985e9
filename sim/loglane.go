package sim

import "slices"

// logged is an event of the log lane.
type logged struct {
	body Body
	from NodeID
}

// publish puts a body on its way to the log lane.
func (w *World) publish(n *node, m Message) {
	at := w.add(Entry{Kind: EntryPublished, Node: n.id, Peer: LogEnd, Cause: n.cause, Body: m})
	a := w.about(n.id, LogEnd, m)
	w.schedule(w.later(w.delayOf(&a, w.linkFor(n.id, LogEnd).delay)),
		&event{body: m, what: evSequence, from: n.id, to: LogEnd, node: Nobody, cause: at,
			fifo: -1, stream: -1, h: a.h, ord: a.n, idle: n.idle})
}

// sequence gives a body its place on the log lane and sends it to every node that follows it.
func (w *World) sequence(e *event) {
	w.log = append(w.log, logged{e.body, e.from})
	pos := int64(len(w.log))
	at := w.add(Entry{Kind: EntrySequenced, Node: LogEnd, Peer: e.from, Cause: e.cause, N: pos,
		Body: e.body})
	m, member := e.body.(Member)
	for i := range w.nodes {
		n := &w.nodes[i]
		if member && m.Joined && m.Name == w.names[i] {
			n.own()
			n.onLog = true
		}
		if !n.up || !n.onLog {
			continue
		}
		a := w.about(LogEnd, n.id, e.body)
		w.schedule(w.later(w.delayOf(&a, w.linkFor(LogEnd, n.id).delay)),
			&event{body: e.body, what: evLogged, from: LogEnd, to: n.id, node: n.id, inc: n.inc,
				cause: at, n: pos, fifo: w.logFifo(n), stream: -1, h: a.h, ord: a.n, idle: e.idle})
	}
}

// consume is a node taking the next event of the log lane.
func (w *World) consume(n *node, e *event) {
	from := w.log[e.n-1].from
	at := w.add(Entry{Kind: EntryLogged, Node: n.id, Peer: from, Cause: e.cause, N: e.n,
		Body: e.body})
	if w.armed && w.met(n, e, false) && (!n.up || n.inc != e.inc) {
		return
	}
	what := Notice{What: Logged, Peer: from, Pos: e.n, Body: e.body}
	if m, ok := e.body.(Member); ok {
		id := NodeID(slices.Index(w.names, m.Name))
		what.What, what.Peer = Left, id
		if m.Joined {
			what.What = Joined
		}
		n.learn(id, m.Joined)
	}
	w.notice(n, at, e.idle, what)
}
