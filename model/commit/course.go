package commit

import (
	"slices"

	"github.com/downset/downset/sim"
)

// course is what a trace says of a transaction, up to some entry of it.
type course struct {
	tx       tx
	began    int          // the entry
	lead     sim.NodeID   // its coordinator
	of       []sim.NodeID // its participants
	yes      []sim.NodeID // those of them who are prepared, or were
	doubt    []sim.NodeID // those who are and have not decided
	said     []int        // the entries at which it is decided, or its client is told
	refused  bool         // by one of the participants
	overdue  bool         // votes did not come in time
	crashed  bool         // its coordinator, since it began
	answered bool         // its client
	commits  bool         // so its coordinator has decided
	ended    bool         // and so has all else
}

// courses are the transactions of a trace, in the order in which they began, and which nodes are
// up.
type courses struct {
	run *sim.Run
	all []course
	up  []bool
}

// memo is under what the checks of one judging share the courses.
type memo struct{}

// read reads a whole trace.
func read(run *sim.Run) *courses {
	if c, ok := run.Memo[memo{}].(*courses); ok && c.run == run {
		return c
	}
	c := follow(run, func(int, *courses) {})
	if run.Memo != nil {
		run.Memo[memo{}] = c
	}
	return c
}

// follow reads a trace, and shows how things stand before each entry.
func follow(run *sim.Run, look func(i int, c *courses)) *courses {
	c := &courses{run: run, up: make([]bool, len(run.Nodes))}
	for i := range run.Trace {
		look(i, c)
		c.see(i, &run.Trace[i])
	}
	return c
}

// of is the course of a transaction, nil if it has not begun.
func (c *courses) of(t tx) *course { return c.call(int64(t.Call)) }

func (c *courses) call(n int64) *course {
	for i := range c.all {
		if int64(c.all[i].tx.Call) == n {
			return &c.all[i]
		}
	}
	return nil
}

// see takes in an entry.
func (c *courses) see(i int, e *sim.Entry) {
	switch e.Kind {
	case sim.EntryStarted:
		c.up[e.Node] = true
	case sim.EntryCrashed, sim.EntryLeft:
		c.fall(e.Node)
	case sim.EntrySent, sim.EntryReturned, sim.EntryLate:
		if x := c.call(e.N); e.Peer == sim.ClientEnd && x != nil {
			x.answered = true // the answer may be on its way
		}
		if d, ok := e.Body.(decision); ok && e.Kind == sim.EntryReturned {
			c.decide(i, e, d)
		}
	case sim.EntryAppended:
		if r, ok := e.Body.(record); ok && r.Is == ended {
			c.record(e.Node, r)
		}
	case sim.EntryNoted:
		c.hear(i, e)
	}
}

// fall takes a node down.
func (c *courses) fall(node sim.NodeID) {
	c.up[node] = false
	for i := range c.all {
		c.all[i].crashed = c.all[i].crashed || c.all[i].lead == node
	}
}

// hear takes in a fact.
func (c *courses) hear(i int, e *sim.Entry) {
	switch f := e.Body.(type) {
	case gaveUp:
		if x := c.of(f.tx); x != nil {
			x.overdue = true
		}
	case record:
		if f.Is == voting {
			c.all = append(c.all, course{tx: f.tx, began: i, lead: e.Node, of: f.Of})
		}
		c.record(e.Node, f)
	case decision:
		c.decide(i, e, f)
	}
}

// record takes in what a record says of a vote, or that a transaction has ended.
func (c *courses) record(node sim.NodeID, r record) {
	x := c.of(r.tx)
	if x == nil {
		return
	}
	switch r.Is {
	case refused:
		x.refused = true
	case ended:
		x.ended = true
	case prepared:
		x.yes, x.doubt = with(x.yes, node), with(x.doubt, node)
	}
}

// decide takes in a decision.
func (c *courses) decide(i int, e *sim.Entry, d decision) {
	x := c.of(d.tx)
	if x == nil {
		return
	}
	x.said = append(x.said, i)
	x.doubt = slices.DeleteFunc(x.doubt, func(id sim.NodeID) bool { return id == e.Node })
	x.commits = x.commits || d.Commit && e.Node == x.lead
}
