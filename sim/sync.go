package sim

// sync submits a sync; with wait the node does nothing until it is told.
func (w *World) sync(n *node, lsn LSN, wait bool) {
	k := &n.disk
	from := max(k.asked, k.durable)
	k.asked = max(k.asked, lsn)
	body := n.lastRecord(lsn)
	cause := n.cause
	if !wait {
		cause = w.add(Entry{Kind: EntryFlushed, Node: n.id, Peer: Nobody, Cause: n.cause,
			N: int64(lsn)})
	}
	now := wait && !w.plan.Network.DiskSlow
	var a about
	if !now || w.plan.Network.SyncFail > 0 || !w.unasked() {
		a = w.about(n.id, DiskEnd, body)
	}
	fails := !w.calm && (k.failing || w.happens(SyncFails, &a, w.plan.Network.SyncFail))
	k.failing, k.by[DiskFailing] = false, 0
	e := event{body: body, what: evSync, from: n.id, to: DiskEnd, node: n.id, inc: n.inc,
		cause: cause,
		n:     int64(lsn), low: int64(from), h: a.h, ord: a.n, fifo: w.diskFifo(n), stream: -1,
		idle: n.idle, sync: wait, failed: fails}
	if now {
		w.syncNow(n, &e)
		return
	}
	n.waiting = n.waiting || wait
	k.submitted = append(k.submitted, k.swaps)
	took := w.delayOf(&a, w.pace(n.id, DiskEnd, w.plan.Network.SyncTime))
	w.schedule(w.later(took), &e)
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
	n.disk.sync(LSN(e.n), n.disk.swaps)
	w.add(Entry{Kind: EntrySynced, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	w.syncedTrip(e)
}

// syncDone is the moment at which records become durable, or do not.
func (w *World) syncDone(e *event) {
	n := &w.nodes[e.node]
	if !n.up || n.inc != e.inc {
		return
	}
	n.own()
	k := &n.disk
	swaps := k.submitted[0]
	k.submitted = append(k.submitted[:0], k.submitted[1:]...)
	kind := EntrySynced
	if e.failed = e.failed && !w.calm; e.failed {
		kind = EntrySyncFailed
		k.lose(LSN(e.low), LSN(e.n))
	} else {
		k.sync(LSN(e.n), swaps)
	}
	told := *e
	told.cause = w.add(Entry{Kind: kind, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	told.what, told.from, told.to, told.fifo = evTold, DiskEnd, n.id, w.diskFifo(n)+1
	a := w.about(DiskEnd, n.id, e.body)
	told.h, told.ord, told.marks, told.passed, told.sum = a.h, a.n, 0, false, 0
	w.schedule(w.later(w.delayOf(&a, w.pace(DiskEnd, n.id, w.plan.Network.Told))), &told)
	if e.failed {
		return
	}
	if w.syncedTrip(e); !e.sync {
		durable := told
		durable.what, durable.fifo = evDurable, -1
		w.hand(&durable)
	}
}

// loseDisk empties a disk. The syncs under way fail.
func (w *World) loseDisk(n *node) {
	n.own()
	under := w.flying(func(e *event) bool {
		return e.what == evSync && e.node == n.id &&
			e.inc == n.inc
	})
	submitted := n.disk.submitted
	n.disk.reset()
	n.disk.submitted = submitted
	for _, slot := range under {
		e := &w.slab[slot]
		e.failed, e.low = true, e.n
	}
}

// syncTold is the moment at which the writer learns of it.
func (w *World) syncTold(e *event) {
	n := &w.nodes[e.node]
	if !e.sync {
		w.hand(e)
		return
	}
	if !n.up || n.inc != e.inc {
		return
	}
	n.own()
	if n.paused {
		n.woken = w.shelve(e)
		return
	}
	w.add(Entry{Kind: EntryTold, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	n.waiting = false
	n.cut = n.cut || e.failed
	w.goOn(n)
}

// goOn lets a node go on with the effects that it had to put off.
func (w *World) goOn(n *node) {
	n.own()
	w.cur = n
	n.drain()
	n.end()
	w.unpack(n)
}

// tellDisk tells a machine what became of a flush.
func (w *World) tellDisk(n *node, e *event) {
	what, cause := Durable, e.cause
	if e.what == evTold {
		what = Synced
		if e.failed {
			what = SyncFailed
		}
		cause = w.add(Entry{Kind: EntryTold, Node: n.id, Peer: Nobody, Cause: e.cause, N: e.n})
	}
	w.notice(n, cause, e.idle, Notice{What: what, LSN: LSN(e.n)})
}

// notice hands a notice to a machine.
func (w *World) notice(n *node, cause int32, idle bool, what Notice) {
	n.begin(cause, idle)
	n.machine.Notice(&n.env, what)
	n.end()
}
