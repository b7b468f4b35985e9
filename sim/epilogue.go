package sim

import "fmt"

// The epilogue heals the world and lets it settle, so that claims about the end speak of an end. No
// chance, no exceptions, no load: holds are lifted, links healed, nodes resumed and restarted but
// for those that left or stay down; then the protocol's final requests are asked.

// runEpilogue is the part of a run that no search can remove.
func (w *World) runEpilogue() error {
	if w.halts() {
		return errHalt
	}
	w.boundary()
	w.calm = true
	w.armed = false
	w.unspent()
	w.epilogue = int(w.add(Entry{Kind: EntryEpilogue, Node: Nobody, Peer: Nobody, Cause: -1}))
	w.active = w.now
	w.deadline = w.later(w.limit.Time)
	w.holds = w.holds[:0]
	if !w.heal(-1) {
		w.reflow()
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		n.cutNext, n.doomed = false, -1 // what chance and script had in store for it
		n.disk.torn, n.disk.keep = false, -1
		w.resume(n, -1)
	}
	for i := range w.nodes {
		if n := &w.nodes[i]; !n.forever {
			w.restart(n)
		}
	}
	if !w.flow {
		w.startTimers()
	}
	if w.halts() {
		return errHalt
	}
	if err := w.settle(never); err != nil {
		return err
	}
	if err := w.final(); err != nil {
		return err
	}
	return w.withinMemory()
}

// final asks what the protocol's clients ask at the end.
func (w *World) final() error {
	if w.plan.Protocol.Final == nil {
		return nil
	}
	for _, a := range w.plan.Protocol.Final(w.upNames()) {
		a.Client = 0 // those of the plan may be busy for ever
		st, err := w.prepare(&a, -1)
		if err != nil {
			panic("sim: final request: " + err.Error())
		}
		w.request(&st, -1, false)
		w.active = w.now
		if err := w.settle(never); err != nil {
			return err
		}
	}
	return nil
}

// renewal says what keeps a run from settling that has nothing left to do but its periodic timers:
// the last fact, record or answer, and the timer that it came of. It is "" if the run does not wait
// for that, or if nothing does.
func (w *World) renewal() string {
	at := len(w.trace) - 1
	for at >= 0 && !w.trace[at].Kind.renews() {
		at--
	}
	if at < 0 || !w.settling() || w.now.Sub(w.trace[at].At) >= 3*w.longest() {
		return ""
	}
	e := &w.trace[at]
	fired := w.descends(e)
	if fired == nil {
		return ""
	}
	text := w.end(e.Node) + " " + e.Kind.String()
	if e.Body != nil {
		text += " " + Text(labelledBody{e.Body})
	}
	return fmt.Sprintf("%s again after timer %s of %s: a run settles only after three of the longest "+
		"periods without a fact, append or answer", text, Text(labelledBody{fired.Body}),
		w.end(fired.Node))
}

// renews says that an entry of this kind is a reason to wait for more of them.
func (k EntryKind) renews() bool {
	return k == EntryNoted || k == EntryReturned || k == EntryAppended
}

// settling says that the run waits for an end of what goes on by itself.
func (w *World) settling() bool {
	at := len(w.script.steps) - 1
	for at >= 0 && !w.script.steps[at].reached {
		at--
	}
	return w.calm || at >= 0 && w.script.steps[at].act.Verb == Settle
}

// descends is the firing of a timer that an entry came of, nil if it came of none.
func (w *World) descends(e *Entry) *Entry {
	for e.Kind != EntryFired && e.Cause >= 0 {
		e = &w.trace[e.Cause]
	}
	if e.Kind != EntryFired {
		return nil
	}
	return e
}

func (w *World) upNames() []string {
	var names []string
	for i := range w.nodes {
		if w.nodes[i].up {
			names = append(names, w.names[i])
		}
	}
	return names
}
