package search

import "github.com/downset/downset/sim"

// Left is the log that a crash left on a disk.
type Left struct {
	Node string
	Rows int64  // records, from the first one ever written
	Last string // the newest of them, in words; "" if there is none
	Torn bool   // it was to be torn
}

// logs follows the disks of all nodes through a trace.
type logs []nodeLog

type nodeLog struct {
	rows    []string // records in words, whether durable or not
	durable int64
	crashes int32
}

func newLogs(run *sim.Run) logs { return make(logs, len(run.Nodes)) }

func (l *nodeLog) unsynced() int64 { return max(0, int64(len(l.rows))-l.durable) }

// see takes the next entry.
func (ls logs) see(e *sim.Entry) {
	if int(e.Node) >= len(ls) {
		return
	}
	l := &ls[e.Node]
	switch e.Kind {
	case sim.EntryAppended:
		for int64(len(l.rows)) < e.N {
			l.rows = append(l.rows, "")
		}
		l.rows[e.N-1] = label(e.Body)
	case sim.EntrySynced:
		l.durable = max(l.durable, min(e.N, int64(len(l.rows))))
	case sim.EntryCrashed:
		l.crashes++
		l.rows = l.rows[:max(0, int64(len(l.rows))-e.N)]
		l.durable = int64(len(l.rows))
	case sim.EntryDisk:
		if sim.DiskFault(e.N) == sim.DiskLost {
			l.rows, l.durable = nil, 0
		}
	}
}

// left is what each of some crashes left. One that did not fall left nothing to speak of.
func left(run *sim.Run, hits []Hit) []Left {
	ls := newLogs(run)
	all := make([]Left, len(hits))
	for i := range run.Trace {
		e := &run.Trace[i]
		ls.see(e)
		if e.Kind != sim.EntryCrashed {
			continue
		}
		for k, h := range hits {
			if h.Node == run.Name(e.Node) && h.Crash == ls[e.Node].crashes {
				all[k] = ls[e.Node].left(h)
			}
		}
	}
	return all
}

func (l *nodeLog) left(h Hit) Left {
	x := Left{Node: h.Node, Rows: int64(len(l.rows)), Torn: h.Torn}
	if n := len(l.rows); n > 0 {
		x.Last = l.rows[n-1]
	}
	return x
}

// fell is how many entries a run had when a crash had fallen; all if it did not.
func fell(run *sim.Run, h Hit) int {
	crashes := int32(0)
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryCrashed && run.Name(e.Node) == h.Node {
			if crashes++; crashes == h.Crash {
				return i + 1
			}
		}
	}
	return len(run.Trace)
}
