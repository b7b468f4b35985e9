package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// logView is a log as records say it: the cell, and the entries behind it.
type logView struct {
	base, baseTerm int64
	cell           int32 // where the cell was written, 0 if there is none
	hard           HardState
	hardAt         int32
	slots          []viewSlot // of base+1 and on
}

// viewSlot is an entry of a log: its term, and where it was written.
type viewSlot struct {
	term  int64
	entry int32
}

func (v *logView) last() int64 { return v.base + int64(len(v.slots)) }

// term is the term of the entry at an index, -1 if it is not there, or behind the cell.
func (v *logView) term(index int64) int64 {
	switch k := index - v.base; {
	case k == 0:
		return v.baseTerm
	case k > 0 && k <= int64(len(v.slots)):
		return v.slots[k-1].term
	}
	return -1
}

// entry is where the entry at an index was written, or the cell that it is in.
func (v *logView) entry(index int64) int32 {
	if k := index - v.base; k > 0 && k <= int64(len(v.slots)) {
		return v.slots[k-1].entry
	}
	return v.cell
}

// has says that a log has an entry, or a snapshot in which it is.
func (v *logView) has(index, term int64) bool {
	return index < v.base || v.term(index) == term
}

// cut takes off what is behind an index.
func (v *logView) cut(index int64) {
	if k := max(index-v.base, 0); k < int64(len(v.slots)) {
		v.slots = v.slots[:k]
	}
}

// put takes in a record of the log. What is missing before it is there without a term.
func (v *logView) put(r sim.Record, at int32) {
	switch r := r.(type) {
	case Logged:
		if r.Index <= v.base {
			return
		}
		v.cut(r.Index - 1)
		for v.last() < r.Index-1 && v.last()-v.base < maxGap {
			v.slots = append(v.slots, viewSlot{-1, at})
		}
		v.slots = append(v.slots, viewSlot{r.Term, at})
	case HardState:
		v.hard, v.hardAt = r, at
	}
}

// maxGap bounds what a wrong index makes of a log.
const maxGap = 1 << 16

// load takes in a cell: nothing else is there.
func (v *logView) load(s *Snapshot, at int32) {
	v.base, v.baseTerm, v.cell, v.slots = s.Index, s.Term, at, v.slots[:0]
	v.hard, v.hardAt = s.Hard, at
}

func (v *logView) copyOf(o *logView) {
	slots := append(v.slots[:0], o.slots...)
	*v = *o
	v.slots = slots
}

// newest is the term that a log knows of.
func (v *logView) newest() int64 { return max(v.hard.Term, v.term(v.last())) }

// lastBefore is the last entry of a term before one.
func (v *logView) lastBefore(term int64) (index, of int64) {
	index = v.last()
	for index > v.base && v.term(index) >= term {
		index--
	}
	return index, v.term(index)
}

// diskBook is a disk as the trace shows it. What its node reads is cache, what would survive a
// crash is solid.
type diskBook struct {
	cache, solid logView
	records      []int32 // where they were written: those behind the solid cell
	durable      int     // how many of them are durable
	cells        []int32 // written, and not durable
	last         int64   // LSN

	// A record that was not synced and survived a crash may be torn, which no trace says. Until the
	// node writes again, it is in doubt whether entries behind sure are there.
	doubt     bool
	sure      int64
	hardDoubt bool // the same of the hard state in cache
	torn      bool // and of that in solid

	dirty bool  // it has written since it did something else
	was   int64 // the last index before that
	low   int64 // the first index at which there is another entry since, 0 if none
}

func (d *diskBook) reset() {
	old := *d
	*d = diskBook{records: old.records[:0], cells: old.cells[:0]}
	d.cache.slots, d.solid.slots = old.cache.slots[:0], old.solid.slots[:0]
}

// begin notes what the log was before a node wrote.
func (d *diskBook) begin() {
	if !d.dirty {
		d.dirty, d.was, d.low = true, d.cache.last(), 0
	}
}

