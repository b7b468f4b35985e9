package metastore

import (
	"slices"

	"github.com/downset/downset/sim"
)

// stream is all that one watch was told, over all servers.
type stream struct {
	ID    sim.CallID
	Node  sim.NodeID
	Range Range
	Steps []step
	Over  bool // it is closed, its node has crashed, or its listener has failed
}

// step is one thing that a watch was told, or that it was read anew.
type step struct {
	At   int
	What sim.Fact // began, saw, cached or closed
}

// told enters what a watch says.
func (l *ledger) told(i int) {
	f := l.run.Trace[i].Body
	s := l.streamOf(i)
	if s == nil {
		return
	}
	switch f.(type) {
	case closed, stuck:
		s.Over = true
	}
	s.Steps = append(s.Steps, step{i, f})
}

// streamOf is the stream of the watch that a fact is of, nil if it is of none.
func (l *ledger) streamOf(i int) *stream {
	var id sim.CallID
	var r Range
	switch f := l.run.Trace[i].Body.(type) {
	case began:
		id, r = f.ID, f.Watch.Range
	case saw:
		id, r = f.ID, f.Range
	case cached:
		id, r = f.ID, f.Range
	case closed:
		id, r = f.ID, f.Range
	case stuck:
		id, r = f.ID, f.Range
	default:
		return nil
	}
	k := slices.IndexFunc(l.streams, func(s *stream) bool { return s.ID == id })
	if k < 0 {
		k = len(l.streams)
		l.streams = append(l.streams, &stream{ID: id, Node: l.run.Trace[i].Node, Range: r})
	}
	return l.streams[k]
}

// lost: a node has crashed, and its watches with it.
func (l *ledger) lost(node sim.NodeID) {
	for _, s := range l.streams {
		s.Over = s.Over || s.Node == node
	}
}

// due are the events of a range from one revision up to another.
func (l *ledger) due(r Range, from, to int64) []Event {
	w := Watcher{Watch: Watch{Range: r}}
	var all []Event
	for rev := max(from, l.dialect.First+1); rev <= min(to, l.state.Rev); rev++ {
		all = append(all, l.state.events(&w, rev)...)
	}
	return all
}
