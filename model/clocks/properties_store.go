package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// storeProperties are those of the replicated store. What a version descends from they have from
// the ledger, not from the clocks that the versions carry.
func storeProperties() []sim.Property {
	return slices.Concat([]sim.Property{
		{Name: "no-false-descent", Layer: judgeLayer, Class: sim.Silent, Check: falseDescent,
			Doc: "one version is taken to descend from another only if its writer had seen it " +
				"(C10)"},
		{Name: "no-false-conflict", Layer: judgeLayer, Check: falseConflict,
			Doc: "two versions are taken to be concurrent only if neither writer had seen the " +
				"other (C10)"},
		{Name: "accepted-once", Layer: dataLayer, Class: sim.Silent, Check: acceptedOnce,
			Doc: "a put makes one version, however often it is asked for"},
		{Name: "durable", Layer: dataLayer, Class: sim.Silent, Check: durable,
			Doc: "what a replica said it holds it holds after a restart"},
		{Name: "descendants-win", Layer: dataLayer, Class: sim.Silent, Check: descendantsWin,
			Doc: "a replica never drops a version for one that the version descends from, unless " +
				"both have the same value, so that nobody could tell"},
		{Name: "siblings-concurrent", Layer: dataLayer, Check: siblingsConcurrent,
			Doc: "what a replica holds of one key are versions of which none had seen another"},
		{Name: "vector-size", Layer: costLayer, Scope: sim.ScopeState, Reads: []string{"holds"},
			Check: vectorSize,
			Doc: "no vector that a replica keeps has more entries than there are nodes, or than " +
				"limit if that is more, however many have written"},
		{Name: "no-lost-update", Layer: outcomeLayer, Class: sim.Silent, Check: noLostUpdate,
			Doc: "in the end every update that a client was told of is held, or its value, or a " +
				"version that descends from it"},
		{Name: "converges", Layer: outcomeLayer, Class: sim.Silent, Scope: sim.ScopeEnd,
			Check: converges, Doc: "in the end any two replicas hold the same, unless one of " +
				"them has stopped, or refuses the other's stamps to the end"},
	}, sessionProperties(), []sim.Property{settles()})
}

func settles() sim.Property {
	p := checker.Settles("settles")
	p.Layer = progressLayer
	return p
}

// said goes through the comparisons of a run.
func said(run *sim.Run, wrong func(l *ledger, c compared) string) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	for i, c := range facts[compared](run) {
		premises++
		if why := wrong(l, c); why != "" {
			v = witnessed(v, fmt.Sprintf("%s takes v%d of %s to be %v v%d, but %s",
				run.Name(run.Trace[i].Node), c.A, c.Key, c.Says, c.B, why),
				l.entryOf(c.A), l.entryOf(c.B), i)
		}
	}
	return premises, v
}

func falseDescent(run *sim.Run) (premises int, v *sim.Violation) {
	return said(run, func(l *ledger, c compared) string {
		if is := l.relation(c.A, c.B); c.Says != Concurrent && c.Says != is {
			return "it is " + is.String()
		}
		return ""
	})
}

func falseConflict(run *sim.Run) (premises int, v *sim.Violation) {
	return said(run, func(l *ledger, c compared) string {
		if is := l.relation(c.A, c.B); c.Says == Concurrent && is != Concurrent {
			return "it is " + is.String()
		}
		return ""
	})
}

func acceptedOnce(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	for i := range l.versions {
		m := &l.versions[i]
		premises += min(m.times, 1)
		if m.times > 1 && v == nil {
			v = &sim.Violation{Witness: []int{m.entry, m.again}, Count: 1,
				Reason: fmt.Sprintf("call %d made %d versions of %s", m.id, m.times, m.key)}
		}
	}
	return premises, v
}

// dropped goes through what replicas no longer hold, nor anything that descends from it. why says
// what is wrong with that, "" if nothing.
func dropped(run *sim.Run, why func(l *ledger, s *stage, id sim.CallID) string) (premises int,
	v *sim.Violation) {
	l := ledgerOf(run)
	for k := range l.stages {
		s := &l.stages[k]
		for _, id := range s.owed {
			premises++
			if l.kept(id, s.ids) {
				continue
			}
			if reason := why(l, s, id); reason != "" {
				v = witnessed(v, reason, l.entryOf(id), s.before, s.entry)
			}
		}
	}
	return premises, v
}

