package clocks

import (
	"slices"

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
	return []sim.Goal{
		{Name: "peer-seen", Doc: "a node compared its clock with another's",
			Count: countFacts[saw]},
		{Name: "stopped-itself", Doc: "a node found itself off and stopped",
			Count: countFacts[stopped]},
		{Name: "shunned", Doc: "a node was told that its stamps are too far ahead",
			Count: countFacts[shunned]},
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
	last := map[string]givenLease{}
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
		if slices.ContainsFunc(t.took, func(h leaseUse) bool { return h.beside(i) && h.at < i.at }) {
			n++
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
		if len(t.given) > 0 && !slices.ContainsFunc(t.given, func(g givenLease) bool {
			return g.granter == d.granter && g.at < d.at && life[g.at] == life[d.at]
		}) {
			n++
		}
	}
	return n
}

func actedJumped(run *sim.Run) int {
	n, t := 0, tenureOf(run)
	term := int64(layoutOf(run.Plan.Setup).Term)
	for _, a := range t.acts {
		if slices.ContainsFunc(run.Trace[:a.at], func(e sim.Entry) bool {
			return e.Kind == sim.EntryClock && e.At > 0 && max(e.N, -e.N) > term
		}) {
			n++
		}
	}
	return n
}
