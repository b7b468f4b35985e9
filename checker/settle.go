package checker

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// Settles is the property that a run comes to rest, for protocols that promise it. Without it a run
// that does not is undecided, as far as claims about the end go.
func Settles(name string) sim.Property {
	return sim.Property{
		Name:  name,
		Doc:   "after faults have stopped, everything comes to rest",
		Class: sim.Stopped,
		Check: func(run *sim.Run) (premises int, v *sim.Violation) {
			if run.End != sim.Unsettled {
				return 1, nil
			}
			v = &sim.Violation{Reason: "the run did not come to rest: " + run.Why, Count: 1}
			if last := len(run.Trace) - 1; last >= 0 {
				v.Witness = []int{last}
			}
			return 1, v
		},
	}
}

// Converged is the property that in the end all nodes that are up show the same: every observation
// called what, or whose name begins with it and a blank, has one value. A node that shows none of
// them is no replica and is not asked; so a replica must show one that is always there. The
// premises are the values compared with others.
func Converged(name, what string) sim.Property {
	return sim.Property{
		Name:  name,
		Doc:   "in the end all nodes that are up show the same " + what,
		Class: sim.Silent,
		Scope: sim.ScopeEnd,
		Check: func(run *sim.Run) (premises int, v *sim.Violation) {
			return converged(run, shown(run, what))
		},
	}
}

// replica is what one node shows.
type replica struct {
	node   sim.NodeID
	values map[string]string // by name
	names  []string          // in the order shown
}

// shown collects what nodes that are up show of what, by node.
func shown(run *sim.Run, what string) []replica {
	up, seen := up(run), run.Observe()
	var list []replica
	for n := range run.Nodes {
		r := replica{node: sim.NodeID(n), values: map[string]string{}}
		for _, o := range seen {
			if o.Node != run.Nodes[n] || (o.Name != what && !strings.HasPrefix(o.Name, what+" ")) {
				continue
			}
			r.names = append(r.names, o.Name)
			r.values[o.Name] = o.Value
		}
		if up[n] && len(r.names) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// converged compares each replica with the first one, both ways.
func converged(run *sim.Run, list []replica) (premises int, v *sim.Violation) {
	for k := 1; k < len(list); k++ {
		first, other := list[0], list[k]
		for _, name := range first.names {
			premises++
			v = count(v, differ(run, first, other, name))
		}
		for _, name := range other.names {
			if _, both := first.values[name]; both {
				continue
			}
			premises++
			v = count(v, differ(run, first, other, name))
		}
	}
	return premises, v
}

func differ(run *sim.Run, a, b replica, name string) *sim.Violation {
	if _, ok := a.values[name]; !ok {
		a, b = b, a
	}
	mine := strings.TrimSpace(name + " " + a.values[name])
	value, ok := b.values[name]
	if ok && value == a.values[name] {
		return nil
	}
	theirs := "shows none"
	if ok {
		theirs = "shows " + strings.TrimSpace(name+" "+value)
	}
	return &sim.Violation{
		Reason: fmt.Sprintf("%s shows %s, but %s %s", run.Name(a.node), mine, run.Name(b.node),
			theirs),
		Witness: lastSteps(run, a.node, b.node),
		Count:   1,
	}
}

// lastSteps are the last steps of two nodes, in trace order.
func lastSteps(run *sim.Run, a, b sim.NodeID) []int {
	last := map[sim.NodeID]int{a: -1, b: -1}
	for i, e := range run.Trace {
		if _, asked := last[e.Node]; asked && e.Kind.Local() {
			last[e.Node] = i
		}
	}
	var steps []int
	for _, at := range []int{min(last[a], last[b]), max(last[a], last[b])} {
		if at >= 0 {
			steps = append(steps, at)
		}
	}
	return steps
}

// up says by node whether it is up at the end.
func up(run *sim.Run) []bool {
	up := make([]bool, len(run.Nodes))
	for _, e := range run.Trace {
		if int(e.Node) >= len(up) {
			continue
		}
		switch e.Kind {
		case sim.EntryStarted:
			up[e.Node] = true
		case sim.EntryCrashed, sim.EntryLeft:
			up[e.Node] = false
		}
	}
	return up
}
