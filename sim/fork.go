package sim

import (
	"fmt"
	"slices"
	"time"
)

// Fork lets a run go on by another chance: up to its moment the run is the plan's own, from there
// on its seed, its network and its exceptions decide. What the plan tells chance counts no more,
// holds are lifted, and of the lines that are left those that hold, release or deliver do nothing;
// requests and faults of script and load still come, unless it is to end there.
//
// A run in still time goes on in timed time: timers run, and the lines of its script that are left
// come Pace apart.
type Fork struct {
	// At is the moment: the first at which the trace has so many entries and no handler runs. In
	// the epilogue there is none.
	At      int
	Seed    uint64 // of chance from there on; 0 is none: everything boring
	Network Network
	Chance  []Exception // what chance is told from there on, each a valid one of the plan
	Pace    Dist        // between two lines of a script that was still
	// End ends script and load there: no line of them is left, and requests that have not arrived
	// are refused.
	End bool
	// Keep lets what is in flight come when it would have come, and whom chance has doomed crash.
	// Else delays are drawn anew, counted from the fork: so it is to a delivery that a fate is
	// owed, not to the sending.
	Keep bool
}

// boundary is a moment between two events: the run may be looked at, and may fork. It says whether
// it did.
func (w *World) boundary() bool {
	if k := len(w.steps); w.opt.Steps && (k == 0 || w.steps[k-1] < w.entries) {
		w.steps = append(w.steps, w.entries)
	}
	f := w.opt.Fork
	if f == nil || w.forked || w.calm || w.entries < f.At {
		return false
	}
	w.fork(f)
	return true
}

// fork puts another chance in the place of the plan's.
func (w *World) fork(f *Fork) {
	w.forked, w.paced = true, !w.plan.Timed
	if err := w.turn(f); err != nil {
		panic("sim: a fork that had been checked: " + err.Error())
	}
	w.reseed()
	w.armed = w.script.triggers || w.exceptions.size > 0 || f.Network.Crash > 0
	w.skip(func(v Verb) bool { return f.End || v.steers() })
	if f.End {
		w.refuse()
	}
	w.holds = w.holds[:0]
	w.reflow()
	if !f.Keep {
		w.spare()
		w.redraw()
	}
	if !w.flow {
		w.startTimers()
	}
}

// turn makes a fork's plan the world's. The error is about the fork.
func (w *World) turn(f *Fork) error {
	w.ahead = *w.plan
	w.ahead.Seed, w.ahead.Network, w.ahead.Chance, w.ahead.Timed = f.Seed, f.Network, f.Chance, true
	w.plan = &w.ahead
	if err := w.intern(); err != nil {
		return err
	}
	return w.resetLinks()
}

// checkFork refuses a fork that no run could take, before the run begins.
func (w *World) checkFork(f *Fork) error {
	if f == nil {
		return nil
	}
	plan := w.plan
	defer func() { w.plan = plan }()
	if err := w.turn(f); err != nil {
		return fmt.Errorf("fork: %w", err)
	}
	return f.Pace.check("pace of a fork")
}

// steers says that a verb decides the order of events, as chance would.
func (v Verb) steers() bool {
	switch v {
	case Hold, Release, Deliver, DeliverAll, DeliverUpto:
		return true
	}
	return false
}

// skip takes some verbs from what is left of script and load.
func (w *World) skip(is func(Verb) bool) {
	s := &w.script
	for _, steps := range [][]step{s.steps, s.load} {
		for i := range steps {
			st := &steps[i]
			if !is(st.act.Verb) {
				continue
			}
			st.skip = true
			if st.trigger >= 0 {
				s.armed[st.trigger].armed = false
			}
		}
	}
	s.deferred = slices.DeleteFunc(s.deferred, func(d deferredAct) bool { return d.step.skip })
}

// refuse lets no request arrive that has not.
func (w *World) refuse() {
	for i := range w.clients {
		w.clients[i].queue = w.clients[i].queue[:0]
	}
	for _, slot := range w.flying(func(e *event) bool { return e.what == evRequest }) {
		w.remove(slot, LostDown)
	}
}

// spare takes back the crashes that chance has in store, and counts those to come anew.
func (w *World) spare() {
	w.crashes = 0
	for i := range w.nodes {
		w.nodes[i].doomed = -1
	}
}

// redraw gives every event that is on its way a delay of its own, from now on. FIFO channels keep
// their order.
func (w *World) redraw() {
	slots := w.flying(func(*event) bool { return true })[len(w.parked):]
	due := make([]Time, len(slots))
	for i := range due {
		due[i] = w.now
	}
	for _, it := range w.queue.items {
		due[slices.Index(slots, it.slot)] = it.at
	}
	w.urgent, w.head, w.queue.items = w.urgent[:0], 0, w.queue.items[:0]
	for i := range w.fifos {
		w.fifos[i].last = w.now
	}
	for i, slot := range slots {
		w.requeue(slot, due[i])
	}
}

// requeue puts a pending event back into the queue.
func (w *World) requeue(slot int32, due Time) {
	e := &w.slab[slot]
	if e.what == evNone {
		w.discard(slot)
		return
	}
	at := max(due, w.now)
	if d, travels := w.way(e); travels {
		at, e.passed = w.later(w.delayOf(&about{e.h, e.body, e.ord, e.from, e.to}, d)), false
	}
	if e.fifo >= 0 {
		at = max(at, w.fifos[e.fifo].last)
		w.fifos[e.fifo].last = at
	}
	w.seq++
	w.queue.push(item{at, w.seq, slot})
}

// way is how long an event is on its way, if it is on one.
func (w *World) way(e *event) (Dist, bool) {
	switch e.what {
	case evDatagram, evStream, evOwn, evRequest, evAnswer, evSequence, evLogged:
		return w.linkFor(e.from, e.to).delay, true
	case evSync:
		return w.pace(e.node, DiskEnd, w.plan.Network.SyncTime), true
	case evTold:
		return w.pace(DiskEnd, e.node, w.plan.Network.Told), true
	}
	return Dist{}, false
}

// between is the moment before a line of the script: a fork, and where the script was still, the
// pace of what is left of it.
func (w *World) between(i int) error {
	w.boundary()
	if !w.forked || !w.paced || w.script.steps[i].act.When != nil || w.script.steps[i].skip {
		return nil
	}
	d := w.opt.Fork.Pace
	a := about{h: hashString(w.seed, "line"), n: int32(i)}
	return w.advance(w.later(d.Low + time.Duration(d.extra(w.word(Delay, &a)))))
}
