package sim

import (
	"fmt"
	"time"
)

// do makes an effect happen, now or once the sync that the node waits for is done.
func (n *node) do(e effect) {
	if n.cut {
		return
	}
	if n.waiting {
		n.pending = append(n.pending, e)
		return
	}
	n.apply(&e)
}

// apply makes an effect happen. A crash may fall before it; triggers act before and after.
func (n *node) apply(e *effect) {
	w := n.w
	if w.armed && !w.before(n, e) {
		return
	}
	switch e.what {
	case effSend:
		w.send(n, e.to, e.body)
	case effStream:
		w.sendStream(n, int32(e.n), e.body)
	case effLater:
		w.queueOwn(n, e.body)
	case effPublish:
		w.publish(n, e.body)
	case effAppend:
		n.disk.issued = max(n.disk.issued, LSN(e.n))
		w.add(Entry{Kind: EntryAppended, Node: n.id, Peer: Nobody, Cause: n.cause, N: e.n, Body: e.body})
	case effReplace:
		w.add(Entry{Kind: EntryReplaced, Node: n.id, Peer: Nobody, Cause: n.cause, N: e.n, Body: e.body})
	case effSync:
		w.sync(n, LSN(e.n), true)
	case effFlush:
		w.sync(n, LSN(e.n), false)
	case effReturn, effRefuse:
		w.answer(n, e)
	case effNote:
		w.add(Entry{Kind: EntryNoted, Node: n.id, Peer: Nobody, Cause: n.cause, Body: e.body})
	case effFail:
		w.add(Entry{Kind: EntryFailed, Node: n.id, Peer: Nobody, Cause: n.cause, Body: e.body})
	case effTimer, effEvery:
		w.setTimer(n, e)
	case effCancel:
		n.cancel(e.body)
	case effClose:
		w.breakStream(int32(e.n), true)
	default:
		panic(fmt.Sprintf("sim: effect %d", e.what))
	}
	if w.armed {
		w.after(n, e)
	}
}

// drain makes the effects happen that waited for a sync, up to the next one.
func (n *node) drain() {
	for len(n.pending) > 0 && !n.waiting && !n.cut {
		e := n.pending[0]
		copy(n.pending, n.pending[1:])
		n.pending[len(n.pending)-1] = effect{}
		n.pending = n.pending[:len(n.pending)-1]
		n.apply(&e)
	}
}

// send puts a datagram on its way.
func (w *World) send(n *node, to NodeID, m Message) {
	at := w.add(Entry{Kind: EntrySent, Node: n.id, Peer: to, Cause: n.cause, Body: m})
	w.transmit(n, to, m, at)
}

// transmit decides a datagram's fate: cut link, loss, delay, copy.
func (w *World) transmit(n *node, to NodeID, m Message, cause int32) {
	r := &w.nodes[to]
	e := event{body: m, what: evDatagram, from: n.id, to: to, node: to, inc: r.inc, cause: cause,
		fifo: -1, stream: -1, idle: n.idle}
	a := w.about(n.id, to, m)
	e.h, e.ord = a.h, a.n
	if !r.member {
		w.lose(&e, LostAbsent)
		return
	}
	if w.cuts.active && w.cuts.blocks(n.id, to) {
		w.lose(&e, LostParted)
		return
	}
	l := w.linkFor(n.id, to)
	if w.happens(Lost, &a, l.loss) {
		w.lose(&e, LostByChance)
		return
	}
	d := w.delayOf(&a, l.delay)
	w.schedule(w.later(d), &e)
	if v := w.copies(&a, l); v > 0 {
		e.cause = w.add(Entry{Kind: EntryCopied, Node: n.id, Peer: to, Cause: cause, Body: m})
		w.schedule(w.later(d+time.Duration(v-1)), &e)
	}
}

