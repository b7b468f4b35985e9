package search

import (
	"slices"

	"github.com/downset/downset/sim"
)

// WithCrashes is a plan with crashes more, in order of time. They are exceptions, but that after
// handlers without effects they are triggers at the head of the script. What the plan says of later
// crashes of the same node it still says of them.
func WithCrashes(p *sim.Plan, hits []Hit) *sim.Plan {
	q := *p
	q.Chance = slices.Clone(p.Chance)
	var triggers []sim.Action
	for i, h := range hits {
		line := -1 - i // none of a file, to tell whether it came to anything
		makeRoom(q.Chance, h)
		add := func(what sim.Choice, v int64) {
			n := sim.Name{What: what, At: h.Node, N: h.Crash}
			q.Chance = append(q.Chance, sim.Exception{Name: n, Value: v})
		}
		if h.When != nil {
			triggers = append(triggers, h.triggers(line)...)
		} else {
			q.Chance = append(q.Chance, sim.Exception{Name: h.Name, Value: 1, Line: line})
		}
		if h.Keeps > 0 {
			add(sim.KeepRows, h.Keeps)
		}
		if h.Torn {
			add(sim.Tear, 1)
		}
		if h.Now && h.When == nil {
			add(sim.RestartIn, 1)
		}
	}
	q.Script = slices.Concat(triggers, p.Script)
	return &q
}

// triggers crash a node when something happens, and restart it behind that.
func (h *Hit) triggers(line int) []sim.Action {
	verbs := []sim.Verb{sim.Crash, sim.Restart}
	if !h.Now {
		verbs = verbs[:1]
	}
	var all []sim.Action
	for _, v := range verbs {
		all = append(all, sim.Action{Verb: v, Node: h.Node, Line: line,
			When: &sim.Trigger{Event: *h.When}})
	}
	return all
}

// makeRoom counts on those crashes of a node that come after a new one.
func makeRoom(chance []sim.Exception, h Hit) {
	for i := range chance {
		n := &chance[i].Name
		switch n.What {
		case sim.RestartIn, sim.KeepRows, sim.Tear:
			if n.At == h.Node && max(n.N, 1) >= h.Crash {
				n.N = max(n.N, 1) + 1
			}
		}
	}
}

// missed says that a crash of WithCrashes did not fall.
func missed(run *sim.Run) bool {
	return slices.ContainsFunc(run.Stale, func(s sim.Stale) bool { return s.Line < 0 })
}
