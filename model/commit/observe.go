package commit

import (
	"slices"

	"github.com/downset/downset/sim"
)

// What can be seen, of each transaction that a client asked for:
//
//	outcome tx1      on a node: open at a coordinator that waits for votes, in doubt at a
//	                 participant that has voted yes; commit or abort, once it has decided
//	told tx1         what the client of its coordinator was told
//
// A node that is down shows what it had, one that has restarted what it says it found, and nothing
// if it says nothing.

func observe(run *sim.Run) []sim.Observation {
	views := make([]view, len(run.Nodes))
	for i := range run.Trace {
		if e := &run.Trace[i]; int(e.Node) < len(views) {
			views[e.Node].see(e)
		}
	}
	var seen []sim.Observation
	for i, v := range views {
		for _, s := range slices.Concat(v.outcome, v.told) {
			seen = append(seen, sim.Observation{Node: run.Nodes[i], Name: s[0], Value: s[1]})
		}
	}
	return seen
}

// view is what can be seen of one node: names and values, in the order in which they came up.
type view struct{ outcome, told [][2]string }

// see takes in an entry.
func (v *view) see(e *sim.Entry) {
	switch e.Kind {
	case sim.EntryStarted:
		v.outcome = nil
	case sim.EntryReturned:
		if d, ok := e.Body.(decision); ok {
			v.told = put(v.told, "told "+d.Name, d.Kind())
		}
	case sim.EntryNoted:
		switch f := e.Body.(type) {
		case record:
			v.outcome = put(v.outcome, "outcome "+f.Name, standing(f.Is))
		case decision:
			v.outcome = put(v.outcome, "outcome "+f.Name, f.Kind())
		}
	}
}

// standing is a status for people, of a transaction that is not decided.
func standing(is status) string {
	if is == voting {
		return "open"
	}
	return "in doubt"
}

// put gives a name a value.
func put(list [][2]string, name, value string) [][2]string {
	i := slices.IndexFunc(list, func(s [2]string) bool { return s[0] == name })
	if i < 0 {
		return append(list, [2]string{name, value})
	}
	list[i][1] = value
	return list
}
