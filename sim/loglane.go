package sim

import (
	"slices"
	"time"
)

// logged is an event of the log lane.
type logged struct {
	body Body
	from NodeID
}

// Member is what the log lane says of a node that joined or left.
type Member struct {
	Name   string
	Joined bool
}

// Kind is "joined" or "left".
func (m Member) Kind() string {
	if m.Joined {
		return "joined"
	}
	return "left"
}

// Keys is the node's name.
func (m Member) Keys() []string { return []string{m.Name} }

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
	at := w.add(Entry{Kind: EntrySequenced, Node: LogEnd, Peer: e.from, Cause: e.cause, N: pos, Body: e.body})
	m, member := e.body.(Member)
	for i := range w.nodes {
		n := &w.nodes[i]
		if member && m.Joined && m.Name == w.names[i] {
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
	at := w.add(Entry{Kind: EntryLogged, Node: n.id, Peer: w.log[e.n-1].from, Cause: e.cause, N: e.n, Body: e.body})
	what := Notice{What: Logged, Peer: w.log[e.n-1].from, Pos: e.n, Body: e.body}
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

// learn changes the members that a node knows of.
func (n *node) learn(id NodeID, joined bool) {
	at, in := slices.BinarySearch(n.members, id)
	switch {
	case joined && !in:
		n.know(slices.Insert(slices.Clone(n.members), at, id))
	case !joined && in:
		n.know(slices.Delete(slices.Clone(n.members), at, at+1))
	}
}

// tellMembers spreads that a node joined (1) or left (0): through the log lane, or to each member.
func (w *World) tellMembers(n *node, cause int32, joined int64) {
	if w.plan.Protocol.Log {
		if joined == 1 {
			w.memberEvent(n, true, cause)
		} else {
			w.noticeAbsence(n)
		}
		return
	}
	var d time.Duration
	if joined == 0 {
		d = w.plan.Network.Detect
	}
	for _, id := range w.members {
		if m := &w.nodes[id]; m != n && m.up {
			w.schedule(w.later(d), &event{what: evMember, from: n.id, to: id, node: id, inc: m.inc,
				cause: cause, n: joined, fifo: -1, stream: -1, body: Member{w.names[n.id], joined == 1}})
		}
	}
}

// tellMember tells a machine that another node joined or left.
func (w *World) tellMember(n *node, e *event) {
	what := Left
	if e.n == 1 {
		what = Joined
	}
	n.learn(e.from, e.n == 1)
	w.notice(n, w.add(Entry{Kind: EntryHeard, Node: n.id, Peer: e.from, Cause: e.cause, N: e.n, Body: e.body}), false, Notice{What: what, Peer: e.from})
}

// memberEvent appends a joining or leaving to the log lane, at once.
func (w *World) memberEvent(n *node, joined bool, cause int32) {
	n.absent = !joined
	w.sequence(&event{body: Member{w.names[n.id], joined}, from: Nobody, cause: cause})
}

// noticeAbsence lets the log lane say that a node is gone, after the time that takes to notice.
func (w *World) noticeAbsence(n *node) {
	n.onLog = false
	if w.plan.Network.Detect == 0 {
		w.memberEvent(n, false, -1)
		return
	}
	w.schedule(w.later(w.plan.Network.Detect), &event{what: evDetect, from: n.id, to: LogEnd,
		node: n.id, inc: n.inc, cause: -1, fifo: -1, stream: -1})
}

// detected is the moment at which an absence is noticed, unless it has been told already.
func (w *World) detected(e *event) {
	n := &w.nodes[e.node]
	if n.inc == e.inc && !n.up && !n.absent {
		w.memberEvent(n, false, -1)
	}
}

// rejoin is a restart as the log lane sees it: the node is gone, if that was not said yet, and joins.
func (w *World) rejoin(n *node) {
	if !n.absent {
		w.memberEvent(n, false, -1)
	}
	w.memberEvent(n, true, -1)
}
