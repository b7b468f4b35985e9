package sim

import (
	"slices"
	"time"
)

// timer is a timer that is set.
type timer struct {
	body  Timer
	due   Time // on the world's clock, if it is not late
	every time.Duration
	gen   int64 // of its event: another one is not its own
	cause int32
	nth   int           // of those alike, when a story is told
	span  time.Duration // with which it was set
	sum   uint64        // in a walk: digest of what set it
	slot  int32         // of its event, -1 if none is pending
	late  time.Duration
	marks uint64
	idle  bool
}

// setTimer sets or replaces a timer.
func (w *World) setTimer(n *node, e *effect) {
	t := timer{body: e.body, cause: n.cause, slot: -1, idle: n.idle}
	if e.what == effEvery {
		t.every, t.idle = time.Duration(e.n), true
	}
	if w.walk != nil {
		t.sum = w.walk.causeSum(n.cause)
	}
	w.wind(n, &t, time.Duration(e.n))
	i := n.timer(e.body)
	if i < 0 {
		i = len(n.timers)
		n.timers = append(n.timers, t)
	} else {
		w.unqueue(n, &n.timers[i])
		w.unsure = w.unsure || n.timers[i].every > 0
		n.timers[i] = t
	}
	if w.flow {
		w.runTimer(n, &n.timers[i])
	}
}

// wind decides when a timer is due, d from now on its node's clock. Each time counts anew.
func (w *World) wind(n *node, t *timer, d time.Duration) {
	n.gen++
	t.gen, t.span = n.gen, d
	if t.every > 0 {
		w.period = max(w.period, n.clock.world(d))
	}
	if w.walk != nil && w.walk.nth != nil {
		t.nth = w.walk.number(w, t.event(n))
	}
	a := w.about(ClockEnd, n.id, t.body)
	t.late = w.tardy(&a, n.id)
	t.due = n.clock.due(w.now, d)
	if len(w.counted) > 0 {
		probe := event{body: t.body, from: ClockEnd, to: n.id, what: evTimer}
		w.count(&probe)
		t.marks = probe.marks
	}
}

// tardy is how late a timer of a node is.
func (w *World) tardy(a *about, id NodeID) time.Duration {
	d := w.pace(ClockEnd, id, w.plan.Network.Late)
	if d.High <= d.Low && w.exceptions.size == 0 {
		return d.Low
	}
	return time.Duration(Time(d.Low).Add(time.Duration(w.decide(Tardy, a, d.extra))))
}

// runTimer schedules a timer that is set.
func (w *World) runTimer(n *node, t *timer) {
	t.slot = w.schedule(max(w.now, t.due.Add(t.late)), t.event(n))
}

// event is a timer coming due.
func (t *timer) event(n *node) *event {
	return &event{body: t.body, what: evTimer, from: ClockEnd, to: n.id, node: n.id, inc: n.inc,
		cause: t.cause, n: t.gen, fifo: -1, stream: -1, idle: t.idle, marks: t.marks,
		sum: t.sum}
}

// unqueue takes back the event of a timer, wherever it waits.
func (w *World) unqueue(n *node, t *timer) {
	slot := t.slot
	if t.slot = -1; slot < 0 {
		return
	}
	if i := slices.Index(n.inbox, slot); i >= 0 {
		n.inbox = slices.Delete(n.inbox, i, i+1)
		w.discard(slot)
		return
	}
	w.remove(slot, 0)
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
		n.w.unqueue(n, &n.timers[i])
		n.unset(i)
	}
}

// unset takes a timer off, keeping the order of the others.
func (n *node) unset(i int) {
	n.w.unsure = n.w.unsure || n.timers[i].every > 0
	copy(n.timers[i:], n.timers[i+1:])
	n.timers[len(n.timers)-1] = timer{}
	n.timers = n.timers[:len(n.timers)-1]
}

// dropTimers takes off all timers of a node that goes down.
func (w *World) dropTimers(n *node) {
	for i := range n.timers {
		w.unqueue(n, &n.timers[i])
	}
	clear(n.timers)
	n.timers = n.timers[:0]
	w.unsure = true
}

// longest is the longest period of the timers that are set.
func (w *World) longest() time.Duration {
	if w.unsure {
		w.unsure, w.period = false, 0
		for i := range w.nodes {
			n := &w.nodes[i]
			for j := range n.timers {
				w.period = max(w.period, n.clock.world(n.timers[j].every))
			}
		}
	}
	return w.period
}

// due is the index of the timer that an event fires, -1 if that one is no longer set.
func (n *node) due(e *event) int {
	if i := n.timer(e.body); i >= 0 && n.timers[i].gen == e.n {
		return i
	}
	return -1
}

// fire is a timer coming due, if it is still the one that was set.
func (w *World) fire(n *node, e *event) {
	i := n.due(e)
	if i < 0 {
		return
	}
	t := &n.timers[i]
	if t.slot = -1; t.every > 0 {
		w.wind(n, t, t.every)
		if w.flow {
			w.runTimer(n, t)
		}
	} else {
		n.unset(i)
	}
	at := w.add(Entry{Kind: EntryFired, Node: n.id, Peer: Nobody, Cause: e.cause, Body: e.body})
	if w.armed && w.met(n, e, false) && (!n.up || n.inc != e.inc) {
		return
	}
	n.begin(at, e.idle)
	n.machine.Timeout(&n.env, e.body)
	n.end()
}

// earliest is the timer that is due first, of those the one set first; nil if none is set.
func (n *node) earliest() *timer {
	var first *timer
	for i := range n.timers {
		if t := &n.timers[i]; first == nil || t.due < first.due {
			first = t
		}
	}
	return first
}

// fireNow makes a timer the next event; the clock moves to its due time if that is later.
func (w *World) fireNow(n *node, t *timer) {
	w.now = max(w.now, t.due)
	e := t.event(n)
	e.passed = true
	w.soon(e)
}

// startTimers lets the timers that are set run with the clock.
func (w *World) startTimers() {
	w.flow = true
	for i := range w.nodes {
		n := &w.nodes[i]
		for j := range n.timers {
			w.runTimer(n, &n.timers[j])
		}
	}
}

// stopTimers parks the timers again.
func (w *World) stopTimers() {
	w.flow = false
	for i := range w.nodes {
		n := &w.nodes[i]
		for j := range n.timers {
			w.unqueue(n, &n.timers[j])
		}
	}
}

// skew changes the rate of a node's clock. Timers that are set have still to wait as long as they
// had on that clock.
func (w *World) skew(n *node, ppm int64) error {
	was := n.clock
	if err := n.clock.skew(w.now, ppm); err != nil {
		return err
	}
	for i := range n.timers {
		t := &n.timers[i]
		if t.every > 0 {
			w.period = max(w.period, n.clock.world(t.every))
		}
		left := was.at(t.due).Sub(was.at(w.now))
		if left <= 0 {
			continue
		}
		t.due = n.clock.due(w.now, left)
		if t.slot >= 0 {
			w.unqueue(n, t)
			w.runTimer(n, t)
		}
	}
	return nil
}
