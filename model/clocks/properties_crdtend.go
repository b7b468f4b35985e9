package clocks

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// counts is what clients know of one counter: that it is from low to high.
type counts struct{ low, high int64 }

// count adds what is known of an edit: that it is in, or that it may be.
func (c *counts) count(m mutate, surely bool) {
	n := m.signed()
	if surely || n < 0 {
		c.low += n
	}
	if surely || n > 0 {
		c.high += n
	}
}

// bounds compares counters of a type with what their clients know: each read with what was begun,
// and in the end what replicas have with what clients were told of.
func bounds(run *sim.Run, t objectType) (premises int, v *sim.Violation) {
	h, err := checker.ReadHistory(run)
	if err != nil {
		return 0, nil
	}
	for i := range h {
		l, ok := h[i].Result.(looked)
		if !ok || l.Type != t {
			continue
		}
		premises++
		if c := begun(h, l, h[i].Return); !c.within(l.Text) {
			v = witnessed(v, fmt.Sprintf("a client read %v %s as %s, but what was begun comes to "+
				"%v", t, l.Key, l.Text, c), h[i].Call, h[i].Return)
		}
	}
	if !run.Settled() {
		return premises, v
	}
	rifts := riftsOf(run)
	for _, s := range bookOf(run).last() {
		if s.Type != t {
			continue
		}
		premises++
		if c := ended(h, s.object, !rifts.any(s.node)); !c.within(s.Text) {
			v = witnessed(v, fmt.Sprintf("in the end %s has %v %s as %s, but what clients know "+
				"comes to %v", run.Name(s.node), t, s.Key, s.Text, c), s.entry)
		}
	}
	return premises, v
}

// within says that text is a number from low to high.
func (c counts) within(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && c.low <= n && n <= c.high
}

func (c counts) String() string {
	if c.low == c.high {
		return fmt.Sprint(c.low)
	}
	return fmt.Sprintf("from %d to %d", c.low, c.high)
}

// begun is what a counter may be at an entry, when nothing is known of any edit but whether it was
// begun before.
func begun(h checker.History, l looked, at int) counts {
	var c counts
	for i := range h {
		m, ok := h[i].Op.(mutate)
		if ok && m.on(l.Type, l.Key) && h[i].Call < at && h[i].Fate != checker.Refused {
			c.count(m, false)
		}
	}
	return c
}

// ended is what a counter may be in the end on a replica; all says that it can hear all others, and
// so has what any client was told of.
func ended(h checker.History, o object, all bool) counts {
	var c counts
	for i := range h {
		m, ok := h[i].Op.(mutate)
		if ok && m.on(o.Type, o.Key) && h[i].Fate != checker.Refused {
			c.count(m, all && h[i].Fate == checker.Returned)
		}
	}
	return c
}

// on says that it edits an object.
func (m mutate) on(t objectType, key string) bool { return m.Type == t && m.Key == key }

// counterGrows compares reads of one g-counter at one replica that do not overlap.
func counterGrows(run *sim.Run) (premises int, v *sim.Violation) {
	h, err := checker.ReadHistory(run)
	if err != nil {
		return 0, nil
	}
	for i := range h {
		now, at, ok := readOf(run, &h[i])
		if !ok {
			continue
		}
		for k := range h[:i] {
			was, there, ok := readOf(run, &h[k])
			if !ok || there != at || h[k].Return > h[i].Call {
				continue
			}
			premises++
			if now < was {
				v = witnessed(v, fmt.Sprintf("%s was read as %d and then as %d", at.key, was, now),
					h[k].Return, h[i].Return)
			}
		}
	}
	return premises, v
}

// readOf is what a read of a g-counter returned, and which replica it read.
func readOf(run *sim.Run, o *checker.Operation) (n int64, at replicaKey, ok bool) {
	l, read := o.Result.(looked)
	if !read || l.Type != gCounter || o.Fate != checker.Returned {
		return 0, replicaKey{}, false
	}
	at = replicaKey{o.Node, l.Key}
	if to := o.Op.(inspect).At; to != "" {
		at.node = sim.NodeID(slices.Index(run.Nodes, to))
	}
	n, err := strconv.ParseInt(l.Text, 10, 64)
	return n, at, err == nil
}

// crdtConverges compares what any two replicas have in the end that can hear each other.
func crdtConverges(run *sim.Run) (premises int, v *sim.Violation) {
	if !run.Settled() {
		return 0, nil
	}
	rifts, list, heard := riftsOf(run), bookOf(run).last(), map[replicaKey]bool{}
	for i := range list {
		s := &list[i]
		heard[s.replica()] = true
		for k := range list[:i] {
			f := &list[k]
			if f.name() != s.name() || rifts.between(f.node, s.node) {
				continue
			}
			premises++
			if f.Text != s.Text || !slices.Equal(f.Calls, s.Calls) {
				v = witnessed(v, fmt.Sprintf("in the end %s has %s as %s with calls %v, and %s "+
					"as %s with %v", run.Name(f.node), s.name(), f.Text, f.Calls,
					run.Name(s.node), s.Text, s.Calls), f.entry, s.entry)
			}
		}
	}
	for i := range list {
		s := &list[i]
		if rifts.lacks(s.node, func(n sim.NodeID) bool { return heard[replicaKey{n, s.name()}] }) {
			v = witnessed(v, fmt.Sprintf("in the end %s has %s as %s, which not every replica "+
				"has heard of", run.Name(s.node), s.name(), s.Text), s.entry)
		}
	}
	return premises, v
}