func durable(run *sim.Run) (premises int, v *sim.Violation) {
	return dropped(run, func(l *ledger, s *stage, id sim.CallID) string {
		if !s.restart || !slices.Contains(s.had, id) {
			return ""
		}
		return fmt.Sprintf("after its restart %s holds %v of %s, which is not v%d nor descends "+
			"from it", l.run.Name(s.node), s.ids, s.key, id)
	})
}

func descendantsWin(run *sim.Run) (premises int, v *sim.Violation) {
	return dropped(run, func(l *ledger, s *stage, id sim.CallID) string {
		for _, have := range s.ids {
			if l.before(have, id) && !l.alike(have, id) {
				return fmt.Sprintf("%s holds v%d of %s and not v%d, whose writer had seen v%d",
					l.run.Name(s.node), have, s.key, id, have)
			}
		}
		return ""
	})
}

// vectorSize counts the entries of the largest vector of what replicas hold.
func vectorSize(run *sim.Run) (premises int, v *sim.Violation) {
	most := max(len(run.Nodes), layoutOf(run.Plan.Setup).Limit)
	for i, h := range facts[holds](run) {
		premises++
		if h.Pairs > most {
			v = witnessed(v, fmt.Sprintf("%s keeps %d entries in a vector of %s, want %d at most",
				run.Name(run.Trace[i].Node), h.Pairs, h.Key, most), i)
		}
	}
	return premises, v
}

func siblingsConcurrent(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	for k := range l.stages {
		s := &l.stages[k]
		for i := range s.ids {
			n, wrong := l.besides(s, i)
			premises += n
			v = withLike(v, wrong)
		}
	}
	return premises, v
}

// besides compares a sibling with those before it.
func (l *ledger) besides(s *stage, at int) (premises int, v *sim.Violation) {
	b := s.ids[at]
	for _, a := range s.ids[:at] {
		premises++
		if is := l.relation(a, b); is != Concurrent && v == nil {
			v = &sim.Violation{Count: 1, Witness: sorted(l.entryOf(a), l.entryOf(b), s.entry),
				Reason: fmt.Sprintf("%s holds v%d and v%d of %s, and the first is %v the second",
					l.run.Name(s.node), a, b, s.key, is)}
		}
	}
	return premises, v
}

// noLostUpdate: an update is lost if no replica at all has it, its value, or what became of it.
// Where replicas end with different things, converges speaks.
func noLostUpdate(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	var all []sim.CallID
	var entry int
	for _, s := range l.last() {
		all, entry = append(all, s.ids...), s.entry
	}
	for _, id := range l.acked {
		premises++
		if !l.lost(id, all) {
			continue
		}
		v = witnessed(v, fmt.Sprintf("v%d of %s was acknowledged, and in the end nobody has it, "+
			"or a version whose writer had seen it", id, l.versions[l.at[id]].key),
			l.entryOf(id), entry)
	}
	return premises, v
}

// converges compares the ends of all replicas that can hear each other, key by key.
func converges(run *sim.Run) (premises int, v *sim.Violation) {
	rifts, list := riftsOf(run), ledgerOf(run).last()
	heard := map[replicaKey]bool{}
	for i := range list {
		s := &list[i]
		heard[replicaKey{s.node, s.key}] = true
		for k := range list[:i] {
			f := &list[k]
			if f.key != s.key || rifts.between(f.node, s.node) {
				continue
			}
			premises++
			if !slices.Equal(f.ids, s.ids) || f.text != s.text {
				return premises, &sim.Violation{Witness: sorted(f.entry, s.entry), Count: 1,
					Reason: fmt.Sprintf("in the end %s holds %s=%s, and %s %s=%s",
						run.Name(f.node), s.key, f.text, run.Name(s.node), s.key, s.text)}
			}
		}
	}
	for _, s := range list {
		if rifts.lacks(s.node, func(n sim.NodeID) bool { return heard[replicaKey{n, s.key}] }) {
			return premises, &sim.Violation{Witness: []int{s.entry}, Count: 1,
				Reason: fmt.Sprintf("in the end %s holds %v of %s, which not every replica has "+
					"heard of", run.Name(s.node), s.ids, s.key)}
		}
	}
	return premises, nil
}

// sorted is entries in order, each once, without those that are none.
func sorted(entries ...int) []int {
	slices.Sort(entries)
	return slices.DeleteFunc(slices.Compact(entries), func(e int) bool { return e < 0 })
}
