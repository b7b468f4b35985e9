package clocks

import (
	"github.com/downset/downset/sim"
)

// leaseGoals are the situations without which clean runs of leases would say little.
func leaseGoals() []sim.Goal {
	return []sim.Goal{
		{Name: "lease-passed", Doc: "a lease was given to another than the last time",
			Count: leasePassed},
		{Name: "lease-renewed", Doc: "a lease was given to its holder, who had not lost it yet",
			Count: leaseRenewed},
		{Name: "lease-denied", Doc: "a lease was refused, since somebody else held it",
			Count: func(run *sim.Run) int { return len(tenureOf(run).denied) }},
		{Name: "lease-late", Doc: "a node that had held a lease did not act, for it was over",
			Count: leaseLate},
		{Name: "lease-granter-restarted", Doc: "a granter refused its lease after a restart, for " +
			"it had given it before", Count: grantedBefore},
		{Name: "lease-clock-jumped", Doc: "the wall clock of a granter or a holder jumped by " +
			"more than a term, and somebody acted since", Count: actedJumped},
	}
}

// latencyGoals are those of measuring.
func latencyGoals() []sim.Goal {
	sort := func(kind string) func(*sim.Run) int {
		return func(run *sim.Run) int {
			return facts(run, func(f sim.Fact) bool { return f.Kind() == kind })
		}
	}
	return []sim.Goal{
		{Name: "peer-seen", Doc: "a node compared its clock with another's", Count: sort("saw")},
		{Name: "stopped-itself", Doc: "a node found itself off and stopped",
			Count: sort("stopped")},
		{Name: "shunned", Doc: "a node was told that its stamps are too far ahead",
			Count: sort("shunned")},
	}
}

func leasePassed(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	last := map[string]string{} // by granter
	for _, g := range t.given {
		if before := last[g.granter]; before != "" && before != g.holder {
			n++
		}
		last[g.granter] = g.holder
	}
	return n
}

func leaseRenewed(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	term := layoutOf(run.Plan.Setup).Term
	last := map[string]bestowal{}
	for _, g := range t.given {
		before, ok := last[g.granter]
		if ok && before.holder == g.holder &&
			run.Trace[g.at].At.Sub(run.Trace[before.at].At) < term {
			n++
		}
		last[g.granter] = g
	}
	return n
}

func leaseLate(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	for _, i := range t.idles {
		for _, h := range t.took {
			if h.node == i.node && h.granter == i.granter && h.life == i.life && h.at < i.at {
				n++
				break
			}
		}
	}
	return n
}

func grantedBefore(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	if len(t.denied) == 0 {
		return 0
	}
	life := lives(run)
	for _, d := range t.denied {
		fresh := len(t.given) > 0
		for _, g := range t.given {
			if g.granter == d.granter && g.at < d.at && life[g.at] == life[d.at] {
				fresh = false
			}
		}
		if fresh {
			n++
		}
	}
	return n
}

func actedJumped(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	term := int64(layoutOf(run.Plan.Setup).Term)
	for _, a := range t.acts {
		for i := range run.Trace[:a.at] {
			e := &run.Trace[i]
			if e.Kind == sim.EntryClock && e.At > 0 && max(e.N, -e.N) > term {
				n++
				break
			}
		}
	}
	return n
}
