package sim

import (
	"cmp"
	"slices"
)

// MoveKind is what a move makes happen.
type MoveKind uint8

// The kinds.
const (
	MoveDeliver MoveKind = iota + 1 // what is in flight arrives
	MoveFire                        // a timer fires
	MoveLine                        // a line of the script: a request, or what befalls nodes and links
	MoveRestart                     // a node restarts
	MoveHeal                        // all links are whole
	MoveCrash                       // a node crashes
	MoveLose                        // a datagram in flight is lost
	MoveCopy                        // a datagram in flight is copied
	MoveIsolate                     // a node is cut off from all others
	MoveBreak                       // a stream breaks
)

// Move is something that may happen in a state. It means something in that state only.
type Move struct {
	Kind MoveKind
	Node NodeID // at which it happens; Nobody for the log lane's and for links
	// At is the place of what is delivered, lost or copied, the index of a timer, line or stream.
	At int32
	// Crash is the effect, counted from 1 over all that the move leads to, before which the node that
	// does it crashes: Struck; 0: none does.
	Crash  int16
	Struck NodeID
	// Keep is how many unsynced records the crash leaves.
	Keep int16
}

// Tail is an effect before which a node may crash, as a move has them: whose, and how many records
// were not synced just before it.
type Tail struct {
	Node     NodeID
	Unsynced int16
}

// Within are the moves like m in which a node crashes before one of the effects that m was seen to
// have; with Keep in the bounds also those in which it leaves some of what was not synced.
func (m Move) Within(tails []Tail, keep bool) []Move {
	var all []Move
	for i, t := range tails {
		m.Crash, m.Struck, m.Keep = int16(i+1), t.Node, 0
		all = append(all, m)
		for m.Keep = 1; keep && m.Keep <= t.Unsynced; m.Keep++ {
			all = append(all, m)
		}
	}
	return all
}

// Optional says that a run may end without the move: it is a fault, or a timer, which may be late.
func (m Move) Optional() bool { return m.Kind != MoveDeliver && m.Kind != MoveLine }

// Free says that the move is neither bounded nor a fault: a delivery, a request, a restart, a heal.
func (m Move) Free() bool { return m.Kind <= MoveHeal && m.Kind != MoveFire }

// Moves appends what may happen in the world's state, in a fixed order.
func (w *World) Moves(buf []Move) []Move {
	buf = w.deliveries(buf)
	buf = w.lines(buf)
	l := &w.walk.left
	for i := range w.nodes {
		n := &w.nodes[i]
		if l.timers > 0 && n.up && !n.stopped() {
			for j := range n.timers {
				buf = append(buf, Move{Kind: MoveFire, Node: n.id, At: int32(j)})
			}
		}
		if !n.up && n.member && !n.forever {
			buf = append(buf, Move{Kind: MoveRestart, Node: n.id})
		}
		if l.crashes > 0 && n.up {
			buf = w.crashMoves(buf, Move{Kind: MoveCrash, Node: n.id})
		}
		if l.parts > 0 && !w.cuts.active && n.member && len(w.members) > 1 {
			buf = append(buf, Move{Kind: MoveIsolate, Node: n.id})
		}
	}
	if w.cuts.active {
		buf = append(buf, Move{Kind: MoveHeal, Node: Nobody})
	}
	return w.linkFaults(buf)
}

// crashMoves is a crash that loses the whole unsynced tail, and others that leave a part of it.
func (w *World) crashMoves(buf []Move, m Move) []Move {
	buf = append(buf, m)
	if !w.walk.opt.Keep {
		return buf
	}
	for unsynced := w.tail(&w.nodes[m.Node]).Unsynced; m.Keep < unsynced; {
		m.Keep++
		buf = append(buf, m)
	}
	return buf
}

// deliveries are the parked events that are the first of their channel.
func (w *World) deliveries(buf []Move) []Move {
	for i, slot := range w.parked {
		e := &w.slab[slot]
		if e.fifo >= 0 && w.behind(i, e.fifo) || w.barred(e) {
			continue
		}
		buf = append(buf, Move{Kind: MoveDeliver, Node: e.node, At: slot})
	}
	return buf
}

// behind says that something parked before the i-th is on the same channel.
func (w *World) behind(i int, fifo int32) bool {
	return slices.ContainsFunc(w.parked[:i], func(slot int32) bool {
		return w.slab[slot].fifo == fifo
	})
}

// lines are the lines of the script that may come: any request but a client's second before its
// first has ended, and the first of the others that has not come.
func (w *World) lines(buf []Move) []Move {
	other := false
	for i := range w.script.steps {
		if w.walk.done[i] {
			continue
		}
		st := &w.script.steps[i]
		if st.act.Verb == Request {
			if c := st.act.Client; c == 0 || w.clientFree(c, i) {
				buf = append(buf, Move{Kind: MoveLine, Node: st.node, At: int32(i)})
			}
			continue
		}
		if !other {
			buf = append(buf, Move{Kind: MoveLine, Node: st.node, At: int32(i)})
		}
		other = true
	}
	return buf
}

// clientFree says that a client has nothing under way, and nothing to ask before line i.
func (w *World) clientFree(c, i int) bool {
	for j := range i {
		if st := &w.script.steps[j]; !w.walk.done[j] && st.act.Client == c {
			return false
		}
	}
	return !w.clients[c-1].busy
}

