package search

import (
	"cmp"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// A story is read top to bottom, so the times of its lines do not decrease: those of the script,
// and those of the load. A world plays other plans too: it does at once what is late. But nobody
// could write them down.

// inOrder says that a plan's times do not decrease.
func inOrder(p *sim.Plan) bool { return steady(p.Script) && steady(p.Load) }

// steady says that each line which names a time names none before that of an earlier line.
func steady(list []sim.Action) bool {
	last := time.Duration(0)
	for i := range list {
		if list[i].Place != sim.At {
			continue
		}
		if list[i].Offset < last {
			return false
		}
		last = list[i].Offset
	}
	return true
}

// ordered is a plan of the same run whose times do not decrease.
func ordered(p *sim.Plan) *sim.Plan {
	q := editable(p)
	for i := range q.Script {
		if a := &q.Script[i]; a.Place == sim.At {
			a.Offset = max(a.Offset, timeBefore(q.Script, i))
		}
	}
	slices.SortStableFunc(q.Load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return q
}

// timeBefore is the time of the last line before the i-th that names one, 0 if none does.
func timeBefore(list []sim.Action, i int) time.Duration {
	for _, a := range slices.Backward(list[:i]) {
		if a.Place == sim.At {
			return a.Offset
		}
	}
	return 0
}
