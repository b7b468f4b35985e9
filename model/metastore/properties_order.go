package metastore

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// orderProperties are about the order of what all clients are told.
func orderProperties() []sim.Property {
	return []sim.Property{
		{Name: "real-time", Layer: wholeLayer, Class: sim.Silent, Check: realTime,
			Doc: "what is asked after something was answered sees at least as much of the log, unless " +
				"it asks one server for what it happens to have (M17)"},
		{Name: "monotonic", Layer: wholeLayer, Class: sim.Silent, Check: monotonic,
			Doc: "no client is told of an older revision than it has seen"},
		{Name: "linearizable", Layer: wholeLayer, Class: sim.Silent, Scope: sim.ScopeHistory,
			Check: linearizable, Doc: "each request takes effect at one moment between its call and " +
				"its return, as of a store that forgets nothing: what was left without an answer is " +
				"looked up in the log first"},
	}
}

// realTime goes through questions and answers in the order of the trace.
func realTime(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	asks, ends := l.moments()
	last, lastAt := int64(0), -1
	floor, floorAt := make([]int64, len(l.asks)), make([]int, len(l.asks))
	for i := range run.Trace {
		if k := asks[i]; k > 0 {
			floor[k-1], floorAt[k-1] = last, lastAt
		}
		k := ends[i] - 1
		if k < 0 || !l.asks[k].fresh() {
			continue
		}
		q := &l.asks[k]
		premises++
		if q.Got.Index < floor[k] {
			v = witnessed(v, fmt.Sprintf("%s asks %s when an answer with the log up to %d was given, "+
				"and is answered with the log up to %d", run.Name(q.Node), sim.Text(q.What), floor[k],
				q.Got.Index), floorAt[k], q.From, q.At)
		}
		if q.Got.Index > last {
			last, lastAt = q.Got.Index, i
		}
	}
	return premises, v
}

// moments are, by entry of the trace, the question that is asked there, from 1, and the one that is
// answered there.
func (l *ledger) moments() (asks, ends []int) {
	asks, ends = make([]int, len(l.run.Trace)), make([]int, len(l.run.Trace))
	for k := range l.asks {
		asks[l.asks[k].From] = k + 1
		if at := l.asks[k].At; at >= 0 {
			ends[at] = k + 1
		}
	}
	return asks, ends
}

// fresh says that a question wants to know how things are: not what one server happens to have, and
// not whether it makes sense.
func (q *question) fresh() bool {
	switch w := q.What.(type) {
	case read:
		return !w.Local
	case snapshot, transfer:
		return false
	}
	switch q.Got.Why {
	case Duplicate, Unsupported, Invalid:
		return false
	}
	return true
}

// monotonic is about the clients of one life of a node: a crash takes what they have seen.
func monotonic(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	seen, at := make([]int64, len(run.Nodes)), make([]int, len(run.Nodes))
	before := make([]int64, len(l.asks))
	asks, ends := l.moments()
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryStarted {
			seen[e.Node], at[e.Node] = 0, i
		}
		if k := asks[i]; k > 0 {
			before[k-1] = seen[e.Node]
		}
		if f, is := e.Body.(saw); is && e.Kind == sim.EntryNoted {
			seen[e.Node] = max(seen[e.Node], f.Batch.To)
		}
		k := ends[i] - 1
		if k < 0 {
			continue
		}
		q := &l.asks[k]
		seen[e.Node] = max(seen[e.Node], q.Got.Rev)
		if r, is := q.What.(read); !is || !r.Local {
			continue
		}
		premises++
		if q.Got.Rev < before[k] {
			v = witnessed(v, fmt.Sprintf("%s has seen revision %d and is told of %d", run.Name(e.Node),
				before[k], q.Got.Rev), at[e.Node], q.From, q.At)
		}
	}
	return premises, v
}

// linearizable judges all questions together.
func linearizable(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	premises, v, err := specOf(l.dialect).Check(l.resolved())
	if err != nil {
		panic(err)
	}
	if v != nil {
		for i := range v.Witness {
			v.Witness[i] = min(v.Witness[i]/4, len(run.Trace)-1)
		}
		v.Witness = slices.Compact(v.Witness)
		v.Clash = nil
	}
	return premises, v
}