// copies is 0, or 1 + the delay of a second copy after the first.
func (w *World) copies(a *about, l *linkRule) int64 {
	if l.duplicate == 0 && w.exceptions.size == 0 {
		return 0
	}
	return w.decide(Copy, a, func(h uint64) int64 {
		if !chance(h, l.duplicate) {
			return 0
		}
		return 1 + l.delay.extra(mix(h, k2))
	})
}

// queueOwn puts own work on its way.
func (w *World) queueOwn(n *node, m Message) {
	at := w.add(Entry{Kind: EntryQueued, Node: n.id, Peer: n.id, Cause: n.cause, Body: m})
	a := w.about(n.id, n.id, m)
	e := event{body: m, what: evOwn, from: n.id, to: n.id, node: n.id, inc: n.inc, cause: at,
		fifo: -1, stream: -1, idle: n.idle, h: a.h, ord: a.n}
	w.schedule(w.later(w.delayOf(&a, w.linkFor(n.id, n.id).delay)), &e)
}

// setTimer sets or replaces a timer.
func (w *World) setTimer(n *node, e *effect) {
	d := time.Duration(e.n)
	n.gen++
	t := timer{body: e.body, gen: n.gen, cause: n.cause, idle: n.idle}
	if e.what == effEvery {
		t.every, t.idle = d, true
		w.period = max(w.period, n.clock.world(d))
	}
	a := w.about(ClockEnd, n.id, e.body)
	t.late = time.Duration(w.tardy(&a))
	t.due = w.later(n.clock.world(d))
	if len(w.counted) > 0 {
		probe := event{body: e.body, from: ClockEnd, to: n.id, what: evTimer}
		w.count(&probe)
		t.marks = probe.marks
	}
	i := n.timer(e.body)
	if i < 0 {
		i = len(n.timers)
		n.timers = append(n.timers, t)
	} else {
		n.timers[i] = t
	}
	if w.flow {
		w.runTimer(n, &n.timers[i])
	}
}

func (w *World) tardy(a *about) int64 {
	d := w.plan.Network.Late
	if d.High <= d.Low && w.exceptions.size == 0 {
		return int64(d.Low)
	}
	return int64(d.Low) + w.decide(Tardy, a, d.extra)
}

// runTimer schedules a timer that is set.
func (w *World) runTimer(n *node, t *timer) {
	e := event{body: t.body, what: evTimer, from: ClockEnd, to: n.id, node: n.id, inc: n.inc,
		cause: t.cause, n: t.gen, fifo: -1, stream: -1, idle: t.idle, marks: t.marks}
	w.schedule(max(w.now, t.due.Add(t.late)), &e)
}

// timer is the index of a timer, -1 if it is not set.
func (n *node) timer(t Timer) int {
	for i := range n.timers {
		if n.timers[i].body == t {
			return i
		}
	}
	return -1
}

func (n *node) cancel(t Timer) {
	if i := n.timer(t); i >= 0 {
		n.unset(i)
	}
}

// unset takes a timer off, keeping the order of the others.
func (n *node) unset(i int) {
	copy(n.timers[i:], n.timers[i+1:])
	n.timers[len(n.timers)-1] = timer{}
	n.timers = n.timers[:len(n.timers)-1]
}

// fire is a timer coming due, if it is still the one that was set.
func (w *World) fire(n *node, e *event) {
	i := n.timer(e.body)
	if i < 0 || n.timers[i].gen != e.n {
		return
	}
	every, cause := n.timers[i].every, n.timers[i].cause
	if every > 0 {
		n.timers[i].due = w.later(n.clock.world(every))
		if w.flow {
			w.runTimer(n, &n.timers[i])
		}
	} else {
		n.unset(i)
	}
	at := w.add(Entry{Kind: EntryFired, Node: n.id, Peer: Nobody, Cause: cause, Body: e.body})
	if w.armed && w.met(n, e, false) && !n.up {
		return
	}
	n.begin(at, e.idle)
	n.machine.Timeout(&n.env, e.body)
	n.end()
}

