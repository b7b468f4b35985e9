package raft

// readBook is a read that has begun on a node.
type readBook struct {
	id        ReadID
	entry     int32
	committed int64 // the greatest index that any leader had found committed
	by        int32 // where
	lease     bool
	parked    bool // the node led, and had committed nothing of its term
}

// asked is a read that begins.
func (b *book) asked(n *nodeBook, at int32, f Asked) {
	r := readBook{id: f.ID, entry: at, committed: int64(len(b.commits)), lease: f.Lease}
	if r.committed > 0 {
		r.by = b.commits[r.committed-1].by
	}
	r.parked = n.leads > 0 && n.disk.cache.term(n.commit) != n.leads
	n.reads = append(n.reads, r)
}

// served is one that may be answered: R14, R15.
func (b *book) served(n *nodeBook, at int32, f Served) {
	c := cReadFresh
	if f.Lease {
		c = cLeaseFresh
	}
	if f.Lease && b.clocks > 0 {
		return
	}
	k := len(n.reads) - 1
	for k >= 0 && n.reads[k].id != f.ID {
		k--
	}
	b.premise(c)
	if k < 0 {
		b.fails(c, []int32{at}, "%s serves a read at %d that was never asked",
			b.name(n.id), f.Index)
		return
	}
	r := &n.reads[k]
	b.serves(n, r)
	if f.Index < r.committed {
		b.fails(c, []int32{r.by, r.entry, at}, "%s serves a read at %d, and all up to %d was "+
			"committed before it was asked", b.name(n.id), f.Index, r.committed)
	}
}
