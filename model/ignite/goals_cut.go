package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// appended takes in a record.
func (t *scores) appended(e *sim.Entry, s *stance) {
	switch r := e.Body.(type) {
	case startRecord:
		s.started = true
	case dataRecord:
		if s.cut != (cutID{}) && !s.started {
			s.early = append(s.early, r.txID)
		}
	case finishRecord:
		t.finished(r, s)
	case baseRecord:
		t.hit("based", r.Name != firstBase)
	case restoredRecord:
		t.hit("restored", true)
	}
}

// finished takes in FINISH.
func (t *scores) finished(r finishRecord, s *stance) {
	c := t.cut(s.cut)
	c.sides[before] = c.sides[before] || len(r.Included) > 0
	c.sides[after] = c.sides[after] || len(r.Excluded) > 0
	t.hit("included", len(r.Included) > 0)
	t.hit("excluded", len(r.Excluded) > 0)
	t.hit("both-sets", len(r.Included) > 0 && len(r.Excluded) > 0)
	onePhase := func(x txID) bool { return t.tx(x).onePhase() }
	t.hit("one-phase-included", slices.ContainsFunc(r.Included, onePhase))
	t.hit("one-phase-excluded", slices.ContainsFunc(r.Excluded, onePhase))
	t.hit("excluded-before-start", slices.ContainsFunc(r.Excluded, func(x txID) bool {
		return slices.Contains(s.early, x)
	}))
}

// noted takes in a fact.
func (t *scores) noted(e *sim.Entry, s *stance) {
	switch f := e.Body.(type) {
	case mapped:
		t.tx(f.txID).mapping = f.Map
		t.hit("colocated", !f.Map.OnePhase && slices.ContainsFunc(f.Map.Shares,
			func(x share) bool { return x.Primary == e.Node }))
	case made:
		s.objects = append(s.objects, seenObject{key: f.Object})
	case moved:
		t.moved(f, s)
	case voted:
		t.hit("voted-yes", f.Yes)
		t.hit("voted-no", !f.Yes)
	case entered:
		t.entered(f, s)
	case tracking:
		t.tracking(f, s)
	case decided:
		m := t.tx(f.Object.txID)
		t.hit("late-topology", f.After && m.mapping.TopVer > t.cut(f.Cut).topVer+1)
	case failedCut:
		t.hit("failed-inconsistent", true)
	case refusedCut:
		t.cut(f.Cut).refused = true
		t.hit("asked-while-running", f.Why == whyBusy)
	case unsigned:
		t.hit("drained", s.unfinished())
	case forgot:
		t.leaveCut(s)
	case listed:
		c := t.cut(f.Cut)
		c.baseline, c.initiator, c.left = f.Baseline, f.Initiator, nil
	case result:
		t.result(f, e.Node)
	case caughtUp:
		t.hit("rebalanced", true)
	}
}

// unfinished says that a node has an object that is not done.
func (s *stance) unfinished() bool {
	return slices.ContainsFunc(s.objects, func(o seenObject) bool { return !o.state.done() })
}

func (s *stance) object(k key) *seenObject {
	for i := range s.objects {
		if s.objects[i].key == k {
			return &s.objects[i]
		}
	}
	s.objects = append(s.objects, seenObject{key: k})
	return &s.objects[len(s.objects)-1]
}

// moved follows an object.
func (t *scores) moved(f moved, s *stance) {
	o := s.object(f.Object)
	o.state, o.by = f.To, f.By
	in, m := s.cut != cutID{}, t.tx(f.Object.txID)
	switch f.To {
	case committed:
		t.hit("recovered-commit-in-cut", in && f.By == byRecovery)
		alone := m.onePhase() && f.Object.Role == near
		backed := alone && len(m.mapping.Shares) > 0 && len(m.mapping.Shares[0].Backups) > 0
		t.hit("one-phase-backed", backed)
		t.hit("one-phase-alone", alone && !backed)
	case rolledBack:
		t.hit("recovered-rollback-in-cut", in && f.By == byRecovery)
		t.hit("collected-rolled-back", slices.Contains(s.tracked, f.Object))
	case unknown:
		t.hit("unknown-in-cut", in)
	}
}

// entered is step A.
func (t *scores) entered(f entered, s *stance) {
	if s.cut == (cutID{}) {
		t.open++
	}
	s.cut, s.started, s.early, s.tracked = f.Cut, false, nil, nil
	t.cut(f.Cut).topVer = f.TopVer
	if f.By == "start" || slices.Contains(signedKinds, f.By) {
		t.hit("brought-"+f.By, true)
	}
	for i := range s.objects {
		o := &s.objects[i]
		t.hit("skipped-suspended", o.state == suspended)
		t.hit("skipped-active", o.state == active)
		t.hit("back-to-back", !o.state.done() && t.tx(o.key.txID).sawEnd)
	}
}

// tracking is the end of step B.
func (t *scores) tracking(f tracking, s *stance) {
	s.tracked = f.Objects
	for i, k := range f.Objects {
		t.hit("collected-"+k.Role.String(), true)
		t.hit("two-roles", slices.ContainsFunc(f.Objects[:i], func(x key) bool {
			return x.txID == k.txID
		}))
		switch s.object(k).state {
		case preparing:
			t.hit("collected-preparing", true)
		case prepared:
			t.hit("collected-prepared", true)
		case committing:
			t.hit("collected-committing", true)
		case markedRollback:
			t.hit("collected-marked", true)
		case committed:
			t.hit("remembered", true)
		}
	}
}

// result is the end of a stage.
func (t *scores) result(f result, by sim.NodeID) {
	c := t.cut(f.Cut)
	if f.Stage == "start" {
		c.started = by
		return
	}
	t.hit("ended-by-another", c.started != sim.Nobody && c.started != by)
	if c.ended {
		return
	}
	c.ended = true
	if f.Err == "" {
		t.good++
		t.hit("cut-succeeded", true)
		t.hit("two-cuts-succeeded", t.good == 2)
		t.hit("both-sides", c.sides[before] && c.sides[after])
	} else {
		gone := func(id sim.NodeID) bool { return slices.Contains(c.left, id) }
		t.hit("failed-by-leave", slices.ContainsFunc(c.baseline, gone))
		t.hit("failed-by-initiator", gone(c.initiator))
		t.hit("failed-by-refusal", c.refused)
	}
	for n := range t.nodes {
		for _, o := range t.nodes[n].objects {
			if !o.state.done() {
				t.tx(o.key.txID).sawEnd = true
			}
		}
	}
}
