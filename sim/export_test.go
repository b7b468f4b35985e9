package sim

import (
	"fmt"
	"slices"
)

// Held is a machine that does nothing and holds a value.
type Held struct {
	Idle
	V any
}

// Coder copies and hashes values as a walk does its machines.
type Coder struct{ c *coder }

// NewCoder is one that has seen no type yet.
func NewCoder() Coder { return Coder{newCoder()} }

// Copy is a copy of a value that shares nothing with it.
func (c Coder) Copy(v any) any { return c.c.machine(&Held{V: v}).(*Held).V }

// Hash is the hash of a value.
func (c Coder) Hash(v any) uint64 { return c.c.state(k0, &Held{V: v}) }

// Recount hashes the state that the world is in anew, from its memory alone: of every node, also of
// those that nothing seems to have changed. It says what differs from what was noted.
func (w *World) Recount() string {
	noted := w.Sum()
	for i := range w.nodes {
		n := &w.nodes[i]
		sum := w.nodeSum(n)
		if n.still != nil && n.still.sum != sum {
			return fmt.Sprintf("node %s hashes to %x, noted is %x", w.names[i], sum, n.still.sum)
		}
		if n.still != nil && w.nodeSum(&n.still.node) != sum {
			return fmt.Sprintf("node %s is not what its state has", w.names[i])
		}
		w.walk.nodeSums[i] = sum
	}
	if got := w.fingerprint(); got != noted {
		return fmt.Sprintf("the state hashes to %x, noted is %x", got, noted)
	}
	return ""
}

// Without is the fingerprint of the world's state, blind to a part of it.
func (w *World) Without(part string) uint64 {
	k := w.walk
	was, parked, cut, sums := *k, w.parked, w.cuts.active, slices.Clone(k.nodeSums)
	defer func() { *k, w.parked, w.cuts.active, k.nodeSums = was, parked, cut, sums }()
	k.past.trails, k.done = slices.Clone(k.past.trails), slices.Clone(k.done)
	each := func(change func(*node)) {
		for i := range w.nodes {
			n := w.nodes[i]
			change(&n)
			k.nodeSums[i] = w.nodeSum(&n)
		}
	}
	each(func(*node) {})
	switch part {
	case "nothing":
	case "what is in flight":
		w.parked = nil
	case "timers":
		each(func(n *node) { n.timers = nil })
	case "what is durable":
		each(func(n *node) { n.disk.durable, n.disk.issued, n.disk.asked = 0, 0, 0 })
	case "machines":
		each(func(n *node) { n.machine = nil })
	case "records":
		each(func(n *node) { n.disk.records = make([]Record, len(n.disk.records)) })
	case "the past":
		clear(k.past.trails)
		k.past.history = 0
	case "bounds":
		k.left = left{}
	case "the script":
		clear(k.done)
	case "partitions":
		w.cuts.active = false
	default:
		panic("no part is called " + part)
	}
	return w.fingerprint()
}

// Remains is a hash of the machines and disks that a run of the world's left.
func (w *World) Remains() uint64 {
	h := uint64(k0)
	for i := range w.nodes {
		n := &w.nodes[i]
		h = w.diskSum(h, &n.disk)
		if n.machine != nil {
			h = w.walk.coder.state(h, n.machine)
		}
	}
	return h
}
