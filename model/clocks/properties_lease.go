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
			Check: oneHolder, Doc: "nobody acts by a lease after it was given to somebody else " +
				"(E6, E7; L1, L2)"},
		{Name: "lease-usable", Layer: dataLayer, Class: sim.Stopped, Check: leaseUsable,
			Doc: "a holder that has been told of its lease may act by it until the term, less " +
				"1/2000, has passed since it asked, unless it restarts (E6)"},
		{Name: "lease-passes", Layer: dataLayer, Class: sim.Stopped, Check: leasePasses,
			Doc: "a lease is refused for no longer than a term and a thousandth after it was " +
				"given, or its granter restarted"},
	}
}

// latencyProperties are those of measuring, of clocks as above.
func latencyProperties() []sim.Property {
	return []sim.Property{
		{Name: "latency-possible", Layer: dataLayer, Class: sim.Silent, Check: latencyPossible,
			Doc: "what a node measures is no less than nothing, and no more than went by, by " +
				"true time, between its question and the answer (E6)"},
		{Name: "self-check", Layer: dataLayer, Class: sim.Stopped, Check: selfCheck,
			Doc: "a node that stops was off from most others by more than 80 % of max-offset, " +
				"each at the time of its answer (C8)"},
	}
}

// tenure is what a run says of leases.
type tenure struct {
	run    *sim.Run
	given  []bestowal
	took   []taking
	acts   []taking
	idles  []taking
	denied []bestowal
}

// bestowal is a lease that was given, or a denial. At is where the granter looked at its clock.
type bestowal struct {
	granter, holder string
	id              sim.CallID
	at              int
}

// taking is something that a holder did with a lease. At is where it looked at its clock.
type taking struct {
	node     sim.NodeID
	granter  string
	id       sim.CallID
	at, life int
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
		if e.Kind != sim.EntryNoted {
			continue
		}
		at, name := int(e.Cause), run.Name(e.Node)
		switch b := e.Body.(type) {
		case granted:
			t.given = append(t.given, bestowal{name, b.Holder, b.ID, at})
		case denied:
			t.denied = append(t.denied, bestowal{name, b.Holder, b.ID, at})
		case took:
			t.took = append(t.took, taking{e.Node, b.Granter, b.ID, at, life[e.Node]})
		case acted:
			t.acts = append(t.acts, taking{e.Node, b.Granter, b.ID, at, life[e.Node]})
		case idle:
			t.idles = append(t.idles, taking{e.Node, b.Granter, 0, at, life[e.Node]})
		}
	}
	return t
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
		by := -1 // the grant by which it acts
		for k, g := range t.given {
			if g.granter == a.granter && g.id == a.id {
				by = k
			}
		}
		for k, g := range t.given {
			if by < 0 || k <= by || g.granter != a.granter || g.at > a.at ||
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

func leaseUsable(run *sim.Run) (premises int, v *sim.Violation) {
	t := tenureOf(run)
	if len(t.idles) == 0 {
		return 0, nil
	}
	term, asked := layoutOf(run.Plan.Setup).Term, arrivals(run)
	for _, i := range t.idles {
		for _, h := range t.took {
			if h.node != i.node || h.granter != i.granter || h.life != i.life || h.at > i.at {
				continue
			}
			premises++
			past := run.Trace[i.at].At.Sub(run.Trace[asked[h.id]].At)
			if past < term-term/2000 {
				return premises, &sim.Violation{Witness: []int{asked[h.id], h.at, i.at},
					Reason: fmt.Sprintf("%s holds the lease of %s, asked for %v before, and does "+
						"not act",
						run.Name(i.node), i.granter, past)}
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

func latencyPossible(run *sim.Run) (premises int, v *sim.Violation) {
	if !steadyClocks(run) {
		return 0, nil
	}
	asked := arrivals(run)
	for i := range run.Trace {
		e := &run.Trace[i]
		l, ok := e.Body.(latency)
		if !ok || e.Kind != sim.EntryReturned {
			continue
		}
		premises++
		from, to := asked[sim.CallID(e.N)], i
		if e.Cause >= 0 {
			to = int(e.Cause)
		}
		past := run.Trace[to].At.Sub(run.Trace[from].At)
		if l.Took < 0 || l.Took > past {
			return premises, &sim.Violation{Witness: []int{from, i}, Reason: fmt.Sprintf(
				"%s takes a message to %s to take %v, and had its answer after %v",
				run.Name(e.Node),
				l.To, l.Took, past)}
		}
	}
	return premises, nil
}

func selfCheck(run *sim.Run) (premises int, v *sim.Violation) {
	if !steadyClocks(run) || facts(run,
		func(f sim.Fact) bool { return f.Kind() == "stopped" }) == 0 {
		return 0, nil
	}
	clocks, most := run.Clocks(), layoutOf(run.Plan.Setup).MaxOffset/10*8
	off := make([][]bool, len(run.Nodes)) // by node and peer: it was when it was last looked at
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case nil:
			if e.Kind == sim.EntryStarted {
				off[e.Node] = make([]bool, len(run.Nodes))
			}
		case saw:
			off[e.Node][b.Peer] = trueOffset(run, clocks, i).Abs()+b.Error/500 >= most
		case stopped:
			premises++
			if n := trues(off[e.Node]); 2*n <= b.Peers {
				return premises, &sim.Violation{Witness: []int{i}, Reason: fmt.Sprintf(
					"%s stops, but of its %d peers %d are off by more than %v", run.Name(e.Node),
					b.Peers, n, most)}
			}
		}
	}
	return premises, nil
}

// trues counts what is true.
func trues(list []bool) int {
	n := 0
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// trueOffset is by how much the clock of a peer was ahead of a node's that saw it, when the peer
// answered.
func trueOffset(run *sim.Run, clocks []sim.Time, saw int) time.Duration {
	came := int(run.Trace[saw].Cause)
	said := came
	for run.Trace[said].Kind != sim.EntrySent {
		said = int(run.Trace[said].Cause)
	}
	said = int(run.Trace[said].Cause) // where the peer looked at its clock
	theirs := clocks[said].Add(run.Trace[came].At.Sub(run.Trace[said].At))
	return theirs.Sub(clocks[came])
}
