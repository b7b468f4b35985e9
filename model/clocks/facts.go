package clocks

import (
	"iter"

	"github.com/downset/downset/sim"
)

// facts goes through the facts of one type that nodes noted in a run, each with its entry.
func facts[F sim.Fact](run *sim.Run) iter.Seq2[int, F] {
	return func(yield func(int, F) bool) {
		for i := range run.Trace {
			e := &run.Trace[i]
			if f, ok := e.Body.(F); ok && e.Kind == sim.EntryNoted && !yield(i, f) {
				return
			}
		}
	}
}

// countFacts is how many there are.
func countFacts[F sim.Fact](run *sim.Run) int {
	n := 0
	for range facts[F](run) {
		n++
	}
	return n
}

// parts goes through the messages whose part is of one type, each where it is delivered.
func parts[P any](run *sim.Run) iter.Seq2[int, P] {
	return func(yield func(int, P) bool) {
		for i := range run.Trace {
			e := &run.Trace[i]
			m, ok := e.Body.(message)
			if !ok || e.Kind != sim.EntryDelivered {
				continue
			}
			if p, is := m.part.(P); is && !yield(i, p) {
				return
			}
		}
	}
}
