package sim

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

func (w *World) upNames() []string {
	var names []string
	for i := range w.nodes {
		if w.nodes[i].up {
			names = append(names, w.names[i])
		}
	}
	return names
}
