package clocks

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// streamGoals are the situations without which clean runs of streams would say little.
func streamGoals() []sim.Goal {
	return []sim.Goal{
		{Name: "stream-gap", Doc: "a consumer met an event whose predecessor had not come",
			Count: countFacts[gap]},
		{Name: "stream-stamps-inverted", Doc: "an event was emitted in the knowledge of another " +
			"of its partition, with an earlier stamp", Count: stampsInverted},
		{Name: "stream-behind", Doc: "a consumer was told that what it lacked was no longer kept",
			Count: countFacts[skipped]},
		{Name: "stream-trimmed", Doc: "old events were dropped", Count: droppedOld},
		{Name: "stream-leader-restarted", Doc: "a leader appended an event after a restart, to a " +
			"log that was there before", Count: ledAgain},
		{Name: "stream-consumer-restarted", Doc: "a consumer was given an event after a restart, " +
			"and others before", Count: consumedAgain},
	}
}

func droppedOld(run *sim.Run) int {
	n := 0
	for _, t := range facts[trimmed](run) {
		if t.To >= t.From {
			n++
		}
	}
	return n
}

// stampsInverted counts events with an earlier stamp than one that whoever asked for them could
// know of.
func stampsInverted(run *sim.Run) int {
	n, c := 0, courseOf(run)
	var order *checker.Order
	for i := range c.logged {
		b := &c.logged[i]
		asked := c.arrived[b.Event.ID]
		for k := range c.logged[:i] {
			a := &c.logged[k]
			if a.Part != b.Part || a.Event.At <= b.Event.At || a.entry > asked {
				continue
			}
			if order == nil {
				order = checker.NewOrder(run)
			}
			if order.Before(a.entry, asked) {
				n++
				break
			}
		}
	}
	return n
}

// lives are, by entry, in which incarnation of its node it is.
func lives(run *sim.Run) []int {
	now := make([]int, len(run.Nodes))
	all := make([]int, len(run.Trace))
	for i := range run.Trace {
		e := &run.Trace[i]
		if int(e.Node) >= len(now) {
			continue
		}
		if e.Kind == sim.EntryStarted {
			now[e.Node]++
		}
		all[i] = now[e.Node]
	}
	return all
}

func ledAgain(run *sim.Run) int {
	n, c := 0, courseOf(run)
	if len(c.logged) == 0 {
		return 0
	}
	life := lives(run)
	for i, l := range c.logged {
		if slices.ContainsFunc(c.logged[:i], func(k logged) bool {
			return k.Part == l.Part && life[k.entry] < life[l.entry]
		}) {
			n++
		}
	}
	return n
}

func consumedAgain(run *sim.Run) int {
	n, c := 0, courseOf(run)
	if len(c.readers) == 0 {
		return 0
	}
	life := lives(run)
	for k := range c.readers {
		given := c.readers[k].given
		for i := 1; i < len(given); i++ {
			if life[given[i-1].entry] < life[given[i].entry] {
				n++
			}
		}
	}
	return n
}
