package metastore

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// watchProperties are about what watches are told: see audit.
func watchProperties() []sim.Property {
	var list []sim.Property
	for _, p := range [...]struct{ name, doc string }{
		{"ordered", "revisions never go down (M7)"},
		{"unique", "nothing is told twice (M8)"},
		{"complete", "nothing is left out of what comes before something else (M9)"},
		{"whole", "what one revision did comes at once (M10)"},
		{"resumable", "a watch that goes on elsewhere goes on with what comes next (M11)"},
		{"bookmarks", "who is told how far he is has all up to there, and nothing of it comes later " +
			"(M12)"},
		{"content", "an event says what happened, to a key that is watched, and what there was " +
			"before or nothing of it (M13)"},
		{"forgotten", "who wants what is forgotten is told so, and is never led on behind it (M14)"},
		{"not-before", "nothing comes of what was before the start (M15)"},
		{"begins", "a watch from now is told of all that comes after it has begun"},
	} {
		list = append(list, sim.Property{Name: p.name, Layer: viewLayer, Class: sim.Silent,
			Doc: "of a watch: " + p.doc, Check: func(run *sim.Run) (int, *sim.Violation) {
				v := viewsOf(run)
				return v.premises[p.name], v.wrong[p.name]
			}})
	}
	return append(list,
		sim.Property{Name: "follows", Layer: wholeLayer, Class: sim.Silent, Check: followed,
			Doc: "what a follower has of a range is what the range has, at each revision that it is " +
				"told of (M19)"},
		sim.Property{Name: "current", Layer: progressLayer, Class: sim.Stopped, Scope: sim.ScopeEnd,
			Check: current, Doc: "in the end every watch has been told of everything, unless its own " +
				"listener has failed"})
}

// followed holds what followers have against the log.
func followed(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	for _, s := range l.streams {
		for _, at := range s.Steps {
			c, is := at.What.(cached)
			if !is || c.Rev > l.state.Rev {
				continue
			}
			premises++
			want := l.state.answer(Query{Range: c.Range}, c.Rev)
			if !itemsEqual(c.Items, want.Items) {
				v = witnessed(v, fmt.Sprintf("%s follows %v, and at revision %d has %v; there is %v",
					run.Name(s.Node), s.Range, c.Rev, c.Items, want.Items), at.At)
			}
		}
	}
	return premises, v
}

func itemsEqual(a, b []Item) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// current: a watch that is not over has been told of all that came after its start.
func current(run *sim.Run) (premises int, v *sim.Violation) {
	l := ledgerOf(run)
	if l.helpless() {
		return 0, nil
	}
	for _, s := range l.streams {
		if s.Over {
			continue
		}
		premises++
		if e, at, lacks := l.lacks(s); lacks {
			v = witnessed(v, fmt.Sprintf("in the end the watch of %v at %s has not been told of %v",
				s.Range, run.Name(s.Node), e.Item), at)
		}
	}
	return premises, v
}

// lacks is an event that a watch has not been told of in the end.
func (l *ledger) lacks(s *stream) (e Event, at int, lacks bool) {
	from := int64(0)
	for _, step := range s.Steps {
		switch f := step.What.(type) {
		case began:
			from = max(from, f.Next)
		case saw:
			from = max(from, f.Batch.To+1)
		case cached:
			from = max(from, f.Rev+1)
		}
		at = step.At
	}
	if due := l.due(s.Range, max(from, 1), l.state.Rev); from > 0 && len(due) > 0 {
		return due[0], at, true
	}
	return Event{}, at, false
}

// helpless says that too many servers are down for good for the store to go on.
func (l *ledger) helpless() bool {
	up, all := 0, 0
	told := make([]bool, len(l.run.Nodes))
	for i := range l.run.Trace {
		e := &l.run.Trace[i]
		if f, is := e.Body.(serves); is && f.Votes && !told[e.Node] {
			told[e.Node] = true
			if all++; !l.dead[e.Node] {
				up++
			}
		}
	}
	return 2*up <= all
}
