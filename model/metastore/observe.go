package metastore

import (
	"strconv"
	"strings"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// What can be seen of a node:
//
//	leader         yes or no, of servers
//	revision       of the store, of servers
//	answer         the last that a client here was given
//	answers        all of them, joined by "; "
//	saw RANGE      what the watches of a range have been told: events, "compacted 5", "at 7" for how
//	               far a watch is
//	cache RANGE    what a follower has
//	processed      what has been acted upon
//
// A node that is down shows what it had.
var shows = []string{"leader", "revision", "answer", "answers", "saw", "cache", "processed"}

// board is what is seen of a run.
type board struct{ sim.Board }

// between stands between the values that a node shows of one thing.
const between = "; "

func observe(run *sim.Run) []sim.Observation {
	b := board{sim.Board{Run: run}}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch {
		case int(e.Node) >= len(run.Nodes):
		case e.Kind == sim.EntryNoted:
			b.noted(e.Node, e.Body)
		case i >= run.Epilogue:
		case e.Kind == sim.EntryReturned, e.Kind == sim.EntryRefused:
			b.Set(e.Node, "answer", sim.Text(e.Body))
			b.Add(e.Node, "answers", between, sim.Text(e.Body))
		}
	}
	return b.Seen
}

func (b *board) noted(id sim.NodeID, f sim.Fact) {
	switch f := f.(type) {
	case serves:
		b.Set(id, "leader", "no")
	case raft.Elected:
		b.Set(id, "leader", "yes")
	case raft.Deposed:
		b.Set(id, "leader", "no")
	case replica:
		b.Set(id, "revision", strconv.FormatInt(f.Rev, 10))
	case saw:
		b.saw(id, f)
	case cached:
		words := make([]string, len(f.Items))
		for i, item := range f.Items {
			words[i] = item.String()
		}
		b.Set(id, "cache "+f.Range.String(), orNothing(strings.Join(words, ", ")))
	case processed:
		b.Add(id, "processed", between, f.Does)
	}
}

func (b *board) saw(id sim.NodeID, f saw) {
	name := "saw " + f.Range.String()
	for _, e := range f.Batch.Events {
		b.Add(id, name, between, e.String())
	}
	switch {
	case f.Batch.Compacted >= 0:
		b.Add(id, name, between, "compacted "+strconv.FormatInt(f.Batch.Compacted, 10))
	case f.Mark:
		b.Add(id, name, between, "at "+strconv.FormatInt(f.Batch.To, 10))
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