// sync submits a sync; with wait the node does nothing until it is told.
func (w *World) sync(n *node, lsn LSN, wait bool) {
	k := &n.disk
	from := max(k.asked, k.durable)
	k.asked = max(k.asked, lsn)
	body := n.lastRecord(lsn)
	cause := n.cause
	if !wait {
		cause = w.add(Entry{Kind: EntryFlushed, Node: n.id, Peer: Nobody, Cause: n.cause, N: int64(lsn)})
	}
	a := w.about(n.id, DiskEnd, body)
	fails := k.failing || w.happens(SyncFails, &a, w.plan.Network.SyncFail)
	k.failing = false
	e := event{body: body, what: evSync, from: n.id, to: DiskEnd, node: n.id, inc: n.inc, cause: cause,
		n: int64(lsn), low: int64(from), h: a.h, ord: a.n, fifo: w.diskFifo(n), stream: -1,
		idle: n.idle, sync: wait, failed: fails}
	if wait && !w.plan.Network.DiskSlow {
		w.syncNow(n, &e)
		return
	}
	n.waiting = n.waiting || wait
	w.schedule(w.later(w.delayOf(&a, w.plan.Network.SyncTime)), &e)
}

// lastRecord names a sync: the last record that it covers.
func (n *node) lastRecord(lsn LSN) Body {
	k := &n.disk
	if lsn < k.first || lsn > k.last() || lsn <= k.durable {
		return labelled("")
	}
	return k.records[lsn-k.first]
}

// syncNow is a sync that takes no time.
func (w *World) syncNow(n *node, e *event) {
	if e.failed {
		w.add(Entry{Kind: EntrySyncFailed, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
		n.cut = true
		return
	}
	n.disk.sync(LSN(e.n))
	w.add(Entry{Kind: EntrySynced, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	w.syncedTrip(e)
}

// syncDone is the moment at which records become durable, or do not.
func (w *World) syncDone(e *event) {
	n := &w.nodes[e.node]
	if !n.up || n.inc != e.inc {
		return
	}
	kind := EntrySynced
	if e.failed {
		kind = EntrySyncFailed
	} else {
		n.disk.sync(LSN(e.n))
	}
	told := *e
	told.cause = w.add(Entry{Kind: kind, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	told.what, told.from, told.to, told.fifo = evTold, DiskEnd, n.id, w.diskFifo(n)+1
	a := w.about(DiskEnd, n.id, e.body)
	told.h, told.ord, told.marks = a.h, a.n, 0
	w.schedule(w.later(w.delayOf(&a, w.plan.Network.Told)), &told)
	if !e.failed {
		w.syncedTrip(e)
	}
	if n.inc == e.inc && !e.sync && !e.failed && !n.paused && !n.waiting {
		w.notice(n, told.cause, e.idle, Notice{What: Durable, LSN: LSN(e.n)})
	}
}

// syncTold is the moment at which the writer learns of it.
func (w *World) syncTold(e *event) {
	n := &w.nodes[e.node]
	switch {
	case !n.up || n.inc != e.inc:
	case e.sync:
		w.wakeWriter(n, e)
	case n.paused || n.waiting:
		n.inbox = append(n.inbox, w.place(e))
		if !e.idle {
			w.busy--
		}
	default:
		what := Synced
		if e.failed {
			what = SyncFailed
		}
		at := w.add(Entry{Kind: EntryTold, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
		w.notice(n, at, e.idle, Notice{What: what, LSN: LSN(e.n)})
	}
}

// wakeWriter ends the wait of a node for its sync.
func (w *World) wakeWriter(n *node, e *event) {
	w.add(Entry{Kind: EntryTold, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	n.waiting = false
	w.cur = n
	if e.failed {
		n.cut = true
	}
	n.drain()
	n.end()
	w.unpack(n)
}

// notice hands a notice to a machine.
func (w *World) notice(n *node, cause int32, idle bool, what Notice) {
	n.begin(cause, idle)
	n.machine.Notice(&n.env, what)
	n.end()
}
