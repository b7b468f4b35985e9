package sim

// stream is the state of one stream: an ordered pair of nodes and a lane. What is on its way to the
// receiver goes through fifo, what the sender is told through the one after it.
type stream struct {
	from, to  NodeID
	lane      Lane
	fifo      int32
	epoch     int64
	toldEpoch int64 // the sender knows of
	used      bool  // it exists; before, nobody is told of it
	up        bool
	upHere    bool // as the sender knows
	reopening bool
	mailbox   bool
	flying    int32 // messages in flight
	mail      int32 // of a mailbox: the slot of the message in flight, -1 if none can be replaced
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

// key is what tells a stream from others.
func (s *stream) key() uint64 {
	return mix(uint64(s.from)|uint64(s.to)<<16|uint64(s.lane)<<32, k0)
}

// touch is the index of a stream that a machine speaks of. It exists once the handler has used it
// or has come to its end.
func (n *node) touch(to NodeID, l Lane) int32 {
	w := n.w
	if int(l) >= len(w.plan.Protocol.Lanes) {
		panic("stream on a lane that the protocol does not name")
	}
	fresh := stream{from: n.id, to: to, lane: l, mail: -1, fifo: int32(len(w.fifos)),
		mailbox: w.plan.Protocol.Lanes[l].Mailbox}
	i, known := w.streamAt.find(fresh.key())
	if !known {
		i = int32(len(w.streams))
		w.streamAt.put(fresh.key(), i)
		w.streams = append(w.streams, fresh)
		w.fifos = append(w.fifos, fifo{}, fifo{})
	}
	if s := &w.streams[i]; !s.used {
		w.refresh(s)
		n.touched = append(n.touched, i)
	}
	return i
}

// refresh is how a stream is before its first use: up, unless one of its ends is down. What a
// partition stops waits for the heal, from the first message on.
func (w *World) refresh(s *stream) {
	a, b := &w.nodes[s.from], &w.nodes[s.to]
	s.up = a.up && b.up && a.member && b.member
	s.upHere, s.epoch, s.toldEpoch = s.up, 0, 0
	if s.up {
		s.epoch, s.toldEpoch = 1, 1
	}
}

// use makes a stream exist.
func (w *World) use(i int32) *stream {
	s := &w.streams[i]
	if !s.used {
		w.refresh(s)
		s.used = true
	}
	return s
}

// keep makes the streams exist that a handler has touched; it has come to its end.
func (n *node) keep() {
	for _, i := range n.touched {
		n.w.use(i)
	}
	n.touched = n.touched[:0]
}

// possible says that nothing stands in the way of a stream that is to come up again.
func (w *World) possible(s *stream) bool {
	a, b := &w.nodes[s.from], &w.nodes[s.to]
	return a.up && b.up && a.member && b.member && !(w.cuts.active && w.cuts.blocks(s.from, s.to))
}

// sendStream hands a message to a stream. It goes into the epoch that the sender knows of: if that
// one is up, so is the stream as the sender knows.
func (w *World) sendStream(n *node, eff *effect) {
	i, m := int32(eff.n), eff.body
	s := w.use(i)
	at := w.add(Entry{Kind: EntrySent, Node: n.id, Peer: s.to, Cause: n.cause, N: s.toldEpoch,
		Body: m})
	a := w.about(n.id, s.to, m)
	e := event{body: m, what: evStream, from: n.id, to: s.to, node: s.to, inc: w.nodes[s.to].inc,
		cause: at, n: s.epoch, h: a.h, ord: a.n, fifo: s.fifo, stream: i, idle: n.idle,
		lane: s.lane}
	s.flying++
	if !s.up || s.toldEpoch != s.epoch {
		w.lose(&e, LostBroken)
		return
	}
	if s.mailbox && s.mail >= 0 {
		w.replaceMail(s)
	}
	d := w.delayOf(&a, w.linkFor(n.id, s.to).delay)
	s.mail = w.schedule(w.later(d), &e)
	if w.happens(BreakAt, &a, w.plan.Network.Break) {
		w.breakStream(i, false)
	}
}

// replaceMail loses the message that a newer one replaces, if it is still on its way.
func (w *World) replaceMail(s *stream) {
	slot := s.mail
	if e := &w.slab[slot]; e.what == evStream && e.fifo == s.fifo && e.n == s.epoch {
		w.remove(slot, LostReplaced)
	}
}

// closeStream breaks a stream behind what is in flight.
func (w *World) closeStream(i int32) {
	w.use(i)
	w.breakStream(i, true)
}

// breakStream loses a suffix of what is in flight, or with all nothing of it, and tells both ends.
func (w *World) breakStream(i int32, all bool) {
	s := &w.streams[i]
	if !s.up || !s.used {
		return
	}
	s.up = false
	flying := w.inFlight(i)
	kept := len(flying)
	switch {
	case !w.nodes[s.to].up:
		kept = 0
	case !all:
		kept = w.keptOf(flying)
	}
	for _, slot := range flying[kept:] {
		w.remove(slot, LostBroken)
	}
	w.fifos[s.fifo].last = w.lastOn(s.fifo)
	w.tellEnds(i, evBroken)
	w.reopenLater(i)
}

// lastOn is when the last pending event of a FIFO channel is due, or now.
func (w *World) lastOn(fifo int32) Time {
	last := w.now
	for _, it := range w.queue.items {
		if w.slab[it.slot].fifo == fifo {
			last = max(last, it.at)
		}
	}
	return last
}

// inFlight are the slots of the messages of a stream's epoch, in their order.
func (w *World) inFlight(i int32) []int32 {
	s := &w.streams[i]
	if s.flying == 0 {
		return nil
	}
	return w.flying(func(e *event) bool {
		return e.what == evStream && e.stream == i &&
			e.n == s.epoch
	})
}

// keptOf is how many of the messages in flight a break still lets arrive. Each of them has a word
// for being the last, the first also one for being lost; the highest wins, so that other messages
// in flight change nothing between two that stay.
func (w *World) keptOf(flying []int32) int {
	if len(flying) == 0 || w.calm {
		return 0
	}
	kept, highest := 0, uint64(0)
	drawn := w.plan.Seed != 0 && w.plan.Timed
	for i, slot := range flying {
		e := &w.slab[slot]
		a := about{h: e.h, n: e.ord}
		if v, told := w.exception(LoseAfter, &a); told {
			if v != 0 {
				kept, drawn = i+1, false
			}
			continue
		}
		if !drawn {
			continue
		}
		h := w.word(LoseAfter, &a)
		if i == 0 {
			highest = scatter(h)
		}
		if h > highest {
			kept, highest = i+1, h
		}
	}
	if kept > 0 {
		e := &w.slab[flying[kept-1]]
		w.record(LoseAfter, &about{e.h, e.body, e.ord, e.from, e.to}, 1)
	}
	return kept
}

func (w *World) laneName(l Lane) string { return w.plan.Protocol.Lanes[l].Name }

// tellEnds puts on its way what both ends of a stream are told: to the receiver behind what is in
// flight, to the sender behind what it was told before.
func (w *World) tellEnds(i int32, what eventKind) {
	s := &w.streams[i]
	from, to := s.from, s.to
	w.tellEnd(i, what, to)
	if from != to {
		w.tellEnd(i, what, from)
	}
}

// tellEnd tells one end, under its own name. A node that is down is told nothing.
func (w *World) tellEnd(i int32, what eventKind, id NodeID) {
	s := &w.streams[i]
	n := &w.nodes[id]
	if !n.up {
		return
	}
	word, fifo := "broken", s.fifo
	if what == evOpened {
		word = "opened"
	}
	if id != s.to {
		fifo++
	}
	body := streamEvent{word, w.laneName(s.lane), w.names[id]}
	a := w.about(s.from, s.to, body)
	w.schedule(w.later(w.delayOf(&a, w.plan.Network.Told)), &event{body: body,
		what: what, from: s.from, to: s.to, node: id, inc: n.inc, cause: -1, n: s.epoch,
		fifo: fifo, stream: i, h: a.h, ord: a.n, lane: s.lane})
}

// tellStream tells a machine what became of a stream.
func (w *World) tellStream(n *node, e *event) {
	s := &w.streams[e.stream]
	kind, what := EntryBroken, Broken
	if e.what == evOpened {
		kind, what = EntryOpened, Opened
	}
	peer := s.from
	if n.id == s.from {
		s.upHere, s.toldEpoch = e.what == evOpened, e.n
		peer = s.to
	}
	at := w.add(Entry{Kind: kind, Node: n.id, Peer: peer, Cause: e.cause, N: e.n})
	w.notice(n, at, e.idle, Notice{What: what, Peer: peer, From: s.from, Lane: s.lane, Pos: e.n})
}

// reopenLater lets a stream come up again after its delay, if nothing stands in its way.
func (w *World) reopenLater(i int32) {
	s := &w.streams[i]
	if s.up || s.reopening || !s.used || !w.possible(s) {
		return
	}
	s.reopening = true
	body := streamEvent{"reopen", w.laneName(s.lane), ""}
	a := w.about(s.from, s.to, body)
	at := w.later(w.delayOf(&a, w.plan.Network.Reopen))
	w.schedule(max(at, w.fifos[s.fifo].last), &event{what: evReopen, from: s.from, to: s.to,
		node: Nobody, cause: -1, fifo: -1, stream: i, h: a.h, ord: a.n, lane: s.lane})
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
	w.tellEnds(e.stream, evOpened)
}

// breakStreamsOf breaks every stream that ends at a node, which has gone down.
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
