package sim

import (
	"slices"
	"time"
)

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

// join makes a node a member.
func (w *World) join(n *node, cause int32) bool {
	n.own()
	if n.member || n.gone {
		return false
	}
	at, _ := slices.BinarySearch(w.members, n.id)
	w.members = slices.Insert(slices.Clone(w.members), at, n.id)
	n.member, n.up, n.inc = true, true, n.inc+1
	n.know(w.present())
	cause = w.add(Entry{Kind: EntryJoined, Node: n.id, Peer: Nobody, Cause: cause})
	w.tellMembers(n, cause, 1)
	w.start(n)
	w.reopenStreams()
	return true
}

// present are the members that a node knows of as it starts: with a log lane all but those whose
// leaving stands on it and who have not come back. The node that starts is one.
func (w *World) present() []NodeID {
	if !w.plan.Protocol.Log {
		return w.members
	}
	return slices.DeleteFunc(slices.Clone(w.members), func(id NodeID) bool {
		return w.nodes[id].absent && !w.nodes[id].up
	})
}

// leave takes a node out for good.
func (w *World) leave(n *node, cause int32) bool {
	n.own()
	if !n.member {
		return false
	}
	cause = w.add(Entry{Kind: EntryLeft, Node: n.id, Peer: Nobody, Cause: cause})
	n.member, n.gone = false, true
	at, _ := slices.BinarySearch(w.members, n.id)
	w.members = slices.Delete(slices.Clone(w.members), at, at+1)
	w.takeDown(n)
	w.tellMembers(n, cause, 0)
	return true
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
		d = w.detect()
	}
	for _, id := range w.members {
		if m := &w.nodes[id]; m != n && m.up {
			w.schedule(w.later(d), &event{what: evMember, from: n.id, to: id, node: id, inc: m.inc,
				cause: cause, n: joined, fifo: -1, stream: -1, body: Member{w.names[n.id],
					joined == 1}})
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
	at := w.add(Entry{Kind: EntryHeard, Node: n.id, Peer: e.from, Cause: e.cause, N: e.n,
		Body: e.body})
	w.notice(n, at, false, Notice{What: what, Peer: e.from})
}

// memberEvent appends a joining or leaving to the log lane, at once.
func (w *World) memberEvent(n *node, joined bool, cause int32) {
	n.own()
	n.absent = !joined
	w.sequence(&event{body: Member{w.names[n.id], joined}, from: Nobody, cause: cause})
}

// noticeAbsence lets the log lane say that a node is gone, after the time that takes to notice.
func (w *World) noticeAbsence(n *node) {
	n.own()
	n.onLog = false
	if n.absent {
		return
	}
	if d := w.detect(); d > 0 {
		w.schedule(w.later(d), &event{what: evDetect, from: n.id, to: LogEnd,
			node: n.id, inc: n.inc, cause: -1, fifo: -1, stream: -1})
		return
	}
	w.memberEvent(n, false, -1)
}

// detect is how long it takes until an absence is noticed; no time in still time.
func (w *World) detect() time.Duration {
	if !w.plan.Timed || w.calm {
		return 0
	}
	return w.plan.Network.Detect
}

// detected is the moment at which an absence is noticed, unless it has been told already.
func (w *World) detected(e *event) {
	n := &w.nodes[e.node]
	if n.inc == e.inc && !n.up && !n.absent {
		w.memberEvent(n, false, -1)
	}
}

// rejoin is a restart as the log lane sees it: the node is gone, if that was not said yet, and
// joins.
func (w *World) rejoin(n *node) {
	if !n.absent {
		w.memberEvent(n, false, -1)
	}
	w.memberEvent(n, true, -1)
}
