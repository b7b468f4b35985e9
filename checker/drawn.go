package checker

import "github.com/downset/downset/sim"

// drawnCut is a cut as the twin reads it.
type drawnCut struct {
	name   string
	points []int // by node: the entry of its first point, -1 if it drew none
	opinion
}

// drawn finds the cuts of a run for the twin, in the order of their first points, and says which
// are finished: again straight from the definition, and without the code of the scan.
func (m CutModel) drawn(run *sim.Run) []*drawnCut {
	var cuts []*drawnCut
	byName := map[string]*drawnCut{}
	for i, e := range run.Trace {
		if e.Kind != sim.EntryNoted || e.Body == nil {
			continue
		}
		name, ok := m.namedCut(e.Body)
		if !ok {
			continue
		}
		cut := byName[name]
		if cut == nil {
			cut = &drawnCut{name: name}
			for range run.Nodes {
				cut.points = append(cut.points, -1)
			}
			byName[name] = cut
			cuts = append(cuts, cut)
		}
		if m.isPoint(e) && cut.points[e.Node] < 0 {
			cut.points[e.Node] = i
		}
	}
	for _, cut := range cuts {
		cut.finished = m.allDrawn(run, cut)
	}
	return cuts
}

// namedCut is the cut that a fact draws a point of, or gives up.
func (m CutModel) namedCut(b sim.Body) (string, bool) {
	if name, ok := m.Point(b); ok {
		return name, true
	}
	if m.Abandon == nil {
		return "", false
	}
	return m.Abandon(b)
}

// allDrawn says that every member drew its point and none gave the cut up.
func (m CutModel) allDrawn(run *sim.Run, cut *drawnCut) bool {
	first, last := len(run.Trace), -1
	for _, at := range cut.points {
		if at >= 0 {
			first, last = min(first, at), max(last, at)
		}
	}
	if last < 0 {
		return false
	}
	for _, e := range run.Trace {
		if e.Kind != sim.EntryNoted || e.Body == nil || m.Abandon == nil {
			continue
		}
		if name, ok := m.Abandon(e.Body); ok && name == cut.name {
			return false
		}
	}
	for n, at := range cut.points {
		if at < 0 && !m.outside(run, sim.NodeID(n), first, last) && !m.adopts(run, n, cut) {
			return false
		}
	}
	return true
}

// outside says that a node made no step up to the last point, or was down from before the first one
// to the end.
func (m CutModel) outside(run *sim.Run, node sim.NodeID, first, last int) bool {
	late, down := true, false
	for i, e := range run.Trace {
		switch {
		case e.Node != node:
		case e.Kind == sim.EntryCrashed || e.Kind == sim.EntryLeft:
			down = down || i < first
		case e.Kind.Local():
			late = late && i > last
			down = false
		}
	}
	return late || down
}

// adopts says that a node joined with the version of a cut or a later one.
func (m CutModel) adopts(run *sim.Run, node int, cut *drawnCut) bool {
	if m.Adopt == nil || m.Version == nil {
		return false
	}
	for _, at := range cut.points {
		if at < 0 {
			continue
		}
		version, ok := m.Version(run.Trace[at].Body)
		if !ok {
			continue
		}
		for _, e := range run.Trace {
			if int(e.Node) != node || e.Kind != sim.EntryNoted || e.Body == nil {
				continue
			}
			if adopted, ok := m.Adopt(e.Body); ok && adopted >= version {
				return true
			}
		}
	}
	return false
}
