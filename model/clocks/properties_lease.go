package clocks

import (
	"fmt"
	"time"

	"github.com/downset/downset/sim"
)

// leaseProperties are those of leases. When a node acts, or gives, is when it looks at its clock:
// at the beginning of what it then does. They speak of clocks that run within 200 parts per million
// of true time; a run in which one does not has no premises.
func leaseProperties() []sim.Property {
	return []sim.Property{
		{Name: "one-holder", Layer: dataLayer, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: oneHolder, Doc: "nobody acts without a lease, or by one after it was given to " +
				"somebody else (E6, E7; L1, L2)"},
		{Name: "grant-numbers", Layer: dataLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Check: grantNumbers, Doc: "the numbers of a granter's leases grow, over its restarts " +
				"too, so that what is acted upon can tell an older one (D2)"},
		{Name: "lease-usable", Layer: dataLayer, Class: sim.Stopped, Check: leaseUsable,
			Doc: "a holder that has been told of its lease may act by it until the term, less " +
				"1/2000, has passed since it asked, unless it restarts (E6)"},
		{Name: "lease-passes", Layer: dataLayer, Class: sim.Stopped, Check: leasePasses,
			Doc: "a lease is refused for no longer than a term and a thousandth after it was " +
				"given, or its granter restarted"},
	}
}

// tenure is what a run says of leases.
type tenure struct {
	run    *sim.Run
	given  []givenLease
	took   []leaseUse
	acts   []leaseUse
	idles  []leaseUse
	denied []givenLease
}

// givenLease is a lease that was given, or a denial. At is where the granter looked at its clock.
type givenLease struct {
	granter, holder string
	id              sim.CallID
	number          int64
	at              int
}

// leaseUse is something that a holder did with a lease. At is where it looked at its clock.
type leaseUse struct {
	node     sim.NodeID
	granter  string
	id       sim.CallID
	at, life int
}

// beside says that it was done with the lease of the same granter, in the same life of its node.
func (t leaseUse) beside(u leaseUse) bool {
	return t.node == u.node && t.granter == u.granter && t.life == u.life
}

// tenureOf reads the leases of a run; there are none if a clock drifts too much.
func tenureOf(run *sim.Run) *tenure {
	t := &tenure{run: run}
	if !steadyClocks(run) {
		return t
	}
	life := make([]int, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryStarted {
			life[e.Node] = i
		}
		at, name := int(e.Cause), run.Name(e.Node)
		if e.Kind != sim.EntryNoted {
			t.sent(e)
			continue
		}
		switch b := e.Body.(type) {
		case granted:
			t.given = append(t.given, givenLease{name, b.Holder, b.ID, b.Number, at})
		case denied:
			t.denied = append(t.denied, givenLease{name, b.Holder, b.ID, 0, at})
		case took:
			t.took = append(t.took, leaseUse{e.Node, b.Granter, b.ID, at, life[e.Node]})
		case acted:
			t.acts = append(t.acts, leaseUse{e.Node, b.Granter, b.ID, at, life[e.Node]})
		case idle:
			t.idles = append(t.idles, leaseUse{e.Node, b.Granter, 0, at, life[e.Node]})
		}
	}
	return t
}

// sent takes in a lease that a granter says it has given, and did not say before: a crash may have
// kept it from that, once the lease was on its disk.
func (t *tenure) sent(e *sim.Entry) {
	m, ok := e.Body.(message)
	if !ok || e.Kind != sim.EntrySent && e.Kind != sim.EntryQueued {
		return
	}
	name := t.run.Name(e.Node)
	g, ok := m.part.(grant)
	if ok && g.Number > 0 && t.grantOf(name, g.ID) < 0 {
		t.given = append(t.given, givenLease{name, t.run.Name(g.Holder), g.ID, g.Number,
			int(e.Cause)})
	}
}

// grantOf is where in given the lease is that a granter gave for a request, the last of them, -1 if
// it gave none.
func (t *tenure) grantOf(granter string, id sim.CallID) int {
	for k := len(t.given) - 1; k >= 0; k-- {
		if g := &t.given[k]; g.granter == granter && g.id == id {
			return k
		}
	}
	return -1
}

