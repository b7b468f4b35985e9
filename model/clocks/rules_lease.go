package clocks

import (
	"time"

	"github.com/downset/downset/sim"
)

// leaseEnd is how a holder tells when its lease is over.
type leaseEnd uint8

const (
	fromQuestion leaseEnd = iota // after the term, from when it asked
	fromAnswer                   // after the term, from when it was answered
	absoluteEnd                  // when its monotonic clock shows what the granter's will
	wallClockEnd                 // when its wall clock shows what the granter's will
)

// leaseRules are those of leases. Which form is safe is experiment E6 of the specification: an
// absolute time of a monotonic clock is off by the difference of two boots, a duration counted from
// the arrival is over too late by the transit, one counted from the question is safe. Leases by
// wall clocks are E7.
type leaseRules struct {
	End leaseEnd
	// The wrong ones.
	Forgets       bool // what was given is not on the granter's disk
	NoWait        bool // a granter that restarts does not wait out what it has given
	NoMargin      bool // a granter waits for no longer than the term
	GranterByWall bool // a granter tells by its wall clock when a lease is over
	ToAnybody     bool // whoever asks is taken for the holder who renews
	RenewsLate    bool // a lease that is held and renewed is counted from the answer
	Anyway        bool // who is asked acts, with a lease or without
	Anew          bool // a granter that restarts numbers its leases from 1 again
	LastTry       bool // the term is counted from when the question was last asked again
}

// until is when a lease is over, by the clock that holds looks at.
func (r *leaseRules) until(n *node, env *sim.Env, g grant) sim.Time {
	asking := &n.asked[n.waits(g.ID)]
	k := n.leases.holding(asking.To)
	switch {
	case r.End == absoluteEnd:
		return g.Steady
	case r.End == wallClockEnd:
		return g.Wall
	case r.End == fromAnswer, r.RenewsLate && k >= 0 && r.holds(n, env, &n.leases.Held[k]):
		return n.monotonic(env).Add(n.layout.Term)
	case r.LastTry:
		return g.Sent.Add(time.Duration(asking.Tries-1)*retry + n.layout.Term)
	}
	return g.Sent.Add(n.layout.Term)
}

// holds says that a lease is not over.
func (r *leaseRules) holds(n *node, env *sim.Env, h *heldLease) bool {
	if r.End == wallClockEnd {
		return env.Now() < h.Until
	}
	return n.monotonic(env) < h.Until
}

// mayAct says that a node may act by a lease.
func (r *leaseRules) mayAct(n *node, env *sim.Env, h heldLease) bool {
	return r.Anyway || h.Number > 0 && r.holds(n, env, &h)
}

// number is the number of the lease that is being given.
func (r *leaseRules) number(l *leases) int64 {
	if r.Anew {
		return l.Fresh
	}
	return l.Given.Number + 1
}

// byWall says that a granter tells by its wall clock when a lease is over.
func (r *leaseRules) byWall() bool { return r.End == wallClockEnd || r.GranterByWall }

// wait is how long a granter waits before it gives a lease to somebody else.
func (r *leaseRules) wait(term time.Duration) time.Duration {
	if r.NoMargin {
		return term
	}
	return term + margin(term)
}

// waitAgain is how long it waits after a restart.
func (r *leaseRules) waitAgain(term time.Duration) time.Duration {
	if r.NoWait {
		return -1
	}
	return r.wait(term)
}

// same says that a node has the lease already.
func (r *leaseRules) same(holder, who sim.NodeID) bool { return r.ToAnybody || holder == who }

// keeps says that what is said is on the granter's disk.
func (r *leaseRules) keeps() bool { return !r.Forgets }

// leaseRuleRows are the decisions that a scenario may set.
func leaseRuleRows() []rule {
	end := func(e leaseEnd) func(*rules) { return func(r *rules) { r.lease.End = e } }
	return []rule{sim.Decision("lease",
		"from when a holder counts the term of a lease: its question, the answer; or at what "+
			"time it is over, by the granter's monotonic clock, or both wall clocks",
		sim.Setting("sent", end(fromQuestion)), sim.Setting("arrival", end(fromAnswer)),
		sim.Setting("absolute", end(absoluteEnd)), sim.Setting("wall", end(wallClockEnd)))}
}

// leaseRows are the forms that are in use and lose something.
func leaseRows() []row {
	of := func(name, breaks, doc string, e leaseEnd) row {
		return row{name: name, doc: doc, breaks: breaks, rules: rules{lease: leaseRules{End: e}}}
	}
	return []row{
		of("lease-from-answer", "one-holder", "a holder counts from the answer: its lease is over "+
			"too late by what the answer took (E6)", fromAnswer),
		of("absolute-lease", "lease-usable", "a granter says until when by its monotonic clock, "+
			"and a holder looks at its own (E6)", absoluteEnd),
		{name: "wall-lease", breaks: "one-holder", doc: "a granter says until when by its wall " +
			"clock, and a holder looks at its own (E7)",
			rules: rules{lease: leaseRules{End: wallClockEnd}, stamp: stampRules{NoHybrid: true}}},
	}
}

// latencyRules are those of measuring. That a node stops when at least half of the nodes that it
// knows of are off by more than 80 % of max-offset, the error of the measurement in its favour, is
// CockroachDB's rule (RemoteClockMonitor.VerifyClockOffset); here it takes more than half of all,
// so that a single one cannot stop another unless they are two.
type latencyRules struct {
	Subtracts bool // the difference of two nodes' monotonic clocks
	Unchecked bool // a node that is off goes on
	// The wrong ones.
	OneIsEnough bool // a node stops if one other is off
}

// took is how long a message took, of which the round trip is known.
func (r *latencyRules) took(trip time.Duration, e echo) time.Duration {
	if r.Subtracts {
		return e.Steady.Sub(e.Sent)
	}
	return trip / 2
}

// stops says that a node stops of which so many of its peers are off.
func (r *latencyRules) stops(off, peers int) bool {
	if r.OneIsEnough {
		return off > 0
	}
	return !r.Unchecked && 2*off > peers
}

// latencyRuleRows are the decisions that a scenario may set.
func latencyRuleRows() []rule {
	return []rule{
		sim.Flag("latency", "how long a message took: half of the round trip by one clock, or the "+
			"difference of two nodes' monotonic clocks", "round-trip|subtract",
			func(r *rules) *bool { return &r.latency.Subtracts }),
		sim.Flag("self-check", "whether a node stops that finds its wall clock off from most others",
			"on|off", func(r *rules) *bool { return &r.latency.Unchecked }),
	}
}

// latencyRows are the forms that are in use and lose something.
func latencyRows() []row {
	return []row{{name: "subtracted-latency", breaks: "latency-possible",
		doc:   "how long a message took is the difference of two nodes' monotonic clocks (E6)",
		rules: rules{latency: latencyRules{Subtracts: true}}}}
}
