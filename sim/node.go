package sim

import (
	"slices"
	"time"
)

// node is the state of one node: what survives its crashes, and its machine while it is up.
type node struct {
	w       *World
	id      NodeID
	hash    uint64 // of its name
	env     Env
	machine Machine
	clock   clock
	disk    disk
	timers  []timer
	gen     int64 // of timers
	members []NodeID
	inbox   []int32 // slots of events that wait until it is no longer paused or busy
	pending []effect
	inc     int32
	crashed int32 // crashes so far

	up      bool
	member  bool // has joined and not left
	gone    bool // has left for good
	forever bool // stays down
	paused  bool
	waiting bool // for a sync: busy, further effects are pending
	absent  bool // its leaving stands on the log lane
	onLog   bool // it consumes the log lane

	cut      bool  // its handler has crashed: nothing more happens
	cutNext  bool  // it crashes at the next boundary
	doomed   int32 // it crashes by chance after so many boundaries; -1: it does not
	byChance bool  // it was chance that made it crash
	drawn    bool  // whether it crashes in this handler has been drawn
	cause    int32 // entry of the event being handled
	idle     bool  // that event descends from periodic timers only
	last     lastEffect
}

// timer is a timer that is set.
type timer struct {
	body  Timer
	due   Time // on the world's clock
	every time.Duration
	gen   int64
	cause int32
	late  time.Duration
	marks uint64
	idle  bool
}

func (w *World) resetNodes() {
	total := len(w.names)
	for len(w.nodes) < total {
		w.nodes = append(w.nodes, node{})
	}
	w.nodes = w.nodes[:total]
	members := make([]NodeID, len(w.plan.Nodes))
	for i := range members {
		members[i] = NodeID(i)
	}
	w.members, w.founders = members, members
	for i := range w.nodes {
		n := &w.nodes[i]
		n.disk.reset()
		clear(n.timers)
		clear(n.pending)
		*n = node{w: w, id: NodeID(i), hash: hashString(k0, w.names[i]), disk: n.disk,
			timers: n.timers[:0], inbox: n.inbox[:0], pending: n.pending[:0], doomed: -1, cause: -1}
		n.env = Env{ID: n.id, Setup: w.plan.Setup, Disk: Disk{n}, node: n}
		if i < len(members) {
			n.up, n.member, n.onLog, n.inc = true, true, true, 1
			n.know(members)
			n.machine = w.plan.Variant.New(n.id, members)
		}
	}
}

// know sets the members that the node knows of. The slice is shared and never written to.
func (n *node) know(members []NodeID) { n.members, n.env.Nodes = members, members }

// start runs Start of a fresh machine.
func (w *World) start(n *node) {
	if !n.up {
		return
	}
	if n.machine == nil {
		n.machine = w.plan.Variant.New(n.id, w.founders)
	}
	n.begin(w.add(Entry{Kind: EntryStarted, Node: n.id, Peer: Nobody, Cause: -1, N: int64(n.inc)}), false)
	n.machine.Start(&n.env)
	n.end()
}

// hand gives an event to its node's machine, or loses it.
func (w *World) hand(e *event) {
	n := &w.nodes[e.node]
	if !n.up || n.inc != e.inc {
		w.lose(e, LostDown)
		return
	}
	if n.paused || n.waiting {
		if e.what == evStream {
			w.streams[e.stream].mail = -1 // it has arrived: no newer one takes its place
		}
		n.inbox = append(n.inbox, w.place(e))
		if !e.idle {
			w.busy-- // it is the node that is waited for, not the event
		}
		return
	}
	if w.armed && w.met(n, e, true) && (!n.up || n.inc != e.inc) {
		w.lose(e, LostDown)
		return
	}
	switch e.what {
	case evTimer:
		w.fire(n, e)
	case evRequest:
		w.arrive(n, e)
	case evLogged:
		w.consume(n, e)
	case evOpened, evBroken:
		w.tellStream(n, e)
	case evMember:
		w.tellMember(n, e)
	default:
		w.receive(n, e)
	}
}

// receive is the delivery of a message or of own work.
func (w *World) receive(n *node, e *event) {
	kind := EntryDelivered
	switch e.what {
	case evOwn:
		kind = EntryWorked
	case evStream:
		w.streams[e.stream].flying--
	}
	at := w.add(Entry{Kind: kind, Node: n.id, Peer: e.from, Cause: e.cause, N: e.n, Body: e.body})
	if w.armed && w.met(n, e, false) && (!n.up || n.inc != e.inc) {
		return
	}
	n.begin(at, e.idle)
	n.machine.Receive(&n.env, e.from, e.body)
	n.end()
}

// begin and end enclose one call of a machine.
func (n *node) begin(cause int32, idle bool) {
	n.w.cur = n
	n.cause, n.idle, n.drawn, n.doomed = cause, idle, false, -1
	n.last = lastEffect{}
}

func (n *node) end() {
	w := n.w
	if n.waiting && !n.cut {
		w.cur = nil
		w.runDeferred()
		return
	}
	if n.doomed >= 0 && !n.cut {
		w.chooseCrash(n, "after")
		n.cut = true
	}
	w.cur = nil
	if n.cut || n.cutNext {
		n.cut, n.cutNext = false, false
		w.crash(n, n.cause)
	}
	w.runDeferred()
}

