package commit

import (
	"fmt"
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// properties are the five of atomic commitment, AC1 to AC5 of Bernstein, Hadzilacos and Goodman
// (Concurrency Control and Recovery in Database Systems, 1987, section 7.3). They read facts, and
// what clients are told; of logs they know nothing. First what is wrong with one decision, then
// what others decide, last what never comes.
//
// They are of ScopeState, and the last of ScopeEnd. They speak of a run as a whole, and not of the
// order of what different nodes do: a vote counts that comes after the commit it was needed for.
// And a coordinator that crashes before it has decided leaves its client without an answer, which
// tells of the crash.
func properties() []sim.Property {
	return []sim.Property{
		{Name: "stable", Class: sim.Silent, Scope: sim.ScopeState, Check: each((*courses).stable),
			Doc: "what a node has decided of a transaction it never decides otherwise (AC2)"},
		{Name: "all-yes", Class: sim.Silent, Scope: sim.ScopeState, Check: each((*courses).allYes),
			Doc: "a transaction commits only if every participant votes yes (AC3)"},
		{Name: "agreement", Class: sim.Silent, Scope: sim.ScopeState, Layer: 1,
			Check: each((*courses).agreement),
			Doc:   "all decide alike of a transaction, and as its client is told (AC1)"},
		{Name: "reason", Class: sim.Stopped, Scope: sim.ScopeState, Layer: 2,
			Check: each((*courses).reason),
			Doc: "a transaction aborts only if a participant votes no, or the coordinator misses " +
				"a vote in time, or crashes (AC4)"},
		{Name: "termination", Class: sim.Stopped, Scope: sim.ScopeEnd, Layer: 3,
			Check: each((*courses).termination),
			Doc: "in the end nobody is in doubt, no client waits, and no coordinator remembers, " +
				"if those are up that it takes (AC5)"},
	}
}

// check is what a sim.Property has for its Check.
type check = func(*sim.Run) (premises int, v *sim.Violation)

// each looks at all transactions of a run. The first violation counts.
func each(look func(*courses, *course) (int, *sim.Violation)) check {
	return func(run *sim.Run) (premises int, v *sim.Violation) {
		c := read(run)
		for i := range c.all {
			n, wrong := look(c, &c.all[i])
			premises += n
			if v == nil {
				v = wrong
			}
		}
		return premises, v
	}
}

// stable compares each decision of a node with its first, also those that it finds after a restart.
func (c *courses) stable(x *course) (premises int, v *sim.Violation) {
	for k, i := range x.said {
		for _, first := range x.said[:k] {
			if !c.noted(i) || !c.noted(first) || c.entry(first).Node != c.entry(i).Node {
				continue
			}
			premises++
			if v == nil {
				v = c.differ(first, i)
			}
			break
		}
	}
	return premises, v
}

// agreement compares each decision, and what the client is told, with the first.
func (c *courses) agreement(x *course) (premises int, v *sim.Violation) {
	for k, i := range x.said {
		if k == 0 {
			continue
		}
		premises++
		if v == nil {
			v = c.differ(x.said[0], i)
		}
	}
	return premises, v
}

// differ is the violation that two decisions are, if they are not the same.
func (c *courses) differ(a, b int) *sim.Violation {
	if c.commits(a) == c.commits(b) {
		return nil
	}
	both := []int{a, b}
	return &sim.Violation{Reason: c.text(a) + ", but " + c.text(b), Witness: both, Clash: both,
		Chain: checker.Chain(c.run, a, b)}
}

// allYes looks for the votes of all participants if anybody commits.
func (c *courses) allYes(x *course) (premises int, v *sim.Violation) {
	at := slices.IndexFunc(x.said, c.commits)
	if at < 0 {
		return 0, nil
	}
	for _, id := range x.of {
		if !slices.Contains(x.yes, id) {
			return 1, &sim.Violation{Witness: []int{x.began, x.said[at]},
				Reason: c.text(x.said[at]) + ", but " + c.run.Name(id) + " never votes yes"}
		}
	}
	return 1, nil
}

// reason looks for a reason if anybody aborts.
func (c *courses) reason(x *course) (premises int, v *sim.Violation) {
	at := slices.IndexFunc(x.said, func(i int) bool { return !c.commits(i) })
	if at < 0 {
		return 0, nil
	}
	if x.refused || x.overdue || x.crashed {
		return 1, nil
	}
	return 1, &sim.Violation{Reason: c.text(x.said[at]) + " for no reason",
		Witness: []int{x.began, x.said[at]}}
}

// termination looks for what never comes.
func (c *courses) termination(x *course) (premises int, v *sim.Violation) {
	why := c.unfinished(x)
	if why == "" {
		return 1 + len(x.yes), nil
	}
	return 1 + len(x.yes), &sim.Violation{Reason: why + " " + x.tx.Name, Witness: []int{x.began}}
}

// unfinished says what never comes of a transaction, "" if nothing.
func (c *courses) unfinished(x *course) string {
	lead := c.run.Name(x.lead)
	if !x.answered && !x.crashed {
		return lead + " never answers the client of"
	}
	if !c.up[x.lead] {
		return ""
	}
	for _, id := range x.doubt {
		if c.up[id] {
			return c.run.Name(id) + " is in doubt for ever of"
		}
	}
	down := func(id sim.NodeID) bool { return !c.up[id] }
	if x.commits && !x.ended && !slices.ContainsFunc(x.of, down) {
		return lead + " never forgets"
	}
	return ""
}

func (c *courses) entry(i int) *sim.Entry { return &c.run.Trace[i] }

// noted says that an entry is a node's decision, not what a client is told.
func (c *courses) noted(i int) bool { return c.entry(i).Kind == sim.EntryNoted }

// commits says that the decision at an entry is to commit.
func (c *courses) commits(i int) bool { return c.entry(i).Body.(decision).Commit }

// text says who decides what.
func (c *courses) text(i int) string {
	e := c.entry(i)
	if c.noted(i) {
		return fmt.Sprintf("%s decides %s", c.run.Name(e.Node), sim.Text(e.Body))
	}
	return fmt.Sprintf("the client of %s is told %s", c.run.Name(e.Node), sim.Text(e.Body))
}
