package spacetime

// measures are the distances that events laid out from left to right must keep.
type measures struct {
	gap   int                           // between neighbouring columns
	reach func(i int) int               // from the beginning of an arrow to its end
	room  func(k int) (left, right int) // that an event's label takes on its lane
	low   bool                          // what concerns all lanes has its label with the first
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
		switch {
		case lane < 0 && e.what.everywhere() && m.low:
			lane = 0
		case lane < 0:
			lane = len(s.lanes)
		}
		left, right := m.room(k)
		x := max(column, end[lane]+left)
		for _, i := range arrivals[k] {
			x = max(x, xs[s.arrows[i].from]+m.reach(i))
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
func (s *scene) arrivals() [][]int {
	all := make([][]int, len(s.events))
	for i := range s.arrows {
		a := &s.arrows[i]
		if a.from >= 0 && a.to > a.from {
			all[a.to] = append(all[a.to], i)
		}
	}
	return all
}
