package clocks

import (
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// Updates counts the puts of a run whose clients were told, and those of them that nobody has in
// the end, nor a version that descends from them.
func Updates(run *sim.Run) (told, lost int) {
	told = len(ledgerOf(run).acked)
	if _, v := noLostUpdate(run); v != nil {
		lost = v.Count
	}
	return told, lost
}

// Spread counts the pairs of stamps of a run by how far apart Lamport's clock has them.
type Spread struct {
	Pairs      []int // by the difference of the two counts, from 0
	Concurrent []int // those of them of which neither happened before the other
}

// Stamps is what the stamps of a run say of their pairs, with differences up to reach.
func Stamps(run *sim.Run, reach int) Spread {
	s := Spread{make([]int, reach+1), make([]int, reach+1)}
	order := checker.NewOrder(run)
	var at []int
	for i := range facts[stamped](run) {
		at = append(at, i)
	}
	for j, b := range at {
		for _, a := range at[:j] {
			m := run.Trace[a].Body.(stamped).Stamp.Lamport.Count
			n := run.Trace[b].Body.(stamped).Stamp.Lamport.Count
			apart := max(m-n, n-m)
			if apart > int64(reach) {
				continue
			}
			s.Pairs[apart]++
			if order.Concurrent(a, b) {
				s.Concurrent[apart]++
			}
		}
	}
	return s
}

// Drift is by how much hybrid stamps of a run were ahead of the clock of their node at most, and
// their greatest logical part.
func Drift(run *sim.Run) (ahead time.Duration, logical int64) {
	for _, s := range facts[stamped](run) {
		ahead = max(ahead, s.Stamp.Hybrid.Ahead(s.Stamp.Physical))
		logical = max(logical, s.Stamp.Hybrid.Logical)
	}
	return ahead, logical
}

// Given counts the events that consumers were given, and those of them that stand in the log before
// one that the same consumer had been given already.
func Given(run *sim.Run) (given, late int) {
	c := courseOf(run)
	for k := range c.readers {
		top := int64(0)
		for _, h := range c.readers[k].given {
			given++
			if h.event.Number < top {
				late++
			}
			top = max(top, h.event.Number)
		}
	}
	return given, late
}
