package sim

// trigger is an armed action of the script, or an event that an Until waits for.
type trigger struct {
	event   Event
	node    NodeID // Nobody is any
	step    int
	before  bool
	every   bool
	until   bool // only counts
	armed   bool
	seen    int
	matched bool // of an until: it has happened
}

// happening is what a trigger may wait for.
type happening struct {
	what   EventKind
	node   NodeID
	body   Body
	before bool
	cause  int32
	low    LSN // of a sync: it covers the records after low, up to high
	high   LSN
}

// before is what may come just before an effect. It says whether the effect still happens.
func (w *World) before(n *node, e *effect) bool {
	name := e.what.boundary()
	if name != "" && n.cutNext {
		n.cut = true
		return false
	}
	body := n.effectBody(e)
	if name != "" && !w.calm {
		crashes := w.crashesHere(n, name, body)
		if w.opt.Boundaries {
			w.bound(n, e)
		}
		if crashes {
			n.cut = true
			return false
		}
	}
	if kind := e.what.event(); kind != 0 && w.script.triggers {
		h := happening{what: kind, node: n.id, body: body, before: true, cause: n.cause}
		if kind == Syncs {
			h.low, h.high = n.disk.durable, LSN(e.n)
		}
		w.trip(h)
	}
	return !n.cut
}

// after is what may come right after an effect.
func (w *World) after(n *node, e *effect) {
	if e.what.boundary() != "" {
		if w.opt.Boundaries {
			w.passed(n)
		}
		if w.toldToCrash(n) {
			w.chooseCrash(n, "after")
			n.cutNext = true
		}
	}
	if kind := e.what.event(); kind != 0 && kind != Syncs && w.script.triggers {
		w.trip(happening{what: kind, node: n.id, body: n.effectBody(e), cause: n.cause})
	}
}

// syncedTrip lets triggers act on a sync, at the moment at which records become durable.
func (w *World) syncedTrip(e *event) {
	if w.script.triggers {
		w.trip(happening{what: Syncs, node: e.node, body: e.body, cause: e.cause,
			low: LSN(e.low), high: LSN(e.n)})
	}
}

// event is the kind of trigger event that an effect is, 0 if it is none.
func (k effectKind) event() EventKind {
	switch k {
	case effSend, effStream, effPublish, effLater:
		return Sends
	case effAppend:
		return Writes
	case effSync, effFlush:
		return Syncs
	case effTimer, effEvery:
		return Sets
	case effNote:
		return Notes
	case effReturn, effRefuse:
		return Returns
	}
	return 0
}

// effectBody names an effect: what is sent, written or said; of a sync the last record it covers;
// of an answer the request.
func (n *node) effectBody(e *effect) Body {
	switch e.what {
	case effSync, effFlush:
		return n.lastRecord(LSN(e.n))
	case effReturn, effRefuse:
		if i := e.n - 1; i >= 0 && i < int64(len(n.w.calls)) {
			return n.w.calls[i].op
		}
	}
	if e.body == nil {
		return labelled("")
	}
	return e.body
}

// met is what may come just before or right after a node takes up an event.
func (w *World) met(n *node, e *event, before bool) bool {
	if !w.script.triggers || w.calm {
		return false
	}
	switch e.what {
	case evDatagram, evStream, evOwn, evLogged:
		return w.trip(happening{what: Receives, node: n.id, body: e.body, before: before,
			cause: e.cause})
	case evTimer:
		if !before || n.due(e) >= 0 {
			return w.trip(happening{what: Fires, node: n.id, body: e.body, before: before,
				cause: e.cause})
		}
	}
	return false
}

// trip lets the triggers act that wait for an event. It says whether any did.
func (w *World) trip(h happening) bool {
	if w.calm {
		return false
	}
	acted := false
	for i := range w.script.armed {
		t := &w.script.armed[i]
		if t.before != h.before || !w.expects(t, &h) {
			continue
		}
		t.seen++
		if t.event.Nth > 0 && t.seen != t.event.Nth {
			continue
		}
		if t.until {
			t.matched = true
			continue
		}
		if !t.armed {
			continue
		}
		t.armed = t.every
		acted = true
		w.actTriggered(&w.script.steps[t.step], h.before, h.cause)
	}
	return acted
}

// expects says that a trigger waits for what happens. Of a sync it may name any record that the
// sync covers.
func (w *World) expects(t *trigger, h *happening) bool {
	if t.event.What != h.what || t.node != Nobody && t.node != h.node {
		return false
	}
	if t.speaks(h.body) {
		return true
	}
	k := &w.nodes[h.node].disk
	for lsn := max(h.low+1, k.first); lsn <= min(h.high, k.last()); lsn++ {
		if t.speaks(k.records[lsn-k.first]) {
			return true
		}
	}
	return false
}

// speaks says that the trigger speaks of such a body.
func (t *trigger) speaks(b Body) bool {
	return (t.event.Kind == "" || t.event.Kind == b.Kind()) && hasKeys(b, t.event.Keys)
}
