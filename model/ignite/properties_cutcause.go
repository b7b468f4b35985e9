package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// A cut may fail only for what the specification has as a reason (1.10, 1.12, 3.2). Whatever a node
// says of its own reason, the trace must have the fact. For the local part of a cut that is a
// transaction that it waits for and that ended without a trustworthy tag; for a refusal, that the
// node was asked to refuse, that another cut, a full snapshot or a restore was under way, or that
// its data is not what the last full snapshot and its log make of it; for the process as a whole,
// that a node came or went which the cut needs.

// objected says that a node refused a cut, or failed in it.
func (l *line) objected() bool {
	return slices.ContainsFunc(l.at, func(s station) bool { return s.failed >= 0 || s.refused >= 0 })
}

// reasons wants somebody to object to a cut that fails though all whom it needs are there, and
// whoever does to have a reason.
func (r *reading) reasons(l *line, t *tally) {
	if !l.objected() {
		t.wrong([]int32{l.listed, l.ended}, "cut %s fails for no reason: %s", l.id, l.why(r))
	}
	for n := range l.at {
		switch s, id := &l.at[n], sim.NodeID(n); {
		case s.failed >= 0 && !r.failsFor(l, id):
			t.wrong([]int32{l.listed, s.failed}, "cut %s fails on %s for no reason: %s", l.id,
				r.run.Nodes[n], r.trace[s.failed].Body.(failedCut).Why)
		case s.refused >= 0 && !r.refusesFor(l, id):
			t.wrong([]int32{l.listed, s.refused}, "%s refuses cut %s for no reason: %s", r.run.Nodes[n],
				l.id, r.trace[s.refused].Body.(refusedCut).Why)
		}
	}
}

// failsFor says that the local part of a cut had a reason to fail. Where cuts are versions, a newer
// one ends it, and so does a server that comes or goes.
func (r *reading) failsFor(l *line, n sim.NodeID) bool {
	s := &l.at[n]
	for k := range r.txs {
		c := &r.txs[k]
		for at := range c.stints {
			x := &c.stints[at]
			if x.node == n && x.made < s.failed && r.tracks(s, x.key) && c.untrusted(x, s.failed) {
				return true
			}
		}
	}
	return l.id.Version > 0 && (r.moved(l) || slices.ContainsFunc(r.cuts, func(w line) bool {
		return w.id.Version > l.id.Version && w.at[n].entered > s.entered
	}))
}

// untrusted says that an object ended before an entry so that nobody knows the side of its
// transaction: UNKNOWN, or by recovery, here or at the primary that says so; or unmapped.
func (c *course) untrusted(s *stint, before int32) bool {
	switch end := s.ends(); {
	case end < 0 || end > before:
		return false
	case s.state == unknown, c.mapped < 0:
		return true
	}
	return slices.ContainsFunc(c.stints, func(x stint) bool {
		return x.by == byRecovery && x.at[committing] >= 0 && x.at[committing] < before
	})
}

// refusesFor says that a node had a reason to refuse a cut.
func (r *reading) refusesFor(l *line, n sim.NodeID) bool {
	for k := range r.cuts {
		w := &r.cuts[k]
		running := w.begun >= 0 && w.begun < l.begun && (w.ended < 0 || w.ended > l.begun)
		if w != l && (running || l.id.Version > 0 && w.id.Version >= l.id.Version) {
			return true
		}
	}
	return r.footing(n, l.at[n].refused).refuses(l, r)
}

// footing is how things stand at a node, as far as a cut may have to be refused.
type footing struct {
	node     sim.NodeID
	asked    []string   // to refuse by a client, cuts among them
	log      []foothold // by position in its log; the last one is how things are
	bases    []int64    // positions of full snapshots that are asked for and not made
	restores sim.CallID
	greeted  int64 // with which order, since it is up; one of another life is none
	view     view  // the newest topology that it knows, since it is up
	baseline []sim.NodeID
}

// foothold is what a log says up to a record.
type foothold struct {
	at    int64  // position of the record
	base  string // the newest full snapshot
	apart bool   // data and log differ since then
}

