package spacetime

// measures are the distances that events laid out from left to right must keep.
type measures struct {
	gap   int                              // between neighbouring columns
	reach func(a *arrow) int               // from the beginning of an arrow to its end
	room  func(e *event) (left, right int) // that an event's label takes on its lane
}

// spread gives each event its place on the axis of time. Events share a column if none of them
// happened before another; whoever comes later in the trace never stands further left.
func (s *scene) spread(m measures) []int {
	xs := make([]int, len(s.events))
	end := make([]int, len(s.lanes)+1) // how far each lane is taken; last, the room above all
	arrivals := s.arrivals()
	column, lone := 0, false // where the last column is, and whether nothing may join it
	for k := range s.events {
		e := &s.events[k]
		lane := e.lane
		if lane < 0 {
			lane = len(s.lanes)
		}
		left, right := m.room(e)
		x := max(column, end[lane]+left)
		for _, a := range arrivals[k] {
			x = max(x, xs[a.from]+m.reach(a))
		}
		alone := e.what.everywhere() || e.lane < 0
		if k > 0 && (x > column || alone || lone) {
			x = max(x, column+m.gap)
		}
		xs[k], column, lone = x, x, alone
		end[lane] = x + right
	}
	return xs
}

// arrivals are the arrows that end in each event and begin in another one.
func (s *scene) arrivals() [][]*arrow {
	all := make([][]*arrow, len(s.events))
	for i := range s.arrows {
		a := &s.arrows[i]
		if a.from >= 0 && a.to > a.from {
			all[a.to] = append(all[a.to], a)
		}
	}
	return all
}
