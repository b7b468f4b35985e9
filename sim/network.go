package sim

import (
	"fmt"
	"slices"
	"strings"
)

// linkRule is a compiled Link.
type linkRule struct {
	from, to  ends
	delay     Dist
	loss      PPM
	duplicate PPM
}

// check refuses what is no distribution of durations.
func (d Dist) check(of string) error {
	switch {
	case d.Low < 0:
		return fmt.Errorf("%s: %v is below 0", of, d.Low)
	case d.Shape > Ranked:
		return fmt.Errorf("%s: no distribution has the shape %d", of, d.Shape)
	}
	return nil
}

// check refuses settings that make no sense.
func (n *Network) check() error {
	for _, d := range []struct {
		of   string
		dist Dist
	}{{"restart", n.Restart}, {"sync", n.SyncTime}, {"told", n.Told}, {"late", n.Late}, {"reopen",
		n.Reopen}} {
		if err := d.dist.check(d.of); err != nil {
			return err
		}
	}
	for _, l := range n.Links {
		if err := l.Delay.check("delay of " + l.From + "->" + l.To); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) resetLinks() error {
	w.links = w.links[:0]
	if err := w.plan.Network.check(); err != nil {
		return err
	}
	for _, l := range w.plan.Network.Links {
		from, err := w.compileEnds([]string{l.From})
		if err != nil {
			return err
		}
		to, err := w.compileEnds([]string{l.To})
		if err != nil {
			return err
		}
		if l.Duplicate > 0 {
			if err := betweenNodes([]string{l.From}, []string{l.To}); err != nil {
				return err
			}
		}
		w.links = append(w.links, linkRule{from, to, l.Delay, l.Loss, l.Duplicate})
	}
	return nil
}

// betweenNodes refuses to copy what is no datagram between nodes.
func betweenNodes(from, to []string) error {
	for _, end := range slices.Concat(from, to) {
		switch end {
		case "client", "clock", "disk", "log":
			return fmt.Errorf("only what goes between nodes is duplicated, not %s->%s",
				strings.Join(from, " "), strings.Join(to, " "))
		}
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

// pace is how long things take on a link to the disk, from it, or from the clock: as the last rule
// says that speaks of the link, else as the network's setting for them all.
func (w *World) pace(from, to NodeID, otherwise Dist) Dist {
	if l := w.linkFor(from, to); l != &w.perfect {
		return l.delay
	}
	return otherwise
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
		w.holds = append(w.holds, hold{pattern: pattern{from: any, to: any}})
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

// loseInFlight loses the datagrams that are under way on cut links.
func (w *World) loseInFlight() {
	for _, slot := range w.flying(func(e *event) bool {
		return e.what == evDatagram && w.cuts.blocks(e.from, e.to)
	}) {
		w.remove(slot, LostParted)
	}
}

// heal makes all links whole and lets go what waited for it.
func (w *World) heal(cause int32) bool {
	if !w.cuts.active {
		return false
	}
	w.cuts.heal()
	w.add(Entry{Kind: EntryHealed, Node: Nobody, Peer: Nobody, Cause: cause})
	w.reflow()
	w.reopenStreams()
	return true
}