// footing is that of a node at an entry.
func (r *reading) footing(n sim.NodeID, until int32) *footing {
	s := &footing{node: n, log: []foothold{{base: firstBase}}}
	for i := range r.trace[:until] {
		e := &r.trace[i]
		if e.Node != n {
			continue
		}
		switch e.Kind {
		case sim.EntryStarted:
			s.bases, s.restores, s.greeted, s.view = nil, 0, 0, view{}
		case sim.EntryInvoked:
			if op, ok := e.Body.(refuseOp); ok {
				s.asked = append(s.asked, op.Tx)
			}
		case sim.EntryAppended:
			s.appended(e)
		case sim.EntryCrashed:
			s.lost(r, e.N)
		case sim.EntryDisk:
			if sim.DiskFault(e.N) == sim.DiskLost {
				s.log = s.log[:1]
			}
		case sim.EntryNoted:
			s.noted(e.Body)
		case sim.EntryLogged:
			s.logged(e)
		}
	}
	return s
}

// now is what the log says.
func (s *footing) now() foothold { return s.log[len(s.log)-1] }

// appended takes in a record: a full snapshot makes data and log one again.
func (s *footing) appended(e *sim.Entry) {
	is := s.now()
	is.at = e.N
	switch b := e.Body.(type) {
	case baseRecord:
		is.base, is.apart = b.Name, false
	case groupBaseRecord:
		is.apart = false
	case pagesRecord, restoredRecord:
		is.apart = true
	}
	s.log = append(s.log, is)
}

// lost takes some records back, which a crash has lost, and one that it tore.
func (s *footing) lost(r *reading, records int64) {
	last := s.now().at - records
	for last > 0 && r.torn(int(s.node), int(last)-1) {
		last--
	}
	s.log = slices.DeleteFunc(s.log, func(h foothold) bool { return h.at > last })
}

// noted takes in the topology.
func (s *footing) noted(b sim.Body) {
	f, ok := b.(topology)
	if !ok {
		return
	}
	s.view = f.View
	is := s.now()
	is.apart = is.apart || !slices.Equal(s.baseline, f.View.Baseline)
	s.log = append(s.log, is)
	s.baseline = f.View.Baseline
	s.bases = slices.DeleteFunc(s.bases, func(pos int64) bool { return pos <= f.View.Ver })
}

// logged takes in what runs over discovery.
func (s *footing) logged(e *sim.Entry) {
	switch b := e.Body.(type) {
	case baseAsked:
		s.bases = append(s.bases, e.N)
	case greeting:
		if b.To == s.node {
			s.greeted = max(s.greeted, b.Order)
		}
	case restoreAsked:
		if s.restores == 0 {
			s.restores = b.Call
		}
	case restoreStage:
		if b.Call == s.restores && (b.Err != "" || b.Stage == restoreReplay) {
			s.restores = 0
		}
	}
}

// refuses says that a node has to refuse a cut as things stand there.
func (s *footing) refuses(l *line, r *reading) bool {
	start, _ := r.trace[l.begun].Body.(startCut)
	order := r.members[s.node].order // 0 of a founder
	switch {
	case slices.Contains(s.asked, l.id.Name), len(s.bases) > 0, s.restores != 0, s.now().apart:
		return true
	case s.now().base != start.Base && r.layout.baseline(s.node):
		return true
	case order > 0 && (s.greeted < order || order > s.view.Ver):
		return true
	}
	return slices.ContainsFunc(s.view.Parts, func(h holding) bool {
		return slices.Contains(h.Moving, s.node)
	})
}

// moved says that nodes came or went while a cut was running which it needs: those of the baseline,
// who asked for it, and where cuts are versions every server.
func (r *reading) moved(l *line) bool {
	for n := range r.members {
		id := sim.NodeID(n)
		needed := r.layout.baseline(id) || l.lists(id) || id == l.initiator ||
			l.id.Version > 0 && !r.layout.client(id)
		if needed && r.members[n].missed(l) {
			return true
		}
	}
	return r.orphan(l)
}

// orphan says that who asked for a cut was in another life by its START.
func (r *reading) orphan(l *line) bool {
	start, ok := r.trace[l.begun].Body.(startCut)
	return ok && r.idAt("", start.Initiator, l.begun).Life != start.Since
}
