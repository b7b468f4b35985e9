package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// course is what a run says of its streams, read from outside the nodes.
type course struct {
	run     *sim.Run
	logged  []logged
	readers []reader
	trims   []dropping
	arrived map[sim.CallID]int // by call: where a node took up the request
	acked   []acknowledged
}

// logged is an event that a leader has said it has.
type logged struct {
	appended
	entry  int
	leader sim.NodeID
}

// reader is a consumer of a partition.
type reader struct {
	node  sim.NodeID
	part  string
	entry int // where it said that it is one
	from  int64
	given []handed
	skips []skipped
}

// handed is an event that an application was given.
type handed struct {
	event streamEvent
	entry int
}

// dropping is a trim.
type dropping struct {
	trimmed
	entry int
}

// acknowledged is an event that its client was told of.
type acknowledged struct {
	numbered
	id    sim.CallID
	entry int
}

// courseKey is under what the checks of one judging share the course.
type courseKey struct{}

func courseOf(run *sim.Run) *course {
	if c, ok := run.Memo[courseKey{}].(*course); ok && c.run == run {
		return c
	}
	c := &course{run: run, arrived: map[sim.CallID]int{}}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryArrived:
			if _, emits := e.Body.(emit); emits {
				c.arrived[sim.CallID(e.N)] = i
			}
		case sim.EntryReturned:
			if b, ok := e.Body.(numbered); ok {
				c.acked = append(c.acked, acknowledged{b, sim.CallID(e.N), i})
			}
		case sim.EntryNoted:
			if o, ok := e.Body.(onDisk); ok {
				c.unsaid(e.Node, o.Record, i)
			} else {
				c.noted(e.Node, e.Body, i)
			}
		}
	}
	if run.Memo != nil {
		run.Memo[courseKey{}] = c
	}
	return c
}

// unsaid takes in what was found on a disk, unless it had been said.
func (c *course) unsaid(node sim.NodeID, r sim.Record, at int) {
	known := false
	switch b := r.(type) {
	case appended:
		known = slices.ContainsFunc(c.logged, func(l logged) bool { return l.appended == b })
	case trimmed:
		known = slices.ContainsFunc(c.trims, func(d dropping) bool { return d.trimmed == b })
	case consumes:
		known = c.reader(node, b.Part).entry >= 0
	case delivered:
		known = c.reader(node, b.Part).has(b.Event.ID) >= 0
	case skipped:
		known = slices.Contains(c.reader(node, b.Part).skips, b)
	}
	if !known {
		c.noted(node, r, at)
	}
}

// noted takes in a fact.
func (c *course) noted(node sim.NodeID, f sim.Fact, at int) {
	switch b := f.(type) {
	case appended:
		c.logged = append(c.logged, logged{b, at, node})
	case trimmed:
		c.trims = append(c.trims, dropping{b, at})
	case consumes:
		r := c.reader(node, b.Part)
		r.entry, r.from = at, b.From
	case delivered:
		r := c.reader(node, b.Part)
		r.given = append(r.given, handed{b.Event, at})
	case skipped:
		r := c.reader(node, b.Part)
		r.skips = append(r.skips, b)
	}
}

// reader is the consumer of a partition on a node.
func (c *course) reader(node sim.NodeID, part string) *reader {
	for i := range c.readers {
		if r := &c.readers[i]; r.node == node && r.part == part {
			return r
		}
	}
	c.readers = append(c.readers, reader{node: node, part: part, entry: -1})
	return &c.readers[len(c.readers)-1]
}

// log is the place in logged of the event of a call, the first if there are two; -1 if it is in no
// log.
func (c *course) log(id sim.CallID) int {
	return slices.IndexFunc(c.logged, func(l logged) bool { return l.Event.ID == id })
}

// has is the entry at which the application was given the event of a call first, -1 if never.
func (r *reader) has(id sim.CallID) int {
	for _, h := range r.given {
		if h.event.ID == id {
			return h.entry
		}
	}
	return -1
}

// knows says that the application was told that an event is gone.
func (r *reader) knows(number int64) bool {
	return slices.ContainsFunc(r.skips, func(k skipped) bool {
		return k.From <= number && number <= k.To
	})
}

// gone says that an event was dropped from the log.
func (c *course) gone(l *logged) bool {
	return slices.ContainsFunc(c.trims, func(d dropping) bool {
		return d.entry > l.entry && d.Part == l.Part && d.From <= l.Event.Number &&
			l.Event.Number <= d.To
	})
}
