package metastore

import (
	"slices"
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

// board is what is seen of a run, each thing of a node under a name, in the order in which the
// names came up.
type board struct {
	run  *sim.Run
	seen []sim.Observation
}

func observe(run *sim.Run) []sim.Observation {
	b := board{run: run}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch {
		case int(e.Node) >= len(run.Nodes):
		case e.Kind == sim.EntryNoted:
			b.noted(e.Node, e.Body)
		case i >= run.Epilogue:
		case e.Kind == sim.EntryReturned, e.Kind == sim.EntryRefused:
			b.set(e.Node, "answer", sim.Text(e.Body))
			b.add(e.Node, "answers", sim.Text(e.Body))
		}
	}
	return b.seen
}

func (b *board) noted(id sim.NodeID, f sim.Fact) {
	switch f := f.(type) {
	case serves:
		b.set(id, "leader", "no")
	case raft.Elected:
		b.set(id, "leader", "yes")
	case raft.Deposed:
		b.set(id, "leader", "no")
	case replica:
		b.set(id, "revision", strconv.FormatInt(f.Rev, 10))
	case saw:
		b.saw(id, f)
	case cached:
		words := make([]string, len(f.Items))
		for i, item := range f.Items {
			words[i] = item.String()
		}
		b.set(id, "cache "+f.Range.String(), orNothing(strings.Join(words, ", ")))
	case processed:
		b.add(id, "processed", f.Does)
	}
}

func (b *board) saw(id sim.NodeID, f saw) {
	name := "saw " + f.Range.String()
	for _, e := range f.Batch.Events {
		b.add(id, name, e.String())
	}
	switch {
	case f.Batch.Compacted >= 0:
		b.add(id, name, "compacted "+strconv.FormatInt(f.Batch.Compacted, 10))
	case f.Mark:
		b.add(id, name, "at "+strconv.FormatInt(f.Batch.To, 10))
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// set shows a value in the place of the one before.
func (b *board) set(id sim.NodeID, name, value string) {
	if at := b.find(id, name); at >= 0 {
		b.seen[at].Value = value
		return
	}
	b.seen = append(b.seen, sim.Observation{Node: b.run.Name(id), Name: name, Value: value})
}

// add shows a value after those before.
func (b *board) add(id sim.NodeID, name, value string) {
	if at := b.find(id, name); at >= 0 {
		b.seen[at].Value += "; " + value
		return
	}
	b.set(id, name, value)
}

func (b *board) find(id sim.NodeID, name string) int {
	return slices.IndexFunc(b.seen, func(o sim.Observation) bool {
		return o.Node == b.run.Name(id) && o.Name == name
	})
}
