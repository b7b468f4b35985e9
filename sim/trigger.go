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

// lastEffect names the last effect of a handler, for a crash after it.
type lastEffect struct {
	boundary string
	body     Body
	n        int32
}

// before is what may come just before an effect. It says whether the effect still happens.
func (w *World) before(n *node, e *effect) bool {
	name := e.what.boundary()
	if name != "" && n.cutNext {
		n.cut = true
		return false
	}
	body := n.effectBody(e)
	if name != "" && !w.calm && w.crashesHere(n, name, body) {
		n.cut = true
		return false
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
	name := e.what.boundary()
	if name != "" && w.exceptions.size > 0 && !w.calm && n.last.boundary != "" {
		a := w.crashName(n, "after")
		if v, told := w.exception(CrashAt, &a); told && v != 0 {
			w.record(CrashAt, &a, 1)
			w.nameCrash("after " + name)
			n.cutNext, n.byChance = true, true
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

// effectBody names an effect: what is sent, written or said; of a sync the last record it covers; of
// an answer the request.
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

// crashesHere decides whether a node crashes by chance before an effect. One draw a handler call says
// whether, and after how many boundaries.
func (w *World) crashesHere(n *node, name string, body Body) bool {
	if w.plan.Network.Crash == 0 && w.exceptions.size == 0 {
		return false
	}
	h := hashKeys(hashString(hashString(n.hash, name), body.Kind()), KeysOf(body))
	n.last = lastEffect{name, body, w.counts.next(h)}
	a := w.crashName(n, "before")
	if v, told := w.exception(CrashAt, &a); told {
		if v != 0 {
			w.chooseCrash(n, "before")
		}
		return v != 0
	}
	w.drawCrash(n, &a)
	if n.doomed == 0 {
		w.chooseCrash(n, "before")
		return true
	}
	if n.doomed > 0 {
		n.doomed--
	}
	return false
}

// drawCrash is the draw of one handler call.
func (w *World) drawCrash(n *node, a *about) {
	p := w.plan.Network
	if n.drawn || p.Crash == 0 || w.plan.Seed == 0 || p.Crashes > 0 && w.crashes >= p.Crashes {
		n.drawn = true
		return
	}
	n.drawn = true
	if h := w.word(CrashAt, a); chance(h, p.Crash) {
		n.doomed = int32(below(mix(h, k1), 8))
	}
}

// crashName names a crash before or after a node's last boundary.
func (w *World) crashName(n *node, side string) about {
	b := n.last.body
	h := crashHash(w.link(n.id, Nobody), side+" "+n.last.boundary, b.Kind(), KeysOf(b))
	return about{h, b, n.last.n, n.id, Nobody}
}

func crashHash(link uint64, boundary, kind string, keys []string) uint64 {
	return hashKeys(hashString(hashString(link, boundary), kind), keys)
}

// chooseCrash records that chance crashes a node at a boundary.
func (w *World) chooseCrash(n *node, side string) {
	w.crashes++
	n.byChance, n.doomed = true, -1
	a := w.crashName(n, side)
	w.record(CrashAt, &a, 1)
	w.nameCrash(side + " " + n.last.boundary)
}

// nameCrash completes the name of the crash just recorded.
func (w *World) nameCrash(boundary string) {
	if w.opt.Record {
		w.chosen[len(w.chosen)-1].Name.To = boundary
	}
}

// restartLater brings a node up again after a crash by chance, if the plan says when.
func (w *World) restartLater(n *node, a *about) {
	d := w.plan.Network.Restart
	drawn := func(h uint64) int64 { return 1 + int64(d.Low) + d.extra(h) }
	if d.High == 0 && d.Low == 0 {
		drawn = nil
	}
	v := w.decide(RestartIn, a, drawn)
	if v == 0 {
		return
	}
	w.schedule(w.now+Time(v-1), &event{what: evRestart, from: n.id, to: n.id, node: n.id, inc: n.inc,
		cause: -1, fifo: -1, stream: -1})
}

func (w *World) restartByChance(e *event) {
	n := &w.nodes[e.node]
	if n.inc == e.inc && !n.up && !n.forever {
		w.restart(n)
	}
}

// met is what may come just before or right after a node takes up an event.
func (w *World) met(n *node, e *event, before bool) bool {
	if !w.script.triggers || w.calm {
		return false
	}
	switch e.what {
	case evDatagram, evStream, evOwn, evLogged:
		return w.trip(happening{what: Receives, node: n.id, body: e.body, before: before, cause: e.cause})
	case evTimer:
		if i := n.timer(e.body); i >= 0 && n.timers[i].gen == e.n || !before {
			return w.trip(happening{what: Fires, node: n.id, body: e.body, before: before, cause: e.cause})
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
		w.actTriggered(t.step, h.before, h.cause)
	}
	return acted
}

// expects says that a trigger waits for what happens. Of a sync it may name any record that the sync
// covers.
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
