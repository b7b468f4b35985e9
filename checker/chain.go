package checker

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Chain is the shortest causal chain from step a to step b: a, then the sending and the delivery of
// each message of the chain, then b. It is the one with the fewest messages; where several have as
// few, each node takes the message that reached it last. It is nil if a did not happen before b.
func Chain(run *sim.Run, a, b int) []int {
	if a >= b || !isStep(run, a) || !isStep(run, b) {
		return nil
	}
	s := newChaser(run, a, b)
	for k := 0; k < len(s.reached); k++ {
		at := s.reached[k].entry
		if run.Trace[at].Node == run.Trace[a].Node {
			return s.path(a, k)
		}
		s.expand(k)
	}
	return nil
}

// chaser walks backwards from an effect to its cause, breadth first by messages.
type chaser struct {
	run      *sim.Run
	arrivals [][]int32 // by node: steps after a, brought by another node, not seen yet
	reached  []hop
}

// hop is a step from which the end of the chain can be reached, and how: by the delivery, which
// leads to the hop before it.
type hop struct {
	entry    int
	delivery int // -1: it is the end itself
	next     int // of reached
}

func newChaser(run *sim.Run, a, b int) *chaser {
	s := &chaser{run: run, arrivals: make([][]int32, len(run.Nodes))}
	s.reached = []hop{{entry: b, delivery: -1}}
	for i := a + 1; i <= b; i++ {
		if !isStep(run, i) {
			continue
		}
		node := run.Trace[i].Node
		if source, ok := origin(run.Trace, i); ok && source >= a && run.Trace[source].Node != node {
			s.arrivals[node] = append(s.arrivals[node], int32(i))
		}
	}
	return s
}

// expand goes from a reached step to the senders of all that its node had been brought by then,
// latest first. What an earlier hop has seen there is not seen again.
func (s *chaser) expand(k int) {
	at := s.reached[k].entry
	node := s.run.Trace[at].Node
	arrivals := s.arrivals[node]
	count, _ := slices.BinarySearch(arrivals, int32(at)+1)
	for i := count - 1; i >= 0; i-- {
		delivery := int(arrivals[i])
		source, _ := origin(s.run.Trace, delivery)
		s.reached = append(s.reached, hop{source, delivery, k})
	}
	s.arrivals[node] = arrivals[count:]
}

// path is the chain from a through the reached step k.
func (s *chaser) path(a, k int) []int {
	chain := []int{a}
	for h := s.reached[k]; ; h = s.reached[h.next] {
		chain = append(chain, h.entry)
		if h.delivery < 0 {
			return slices.Compact(chain)
		}
		chain = append(chain, h.delivery)
	}
}
