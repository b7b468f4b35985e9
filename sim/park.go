package sim

import "slices"

// Parked events are those that were due and could not pass: a hold of the script matches them, a
// partition bars them, or they stand behind such a one on a FIFO channel. World.parked has them in
// their original order; they leave in that order.

// screen parks an event that may not pass. It says whether it did.
func (w *World) screen(slot int32, e *event) bool {
	if e.passed {
		return false
	}
	held := holdable(e.what) && w.holding(e)
	if !held && !w.barred(e) && (e.fifo < 0 || w.fifos[e.fifo].parked == 0) {
		return false
	}
	if e.fifo >= 0 {
		w.fifos[e.fifo].parked++
	}
	w.parked = append(w.parked, slot)
	return true
}

// barred says that a partition stops an event that is under way.
func (w *World) barred(e *event) bool {
	if !w.cuts.active {
		return false
	}
	stops := e.what == evStream || e.what == evDatagram && w.plan.Network.InFlight == Park
	return stops && w.cuts.blocks(e.from, e.to)
}

// holdable says that an event of this kind travels on a link that patterns can name.
func holdable(what eventKind) bool {
	switch what {
	case evDatagram, evStream, evOwn, evRequest, evAnswer, evTimer, evSync, evTold, evSequence,
		evLogged:
		return true
	}
	return false
}

// reflow frees every parked event that nothing stops any more, in the original order.
func (w *World) reflow() {
	kept := w.parked[:0]
	var blocked []int32
	for _, slot := range w.parked {
		e := &w.slab[slot]
		behind := e.fifo >= 0 && slices.Contains(blocked, e.fifo)
		if !behind && !w.barred(e) && !(holdable(e.what) && w.wouldHold(e)) {
			w.pass(slot)
			continue
		}
		kept = append(kept, slot)
		if e.fifo >= 0 && !behind {
			blocked = append(blocked, e.fifo)
		}
	}
	w.parked = kept
}

// pass makes an event that has left World.parked one of the next of this instant. Nothing stops it
// again, so that it cannot fall behind what came after it.
func (w *World) pass(slot int32) {
	e := &w.slab[slot]
	if e.fifo >= 0 {
		w.fifos[e.fifo].parked--
	}
	if !e.idle {
		w.busy++
	}
	e.passed = true
	w.urgent = append(w.urgent, slot)
}

// unpark takes an event off World.parked. It says whether it was there.
func (w *World) unpark(slot int32) bool {
	i := slices.Index(w.parked, slot)
	if i < 0 {
		return false
	}
	w.parked = slices.Delete(w.parked, i, i+1)
	if f := w.slab[slot].fifo; f >= 0 {
		w.fifos[f].parked--
	}
	return true
}

// remove loses a pending event wherever it waits: parked, next, or queued.
func (w *World) remove(slot int32, why Loss) {
	if !w.unpark(slot) {
		w.takeBack(&w.slab[slot], why)
		return
	}
	e := w.slab[slot]
	w.discard(slot)
	w.lose(&e, why)
}

// takeBack makes a pending event nothing; the queue drops it when its time comes.
func (w *World) takeBack(e *event, why Loss) {
	gone := *e
	if !e.idle {
		w.busy--
	}
	*e = event{what: evNone, idle: true, fifo: -1, stream: -1}
	w.lose(&gone, why)
}

// flying are the slots of the pending events that satisfy is, in the order in which they are due:
// parked, next, queued.
func (w *World) flying(is func(*event) bool) []int32 {
	var slots []int32
	for _, list := range [][]int32{w.parked, w.urgent[w.head:]} {
		for _, slot := range list {
			if is(&w.slab[slot]) {
				slots = append(slots, slot)
			}
		}
	}
	var items []item
	for _, it := range w.queue.items {
		if is(&w.slab[it.slot]) {
			items = append(items, it)
		}
	}
	slices.SortStableFunc(items, func(a, b item) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
	for _, it := range items {
		slots = append(slots, it.slot)
	}
	return slots
}
