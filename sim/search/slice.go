package search

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// mostSlice is how many entries a slice has at most.
const mostSlice = 12

// slice is what of the causal past of a violation tells why: what is not so in the nearest passing
// run, the event that is guilty if it stands out, and the witness itself.
func (y *Why) slice(a *Answer, witness []int) []int {
	keep := slices.DeleteFunc(slices.Clone(witness), func(i int) bool {
		return i < 0 || i >= len(y.run.Trace)
	})
	if a.Guilty < len(y.steps) && a.Clear() {
		keep = append(keep, y.steps[a.Guilty].From)
	}
	slices.Sort(keep)
	keep = slices.Compact(keep)
	same := map[passing]bool{}
	if a.Near != nil {
		if run, err := y.play(y.changed, changed(y.plan, a.Near), sim.Options{}); err == nil {
			same = passed(run)
		}
	}
	names := namer{}
	var more []int
	past := Past(y.run, keep)
	for i := range y.run.Trace {
		name := names.next(&y.run.Trace[i])
		if past[i] && !same[name] && !slices.Contains(keep, i) {
			more = append(more, i)
		}
	}
	slices.SortStableFunc(more, func(i, j int) int {
		return cmp.Or(dull(y.run.Trace[i].Kind)-dull(y.run.Trace[j].Kind), j-i)
	})
	all := append(keep, more[:max(0, min(len(more), mostSlice-len(keep)))]...)
	slices.Sort(all)
	return all
}

// dull orders entries by how little they tell.
func dull(k sim.EntryKind) int {
	switch k {
	case sim.EntryNoted, sim.EntryDelivered, sim.EntrySent, sim.EntryLost, sim.EntryCopied,
		sim.EntryCrashed, sim.EntryInvoked, sim.EntryFailed:
		return 0
	case sim.EntrySynced, sim.EntryFlushed, sim.EntryTold, sim.EntryArrived, sim.EntryAppended,
		sim.EntryEpilogue:
		return 2
	}
	return 1
}

// passing is an entry by what it is about, whenever it came.
type passing struct {
	kind       sim.EntryKind
	node, peer sim.NodeID
	text       string
	nth        int
}

// namer counts entries that read the same.
type namer map[passing]int

func (n namer) next(e *sim.Entry) passing {
	p := passing{e.Kind, e.Node, e.Peer, sim.Text(e.Body), 0}
	n[p]++
	p.nth = n[p]
	return p
}

// passed are the entries of a run.
func passed(run *sim.Run) map[passing]bool {
	all, names := map[passing]bool{}, namer{}
	for i := range run.Trace {
		all[names.next(&run.Trace[i])] = true
	}
	return all
}

// Past says which entries of a run happened before one of some entries, those included: what a node
// did before, and what an entry came of.
func Past(run *sim.Run, of []int) []bool {
	past := make([]bool, len(run.Trace))
	for _, i := range of {
		past[i] = true
	}
	wanted := make([]bool, len(run.Nodes)) // of the node: what it did up to here
	for i := len(run.Trace) - 1; i >= 0; i-- {
		e := &run.Trace[i]
		own := int(e.Node) < len(run.Nodes) && (e.Kind.Local() || e.Kind == sim.EntryCrashed)
		past[i] = past[i] || own && wanted[e.Node]
		if !past[i] {
			continue
		}
		if own {
			wanted[e.Node] = true
		}
		if e.Cause >= 0 {
			past[e.Cause] = true
		}
	}
	return past
}
