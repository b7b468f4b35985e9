package ignite

import (
	"hash/fnv"
	"time"

	"github.com/downset/downset/sim"
)

// Fast is how a restore is made fast, by the optimisations of the draft; that of Compact is of the
// log itself. What it brings back is what Restore does.
type Fast struct {
	Index   *Index      // over the log; nil: the log is searched
	Workers int         // among whom the partitions are striped; 0: who reads applies as well
	First   []partition // what the node has got at its set-up
}

// RestoreFast is Restore, made fast.
func (l Log) RestoreFast(name string, how Fast) (restored, error) {
	var p passage
	var cost Cost
	var err error
	if how.Index != nil {
		p, cost.Looked, err = how.Index.passage(name)
	} else {
		p, err = l.passage(name, replayRules{})
	}
	if err != nil {
		return restored{}, err
	}
	if how.Index == nil {
		cost.Searched = len(l) + len(l.lastSegment(p))
	}
	cost.Read = p.Finish - p.Base
	s := newStriped(l, p, how)
	s.now = time.Duration(cost.Looked)*lookTime + time.Duration(cost.Searched)*readTime
	for at := p.Base + 1; at < p.Finish; at++ {
		s.now += readTime
		s.take(at, l[at])
	}
	s.finish()
	got := s.replay.end()
	cost.Applied, cost.Time = got.Cost.Applied, s.now+readTime
	got.Cost = cost
	return got, nil
}

// striped is a replay by several workers (draft, the second optimisation): updates go to the worker
// of their cache group and partition, which keeps those of one partition in order.
type striped struct {
	*replay
	passage            passage
	excluded, included map[txID]bool
	now                time.Duration // at which the reader is
	workers            []worker
}

// worker has a queue, and is busy until a time.
type worker struct {
	queue []sim.Record
	until time.Duration
}

func newStriped(l Log, p passage, how Fast) *striped {
	s := &striped{replay: newReplay(p.Cut, replayRules{}, l.dataOf(p, how.First)), passage: p,
		workers: make([]worker, max(0, how.Workers))}
	if p.Finish > p.Base {
		end := l[p.Finish].(finishRecord)
		s.excluded, s.included = among(end.Excluded), among(end.Included)
	}
	return s
}

// take hands a record to whom it is for. What is about several partitions is for all.
func (s *striped) take(at int, r sim.Record) {
	switch r := r.(type) {
	case dataRecord:
		if s.passes(at, r.txID) {
			s.hand(r, r.Update.Part)
		}
	case rebalanceRecord:
		s.hand(r, r.Part.Name)
	case gapRecord:
		s.hand(r, r.Part)
	case restoredRecord, groupBaseRecord:
		s.finish()
		s.other(r)
	}
}

// passes is the filter of 4, step 5, by where a record is.
func (s *striped) passes(at int, t txID) bool {
	switch {
	case at > s.passage.Start:
		return s.included[t]
	case at > s.passage.Previous:
		return !s.excluded[t]
	}
	return true
}

// hand gives a record to the worker of its partition, which comes to it once it is free.
func (s *striped) hand(r sim.Record, part string) {
	costs := time.Duration(0)
	if _, data := r.(dataRecord); data {
		costs = applyTime
	}
	if len(s.workers) == 0 {
		s.one(r)
		s.now += costs
		return
	}
	w := &s.workers[stripe(s.part(part).Group, part, len(s.workers))]
	w.queue = append(w.queue, r)
	w.until = max(w.until, s.now) + costs
}

// one does what a record says.
func (s *striped) one(r sim.Record) {
	if d, ok := r.(dataRecord); ok {
		s.apply(d)
		return
	}
	s.other(r)
}

// finish lets the workers come to their end. They share nothing, so it does not matter in which
// order: here the last one is the first.
func (s *striped) finish() {
	for i := len(s.workers) - 1; i >= 0; i-- {
		w := &s.workers[i]
		for _, r := range w.queue {
			s.one(r)
		}
		w.queue = w.queue[:0]
		s.now = max(s.now, w.until)
	}
}

// stripe is the worker of a partition.
func stripe(group, part string, workers int) int {
	h := fnv.New32a()
	h.Write([]byte(group + "/" + part))
	return int(h.Sum32() % uint32(workers))
}
