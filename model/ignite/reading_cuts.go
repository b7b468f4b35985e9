package ignite

import "github.com/downset/downset/sim"

// line is what a trace says of one cut, from node to node.
type line struct {
	id        cutID
	index     int32
	topVer    int64 // its topology version
	begun     int32 // where its START got its place on the log lane
	listed    int32
	baseline  []sim.NodeID // its baseline nodes; they must not change
	initiator sim.NodeID
	at        []station // by node
	results   []int32   // of both stages
	call      int64     // of the client that wanted it
	quiet     int32     // where a node first stops signing with it
	oneStage  bool      // the result of START is that of the cut
	ended     int32     // where the first result of the last stage got its place on the log lane
	published int32     // and was published
	reducer   sim.NodeID
	good      bool        // it is success
	restored  []recovered // what it restores, when first asked for
	anew      bool        // a node has restored before it
}

// station is where the line of a cut runs through a node. Of facts that come again, the first
// counts, and again has the others.
type station struct {
	entered  int32 // step A
	tracking int32 // step B is done
	failed   int32
	refused  int32
	unsigned int32
	forgot   int32
	again    []int32 // entered, after it was in the cut before
	other    int32   // index of another cut that it was in as it entered, and had not forgotten
	decided  []int32
	starts   []int32 // rows of its log with START
	finishes []int32 // and with FINISH
	base     int32   // row of the full snapshot before START
	fresh    int32   // row of the last restore before START
	undone   int32   // row of the first one after it
	sets     finishRecord
}

// same says that two ids are of one cut, or of one version, which is all that tags are compared by.
// Who learnt a version when it joined knows no name.
func (c cutID) same(d cutID) bool {
	return c == d || c.Version > 0 && c.Version == d.Version
}

// line is that of a cut, a new one if need be.
func (r *reading) line(c cutID) *line {
	at, ok := r.lineOf(c)
	if ok {
		return &r.cuts[at]
	}
	at = int32(len(r.cuts))
	r.cut[c] = at
	l := line{id: c, index: at, begun: nowhere, listed: nowhere, quiet: nowhere, ended: nowhere,
		at: r.spare.station.some(len(r.members))[:len(r.members)]}
	for n := range l.at {
		l.at[n] = station{entered: nowhere, tracking: nowhere, failed: nowhere, refused: nowhere,
			unsigned: nowhere, forgot: nowhere, other: nowhere, base: nowhere, fresh: nowhere,
			undone: nowhere}
	}
	r.cuts = append(r.cuts, l)
	return &r.cuts[at]
}

// lineOf is the index of a cut.
func (r *reading) lineOf(c cutID) (int32, bool) {
	if at, ok := r.cut[c]; ok || c.Name != "" || c.Version == 0 {
		return at, ok
	}
	for k := range r.cuts {
		if r.cuts[k].id.same(c) {
			return int32(k), true
		}
	}
	return 0, false
}

// in is where a node is in a cut first, or, where cuts are versions, in that or a newer one.
func (r *reading) in(l *line, n sim.NodeID) int32 {
	at := l.at[n].entered
	if l.id.Version == 0 {
		return at
	}
	for k := range r.cuts {
		i := r.cuts[k].at[n].entered
		if r.cuts[k].id.Version >= l.id.Version && i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// notedOfCut takes in a fact about a cut.
func (p *pass) notedOfCut(i int32, e *sim.Entry) {
	m := &p.members[e.Node]
	switch f := e.Body.(type) {
	case entered:
		p.entered(i, e.Node, f)
	case tracking:
		first(&p.line(f.Cut).at[e.Node].tracking, i)
	case decided:
		s := &p.line(f.Cut).at[e.Node]
		s.decided = append(s.decided, i)
	case failedCut:
		first(&p.line(f.Cut).at[e.Node].failed, i)
	case refusedCut:
		first(&p.line(f.Cut).at[e.Node].refused, i)
	case unsigned:
		l := p.line(f.Cut)
		first(&l.at[e.Node].unsigned, i)
		first(&l.quiet, i)
		m.signs = m.signs && m.cut != l.index
	case forgot:
		l := p.line(f.Cut)
		first(&l.at[e.Node].forgot, i)
		if m.cut == l.index {
			m.cut, m.signs = nowhere, false
		}
	case result:
		p.result(i, f)
	case restoredCut:
		p.restores = append(p.restores, i)
	case gone:
		p.acts(i, e.Node, f.Pos)
	case listed:
		if e.Cause >= 0 {
			p.acts(i, e.Node, p.trace[e.Cause].N)
		}
		l := p.line(f.Cut)
		if l.listed < 0 {
			l.listed, l.baseline, l.initiator = i, f.Baseline, f.Initiator
		}
	}
}

func first(at *int32, i int32) {
	if *at < 0 {
		*at = i
	}
}

// entered takes in that a node is in a cut from here on.
func (p *pass) entered(i int32, node sim.NodeID, f entered) {
	l, m := p.line(f.Cut), &p.members[node]
	s := &l.at[node]
	if s.entered >= 0 {
		s.again = append(s.again, i)
	} else {
		s.entered, s.other = i, m.cut
	}
	l.topVer = max(l.topVer, f.TopVer)
	m.cut, m.signs = l.index, true
	if f.Cut.Version > 0 && (m.newest < 0 || p.cuts[m.newest].id.Version < f.Cut.Version) {
		m.newest = l.index
	}
}

// result takes in that the result of a stage is about to be published.
func (p *pass) result(i int32, f result) {
	l := p.line(f.Cut)
	l.oneStage = f.Stage == "end" && (l.oneStage || len(l.results) == 0)
	l.results = append(l.results, i)
}

// end takes in the result of the last stage: the first one counts.
func (l *line) end(i int32, e *sim.Entry, err string) {
	if l.ended < 0 {
		l.ended, l.published, l.reducer, l.good = i, e.Cause, e.Peer, err == ""
	}
}
