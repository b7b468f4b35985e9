package spacetime

import (
	"slices"
)

// most is how many events a picture has at most, so that a long run does not make a file that
// nobody can open.
const most = 400

// trim folds events until at most n are left, folds included. It keeps those nearest to what the
// picture is about: marked entries, else points of cuts, else the first and the last.
func (s *scene) trim(n int) {
	n = min(max(n, 1), most)
	order := s.byDistance()
	keep := min(n, len(order))
	for keep > 0 && keep+s.folds(s.keeping(order[:keep])) > n {
		keep--
	}
	s.refold(s.keeping(order[:keep]))
}

// keeping marks the events to keep.
func (s *scene) keeping(events []int) []bool {
	kept := make([]bool, len(s.events))
	for _, k := range events {
		kept[k] = true
	}
	return kept
}

// byDistance are the events, those nearest to an anchor first.
func (s *scene) byDistance() []int {
	far := s.distances()
	order := make([]int, len(s.events))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return far[a] - far[b] })
	return order
}

// distances are how far each event is from the nearest anchor.
func (s *scene) distances() []int {
	anchors := s.anchors()
	far := make([]int, len(s.events))
	for k := range far {
		far[k] = len(s.events)
	}
	for pass := range 2 {
		d := len(s.events)
		for i := range far {
			k := i
			if pass == 1 {
				k = len(far) - 1 - i
			}
			d++
			if anchors[k] {
				d = 0
			}
			far[k] = min(far[k], d)
		}
	}
	return far
}

func (s *scene) anchors() []bool {
	anchors := make([]bool, len(s.events))
	isMarked := func(e event) bool { return e.marked }
	isPoint := func(e event) bool { return e.what == point }
	for _, is := range []func(event) bool{isMarked, isPoint} {
		for k, e := range s.events {
			anchors[k] = is(e)
		}
		if slices.Contains(anchors, true) {
			return anchors
		}
	}
	if len(anchors) > 0 {
		anchors[0], anchors[len(anchors)-1] = true, true
	}
	return anchors
}

// folds is how many folds there are if only some events are kept.
func (s *scene) folds(kept []bool) int {
	n := 0
	was := s.from == 0 // whether the last one was kept
	if s.from > 0 {
		n++
	}
	for _, k := range kept {
		if !k && was {
			n++
		}
		was = k
	}
	if s.to < len(s.run.Trace) && was {
		n++
	}
	return n
}

// refold replaces the events that are not kept, and the entries outside of the window, by folds.
func (s *scene) refold(kept []bool) {
	var events []event
	moved := make([]int, len(s.events))
	states := s.begin
	add := func(left int) {
		if left == 0 {
			return
		}
		if last := len(events) - 1; last >= 0 && events[last].what == fold {
			events[last].left += left
			events[last].after = states
			return
		}
		events = append(events, event{what: fold, lane: none, left: left, after: states})
	}
	add(s.from)
	for k, e := range s.events {
		states, moved[k] = e.after, none
		if !kept[k] {
			add(len(e.entries))
			continue
		}
		moved[k] = len(events)
		events = append(events, e)
	}
	add(len(s.run.Trace) - s.to)
	s.events = events
	s.move(moved)
}

// move follows events to their new places.
func (s *scene) move(moved []int) {
	follow := func(k *int) {
		if *k >= 0 {
			*k = moved[*k]
		}
	}
	arrows := s.arrows[:0]
	for _, a := range s.arrows {
		follow(&a.from)
		follow(&a.to)
		if a.from >= 0 || a.to >= 0 {
			arrows = append(arrows, a)
		}
	}
	s.arrows = arrows
	for c := range s.cuts {
		for lane := range s.cuts[c].points {
			follow(&s.cuts[c].points[lane])
		}
	}
	for i := range s.at {
		follow(&s.at[i])
	}
}
