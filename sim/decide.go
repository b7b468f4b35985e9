package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Decisions. What chance may choose has a name made of what it is about; its value is the plan's
// exception for that name, else a hash of (seed, name), else the boring default.

// about is what a decision is about: link, kind and keys, as a hash h and as they are; n counts the
// times they came up together.
type about struct {
	h      uint64
	body   Body
	n      int32
	at, to NodeID
}

// named says that names are needed at all: without seed, exceptions, record or patterns that count,
// nothing asks for them.
func (w *World) about(at, to NodeID, body Body) about {
	if !w.named {
		return about{}
	}
	w.keys = AppendKeys(w.keys[:0], body)
	h := hashKeys(hashString(w.link(at, to), body.Kind()), w.keys)
	return about{h, body, w.counts.next(h), at, to}
}

// unasked says that no exception and no other future of this run can ask for the name of what
// chance has no part in.
func (w *World) unasked() bool { return w.exceptions.size == 0 && w.opt.Fork == nil }

// link is the hash of an ordered pair of ends.
func (w *World) link(at, to NodeID) uint64 { return mix(w.endHash(at), w.endHash(to)*k0) }

func (w *World) endHash(id NodeID) uint64 {
	if int(id) < len(w.nodes) {
		return w.nodes[id].hash
	}
	return uint64(id) * k3
}

// decide is the value of one decision: drawn is what chance would choose, given a random word.
func (w *World) decide(what Choice, a *about, drawn func(uint64) int64) int64 {
	if !w.named || w.calm {
		return 0
	}
	v, told := w.exception(what, a)
	if !told && w.plan.Seed != 0 && drawn != nil {
		v = drawn(w.word(what, a))
	}
	if v != 0 {
		w.record(what, a, v)
	}
	return v
}

// record keeps a decision that was not boring, so that the run can be pinned.
func (w *World) record(what Choice, a *about, v int64) {
	if w.opt.Record {
		keys := strings.Join(KeysOf(a.body), " ")
		name := Name{what, w.end(a.at), w.end(a.to), a.body.Kind(), keys, a.n}
		w.chosen = append(w.chosen, Exception{Name: name, Value: v})
	}
}

// word is the random word of a decision.
func (w *World) word(what Choice, a *about) uint64 {
	return mix(mix(w.seed^a.h, uint64(a.n)*k2^uint64(what)*k1), k3)
}

// reseed spreads the seed over all bits: seeds are small numbers, and one multiplication would
// leave the words of seeds that differ in one bit alike.
func (w *World) reseed() { w.seed = scatter(w.plan.Seed) }

// extra is what d adds to its boring value, given a random word.
func (d Dist) extra(h uint64) int64 {
	span := int64(d.High - d.Low)
	if span <= 0 {
		return 0
	}
	switch d.Shape {
	case Constant:
		return 0
	case Uniform:
		return int64(below(h, uint64(span)+1))
	case Ranked:
		return int64(below(h, uint64(span)+1))
	case Heavy:
		// The square of the square of a uniform value in 16 bits: half of all draws lie below a
		// sixteenth of the span, one in a hundred above 96 % of it.
		u := int64(h >> 48)
		u = u * u >> 16
		u = u * u >> 16
		return mulDiv(span, u, 65535)
	}
	panic("sim: shape of a distribution")
}

// delayOf is how long an event on a link takes.
func (w *World) delayOf(a *about, d Dist) time.Duration {
	if !w.named || w.calm {
		return d.Low
	}
	if d.Shape == Constant && w.exceptions.size == 0 {
		return d.Low
	}
	if d.Shape == Ranked {
		rank := w.rank(a, d)
		return d.Low + time.Duration(w.decide(Delay, a,
			func(uint64) int64 { return d.extra(rank) }))
	}
	return d.Low + time.Duration(w.decide(Delay, a, d.extra))
}

// rank is the random word of a link at this time: it changes at a few moments of the link's own.
func (w *World) rank(a *about, d Dist) uint64 {
	link := mix(w.seed, w.link(a.at, a.to))
	span := uint64(d.High-d.Low) + 1
	return mix(link, (uint64(w.now)+below(link, 16*span))/(16*span))
}

// happens is a yes-or-no decision.
func (w *World) happens(what Choice, a *about, p PPM) bool {
	if p == 0 && w.exceptions.size == 0 {
		return false
	}
	return w.decide(what, a, func(h uint64) int64 {
		if chance(h, p) {
			return 1
		}
		return 0
	}) != 0
}