// linkFaults are losses, copies and breaks.
func (w *World) linkFaults(buf []Move) []Move {
	l := &w.walk.left
	for _, slot := range w.parked {
		e := &w.slab[slot]
		if e.what != evDatagram {
			continue
		}
		if l.losses > 0 {
			buf = append(buf, Move{Kind: MoveLose, Node: e.node, At: slot})
		}
		if l.copies > 0 {
			buf = append(buf, Move{Kind: MoveCopy, Node: e.node, At: slot})
		}
	}
	if l.breaks > 0 {
		for i := range w.streams {
			if s := &w.streams[i]; s.up && s.used {
				buf = append(buf, Move{Kind: MoveBreak, Node: s.to, At: int32(i)})
			}
		}
	}
	return buf
}

// tail is what a crash of a node would find now.
func (w *World) tail(n *node) Tail { return Tail{n.id, int16(min(n.disk.unsynced(), 1000))} }

// crashes notes an effect that a node has come to, and says whether it crashes before it.
func (k *walk) crashes(n *node) bool {
	k.tails = append(k.tails, n.w.tail(n))
	if len(k.tails) != int(k.moved.Crash) {
		return false
	}
	n.w.chooseCrash(n, "before")
	return true
}

// Move makes a move happen, and whatever it leads to at once. It gives the effects before which a
// node could have crashed, valid until the next move. False is a panic in a machine, or no end
// within the plan's budget: see Fallen.
func (w *World) Move(m Move) (tails []Tail, ok bool) {
	k := w.walk
	k.moved = m
	w.limit = w.plan.budget()
	w.spend(m)
	err := w.moving(func() error {
		w.happen(m)
		return w.quiet()
	})
	if err != nil { // it does not end within the budget: judged as such
		k.broken, w.stopped = true, Unsettled
	}
	return k.tails, !k.broken
}

// spend takes a move off the bounds.
func (w *World) spend(m Move) {
	l := &w.walk.left
	switch m.Kind {
	case MoveFire:
		l.timers--
	case MoveCrash:
		l.crashes--
	case MoveLose:
		l.losses--
	case MoveCopy:
		l.copies--
	case MoveIsolate:
		l.parts--
	case MoveBreak:
		l.breaks--
	}
	if m.Crash > 0 {
		l.crashes--
	}
}

// happen does what a move says.
func (w *World) happen(m Move) {
	k := w.walk
	if m.Keep > 0 {
		w.keepAtCrash(m)
	}
	switch m.Kind {
	case MoveDeliver:
		i := slices.Index(w.parked, m.At)
		w.parked = slices.Delete(w.parked, i, i+1)
		w.pass(m.At)
		w.reflow()
	case MoveFire:
		n := &w.nodes[m.Node]
		w.fireNow(n, &n.timers[m.At])
	case MoveLine:
		st := &w.script.steps[m.At]
		k.done[m.At] = true
		w.perform(st, -1, false)
	case MoveRestart:
		w.restart(&w.nodes[m.Node])
	case MoveHeal:
		w.heal(-1)
	case MoveCrash:
		w.crash(&w.nodes[m.Node], -1)
	case MoveLose:
		w.remove(m.At, LostDropped)
	case MoveCopy:
		k.handed = w.slab[m.At].sum // what led to the original leads to the copy
		w.copySlot(m.At)
	case MoveIsolate:
		w.partition(w.alone(m.Node), false, -1)
	case MoveBreak:
		s := &w.streams[m.At]
		w.drop(&pattern{from: ends{ids: []NodeID{s.from}}, to: ends{ids: []NodeID{s.to}}})
	}
}

// atRest says that nothing more happens but what is optional.
func (w *World) atRest() bool {
	k := w.walk
	k.some = w.lines(w.deliveries(k.some[:0]))
	return len(k.some) == 0
}

// keepAtCrash says what the crash leaves, as a line of a story does just before.
func (w *World) keepAtCrash(m Move) {
	n := &w.nodes[m.struck()]
	n.own()
	n.disk.keep = int64(m.Keep)
	w.add(Entry{Kind: EntryDisk, Node: n.id, Peer: Nobody, Cause: -1, N: int64(DiskKeep)})
}

// struck is the node that crashes.
func (m Move) struck() NodeID {
	if m.Crash > 0 {
		return m.Struck
	}
	return m.Node
}

// alone are the two groups of a partition that cuts off one node.
func (w *World) alone(id NodeID) [][]NodeID {
	var rest []NodeID
	for i := range w.nodes {
		if NodeID(i) != id {
			rest = append(rest, NodeID(i))
		}
	}
	return [][]NodeID{{id}, rest}
}

// Fallen is the run that a panic in a machine or the budget ended, after Move said so.
func (w *World) Fallen() *Run {
	segment := slices.Clone(w.trace)
	w.trace = append(w.walk.loaded.path(w.trace[:0]), segment...)
	for i := range w.nodes {
		w.nodes[i].still = nil
	}
	return w.finish()
}

// Untimed says what of the walk so far depends on what it leaves out: a machine that read its
// clock, or drew.
func (w *World) Untimed() (reads, draws bool) { return w.walk.reads, w.walk.draws }

// rewind lets every timer that is set be as if it was set just now.
func (w *World) rewind() {
	for i := range w.nodes {
		n := &w.nodes[i]
		if len(n.timers) == 0 {
			continue
		}
		n.own()
		for j := range n.timers {
			t := &n.timers[j]
			t.due = n.clock.due(w.now, t.span)
		}
		// The order in which they were set depends on the path.
		slices.SortStableFunc(n.timers, func(a, b timer) int {
			if c := cmp.Compare(a.span, b.span); c != 0 {
				return c
			}
			return cmp.Compare(Text(labelledBody{a.body}), Text(labelledBody{b.body}))
		})
	}
}

// MayCrash says that the bounds allow one more crash.
func (s *State) MayCrash() bool { return s.left.crashes > 0 }
