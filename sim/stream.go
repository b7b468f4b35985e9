package sim

// stream is the state of one stream: an ordered pair of nodes and a lane.
type stream struct {
	from, to  NodeID
	lane      Lane
	fifo      int32
	epoch     int64
	toldEpoch int64 // the sender knows of
	up        bool
	upHere    bool // as the sender knows
	reopening bool
	mailbox   bool
	flying    int32 // messages in flight
	mail      int32 // of a mailbox: the slot of the message in flight
}

// streamEvent names what the ends of a stream are told.
type streamEvent struct{ what, lane, end string }

func (s streamEvent) Kind() string { return s.what }

func (s streamEvent) Keys() []string {
	if s.end == "" {
		return []string{s.lane}
	}
	return []string{s.lane, s.end}
}

// stream is the index of a stream, which is made at its first use.
func (w *World) stream(from, to NodeID, l Lane) int32 {
	key := mix(uint64(from)|uint64(to)<<16|uint64(l)<<32, k0)
	if i, ok := w.streamAt.find(key); ok {
		return i
	}
	i := int32(len(w.streams))
	w.streamAt.put(key, i)
	s := stream{from: from, to: to, lane: l, fifo: int32(len(w.fifos)), epoch: 1, toldEpoch: 1}
	if lanes := w.plan.Protocol.Lanes; int(l) < len(lanes) {
		s.mailbox = lanes[l].Mailbox
	} else {
		panic("stream on a lane that the protocol does not name")
	}
	w.fifos = append(w.fifos, fifo{})
	w.streams = append(w.streams, s)
	if w.possible(&w.streams[i]) {
		w.streams[i].up, w.streams[i].upHere = true, true
	}
	return i
}

// possible says that nothing stands in the way of a stream.
func (w *World) possible(s *stream) bool {
	a, b := &w.nodes[s.from], &w.nodes[s.to]
	return a.up && b.up && a.member && b.member && !(w.cuts.active && w.cuts.blocks(s.from, s.to))
}

// left counts a message that is no longer in flight.
func (s *stream) left(*event) { s.flying-- }

// sendStream hands a message to a stream.
func (w *World) sendStream(n *node, i int32, m Message) {
	s := &w.streams[i]
	at := w.add(Entry{Kind: EntrySent, Node: n.id, Peer: s.to, Cause: n.cause, N: s.epoch, Body: m})
	a := w.about(n.id, s.to, m)
	e := event{body: m, what: evStream, from: n.id, to: s.to, node: s.to, inc: w.nodes[s.to].inc,
		cause: at, n: s.epoch, h: a.h, ord: a.n, fifo: s.fifo, stream: i, idle: n.idle}
	s.flying++
	if !s.up || !s.upHere {
		w.lose(&e, LostBroken)
		return
	}
	if s.mailbox && s.flying > 1 {
		w.replaceMail(s)
	}
	d := w.delayOf(&a, w.linkFor(n.id, s.to).delay)
	s.mail = w.schedule(w.later(d), &e)
	if w.happens(BreakAt, &a, w.plan.Network.Break) {
		w.breakStream(i, false)
	}
}

// replaceMail loses the message that a newer one replaces, if it still waits on the way.
func (w *World) replaceMail(s *stream) {
	slot := s.mail
	if slot < 0 || w.slab[slot].what != evStream || w.slab[slot].fifo != s.fifo {
		return
	}
	if i := indexOf(w.parked, slot); i >= 0 {
		w.parked = append(w.parked[:i], w.parked[i+1:]...)
		w.loseParked(slot, LostReplaced)
		return
	}
	if i := indexOf(w.held, slot); i >= 0 {
		w.held = append(w.held[:i], w.held[i+1:]...)
		w.loseParked(slot, LostReplaced)
		return
	}
	w.takeBack(&w.slab[slot], LostReplaced)
}

// loseParked loses an event that has been taken off the list of parked ones.
func (w *World) loseParked(slot int32, why Loss) {
	e := w.slab[slot]
	if e.fifo >= 0 {
		w.fifos[e.fifo].parked--
	}
	w.discard(slot)
	w.lose(&e, why)
}

func indexOf(slots []int32, slot int32) int {
	for i, s := range slots {
		if s == slot {
			return i
		}
	}
	return -1
}

// breakStream loses a suffix of what is in flight, or with all nothing of it, and tells both ends.
func (w *World) breakStream(i int32, all bool) {
	s := &w.streams[i]
	if !s.up {
		return
	}
	s.up = false
	flying := w.inFlight(i)
	kept := len(flying)
	if !all {
		kept = w.keptOf(s, flying)
	}
	for _, slot := range flying[kept:] {
		w.loseFlying(slot)
	}
	w.tellEnd(i, evBroken, s.to, s.fifo)
	w.tellEnd(i, evBroken, s.from, -1)
	w.reopenLater(i)
}

// loseFlying loses a stream's message wherever it is.
func (w *World) loseFlying(slot int32) {
	if i := indexOf(w.parked, slot); i >= 0 {
		w.parked = append(w.parked[:i], w.parked[i+1:]...)
		w.loseParked(slot, LostBroken)
		return
	}
	if i := indexOf(w.held, slot); i >= 0 {
		w.held = append(w.held[:i], w.held[i+1:]...)
		w.loseParked(slot, LostBroken)
		return
	}
	w.takeBack(&w.slab[slot], LostBroken)
}

