package clocks

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// drawLoad makes a random load. Each seed is about one or two things, of which it asks much, and
// each has clocks that are off. Of requests there are as many as are wanted: what the subjects
// leave over are sessions that end and events of no consequence.
func drawLoad(d *sim.Draws) []sim.Action {
	var load []sim.Action
	about := subjects(d)
	share := *d
	share.Ops = max(1, d.Ops*9/10/len(about))
	for _, draw := range about {
		load = append(load, draw(&share)...)
	}
	load, asked := upTo(load, d.Ops)
	for k := asked; k < d.Ops; k++ {
		load = append(load, ask(d, "rest", k, [...]string{"forget", "tick"}[d.Int(2, "rest", k)]))
	}
	for k := range load {
		load[k].Offset = min(load[k].Offset, d.Span)
	}
	load = append(load, drawClocks(d)...)
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load
}

// upTo is a load with so many requests at most, the first; and how many there are.
func upTo(load []sim.Action, most int) (some []sim.Action, requests int) {
	for _, a := range load {
		if a.Verb == sim.Request {
			requests++
		}
		if a.Verb != sim.Request || requests <= most {
			some = append(some, a)
		}
	}
	return some, min(requests, most)
}

// subjects are what a seed is about.
func subjects(d *sim.Draws) []func(*sim.Draws) []sim.Action {
	switch d.Int(10, "subject") {
	case 0:
		return list(drawTalk)
	case 1, 2:
		return list(drawCRDTs)
	case 3, 4:
		return list(drawStreams)
	case 5, 6:
		return list(drawLeases)
	case 7:
		return list(drawStore, drawTalk)
	}
	return list(drawStore)
}

func list(draws ...func(*sim.Draws) []sim.Action) []func(*sim.Draws) []sim.Action { return draws }

// drawClocks puts clocks wrong: by less than a request takes, or by more than the whole load lasts,
// at once or later; and some run fast or slow, by at most 200 parts per million, as quartz does.
func drawClocks(d *sim.Draws) []sim.Action {
	var all []sim.Action
	for _, name := range d.Nodes {
		if d.Int(2, "offset?", name) == 0 {
			continue
		}
		reach := int64(time.Millisecond) << d.Int(8, "offset reach", name)
		jump := sim.Action{Verb: sim.Jump, Node: name, Amount: d.Int(2*reach, "offset",
			name) - reach,
			Place: sim.At}
		if d.Int(4, "later?", name) == 0 {
			jump.Offset = d.At("offset at", name)
		}
		all = append(all, jump)
		if d.Int(3, "drift?", name) == 0 {
			all = append(all, sim.Action{Verb: sim.Drift, Node: name, Place: sim.At,
				Amount: d.Int(401, "drift", name) - 200})
		}
	}
	return all
}

// drawCluster draws what a scenario may set up.
func drawCluster(d *sim.Draws) []any {
	var all []any
	if d.Int(3, "max-offset?") == 0 {
		all = append(all, line{Name: "max-offset",
			Span: time.Duration(5+d.Int(50, "max-offset")) * time.Millisecond})
	}
	if d.Int(4, "granularity?") == 0 {
		all = append(all, line{Name: "granularity", Span: time.Millisecond})
	}
	if d.Int(3, "limit?") == 0 {
		all = append(all, line{Name: "limit", N: 1 + int(d.Int(4, "limit"))})
	}
	if d.Int(4, "term?") > 0 && d.Span >= 10*time.Millisecond {
		term := d.Span / 6 * time.Duration(2+d.Int(3, "term"))
		all = append(all, line{Name: "term", Span: term.Truncate(time.Millisecond)})
	}
	for _, name := range d.Nodes {
		if d.Int(2, "boot?", name) == 0 {
			all = append(all, boot{name, time.Duration(1+d.Int(1000, "boot", name)) * time.Hour})
		}
	}
	return all
}

// finalReads ask, once the world has healed, for what claims about the end are about.
func finalReads(nodes []string) []sim.Action {
	if len(nodes) == 0 {
		return nil
	}
	return slices.Concat(finalStore(nodes), finalCRDTs(nodes), finalStreams(nodes))
}

// ask is a drawn request at a drawn time. The label names the decision.
func ask(d *sim.Draws, label string, k int, words ...string) sim.Action {
	return sim.Action{
		Verb:   sim.Request,
		Node:   d.Node("node of ", label, k),
		Words:  words,
		Client: 1 + int(d.Int(int64(max(d.Clients, 1)), "client of ", label, k)),
		Place:  sim.At,
		Offset: d.At("time of ", label, k),
	}
}

// name is a letter, by number.
func name(letters string, k int64) string { return fmt.Sprintf("%c", letters[k]) }