// crash takes a node down: its machine, timers, inbox and pending effects, unsynced records, its
// calls, what its streams carry. Datagrams it sent are on their way.
func (w *World) crash(n *node, cause int32) {
	if !n.up {
		return
	}
	n.crashed++
	a := w.about(n.id, Nobody, labelled(""))
	keep := w.keepRows(n, &a)
	tear := n.disk.torn || w.happens(Tear, &a, w.plan.Network.Torn)
	lost := n.disk.crash(keep, tear)
	n.up, n.machine, n.waiting, n.paused, n.cut, n.cutNext, n.doomed = false, nil, false, false, false, false, -1
	clear(n.timers)
	clear(n.pending)
	n.timers, n.pending = n.timers[:0], n.pending[:0]
	w.add(Entry{Kind: EntryCrashed, Node: n.id, Peer: Nobody, Cause: cause, N: lost})
	n.inc++ // what is meant for the dead incarnation finds nobody
	if n.byChance {
		n.byChance = false
		w.restartLater(n, &a)
	}
	w.endCalls(n)
	w.purge(n)
	w.breakStreamsOf(n)
	if w.plan.Protocol.Log && n.member && !w.calm {
		w.noticeAbsence(n)
	}
}

func (w *World) keepRows(n *node, a *about) int64 {
	if n.disk.keep >= 0 {
		return n.disk.keep
	}
	unsynced := int64(min(n.disk.issued, n.disk.last()) - n.disk.durable)
	if unsynced <= 0 {
		return 0
	}
	drawn := func(h uint64) int64 { return int64(below(h, uint64(unsynced)+1)) }
	if !w.plan.Network.Keep {
		drawn = nil
	}
	return w.decide(KeepRows, a, drawn)
}

// purge loses what is parked or waiting for a node that crashed or left.
func (w *World) purge(n *node) {
	for _, slot := range n.inbox {
		e := w.slab[slot]
		w.discard(slot)
		w.lose(&e, LostDown)
	}
	n.inbox = n.inbox[:0]
	w.parked = w.purgeList(w.parked, n, true)
	w.held = w.purgeList(w.held, n, true)
}

func (w *World) purgeList(slots []int32, n *node, fifos bool) []int32 {
	kept := slots[:0]
	for _, slot := range slots {
		e := w.slab[slot]
		if e.node != n.id {
			kept = append(kept, slot)
			continue
		}
		if fifos && e.fifo >= 0 {
			w.fifos[e.fifo].parked--
		}
		w.discard(slot)
		w.lose(&e, LostDown)
	}
	return kept
}

// lose records that something sent will not arrive, and what that means for a call.
func (w *World) lose(e *event, why Loss) {
	switch e.what {
	case evDatagram, evStream:
		if e.what == evStream {
			w.streams[e.stream].left(e)
		}
		w.add(Entry{Kind: EntryLost, Node: e.to, Peer: e.from, Cause: e.cause, N: int64(why), Body: e.body})
	case evOwn:
		w.add(Entry{Kind: EntryLost, Node: e.to, Peer: e.from, Cause: e.cause, N: int64(LostSenderDown), Body: e.body})
	case evRequest:
		w.requestLost(e)
	}
}

// restart brings a node up with a new machine. It says whether it could.
func (w *World) restart(n *node) bool {
	if n.up || n.gone || !n.member {
		return false
	}
	n.up, n.forever = true, false
	n.know(w.members)
	if w.plan.Protocol.Log {
		w.rejoin(n)
	}
	w.start(n)
	w.reopenStreams()
	return true
}

// pause and resume.
func (w *World) pause(n *node) bool {
	if !n.up || n.paused {
		return false
	}
	n.paused = true
	w.add(Entry{Kind: EntryPaused, Node: n.id, Peer: Nobody, Cause: -1})
	return true
}

func (w *World) resume(n *node) bool {
	if !n.paused {
		return false
	}
	n.paused = false
	w.add(Entry{Kind: EntryResumed, Node: n.id, Peer: Nobody, Cause: -1})
	w.unpack(n)
	return true
}

// unpack lets what a node was waiting for come as the next events of this instant.
func (w *World) unpack(n *node) {
	if n.paused || n.waiting {
		return
	}
	for _, slot := range n.inbox {
		if !w.slab[slot].idle {
			w.busy++
		}
		w.urgent = append(w.urgent, slot)
	}
	n.inbox = n.inbox[:0]
}

// join makes a node a member.
func (w *World) join(n *node) bool {
	if n.member || n.gone {
		return false
	}
	w.members = slices.Clone(w.members)
	at, _ := slices.BinarySearch(w.members, n.id)
	w.members = slices.Insert(w.members, at, n.id)
	n.member, n.up, n.inc = true, true, n.inc+1
	n.know(w.members)
	cause := w.add(Entry{Kind: EntryJoined, Node: n.id, Peer: Nobody, Cause: -1})
	w.tellMembers(n, cause, 1)
	w.start(n)
	return true
}

// leave takes a node out for good.
func (w *World) leave(n *node) bool {
	if !n.member {
		return false
	}
	wasUp := n.up
	cause := w.add(Entry{Kind: EntryLeft, Node: n.id, Peer: Nobody, Cause: -1})
	n.up, n.machine, n.member, n.gone, n.waiting, n.paused = false, nil, false, true, false, false
	n.inc++
	clear(n.timers)
	clear(n.pending)
	n.timers, n.pending = n.timers[:0], n.pending[:0]
	i, _ := slices.BinarySearch(w.members, n.id)
	w.members = slices.Delete(slices.Clone(w.members), i, i+1)
	if wasUp {
		w.endCalls(n)
	}
	w.purge(n)
	w.breakStreamsOf(n)
	w.tellMembers(n, cause, 0)
	return true
}
