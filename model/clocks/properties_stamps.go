package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// stampProperties are what the clocks promise of events, each against what happened before what in
// the trace. They are of Lamport 1978, Fidge 1988 and Mattern 1989, and of Kulkarni and others
// 2014.
func stampProperties() []sim.Property {
	return []sim.Property{
		{Name: "lamport-order", Layer: clockLayer, Class: sim.Silent, Check: lamportOrder,
			Doc: "C1: an event has a greater Lamport stamp than every event that happened before " +
				"it"},
		{Name: "lamport-total", Layer: clockLayer, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: lamportTotal,
			Doc: "C1: events of one node never have equal Lamport stamps, and two nodes that " +
				"have the same words have them in the same order"},
		{Name: "vector-exact", Layer: clockLayer, Class: sim.Silent, Check: vectorExact,
			Doc: "C2: one event happened before another exactly if its vector is less: each " +
				"entry of a vector is that of the node's last event that happened before"},
		{Name: "vector-grows", Layer: clockLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Reads: []string{"stamp"}, Check: vectorGrows,
			Doc: "C3: no entry of a node's vector ever gets less, over restarts too"},
		{Name: "hybrid-ahead", Layer: clockLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Reads: []string{"stamp"}, Check: hybridAhead,
			Doc: "C4: a hybrid stamp is never behind its node's clock, and each is greater than " +
				"the one before it on its node"},
		{Name: "hybrid-order", Layer: clockLayer, Class: sim.Silent, Check: hybridOrder,
			Doc: "C7: an event has a greater hybrid stamp than every event of another node that " +
				"happened before it"},
		{Name: "hybrid-drift", Layer: clockLayer, Class: sim.Silent, Check: hybridDrift,
			Doc: "C5: the physical part of a hybrid stamp is the greatest that any clock has " +
				"shown at this event or one before it: ahead of the node's own clock by at most " +
				"the offset of another's"},
		{Name: "hybrid-logical", Layer: clockLayer, Class: sim.DetectedLoss, Check: hybridLogical,
			Doc: "C6: the logical part of a hybrid stamp is at most the number of events with " +
				"the same physical part that happened before it"},
		{Name: "hybrid-limit", Layer: clockLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Reads: []string{"stamp"}, Check: hybridLimit,
			Doc: "C8: no message moves a node's hybrid clock beyond its own clock by more than " +
				"max-offset"},
		{Name: "hybrid-restart", Layer: clockLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Reads: []string{"stamp"}, Check: hybridRestart,
			Doc: "C9: the hybrid stamp of a start is greater than all that the node has said " +
				"before"},
	}
}

// lamportOrder looks at the last event of each node before each event; what happened before that is
// less by induction.
func lamportOrder(run *sim.Run) (premises int, v *sim.Violation) {
	h := happened(run)
	for _, e := range h.all {
		for _, d := range h.lasts(e) {
			premises++
			if d.Stamp.Lamport.Count >= e.Stamp.Lamport.Count {
				return premises, h.breaks(d, e, fmt.Sprintf("%v is not below %v", d.Stamp.Lamport,
					e.Stamp.Lamport))
			}
		}
	}
	return premises, nil
}

// breaks says of two events, of which one happened before the other, what is wrong with it.
func (h *happenings) breaks(d, e *happening, why string) *sim.Violation {
	return &sim.Violation{
		Reason:  fmt.Sprintf("%s happened before %s, but %s", h.name(d), h.name(e), why),
		Witness: []int{d.Entry, e.Entry},
	}
}

// apart says of two concurrent events what is wrong with it.
func (h *happenings) apart(f, e *happening, why string) *sim.Violation {
	return &sim.Violation{
		Reason:  fmt.Sprintf("%s and %s are concurrent, but %s", h.name(f), h.name(e), why),
		Witness: []int{min(f.Entry, e.Entry), max(f.Entry, e.Entry)},
	}
}

// name is the words for an event.
func (h *happenings) name(e *happening) string {
	if e.Body == "" {
		return fmt.Sprintf("%s's %v", h.run.Name(e.Node), e.What)
	}
	return fmt.Sprintf("%s's %v of %s", h.run.Name(e.Node), e.What, e.Body)
}

// lamportTotal looks at equal stamps of a node, and at each word that a node gets, against all that
// it has: whether it stands to them as it does elsewhere.
func lamportTotal(run *sim.Run) (premises int, v *sim.Violation) {
	if premises, v = lamportTies(happened(run)); v != nil {
		return premises, v
	}
	where := map[wordPair]int{} // the entry that has them so
	for i, o := range facts[ordered](run) {
		for _, p := range o.pairs() {
			premises++
			if at, is := where[wordPair{p.Second, p.First}]; is {
				return premises, &sim.Violation{Witness: []int{at, i},
					Reason: fmt.Sprintf("%s has %s before %s, and %s has them the other way round",
						run.Name(run.Trace[i].Node), p.First.Word, p.Second.Word,
						run.Name(run.Trace[at].Node))}
			}
			where[p] = i
		}
	}
	return premises, nil
}

// wordPair is two words that a node has in this order.
type wordPair struct{ First, Second saying }

// pairs are the new word and each other.
func (o ordered) pairs() []wordPair {
	var list []wordPair
	at := slices.Index(o.Words, o.New)
	for i, w := range o.Words {
		switch {
		case i < at:
			list = append(list, wordPair{w, o.New})
		case i > at:
			list = append(list, wordPair{o.New, w})
		}
	}
	return list
}

// lamportTies looks for two events of one node with equal stamps.
func lamportTies(h *happenings) (premises int, v *sim.Violation) {
	for _, events := range h.of {
		at := map[int64]*happening{}
		for _, e := range events {
			premises++
			if d := at[e.Stamp.Lamport.Count]; d != nil {
				return premises, h.breaks(d, e, fmt.Sprintf("both are %v", e.Stamp.Lamport))
			}
			at[e.Stamp.Lamport.Count] = e
		}
	}
	return premises, nil
}

// vectorExact looks at two events of each node for each event: the last that happened before it,
// and the first that is concurrent to it. That is enough. What happened before the one is less by
// induction; and if the vector of an event is not concurrent to that of another, though the events
// are, then neither is that of the first such event of its node, since its vector is less still.
func vectorExact(run *sim.Run) (premises int, v *sim.Violation) {
	h := happened(run)
	for _, e := range h.all {
		for _, d := range h.lasts(e) {
			premises++
			if d.Stamp.Vector.Compare(e.Stamp.Vector) != Before {
				return premises, h.breaks(d, e, fmt.Sprintf("%v is not below %v", d.Stamp.Vector,
					e.Stamp.Vector))
			}
		}
		for _, f := range h.concurrent(e) {
			premises++
			if r := f.Stamp.Vector.Compare(e.Stamp.Vector); r != Concurrent {
				return premises, h.apart(f, e, fmt.Sprintf("%v is %v %v", f.Stamp.Vector, r,
					e.Stamp.Vector))
			}
		}
	}
	return premises, nil
}

// vectorGrows compares each vector with the one before it on its node.
func vectorGrows(run *sim.Run) (premises int, v *sim.Violation) {
	h := happened(run)
	for _, events := range h.of {
		for i := 1; i < len(events); i++ {
			premises++
			d, e := events[i-1], events[i]
			if r := d.Stamp.Vector.Compare(e.Stamp.Vector); r != Before && r != Equal {
				return premises, h.breaks(d, e, fmt.Sprintf("an entry of %v got less: %v",
					d.Stamp.Vector, e.Stamp.Vector))
			}
		}
	}
	return premises, nil
}
