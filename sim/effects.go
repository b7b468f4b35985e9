package sim

import (
	"fmt"
	"time"
)

// do makes an effect happen, now or once the sync that the node waits for is done, or its pause.
func (n *node) do(e effect) {
	if n.cut {
		return
	}
	if n.stopped() {
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
		w.sendStream(n, e)
	case effLater:
		w.queueOwn(n, e.body)
	case effPublish:
		w.publish(n, e.body)
	case effAppend:
		n.disk.issued = max(n.disk.issued, LSN(e.n))
		w.add(Entry{Kind: EntryAppended, Node: n.id, Peer: Nobody, Cause: n.cause, N: e.n,
			Body: e.body})
	case effReplace:
		n.disk.swaps++
		w.add(Entry{Kind: EntryReplaced, Node: n.id, Peer: Nobody, Cause: n.cause, N: e.n,
			Body: e.body})
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
		w.closeStream(int32(e.n))
	default:
		panic(fmt.Sprintf("sim: effect %d", e.what))
	}
	if w.armed {
		w.after(n, e)
	}
}

// drain makes the effects happen that had to wait, up to the next sync.
func (n *node) drain() {
	for len(n.pending) > 0 && !n.stopped() && !n.cut {
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
		return 1 + l.delay.extra(scatter(h))
	})
}

// queueOwn puts own work on its way.
func (w *World) queueOwn(n *node, m Message) {
	at := w.add(Entry{Kind: EntryQueued, Node: n.id, Peer: n.id, Cause: n.cause, Body: m})
	e := event{body: m, what: evOwn, from: n.id, to: n.id, node: n.id, inc: n.inc, cause: at,
		fifo: -1, stream: -1, idle: n.idle}
	l := w.linkFor(n.id, n.id)
	if l == &w.perfect && w.unasked() {
		w.schedule(w.now, &e)
		return
	}
	a := w.about(n.id, n.id, m)
	e.h, e.ord = a.h, a.n
	w.schedule(w.later(w.delayOf(&a, l.delay)), &e)
}
