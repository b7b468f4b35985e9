package sim

import "time"

// lastEffect names the last effect of a handler, for a crash after it.
type lastEffect struct {
	boundary string
	body     Body
	n        int32
}

// crash takes a node down: its machine, timers, inbox and pending effects, unsynced records, its
// calls, what its streams carry. Datagrams it sent are on their way.
func (w *World) crash(n *node, cause int32) {
	if !n.up {
		return
	}
	n.own()
	n.crashed++
	a := w.about(n.id, Nobody, labelled(""))
	keep := w.keepRows(n, &a)
	tear := n.disk.torn || w.happens(Tear, &a, w.plan.Network.Torn)
	lost := n.disk.crash(keep, tear)
	w.add(Entry{Kind: EntryCrashed, Node: n.id, Peer: Nobody, Cause: cause, N: lost})
	w.takeDown(n)
	if n.byChance {
		n.byChance = false
		w.restartLater(n, &a)
	}
	if w.plan.Protocol.Log && n.member {
		w.noticeAbsence(n)
	}
	if w.calm && !n.forever {
		w.restartAt(w.now, n)
	}
}

// takeDown ends an incarnation of a node: what is meant for it from now on finds nobody.
func (w *World) takeDown(n *node) {
	n.own()
	w.dropTimers(n)
	clear(n.pending)
	n.pending, n.touched = n.pending[:0], n.touched[:0]
	n.up, n.machine, n.waiting, n.paused = false, nil, false, false
	n.cut, n.cutNext, n.doomed = false, false, -1
	n.inc++
	for f := w.diskFifo(n); f <= w.logFifo(n); f++ {
		w.fifos[f].last = w.now // the next incarnation does not wait for what was under way
	}
	w.endCalls(n)
	w.purge(n)
	w.breakStreamsOf(n)
}

// keepRows is how many unsynced records a crash leaves.
func (w *World) keepRows(n *node, a *about) int64 {
	if n.disk.keep >= 0 {
		return n.disk.keep
	}
	unsynced := n.disk.unsynced()
	if unsynced <= 0 {
		return 0
	}
	drawn := func(h uint64) int64 { return int64(below(h, uint64(unsynced)+1)) }
	if !w.plan.Network.Keep {
		drawn = nil
	}
	return w.decide(KeepRows, a, drawn)
}

// purge loses what is parked or waiting for a node that went down.
func (w *World) purge(n *node) {
	if n.woken >= 0 {
		w.discard(n.woken)
		n.woken = -1
	}
	for _, slot := range n.inbox {
		e := w.slab[slot]
		w.discard(slot)
		w.lose(&e, LostDown)
	}
	n.inbox = n.inbox[:0]
	var dead []int32
	for _, slot := range w.parked {
		if w.slab[slot].node == n.id {
			dead = append(dead, slot)
		}
	}
	for _, slot := range dead {
		w.remove(slot, LostDown)
	}
}

// lose records that something sent will not arrive, and what that means for a call.
func (w *World) lose(e *event, why Loss) {
	switch e.what {
	case evOwn:
		why = LostSenderDown
	case evDatagram:
	case evStream:
		w.streams[e.stream].flying--
	case evRequest:
		w.requestLost(e, why)
		return
	case evAnswer:
		w.calls[e.n-1].answered = false
	default:
		return
	}
	w.add(Entry{Kind: EntryLost, Node: e.to, Peer: e.from, Cause: e.cause, N: int64(why),
		Body: e.body})
}

// restart brings a node up with a new machine. It says whether it could.
func (w *World) restart(n *node) bool {
	n.own()
	if n.up || n.gone || !n.member {
		return false
	}
	n.up, n.forever = true, false
	n.know(w.present())
	if w.plan.Protocol.Log {
		w.rejoin(n)
	}
	w.start(n)
	w.reopenStreams()
	return true
}

// restartLater brings a node up again after a crash by chance, if the plan says when.
func (w *World) restartLater(n *node, a *about) {
	d := w.plan.Network.Restart
	drawn := func(h uint64) int64 { return 1 + int64(d.Low) + d.extra(h) }
	if d.High == 0 && d.Low == 0 {
		drawn = nil
	}
	if v := w.decide(RestartIn, a, drawn); v > 0 {
		w.restartAt(w.now.Add(time.Duration(v-1)), n)
	}
}

func (w *World) restartAt(at Time, n *node) {
	w.schedule(at, &event{what: evRestart, from: n.id, to: n.id, node: n.id, inc: n.inc,
		cause: -1, fifo: -1, stream: -1})
}

func (w *World) restartByChance(e *event) {
	n := &w.nodes[e.node]
	if n.inc == e.inc && !n.up && !n.forever {
		w.restart(n)
	}
}

// crashesHere decides whether a node crashes by chance before an effect. One draw a handler call
// says whether, and after how many boundaries.
func (w *World) crashesHere(n *node, name string, body Body) bool {
	if w.plan.Network.Crash == 0 && w.exceptions.size == 0 && !w.opt.Boundaries && w.walk == nil {
		return false
	}
	h := hashKeys(hashString(hashString(n.hash, name), body.Kind()), KeysOf(body))
	n.last = lastEffect{name, body, w.counts.next(h)}
	if w.walk != nil {
		return w.walk.crashes(n)
	}
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
	p := &w.plan.Network
	if n.drawn || p.Crash == 0 || w.plan.Seed == 0 || p.Crashes > 0 && w.crashes >= p.Crashes {
		n.drawn = true
		return
	}
	n.drawn = true
	if h := w.word(CrashAt, a); chance(h, p.Crash) {
		n.doomed = int32(below(scatter(h), 8))
	}
}

// toldToCrash says that an exception crashes a node after its last effect.
func (w *World) toldToCrash(n *node) bool {
	if w.exceptions.size == 0 || w.calm || n.last.boundary == "" {
		return false
	}
	a := w.crashName(n, "after")
	v, told := w.exception(CrashAt, &a)
	return told && v != 0
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
	if w.opt.Record {
		w.chosen[len(w.chosen)-1].Name.To = side + " " + n.last.boundary
	}
}