// steadyClocks says that no clock of a run drifts by more than 200 parts per million.
func steadyClocks(run *sim.Run) bool {
	for _, i := range run.Drifts {
		if n := run.Trace[i].N; n < -200 || n > 200 {
			return false
		}
	}
	return true
}

func oneHolder(run *sim.Run) (premises int, v *sim.Violation) {
	t := tenureOf(run)
	for _, a := range t.acts {
		premises++
		by := t.grantOf(a.granter, a.id) // the grant by which it acts
		if by < 0 || t.given[by].at > a.at || t.given[by].holder != run.Name(a.node) {
			v = witnessed(v, fmt.Sprintf("%s acts, and has no lease of %s", run.Name(a.node),
				a.granter), a.at)
			continue
		}
		for k, g := range t.given {
			if k <= by || g.granter != a.granter || g.at > a.at ||
				g.holder == run.Name(a.node) {
				continue
			}
			if v == nil {
				v = &sim.Violation{Witness: []int{t.given[by].at, g.at, a.at}, Reason: fmt.Sprintf(
					"%s acts by the lease of %s, which was given to %s %v before", run.Name(a.node),
					a.granter, g.holder, run.Trace[a.at].At.Sub(run.Trace[g.at].At))}
			}
			v.Count++
		}
	}
	return premises, v
}

// grantNumbers reads the grants themselves, not the tenure: clocks have no part in it.
func grantNumbers(run *sim.Run) (premises int, v *sim.Violation) {
	top := make([]int, len(run.Nodes)) // by node: the entry of its last grant
	for i, g := range facts[granted](run) {
		premises++
		node := run.Trace[i].Node
		last, before := top[node], int64(0)
		if last > 0 {
			before = run.Trace[last].Body.(granted).Number
		}
		if g.Number <= before {
			return premises, &sim.Violation{Witness: sorted(last, i), Count: 1,
				Reason: fmt.Sprintf("%s gives its lease with number %d, after %d",
					run.Name(node), g.Number, before)}
		}
		top[node] = i
	}
	return premises, nil
}

func leaseUsable(run *sim.Run) (premises int, v *sim.Violation) {
	t := tenureOf(run)
	if len(t.idles) == 0 {
		return 0, nil
	}
	term, asked := layoutOf(run.Plan.Setup).Term, arrivals(run)
	for _, i := range t.idles {
		for _, h := range t.took {
			if !h.beside(i) || h.at > i.at {
				continue
			}
			premises++
			past := run.Trace[i.at].At.Sub(run.Trace[asked[h.id]].At)
			if past < term-term/2000 {
				return premises, &sim.Violation{Witness: []int{asked[h.id], h.at, i.at},
					Reason: fmt.Sprintf("%s holds the lease of %s, asked for %v before, and does "+
						"not act", run.Name(i.node), i.granter, past)}
			}
		}
	}
	return premises, nil
}

// arrivals are, by call, where nodes took up the requests for leases and measures.
func arrivals(run *sim.Run) map[sim.CallID]int {
	at := map[sim.CallID]int{}
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryArrived {
			at[sim.CallID(e.N)] = i
		}
	}
	return at
}

func leasePasses(run *sim.Run) (premises int, v *sim.Violation) {
	t := tenureOf(run)
	term := layoutOf(run.Plan.Setup).Term
	for _, d := range t.denied {
		premises++
		since := 0 // where the last term may have begun
		for i := range run.Trace[:d.at] {
			e := &run.Trace[i]
			if e.Kind == sim.EntryStarted && run.Name(e.Node) == d.granter {
				since = i
			}
		}
		for _, g := range t.given {
			if g.granter == d.granter && g.at < d.at {
				since = max(since, g.at)
			}
		}
		if past := run.Trace[d.at].At.Sub(run.Trace[since].At); past > term+term/1000+time.Microsecond {
			return premises, &sim.Violation{Witness: []int{since, d.at}, Reason: fmt.Sprintf(
				"%s refuses its lease, which %s may have had until %v before", d.granter, d.holder,
				past-term)}
		}
	}
	return premises, nil
}
