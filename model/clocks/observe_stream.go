package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// observeStreams shows of each consumer
//
//	stream p         the events of p that its application has been given, in that order
//	missed p         how many events it was told are no longer kept, if there are any
//
// and of each leader
//
//	stream p log     what of p is in its log
func observeStreams(run *sim.Run) []sim.Observation {
	c := courseOf(run)
	var seen []sim.Observation
	for k := range c.readers {
		r := &c.readers[k]
		var words []streamEvent
		for _, h := range r.given {
			words = append(words, h.event)
		}
		seen = append(seen, sim.Observation{Node: run.Name(r.node), Name: "stream " + r.part,
			Value: orNothing(texts(words))})
		missed := int64(0)
		for _, k := range r.skips {
			missed += k.To + 1 - k.From
		}
		if missed > 0 {
			seen = append(seen, sim.Observation{Node: run.Name(r.node), Name: "missed " + r.part,
				Value: fmt.Sprint(missed)})
		}
	}
	var parts []string
	for i := range c.logged {
		l := &c.logged[i]
		if slices.Contains(parts, l.Part) {
			continue
		}
		parts = append(parts, l.Part)
		seen = append(seen, sim.Observation{Node: run.Name(l.leader),
			Name:  "stream " + l.Part + " log",
			Value: orNothing(texts(c.keeps(l.Part)))})
	}
	return seen
}

// keeps are the events in the log of a partition.
func (c *course) keeps(part string) []streamEvent {
	var log []streamEvent
	for i := range c.logged {
		if l := &c.logged[i]; l.Part == part && !c.gone(l) {
			log = append(log, l.Event)
		}
	}
	return log
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
