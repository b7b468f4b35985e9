package cli

import (
	"fmt"
	"strings"

	"github.com/downset/downset/sim"
)

// looker looks at the state of a run at any of its entries, by playing its plan up to there.
type looker struct {
	plan  *sim.Plan
	world sim.World
	err   error
}

// at is what can be observed once a run has so many entries.
func (l *looker) at(entries int) []sim.Observation {
	if entries <= 0 || l.err != nil || l.plan.Protocol.Observe == nil {
		return nil
	}
	run, err := l.world.Execute(l.plan, sim.Options{Until: entries})
	if err != nil {
		l.err = err
		return nil
	}
	return run.Observe()
}

// changes are what one state has that another had not: "P side tx5 after", "no Q data x".
func changes(was, now []sim.Observation) []string {
	var all []string
	for _, o := range now {
		if old, had := lookup(was, o); !had || old.Value != o.Value {
			all = append(all, seen(o))
		}
	}
	for _, o := range was {
		if _, has := lookup(now, o); !has {
			all = append(all, oneLine("no "+o.Node+" "+o.Name))
		}
	}
	return all
}

// lookup is the observation in a state that is of the same thing as o.
func lookup(state []sim.Observation, o sim.Observation) (sim.Observation, bool) {
	for _, s := range state {
		if s.Node == o.Node && s.Name == o.Name {
			return s, true
		}
	}
	return sim.Observation{}, false
}

// seen is an observation as a claim has it.
func seen(o sim.Observation) string {
	return oneLine(o.Node + " " + o.Name + " " + o.Value)
}

// table is a state, a line a node: "P  side tx5 after; data x 1".
func table(state []sim.Observation) []string {
	var nodes []string
	of := map[string][]string{}
	for _, o := range state {
		if len(of[o.Node]) == 0 {
			nodes = append(nodes, o.Node)
		}
		node := o.Node
		o.Node = ""
		of[node] = append(of[node], seen(o))
	}
	var rows []string
	for _, n := range nodes {
		rows = append(rows, strings.TrimSpace(fmt.Sprintf("%-3s %s", n, strings.Join(of[n], "; "))))
	}
	return rows
}

// step is the first entry of the event that entry i belongs to: what its node took up before it.
func step(run *sim.Run, i int) int {
	for k := i; k >= 0; k-- {
		e := run.Trace[k]
		if e.Node == run.Trace[i].Node && begins(e.Kind) {
			return k
		}
	}
	return i
}

// begins says that an entry is what a machine takes up, as opposed to what it does about it.
func begins(k sim.EntryKind) bool {
	switch k {
	case sim.EntryStarted, sim.EntryArrived, sim.EntryDelivered, sim.EntryWorked, sim.EntryFired,
		sim.EntryLogged, sim.EntryTold, sim.EntryOpened, sim.EntryBroken, sim.EntryHeard:
		return true
	}
	return false
}
