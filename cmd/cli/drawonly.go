package cli

import (
	"slices"

	"github.com/downset/downset/sim"
)

// only hides entries of bodies that have none of some words as kind or key, unless they are points
// of a cut. Entries without bodies are faults, which stay, but for the working of disks, and for
// first starts and for ups and downs of streams that concern nothing of what is shown.
func only(run *sim.Run, words []string, point func(sim.Body) (string, bool)) func(int) bool {
	hidden := make([]bool, len(run.Trace))
	for i, e := range run.Trace {
		switch e.Kind {
		case sim.EntrySynced, sim.EntryFlushed, sim.EntryTold, sim.EntryOpened, sim.EntryBroken:
			hidden[i] = true
		case sim.EntryStarted:
			hidden[i] = e.N <= 1
		default:
			hidden[i] = e.Body != nil && !isPoint(e, point) && !named(e.Body, words)
		}
	}
	concerned(run, hidden)
	return func(entry int) bool { return hidden[entry] }
}

// isPoint says that an entry is a point of a cut.
func isPoint(e sim.Entry, point func(sim.Body) (string, bool)) bool {
	if point == nil || e.Kind != sim.EntryNoted {
		return false
	}
	_, is := point(e.Body)
	return is
}

// named says that a body has one of some words as its kind or a key.
func named(b sim.Body, words []string) bool {
	is := func(name string) bool { return slices.Contains(words, name) }
	return is(b.Kind()) || slices.ContainsFunc(sim.KeysOf(b), is)
}

// concerned shows what concerns what is shown: either end's first word that a stream broke which
// lost a shown message, and the starts and the ups and downs that made a node do something shown.
func concerned(run *sim.Run, hidden []bool) {
	var due [][2]sim.NodeID // ends that have not been told yet, and of whom
	for i, e := range run.Trace {
		switch {
		case e.Kind == sim.EntryBroken:
			ends := [2]sim.NodeID{e.Node, e.Peer}
			if slices.Contains(due, ends) {
				hidden[i] = false
				due = slices.DeleteFunc(due, func(d [2]sim.NodeID) bool { return d == ends })
			}
		case hidden[i]:
		case e.Kind == sim.EntryLost && e.N == int64(sim.LostBroken):
			due = append(due, [2]sim.NodeID{e.Node, e.Peer}, [2]sim.NodeID{e.Peer, e.Node})
		case e.Body != nil && e.Cause >= 0 && prompts(run.Trace[e.Cause].Kind):
			hidden[e.Cause] = false
		}
	}
}

// prompts says that a node starts, or is told what became of a stream, and may do something then.
func prompts(k sim.EntryKind) bool {
	return k == sim.EntryStarted || k == sim.EntryOpened || k == sim.EntryBroken
}
