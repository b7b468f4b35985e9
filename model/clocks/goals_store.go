package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// storeGoals are the situations without which clean runs of the store would say little.
func storeGoals() []sim.Goal {
	return []sim.Goal{
		{Name: "siblings", Doc: "a replica held two versions of a key, of which neither writer " +
			"had seen the other", Count: func(run *sim.Run) int { return widest(run, 2) }},
		{Name: "three-siblings", Doc: "a replica held three such versions",
			Count: func(run *sim.Run) int { return widest(run, 3) }},
		{Name: "resolved", Doc: "a put replaced two versions at once", Count: resolved},
		{Name: "skewed", Doc: "a put was stamped with an earlier wall time than a version that " +
			"its writer had seen", Count: skewed},
		{Name: "asked-twice", Doc: "a replica was asked twice for one put, and made one version",
			Count: askedTwice},
		{Name: "kept-over-restart", Doc: "a replica held versions after a restart",
			Count: recovered},
		{Name: "long-chain", Doc: "a version descends from five others", Count: longChain},
	}
}

// widest counts the stages with so many siblings at least.
func widest(run *sim.Run, least int) int {
	n := 0
	for _, s := range ledgerOf(run).stages {
		if len(s.ids) >= least {
			n++
		}
	}
	return n
}

func resolved(run *sim.Run) int {
	n, l := 0, ledgerOf(run)
	for _, a := range facts[accepted](run) {
		if len(a.Seen) > 1 && slices.ContainsFunc(a.Seen[1:], func(id sim.CallID) bool {
			return l.relation(a.Seen[0], id) == Concurrent
		}) {
			n++
		}
	}
	return n
}

func skewed(run *sim.Run) int {
	n := 0
	clock := make([]sim.Time, len(run.Nodes))
	made := map[sim.CallID]sim.Time{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case stamped:
			clock[e.Node] = b.Stamp.Physical
		case accepted:
			made[b.ID] = clock[e.Node]
			if slices.ContainsFunc(b.Seen, func(id sim.CallID) bool {
				return made[id] > made[b.ID]
			}) {
				n++
			}
		}
	}
	return n
}

func askedTwice(run *sim.Run) int {
	n, asked, l := 0, map[sim.CallID]int{}, ledgerOf(run)
	for _, q := range parts[question](run) {
		k, known := l.at[q.call()]
		if asked[q.call()]++; known && l.versions[k].times == 1 && asked[q.call()] == 2 {
			n++
		}
	}
	return n
}

func recovered(run *sim.Run) int {
	n := 0
	for _, s := range ledgerOf(run).stages {
		if s.restart && len(s.ids) > 0 {
			n++
		}
	}
	return n
}

func longChain(run *sim.Run) int {
	n := 0
	for _, m := range ledgerOf(run).versions {
		of := 0
		for _, w := range m.past {
			for ; w != 0; w &= w - 1 {
				of++
			}
		}
		if of >= 5 {
			n++
		}
	}
	return n
}