// append takes in a record.
func (d *diskBook) append(at int32, e *sim.Entry) {
	d.begin()
	if d.last = e.N; d.doubt {
		d.clear(e.Body)
	}
	if l, ok := e.Body.(Logged); ok && l.Index > d.cache.base {
		if was := d.cache.term(l.Index); was >= 0 && was != l.Term && (d.low == 0 || l.Index < d.low) {
			d.low = l.Index
		}
	}
	d.records = append(d.records, at)
	d.cache.put(e.Body, at)
}

// clear ends the doubt: what is written in the place of an entry in doubt shows that it was torn.
func (d *diskBook) clear(r sim.Record) {
	l, ok := r.(Logged)
	if !ok {
		return
	}
	if d.doubt = false; l.Index > d.sure && l.Index <= d.cache.last() {
		d.cache.cut(l.Index - 1)
		d.solid.cut(l.Index - 1)
		d.was = d.cache.last()
	}
}

// replace takes in a cell.
func (d *diskBook) replace(trace sim.Trace, at int32, s *Snapshot) {
	d.begin()
	d.cells = append(d.cells, at)
	low := max(d.cache.base, s.Index)
	if was := d.cache.term(s.Index); was >= 0 && was != s.Term {
		low = s.Index - 1
	}
	before := append([]viewSlot(nil), d.cache.slots[min(int64(len(d.cache.slots)),
		max(0, low-d.cache.base)):]...)
	d.cache.load(s, at)
	d.playFrom(trace, &d.cache, trace[at].N, len(d.records))
	for k, slot := range before {
		i := low + 1 + int64(k)
		if is := d.cache.term(i); is >= 0 && is != slot.term && (d.low == 0 || i < d.low) {
			d.low = i
		}
	}
	d.was = max(d.was, s.Index)
}

// playFrom takes in the records behind an LSN, of the first so many.
func (d *diskBook) playFrom(trace sim.Trace, v *logView, lsn int64, upto int) {
	for _, at := range d.records[:upto] {
		if e := &trace[at]; e.N > lsn {
			v.put(e.Body, at)
		}
	}
}

// sync makes durable what was submitted before an entry: cells, and records up to an LSN.
func (d *diskBook) sync(trace sim.Trace, submitted int32, lsn int64) {
	for len(d.cells) > 0 && d.cells[0] < submitted {
		at := d.cells[0]
		d.cells = append(d.cells[:0], d.cells[1:]...)
		s, _ := trace[at].Body.(Snapshot)
		d.solid.load(&s, at)
		gone := 0
		for gone < len(d.records) && trace[d.records[gone]].N <= trace[at].N {
			gone++
		}
		d.records = slices.Delete(d.records, 0, gone)
		d.durable = max(0, d.durable-gone)
		d.playFrom(trace, &d.solid, 0, d.durable)
	}
	for d.durable < len(d.records) && trace[d.records[d.durable]].N <= lsn {
		at := d.records[d.durable]
		d.solid.put(trace[at].Body, at)
		if _, ok := trace[at].Body.(HardState); ok {
			d.torn = false
		}
		d.durable++
	}
}

// crash leaves what is durable, and of what is not all but so many records.
func (d *diskBook) crash(trace sim.Trace, lost int64) {
	d.last -= lost
	kept, sure := d.durable, d.solid.last()
	if d.doubt { // since an earlier crash
		sure = min(sure, d.sure)
	}
	for kept < len(d.records) && trace[d.records[kept]].N <= d.last {
		at := d.records[kept]
		switch r := trace[at].Body.(type) {
		case Logged:
			d.doubt, sure = true, min(sure, r.Index-1)
		case HardState:
			d.torn = true
		}
		d.solid.put(trace[at].Body, at)
		kept++
	}
	d.sure, d.hardDoubt = sure, d.torn
	d.records, d.durable = d.records[:kept], kept
	d.cells, d.dirty = d.cells[:0], false
	d.cache.copyOf(&d.solid)
}