// drawFor is Env.Draw.
func (w *World) drawFor(n *node, label string, bound int64) int64 {
	if w.walk != nil {
		w.walk.draws = true
	}
	if !w.named || n.cut {
		return 0
	}
	a := w.about(n.id, Nobody, labelled(label))
	v := w.decide(Drawn, &a, func(h uint64) int64 { return int64(below(h, uint64(bound))) })
	if v >= bound {
		w.tooMuch(&a, bound)
	}
	return min(v, bound-1)
}

// tooMuch notes that a draw was told a value that it cannot have.
func (w *World) tooMuch(a *about, bound int64) {
	i, _ := w.exceptions.find(mix(a.h^uint64(Drawn), uint64(a.n)))
	w.script.steady = append(w.script.steady, Stale{w.plan.Chance[i].Line, "",
		fmt.Sprintf("the draw is from 0 to %d", bound-1)})
}

// labelled is a body that has only a name: the label of a draw, the effect before a crash.
type labelled string

func (l labelled) Kind() string { return string(l) }

// exception looks up what the plan says about a decision, and marks it used.
func (w *World) exception(what Choice, a *about) (int64, bool) {
	if w.exceptions.size == 0 {
		return 0, false
	}
	i, ok := w.exceptions.find(mix(a.h^uint64(what), uint64(a.n)))
	if !ok {
		return 0, false
	}
	w.used[i] = true
	return w.plan.Chance[i].Value, true
}

// intern prepares the plan's exceptions: names become numbers once, before the run.
func (w *World) intern() error {
	w.exceptions.reset()
	w.used = slices.Grow(w.used[:0], len(w.plan.Chance))[:len(w.plan.Chance)]
	clear(w.used)
	for i := range w.plan.Chance {
		e := &w.plan.Chance[i]
		if e.Value < 0 {
			return lineError(e.Line, fmt.Errorf("an exception's value is at least 0, got %d",
				e.Value))
		}
		if e.Name.What == Copy {
			if err := betweenNodes([]string{e.Name.At}, []string{e.Name.To}); err != nil {
				return lineError(e.Line, err)
			}
		}
		at, err := w.endID(e.Name.At)
		if err != nil {
			return lineError(e.Line, err)
		}
		to := Nobody
		if e.Name.What == CrashAt {
			h := crashHash(w.link(at, Nobody), e.Name.To, e.Name.Of, []string{e.Name.Keys})
			w.exceptions.put(mix(h^uint64(CrashAt), uint64(max(e.Name.N, 1))), int32(i))
			continue
		}
		if e.Name.To != "" {
			if to, err = w.endID(e.Name.To); err != nil {
				return lineError(e.Line, err)
			}
		}
		h := hashKeys(hashString(w.link(at, to), e.Name.Of), []string{e.Name.Keys})
		w.exceptions.put(mix(h^uint64(e.Name.What), uint64(max(e.Name.N, 1))), int32(i))
	}
	return nil
}

// counter counts how often each hash came up: an open-addressing table that is cleared, not
// rebuilt, between runs. With find and put it is also the index of exceptions.
type counter struct {
	keys []uint64
	vals []int32
	size int
}

func (c *counter) reset() {
	if c.size > 0 {
		clear(c.keys)
		c.size = 0
	}
}

func (c *counter) slot(h uint64) int {
	if len(c.keys) == 0 {
		c.keys, c.vals = make([]uint64, 64), make([]int32, 64)
	}
	h |= 1 // zero marks a free place
	i := int(h*k0>>32) & (len(c.keys) - 1)
	for c.keys[i] != 0 && c.keys[i] != h {
		i = (i + 1) & (len(c.keys) - 1)
	}
	if c.keys[i] == 0 {
		if c.size*2 >= len(c.keys) {
			c.grow()
			return c.slot(h)
		}
		c.keys[i], c.vals[i] = h, 0
		c.size++
	}
	return i
}

func (c *counter) grow() {
	keys, vals := c.keys, c.vals
	c.keys, c.vals, c.size = make([]uint64, 2*len(keys)), make([]int32, 2*len(keys)), 0
	for i, h := range keys {
		if h != 0 {
			c.vals[c.slot(h)] = vals[i]
		}
	}
}

// next counts h once more and gives the new count, from 1.
func (c *counter) next(h uint64) int32 {
	i := c.slot(h)
	c.vals[i]++
	return c.vals[i]
}

func (c *counter) put(h uint64, v int32) {
	i := c.slot(h) // the table may grow, so not before
	c.vals[i] = v
}

func (c *counter) find(h uint64) (int32, bool) {
	if c.size == 0 {
		return 0, false
	}
	h |= 1
	i := int(h*k0>>32) & (len(c.keys) - 1)
	for c.keys[i] != 0 {
		if c.keys[i] == h {
			return c.vals[i], true
		}
		i = (i + 1) & (len(c.keys) - 1)
	}
	return 0, false
}
