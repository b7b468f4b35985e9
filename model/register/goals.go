package register

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// goals are the situations that a campaign must reach, so that a clean result means something.
var goals = []sim.Goal{
	{Name: "unknown-took-effect", Doc: "a read returned what a write wrote whose client never heard",
		Count: func(run *sim.Run) int { return unknown(run, true) }},
	{Name: "unknown-without-effect", Doc: "a write whose client never heard came to no disk, and " +
		"nobody read it", Count: func(run *sim.Run) int { return unknown(run, false) }},
	{Name: "read-overlapped-two-writes", Doc: "two writes of its register were under way during a " +
		"read", Count: overlaps},
	{Name: "wrote-back", Doc: "a node has a version from a read that it did not have from the write",
		Count: wroteBack},
	{Name: "asked-again", Doc: "a phase sent its question again", Count: askedAgain},
	{Name: "crashed-before-telling", Doc: "a node crashed between the disk and the network",
		Count: untold},
	{Name: "late-reply", Doc: "a reply came to a phase that had ended", Count: late},
	{Name: "equal-numbers", Doc: "two writes of one register chose the same sequence number",
		Count: equalNumbers},
	{Name: "two-on-a-node", Doc: "one node coordinated two writes of one register at once",
		Count: together},
	{Name: "torn", Doc: "a crash tore a record", Count: torn},
}

// history is the operations of a run on registers, nil if none can be read.
func history(run *sim.Run) checker.History {
	h, err := checker.ReadHistory(run)
	if err != nil {
		return nil
	}
	return h
}

// unknown counts the writes with an unknown outcome that took effect, or those that surely did not.
func unknown(run *sim.Run, effect bool) int {
	type cell struct{ key, value string }
	h, seen, kept := history(run), map[cell]bool{}, map[cell]bool{}
	for i := range h {
		if g, ok := h[i].Result.(got); ok && h[i].Fate == checker.Returned {
			seen[cell{g.Key, g.Value}] = true
		}
	}
	for i := range run.Trace {
		if s, ok := run.Trace[i].Body.(stored); ok {
			kept[cell{s.Key, s.Value}] = true
		}
	}
	n := 0
	for i := range h {
		w, ok := h[i].Op.(write)
		if !ok || h[i].Fate != checker.Unknown {
			continue
		}
		c := cell{w.Key, w.Value}
		if effect && seen[c] || !effect && !seen[c] && !kept[c] {
			n++
		}
	}
	return n
}

// overlaps counts the reads that two writes overlap.
func overlaps(run *sim.Run) int {
	h, n := history(run), 0
	for i := range h {
		r, ok := h[i].Op.(read)
		if !ok {
			continue
		}
		writes := 0
		for k := range h {
			if w, ok := h[k].Op.(write); ok && w.Key == r.Key && meet(&h[i], &h[k]) {
				writes++
			}
		}
		if writes > 1 {
			n++
		}
	}
	return n
}

// meet says that two operations were under way at once.
func meet(a, b *checker.Operation) bool { return a.Call < b.Return && b.Call < a.Return }

// together counts pairs of writes of one register that one node coordinated at once.
func together(run *sim.Run) int {
	h, n := history(run), 0
	for i := range h {
		for k := range h[:i] {
			a, isA := h[i].Op.(write)
			b, isB := h[k].Op.(write)
			if isA && isB && a.Key == b.Key && h[i].Node == h[k].Node && meet(&h[i], &h[k]) {
				n++
			}
		}
	}
	return n
}

// wroteBack counts versions that a node stored because a read said so.
func wroteBack(run *sim.Run) int {
	n := 0
	var reads []bool // by call
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryInvoked {
			_, ok := e.Body.(read)
			reads = append(reads, ok)
		}
		if e.Kind != sim.EntryAppended || e.Cause < 0 {
			continue
		}
		if s, ok := run.Trace[e.Cause].Body.(store); ok && reads[s.Phase.Call-1] {
			n++
		}
	}
	return n
}

// askedAgain counts what timers sent.
func askedAgain(run *sim.Run) int {
	n := 0
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntrySent && e.Cause >= 0 && run.Trace[e.Cause].Kind == sim.EntryFired {
			n++
		}
	}
	return n
}

// untold counts crashes after a node wrote a version and before it sent anything.
func untold(run *sim.Run) int {
	n, mute := 0, make([]bool, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryAppended:
			mute[e.Node] = true
		case sim.EntrySent:
			mute[e.Node] = false
		case sim.EntryCrashed:
			if mute[e.Node] {
				n++
			}
			mute[e.Node] = false
		}
	}
	return n
}

// late counts replies that came to phases which had ended.
func late(run *sim.Run) int {
	n, over := 0, map[phase]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		if p, ok := replyTo(e); ok && over[p] {
			n++
		}
		if q, ok := e.Body.(quorum); ok && e.Kind == sim.EntryNoted {
			over[q.Phase] = true
		}
	}
	return n
}

// equalNumbers counts writes that chose the sequence number of an earlier one.
func equalNumbers(run *sim.Run) int {
	type number struct {
		key string
		seq int64
	}
	n, seen := 0, map[number]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		c, ok := e.Body.(chosen)
		if !ok || e.Kind != sim.EntryNoted {
			continue
		}
		at := number{c.Key, c.Tag.Seq}
		if seen[at] {
			n++
		}
		seen[at] = true
	}
	return n
}

// torn counts disks with a torn record.
func torn(run *sim.Run) int {
	n := 0
	for _, d := range run.Disks {
		var records []sim.Record
		for lsn := d.First(); lsn <= d.Last(); lsn++ {
			records = append(records, d.At(lsn))
		}
		if slices.Contains(records, sim.Record(sim.Torn{})) {
			n++
		}
	}
	return n
}