// inFlight are the slots of a stream's messages, in their order.
func (w *World) inFlight(i int32) []int32 {
	if w.streams[i].flying == 0 {
		return nil
	}
	var slots []int32
	take := func(slot int32) {
		if e := &w.slab[slot]; e.what == evStream && e.stream == i {
			slots = append(slots, slot)
		}
	}
	for _, list := range [][]int32{w.parked, w.held, w.urgent[w.head:]} {
		for _, slot := range list {
			take(slot)
		}
	}
	var items []item
	for _, it := range w.queue.items {
		if e := &w.slab[it.slot]; e.what == evStream && e.stream == i {
			items = append(items, it)
		}
	}
	sortItems(items)
	for _, it := range items {
		slots = append(slots, it.slot)
	}
	return slots
}

// sortItems sorts by (time, sequence), a total order. Lists are short.
func sortItems(items []item) {
	for i := 1; i < len(items); i++ {
		for j := i; j > 0 && items[j].before(&items[j-1]); j-- {
			items[j], items[j-1] = items[j-1], items[j]
		}
	}
}

// keptOf is how many of the messages in flight a break still lets arrive.
func (w *World) keptOf(s *stream, flying []int32) int {
	if len(flying) == 0 || w.calm {
		return 0
	}
	kept := 0
	for i, slot := range flying {
		e := &w.slab[slot]
		if _, told := w.exception(LoseAfter, &about{h: e.h, n: e.ord}); told {
			kept = i + 1
		}
	}
	if kept == 0 && w.plan.Seed != 0 && w.plan.Timed {
		a := w.about(s.from, s.to, streamEvent{"break", w.laneName(s.lane), ""})
		kept = int(below(w.word(LoseAfter, &a), uint64(len(flying)+1)))
	}
	if kept > 0 && w.opt.Record {
		e := &w.slab[flying[kept-1]]
		w.record(LoseAfter, &about{e.h, e.body, e.ord, e.from, e.to}, 1)
	}
	return kept
}

func (w *World) laneName(l Lane) string { return w.plan.Protocol.Lanes[l].Name }

// tellEnd puts on its way what an end of a stream is told. A node that is down is told nothing.
func (w *World) tellEnd(i int32, what eventKind, node NodeID, fifo int32) {
	s := &w.streams[i]
	n := &w.nodes[node]
	if !n.up {
		if node == s.from {
			s.upHere = false
		}
		return
	}
	word := "broken"
	if what == evOpened {
		word = "opened"
	}
	body := streamEvent{word, w.laneName(s.lane), w.names[node]}
	a := w.about(s.from, s.to, body)
	w.schedule(w.later(w.delayOf(&a, w.plan.Network.Told)), &event{body: body,
		what: what, from: s.from, to: s.to, node: node, inc: n.inc, cause: -1, n: s.epoch,
		fifo: fifo, stream: i, h: a.h, ord: a.n})
}

// tellStream tells a machine what became of a stream.
func (w *World) tellStream(n *node, e *event) {
	s := &w.streams[e.stream]
	kind, what := EntryBroken, Broken
	if e.what == evOpened {
		kind, what = EntryOpened, Opened
	}
	peer := s.to
	if n.id == s.from {
		s.upHere, s.toldEpoch = e.what == evOpened, e.n
	} else {
		peer = s.from
	}
	if n.id == s.from {
		peer = s.to
	}
	n.begin(w.add(Entry{Kind: kind, Node: n.id, Peer: peer, Cause: e.cause, N: e.n}), false)
	n.machine.Notice(&n.env, Notice{What: what, Peer: peer, From: s.from, Lane: s.lane, Pos: e.n})
	n.end()
}

// reopenLater lets a stream come up again after its delay, if nothing stands in its way.
func (w *World) reopenLater(i int32) {
	s := &w.streams[i]
	if s.up || s.reopening || !w.possible(s) {
		return
	}
	s.reopening = true
	body := streamEvent{"reopen", w.laneName(s.lane), ""}
	a := w.about(s.from, s.to, body)
	at := w.later(w.delayOf(&a, w.plan.Network.Reopen))
	w.schedule(max(at, w.fifos[s.fifo].last), &event{what: evReopen, from: s.from, to: s.to,
		node: Nobody, cause: -1, fifo: -1, stream: i, h: a.h, ord: a.n})
}

// reopen is a stream coming up again, in a new epoch.
func (w *World) reopen(e *event) {
	s := &w.streams[e.stream]
	s.reopening = false
	if s.up || !w.possible(s) {
		return
	}
	s.up = true
	s.epoch++
	w.tellEnd(e.stream, evOpened, s.to, s.fifo)
	w.tellEnd(e.stream, evOpened, s.from, -1)
}

// breakStreamsOf breaks every stream that ends at a node.
func (w *World) breakStreamsOf(n *node) {
	for i := range w.streams {
		s := &w.streams[i]
		if s.from == n.id || s.to == n.id {
			w.breakStream(int32(i), false)
		}
		if s.from == n.id {
			s.upHere = false
		}
	}
}

// reopenStreams lets every stream come up again that can.
func (w *World) reopenStreams() {
	for i := range w.streams {
		w.reopenLater(int32(i))
	}
}
