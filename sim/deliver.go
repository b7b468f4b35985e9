package sim

import (
	"fmt"
	"slices"
	"strings"
)

// deliver passes parked events; the reason says why it found none, or too many.
func (w *World) deliver(verb Verb, p *pattern) string {
	found := w.parkedLike(p)
	if len(found) == 0 {
		return w.deliverTimer(verb, p)
	}
	if verb == Deliver && len(found) > 1 {
		return "several events match: " + w.list(found)
	}
	wanted := found
	switch verb {
	case DeliverUpto:
		found = w.upto(found[0])
	default:
		found = w.first(found)
	}
	if len(found) == 0 {
		ahead := w.upto(wanted[0])[0]
		return "it stands behind " + w.describe(&w.slab[ahead]) + "; deliver upto passes both"
	}
	if w.barred(&w.slab[found[0]]) {
		return "a partition cuts its link"
	}
	for _, slot := range found {
		i := slices.Index(w.parked, slot)
		w.parked = slices.Delete(w.parked, i, i+1)
		w.pass(slot)
	}
	w.reflow()
	return ""
}

// parkedLike are the parked events that a pattern speaks of.
func (w *World) parkedLike(p *pattern) []int32 {
	var found []int32
	for _, slot := range w.parked {
		if e := &w.slab[slot]; holdable(e.what) && w.matches(p, e) {
			found = append(found, slot)
		}
	}
	return found
}

// upto is everything parked on an event's FIFO channel, the event last.
func (w *World) upto(slot int32) []int32 {
	f := w.slab[slot].fifo
	if f < 0 {
		return []int32{slot}
	}
	var found []int32
	for _, s := range w.parked {
		if w.slab[s].fifo == f {
			found = append(found, s)
		}
		if s == slot {
			break
		}
	}
	return found
}

// first drops from found what stands behind something that is not found itself.
func (w *World) first(found []int32) []int32 {
	var passed []int32
	for _, slot := range found {
		clear := true
		for _, s := range w.upto(slot) {
			clear = clear && slices.Contains(found, s)
		}
		if clear {
			passed = append(passed, slot)
		}
	}
	return passed
}

func (w *World) list(slots []int32) string {
	var names []string
	for _, s := range slots {
		names = append(names, w.describe(&w.slab[s]))
	}
	return strings.Join(names, ", ")
}

// setTimerOf is a timer with its node.
type setTimerOf struct {
	n *node
	t *timer
}

// deliverTimer fires timers that are set: in still time they wait for it.
func (w *World) deliverTimer(verb Verb, p *pattern) string {
	if !slices.Contains(p.from.ids, ClockEnd) {
		return "nothing parked matches"
	}
	if w.flow {
		return "no timer that is held matches, and a timer is never early"
	}
	found := w.timersLike(p)
	if len(found) == 0 {
		return "no timer that is set matches"
	}
	if len(found) > 1 && verb == Deliver {
		var names []string
		for _, f := range found {
			names = append(names, w.describe(f.t.event(f.n)))
		}
		return "several timers match: " + strings.Join(names, ", ")
	}
	for _, f := range found {
		if f.n.stopped() {
			return w.names[f.n.id] + " is paused or waits for its disk"
		}
	}
	for _, f := range found {
		w.fireNow(f.n, f.t)
	}
	return ""
}

// timersLike are the timers that a pattern speaks of, in the order in which they are due.
func (w *World) timersLike(p *pattern) []setTimerOf {
	var found []setTimerOf
	for i := range w.nodes {
		n := &w.nodes[i]
		for j := range n.timers {
			if t := &n.timers[j]; w.matches(p, t.event(n)) {
				found = append(found, setTimerOf{n, t})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b setTimerOf) int {
		switch {
		case a.t.due < b.t.due:
			return -1
		case a.t.due > b.t.due:
			return 1
		}
		return 0
	})
	return found
}

// travelsAlone says that an event is a datagram, or a client's request or answer.
func (e *event) travelsAlone() bool {
	return e.what == evDatagram || e.what == evRequest || e.what == evAnswer
}

// drop removes datagrams that are parked or in flight; without a kind it breaks the streams too.
func (w *World) drop(p *pattern) string {
	found := w.flying(func(e *event) bool { return e.travelsAlone() && w.matches(p, e) })
	for _, slot := range found {
		w.remove(slot, LostDropped)
	}
	broken := 0
	if p.kind == "" && p.mark == 0 {
		broken = w.breakMatching(p)
	}
	if len(found)+broken > 0 {
		return ""
	}
	if len(w.flying(func(e *event) bool { return e.what == evStream && w.matches(p, e) })) > 0 {
		return "it travels on a stream, which is dropped as a whole: drop FROM->TO"
	}
	return "no datagram that is parked or in flight matches"
}

// breakMatching breaks the streams on a pattern's links; it gives how many.
func (w *World) breakMatching(p *pattern) int {
	broken := 0
	for i := range w.streams {
		if s := &w.streams[i]; s.up && p.link(s.from, s.to) {
			w.breakStream(int32(i), false)
			broken++
		}
	}
	return broken
}

// copyOne makes a second copy of the one datagram that matches.
func (w *World) copyOne(p *pattern) string {
	found := w.flying(func(e *event) bool { return e.what == evDatagram && w.matches(p, e) })
	if len(found) == 0 {
		return "no datagram that is parked or in flight matches"
	}
	if len(found) > 1 {
		return fmt.Sprintf("%d datagrams match: %s", len(found), w.list(found))
	}
	w.copySlot(found[0])
	return ""
}

// copySlot makes a second copy of a pending datagram.
func (w *World) copySlot(slot int32) {
	e := w.slab[slot]
	e.cause = w.add(Entry{Kind: EntryCopied, Node: e.from, Peer: e.to, Cause: e.cause,
		Body: e.body})
	e.sum = 0 // it has a cause of its own
	w.schedule(w.now, &e)
}
