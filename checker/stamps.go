package checker

import (
	"cmp"

	"github.com/downset/downset/sim"
)

// Stamps are logical times of the steps of a run, as an observer reads them from its trace. The
// machines neither know nor carry them, so that any protocol has them, and what a node forgets in a
// crash its stamps do not: the clocks of a node go on in its next incarnation.
//
//	Lamport  1 + the greatest of what happened before; ties between nodes are broken by node
//	vector   by node, how many of its steps happened before, the step itself included
//	hybrid   the greatest clock of a node that happened before, and a count of steps within it
type Stamps struct {
	order   *Order
	lamport []int64  // by entry, 0 if it is no step
	hybrid  []Hybrid // by entry
}

// Hybrid is a stamp of a hybrid logical clock (Kulkarni and others, 2014).
type Hybrid struct {
	L sim.Time // the greatest clock heard of, of one's own or another node; never less than one's own
	C int64    // tells steps with one L apart, from 0
}

// Compare is the order of hybrid stamps: by L, then by C.
func (h Hybrid) Compare(g Hybrid) int {
	return cmp.Or(cmp.Compare(h.L, g.L), cmp.Compare(h.C, g.C))
}

// next is the stamp of a step that follows a step with stamp h on a node whose clock now shows now.
func (h Hybrid) next(now sim.Time) Hybrid {
	if now > h.L {
		return Hybrid{now, 0}
	}
	return Hybrid{h.L, h.C + 1}
}

// NewStamps reads the stamps of a run in one pass. Clocks begin at zero.
func NewStamps(run *sim.Run) *Stamps {
	s := &Stamps{
		order:   NewOrder(run),
		lamport: make([]int64, len(run.Trace)),
		hybrid:  make([]Hybrid, len(run.Trace)),
	}
	clocks := run.Clocks()
	last := make([]int64, len(run.Nodes)) // by node
	latest := make([]Hybrid, len(run.Nodes))
	for i := range run.Trace {
		if !isStep(run, i) {
			continue
		}
		node := run.Trace[i].Node
		if source, ok := origin(run.Trace, i); ok && s.lamport[source] > 0 {
			last[node] = max(last[node], s.lamport[source])
			if heard := s.hybrid[source]; heard.Compare(latest[node]) > 0 {
				latest[node] = heard
			}
		}
		last[node]++
		latest[node] = latest[node].next(clocks[i])
		s.lamport[i], s.hybrid[i] = last[node], latest[node]
	}
	return s
}

// Step says that an entry is a step of a machine; others have no stamps.
func (s *Stamps) Step(entry int) bool { return s.lamport[entry] > 0 }

// Lamport is the Lamport time of a step, from 1; 0 of an entry that is no step.
func (s *Stamps) Lamport(entry int) int64 { return s.lamport[entry] }

// Vector is the vector time of a step, by node; nil of an entry that is no step.
func (s *Stamps) Vector(entry int) []int32 { return s.order.Clock(entry) }

// Hybrid is the hybrid time of a step, zero of an entry that is no step.
func (s *Stamps) Hybrid(entry int) Hybrid { return s.hybrid[entry] }

// Compare is Lamport's total order of two steps: by Lamport time, then by node. It extends
// happened-before; 0 is for the same step only.
func (s *Stamps) Compare(a, b int) int {
	trace := s.order.run.Trace
	return cmp.Or(cmp.Compare(s.lamport[a], s.lamport[b]), cmp.Compare(trace[a].Node, trace[b].Node))
}
