package ignite

import "github.com/downset/downset/sim"

// readLogs finds marks and data records in what the logs hold in the end.
func (r *reading) readLogs() {
	for n := range r.logs {
		r.readLog(n)
	}
	for k := range r.cuts {
		l := &r.cuts[k]
		for n := range l.at {
			l.anew = l.anew || l.at[n].fresh >= 0
		}
	}
}

func (r *reading) readLog(n int) {
	base, fresh := nowhere, nowhere
	for at := range r.logs[n].rows {
		if r.torn(n, at) {
			continue
		}
		switch rec := r.logs[n].rows[at].record.(type) {
		case dataRecord:
			r.datum(n, at, rec)
		case startRecord:
			if s := r.marked(n, at, rec.Cut); s != nil {
				s.starts, s.base, s.fresh = append(s.starts, int32(at)), base, fresh
			}
		case finishRecord:
			if s := r.marked(n, at, rec.Cut); s != nil {
				s.finishes, s.sets = append(s.finishes, int32(at)), rec
			}
		case baseRecord:
			base = int32(at)
		case restoredRecord:
			fresh = int32(at)
			r.undo(n, fresh)
		}
	}
}

// datum notes a data record of a transaction.
func (r *reading) datum(n, at int, rec dataRecord) {
	if t, ok := r.tx.find(&rec.txID); ok {
		r.txs[t].data = append(r.txs[t].data, datum{sim.NodeID(n), int32(at)})
	}
}

// wiped is a node that loses its disk.
func (p *pass) wiped(i int32, e *sim.Entry) {
	if sim.DiskFault(e.N) == sim.DiskLost {
		p.logs[e.Node].rows, p.members[e.Node].wiped = nil, i
	}
}

// undo: a restore puts an end to the past that cuts marked.
func (r *reading) undo(n int, row int32) {
	for k := range r.cuts {
		if s := &r.cuts[k].at[n]; len(s.starts) > 0 {
			first(&s.undone, row)
		}
	}
}

// torn says that a crash tore a record.
func (r *reading) torn(n, at int) bool {
	if n >= len(r.run.Disks) {
		return false
	}
	d, lsn := r.run.Disks[n], sim.LSN(at+1)
	if lsn < d.First() || lsn > d.Last() {
		return false
	}
	_, torn := d.At(lsn).(sim.Torn)
	return torn
}

// marked is the station that a mark belongs to. One without an id is of the cut that the node was
// in as it wrote it.
func (r *reading) marked(n, at int, c cutID) *station {
	if c != (cutID{}) {
		return &r.line(c).at[n]
	}
	entry := r.logs[n].rows[at].entry
	best := nowhere
	for k := range r.cuts {
		s := &r.cuts[k].at[n]
		if s.entered >= 0 && s.entered < entry && (best < 0 || s.entered > r.cuts[best].at[n].entered) {
			best = int32(k)
		}
	}
	if best < 0 {
		return nil
	}
	return &r.cuts[best].at[n]
}

// before is the side that a cut's marks give a data record (1.10). The cut has both marks there.
func (r *reading) before(l *line, d datum, t txID) bool {
	s := &l.at[d.node]
	switch {
	case d.row < s.starts[0]:
		return !holds(s.sets.Excluded, t)
	case d.row < s.finishes[0]:
		return holds(s.sets.Included, t)
	}
	return false
}

func holds(set []txID, t txID) bool {
	for _, x := range set {
		if x == t {
			return true
		}
	}
	return false
}

// whole says that a node has the marks of a cut, each once and in order.
func (s *station) whole() bool {
	return len(s.starts) == 1 && len(s.finishes) == 1 && s.starts[0] < s.finishes[0]
}

// fallen says that a node has crashed or left between two entries.
func (m *member) fallen(from, to int32) bool {
	for _, f := range m.falls {
		if from <= f && f <= to {
			return true
		}
	}
	return false
}

// name is the name of the node of an entry.
func (r *reading) name(i int32) string { return r.run.Name(r.trace[i].Node) }
