package sim

import "slices"

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
	inbox   []int32  // slots of events that wait until it is no longer paused or busy
	woken   int32    // slot of the end of its sync, which came while it was paused; -1
	pending []effect // what its handler has still to do
	touched []int32  // streams that its handler spoke of before they existed
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
	still    *frozen // in a walk: what it shares with states, nil if it is the world's own
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
			timers: n.timers[:0], inbox: n.inbox[:0],
			pending: n.pending[:0], touched: n.touched[:0], woken: -1, doomed: -1, cause: -1}
		n.env = Env{ID: n.id, Setup: w.plan.Setup, Disk: Disk{n}, node: n}
		if i < len(members) {
			n.up, n.member, n.onLog, n.inc = true, true, true, 1
			n.know(members)
			n.machine = w.plan.Variant.New(n.id, members)
		}
	}
}

// know sets the members that the node knows of. The slice is shared and never written to.
func (n *node) know(members []NodeID) {
	n.own()
	n.members, n.env.Nodes = members, members
}

// start runs Start of a fresh machine.
func (w *World) start(n *node) {
	if !n.up {
		return
	}
	n.own()
	if n.machine == nil {
		n.machine = w.plan.Variant.New(n.id, w.founders)
	}
	n.begin(w.add(Entry{Kind: EntryStarted, Node: n.id, Peer: Nobody, Cause: -1,
		N: int64(n.inc)}), false)
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
	n.own()
	if n.stopped() {
		w.box(n, e)
		return
	}
	if w.armed && !e.met && w.met(n, e, true) {
		e.met = true
		switch {
		case !n.up || n.inc != e.inc:
			w.lose(e, LostDown)
			return
		case n.stopped():
			w.box(n, e)
			return
		}
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
	case evDurable, evTold:
		w.tellDisk(n, e)
	default:
		w.receive(n, e)
	}
}

// box keeps an event for a node that cannot take it yet.
func (w *World) box(n *node, e *event) {
	slot := w.shelve(e)
	switch e.what {
	case evStream:
		w.streams[e.stream].mail = -1 // it has arrived: no newer one takes its place
	case evTimer:
		if i := n.due(e); i >= 0 {
			n.timers[i].slot = slot
		}
	}
	n.inbox = append(n.inbox, slot)
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
	n.own()
	n.w.cur = n
	n.cause, n.idle, n.drawn, n.doomed = cause, idle, false, -1
	n.last = lastEffect{}
}

func (n *node) end() {
	w := n.w
	if (n.waiting || len(n.pending) > 0) && !n.cut {
		w.cur = nil // its handler goes on when the sync is done, or when it is resumed
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
	n.keep()
	w.runDeferred()
}

// pause stops a node, inside its own handler between two effects. It says whether it could.
func (w *World) pause(n *node, cause int32) bool {
	n.own()
	if !n.up || n.paused {
		return false
	}
	n.paused = true
	w.add(Entry{Kind: EntryPaused, Node: n.id, Peer: Nobody, Cause: cause})
	return true
}

// resume lets a node go on: with the handler that a pause cut in two, then with its inbox.
func (w *World) resume(n *node, cause int32) bool {
	n.own()
	if !n.paused {
		return false
	}
	n.paused = false
	w.add(Entry{Kind: EntryResumed, Node: n.id, Peer: Nobody, Cause: cause})
	switch {
	case n.woken >= 0:
		w.unshelve(n.woken)
		n.woken = -1
	case n.waiting:
	case len(n.pending) > 0:
		w.goOn(n)
	default:
		w.unpack(n)
	}
	return true
}

// stopped says that the node neither takes an event nor goes on with a handler.
func (n *node) stopped() bool { return n.paused || n.waiting }

// shelve puts away an event that its node cannot take yet: it is the node that is waited for, not
// the event. Nothing stops it again.
func (w *World) shelve(e *event) int32 {
	e.passed = true
	slot := w.place(e)
	if !e.idle {
		w.busy--
	}
	return slot
}

// unshelve makes such events the next of this instant, before those that have become so since.
func (w *World) unshelve(slots ...int32) {
	for _, slot := range slots {
		if !w.slab[slot].idle {
			w.busy++
		}
	}
	w.urgent = slices.Insert(w.urgent, w.head, slots...)
}

// unpack lets what a node was waiting for come.
func (w *World) unpack(n *node) {
	n.own()
	if n.stopped() {
		return
	}
	w.unshelve(n.inbox...)
	n.inbox = n.inbox[:0]
}
