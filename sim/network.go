package sim

// linkRule is a compiled Link.
type linkRule struct {
	from, to  ends
	delay     Dist
	loss      PPM
	duplicate PPM
}

func (w *World) resetLinks() error {
	w.links = w.links[:0]
	for _, l := range w.plan.Network.Links {
		from, err := w.compileEnds([]string{l.From})
		if err != nil {
			return err
		}
		to, err := w.compileEnds([]string{l.To})
		if err != nil {
			return err
		}
		w.links = append(w.links, linkRule{from, to, l.Delay, l.Loss, l.Duplicate})
	}
	return nil
}

// linkFor is the last rule that speaks of a link.
func (w *World) linkFor(from, to NodeID) *linkRule {
	for i := len(w.links) - 1; i >= 0; i-- {
		l := &w.links[i]
		if from == to && (l.from.any || l.to.any) {
			continue // own work is named, or perfect
		}
		if l.from.has(from) && l.to.has(to) {
			return l
		}
	}
	return &w.perfect
}

func (w *World) resetNetwork() {
	w.cuts.heal()
	w.holds = w.holds[:0]
	w.counted = w.counted[:0]
	w.fifos = w.fifos[:0]
	for range w.nodes {
		w.fifos = append(w.fifos, fifo{}, fifo{}, fifo{})
	}
	clear(w.streams)
	w.streams = w.streams[:0]
	w.streamAt.reset()
	clear(w.log)
	w.log = w.log[:0]
	if w.plan.Network.Manual {
		any := ends{any: true}
		w.holds = append(w.holds, hold{pattern: pattern{from: any, to: any}, step: -1})
	}
}

// The FIFO channels of a node: to its disk, from its disk, from the log lane.
func (w *World) diskFifo(n *node) int32 { return int32(n.id) * 3 }
func (w *World) logFifo(n *node) int32  { return int32(n.id)*3 + 2 }

// cuts are the ordered pairs of nodes between which nothing passes.
type cuts struct {
	active bool
	nodes  int
	bits   []uint64
}

func (c *cuts) cut(from, to NodeID, nodes int) {
	if !c.active {
		c.active, c.nodes = true, nodes
		c.bits = append(c.bits[:0], make([]uint64, (nodes*nodes+63)/64)...)
	}
	i := int(from)*c.nodes + int(to)
	c.bits[i/64] |= 1 << (i % 64)
}

func (c *cuts) blocks(from, to NodeID) bool {
	if from >= ClientEnd || to >= ClientEnd {
		return false
	}
	i := int(from)*c.nodes + int(to)
	return c.bits[i/64]&(1<<(i%64)) != 0
}

func (c *cuts) heal() { c.active = false }

// partition cuts the links between groups, and settles what is in flight on them.
func (w *World) partition(groups [][]NodeID, oneWay bool, cause int32) {
	for i, from := range groups {
		for j, to := range groups {
			if i == j || oneWay && i != 0 {
				continue
			}
			w.part(from, to, cause)
		}
	}
	if w.plan.Network.InFlight == Lose {
		w.loseInFlight()
	}
}

func (w *World) part(from, to []NodeID, cause int32) {
	for _, a := range from {
		for _, b := range to {
			w.cuts.cut(a, b, len(w.nodes))
			w.add(Entry{Kind: EntryParted, Node: a, Peer: b, Cause: cause})
		}
	}
}

func (w *World) loseInFlight() {
	for _, it := range w.queue.items {
		e := &w.slab[it.slot]
		if e.what == evDatagram && w.cuts.blocks(e.from, e.to) {
			w.takeBack(e, LostParted)
		}
	}
}

// takeBack makes a pending event nothing; the queue drops it when its time comes.
func (w *World) takeBack(e *event, why Loss) {
	gone := *e
	if !e.idle {
		w.busy--
	}
	*e = event{what: evNone, idle: true, fifo: -1, stream: -1}
	w.lose(&gone, why)
}

// heal makes all links whole and lets go what waited for it.
func (w *World) heal(cause int32) bool {
	if !w.cuts.active {
		return false
	}
	w.cuts.heal()
	w.add(Entry{Kind: EntryHealed, Node: Nobody, Peer: Nobody, Cause: cause})
	freed := w.held
	w.held = nil
	for _, slot := range freed {
		e := &w.slab[slot]
		if e.fifo >= 0 {
			w.fifos[e.fifo].parked--
		}
		w.urge(slot)
	}
	w.held = freed[:0]
	w.reopenStreams()
	return true
}

// urge makes a parked event one of the next of this instant.
func (w *World) urge(slot int32) {
	if !w.slab[slot].idle {
		w.busy++
	}
	w.urgent = append(w.urgent, slot)
}

// screen parks an event that a hold or a partition does not let pass, or that stands behind such a
// one on a FIFO channel. It says whether it did.
func (w *World) screen(slot int32, e *event) bool {
	if w.cuts.active && w.cuts.blocks(e.from, e.to) &&
		(e.what == evStream || e.what == evDatagram && w.plan.Network.InFlight == Park) {
		if e.fifo >= 0 {
			w.fifos[e.fifo].parked++
		}
		w.held = append(w.held, slot)
		return true
	}
	if e.passed {
		return false
	}
	behind := e.fifo >= 0 && w.fifos[e.fifo].parked > 0
	if !behind && (!holdable(e.what) || !w.holding(e)) {
		return false
	}
	if e.fifo >= 0 {
		w.fifos[e.fifo].parked++
	}
	w.parked = append(w.parked, slot)
	return true
}

// holdable says that an event of this kind travels on a link that patterns can name.
func holdable(what eventKind) bool {
	switch what {
	case evDatagram, evStream, evOwn, evRequest, evAnswer, evTimer, evSync, evTold, evSequence, evLogged:
		return true
	}
	return false
}
