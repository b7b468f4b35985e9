package sim

import (
	"fmt"
	"slices"
	"strings"
)

// hold is a standing order to park events.
type hold struct {
	pattern
	step   int // of the script; -1 is the manual network's
	caught int
}

// holding says that a hold catches an event, and counts it.
func (w *World) holding(e *event) bool {
	caught := false
	for i := range w.holds {
		if w.matches(&w.holds[i].pattern, e) {
			w.holds[i].caught++
			caught = true
			if s := w.holds[i].step; s >= 0 {
				w.script.steps[s].found++
			}
		}
	}
	return caught
}

// lift takes off every hold that p covers; it gives how many.
func (w *World) lift(p *pattern) int {
	kept := w.holds[:0]
	for i := range w.holds {
		if h := w.holds[i]; !p.covers(&h.pattern) {
			kept = append(kept, h)
		}
	}
	lifted := len(w.holds) - len(kept)
	w.holds = kept
	w.reflow()
	return lifted
}

// reflow frees every parked event that nothing holds any more, in the original order.
func (w *World) reflow() {
	kept := w.parked[:0]
	var blocked []int32
	for _, slot := range w.parked {
		e := &w.slab[slot]
		behind := e.fifo >= 0 && slices.Contains(blocked, e.fifo)
		if behind || holdable(e.what) && w.wouldHold(e) {
			kept = append(kept, slot)
			if e.fifo >= 0 && !behind {
				blocked = append(blocked, e.fifo)
			}
			continue
		}
		w.free1(slot)
	}
	w.parked = kept
}

// wouldHold is holding without counting.
func (w *World) wouldHold(e *event) bool {
	for i := range w.holds {
		if w.matches(&w.holds[i].pattern, e) {
			return true
		}
	}
	return false
}

// free1 makes a parked event one of the next, past all holds.
func (w *World) free1(slot int32) {
	e := &w.slab[slot]
	if e.fifo >= 0 {
		w.fifos[e.fifo].parked--
	}
	e.passed = true
	w.urge(slot)
}

// deliver passes parked events; the reason says why it found none, or too many.
func (w *World) deliver(verb Verb, p *pattern) string {
	found := w.parkedLike(p)
	if len(found) == 0 {
		return w.deliverTimer(verb, p)
	}
	switch verb {
	case Deliver:
		if len(found) > 1 {
			return "several events match: " + w.list(found)
		}
		if first := w.ahead(found[0]); first >= 0 {
			return "it stands behind " + w.describe(&w.slab[first]) + "; deliver upto passes both"
		}
	case DeliverUpto:
		found = w.upto(found[0])
	case DeliverAll:
		found = w.uptoAll(found)
	}
	for _, slot := range found {
		i := indexOf(w.parked, slot)
		w.parked = append(w.parked[:i], w.parked[i+1:]...)
		w.free1(slot)
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

// ahead is the first parked event before this one on its FIFO channel, -1 if there is none.
func (w *World) ahead(slot int32) int32 {
	f := w.slab[slot].fifo
	if f < 0 {
		return -1
	}
	for _, s := range w.parked {
		if s == slot {
			return -1
		}
		if w.slab[s].fifo == f {
			return s
		}
	}
	return -1
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

// uptoAll drops from found what stands behind something that is not found itself.
func (w *World) uptoAll(found []int32) []int32 {
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

// deliverTimer fires timers that are set: in still time they wait for it.
func (w *World) deliverTimer(verb Verb, p *pattern) string {
	if !slices.Contains(p.from.ids, ClockEnd) {
		return "nothing parked matches"
	}
	if w.flow {
		return "no timer that is held matches, and a timer is never early"
	}
	type set struct {
		n *node
		t timer
	}
	var found []set
	for i := range w.nodes {
		n := &w.nodes[i]
		for _, t := range n.timers {
			if w.matches(p, &event{body: t.body, from: ClockEnd, to: n.id, what: evTimer, marks: t.marks}) {
				found = append(found, set{n, t})
			}
		}
	}
	if len(found) == 0 {
		return "no timer that is set matches"
	}
	if len(found) > 1 && verb == Deliver {
		var names []string
		for _, f := range found {
			names = append(names, "clock->"+w.names[f.n.id]+" "+Text(labelledBody{f.t.body}))
		}
		return "several timers match: " + strings.Join(names, ", ")
	}
	for _, f := range found {
		w.fireNow(f.n, &f.t)
	}
	return ""
}

// fireNow makes a timer the next event; the clock moves to its due time if that is later.
func (w *World) fireNow(n *node, t *timer) {
	w.now = max(w.now, t.due)
	w.soon(&event{body: t.body, what: evTimer, from: ClockEnd, to: n.id, node: n.id, inc: n.inc,
		cause: t.cause, n: t.gen, fifo: -1, stream: -1, idle: t.idle, passed: true})
}

// drop removes datagrams that are parked or in flight; without a kind it breaks the streams too.
func (w *World) drop(p *pattern) string {
	found := 0
	for _, slot := range slices.Clone(w.parked) {
		if e := &w.slab[slot]; e.what == evDatagram && w.matches(p, e) {
			i := indexOf(w.parked, slot)
			w.parked = append(w.parked[:i], w.parked[i+1:]...)
			w.loseParked(slot, LostDropped)
			found++
		}
	}
	for _, slot := range w.flyingDatagrams(p) {
		w.takeBack(&w.slab[slot], LostDropped)
		found++
	}
	if p.kind == "" {
		found += w.breakMatching(p)
	}
	if found > 0 {
		return ""
	}
	if w.onStream(p) {
		return "it travels on a stream, which is dropped as a whole: drop FROM->TO"
	}
	return "no datagram that is parked or in flight matches"
}

func (w *World) flyingDatagrams(p *pattern) []int32 {
	var items []item
	for _, it := range w.queue.items {
		if e := &w.slab[it.slot]; e.what == evDatagram && w.matches(p, e) {
			items = append(items, it)
		}
	}
	sortItems(items)
	var found []int32
	for _, slot := range w.urgent[w.head:] {
		if e := &w.slab[slot]; e.what == evDatagram && w.matches(p, e) {
			found = append(found, slot)
		}
	}
	for _, it := range items {
		found = append(found, it.slot)
	}
	return found
}

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

func (w *World) onStream(p *pattern) bool {
	for i := range w.slab {
		if e := &w.slab[i]; e.what == evStream && w.matches(p, e) {
			return true
		}
	}
	return false
}

// copyOne makes a second copy of the one datagram that matches.
func (w *World) copyOne(p *pattern) string {
	var found []int32
	for _, slot := range w.parked {
		if e := &w.slab[slot]; e.what == evDatagram && w.matches(p, e) {
			found = append(found, slot)
		}
	}
	found = append(found, w.flyingDatagrams(p)...)
	if len(found) == 0 {
		return "no datagram that is parked or in flight matches"
	}
	if len(found) > 1 {
		return fmt.Sprintf("%d datagrams match: %s", len(found), w.list(found))
	}
	e := w.slab[found[0]]
	e.cause = w.add(Entry{Kind: EntryCopied, Node: e.from, Peer: e.to, Cause: e.cause, Body: e.body})
	w.schedule(w.now, &e)
	return ""
}
