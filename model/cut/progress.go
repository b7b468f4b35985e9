package cut

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// termination: a cut is under way where a node draws its point and channel states are gathered,
// which shows in its questions or markers. Nothing is claimed while a member is down or gone, nor
// of a member that joined after the cut.
func termination(run *sim.Run) (premises int, v *sim.Violation) {
	under := progress(run)
	for _, c := range under.cuts {
		if !under.expected(c) {
			continue
		}
		premises++
		for id := range run.Nodes {
			n := sim.NodeID(id)
			if under.member(c, n) && !c.done[n] {
				return premises, &sim.Violation{
					Reason:  fmt.Sprintf("cut %d is never complete on %s", c.number, run.Name(n)),
					Witness: []int{c.first},
				}
			}
		}
	}
	return premises, nil
}

// underway is what has become of the cuts of a run.
type underway struct {
	cuts    []*progressOf // in the order of their first points
	up      []bool        // by node, at the end
	adopted []int         // by node: the version with which it joined, -1 if it is a founder
}

type progressOf struct {
	number   int
	first    int // entry of the first point
	of       []sim.NodeID
	gathered bool
	given    bool // somebody gave it up
	done     []bool
}

func progress(run *sim.Run) *underway {
	u := &underway{up: make([]bool, len(run.Nodes)), adopted: make([]int, len(run.Nodes))}
	for i := range u.adopted {
		u.adopted[i] = -1
	}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryStarted:
			u.up[e.Node] = true
		case sim.EntryCrashed, sim.EntryLeft:
			u.up[e.Node] = false
		case sim.EntrySent:
			u.see(e.Body)
		case sim.EntryNoted:
			u.note(run, i)
		}
	}
	return u
}

// see notices that the channel states of a cut are gathered.
func (u *underway) see(m sim.Body) {
	if s, ok := m.(signed); ok {
		m = s.Message
	}
	cut := 0
	switch m := m.(type) {
	case ask:
		cut = m.Cut
	case marker:
		cut = m.Cut
	}
	if c := u.cut(cut); c != nil {
		c.gathered = true
	}
}

func (u *underway) note(run *sim.Run, i int) {
	e := &run.Trace[i]
	switch f := e.Body.(type) {
	case point:
		c := u.cut(f.Cut)
		if c == nil {
			c = &progressOf{number: f.Cut, first: i, done: make([]bool, len(run.Nodes))}
			u.cuts = append(u.cuts, c)
		}
		for _, id := range f.Of {
			if !slices.Contains(c.of, id) {
				c.of = append(c.of, id)
			}
		}
	case complete:
		if c := u.cut(f.Cut); c != nil {
			c.done[e.Node] = true
		}
	case abandoned:
		if c := u.cut(f.Cut); c != nil {
			c.given = true
		}
	case adopted:
		u.adopted[e.Node] = f.Version
	}
}

func (u *underway) cut(number int) *progressOf {
	at := slices.IndexFunc(u.cuts, func(c *progressOf) bool { return c.number == number })
	if at < 0 {
		return nil
	}
	return u.cuts[at]
}

// expected says that nothing stands in the way of a cut in the end.
func (u *underway) expected(c *progressOf) bool {
	return c.gathered && !c.given &&
		!slices.ContainsFunc(c.of, func(id sim.NodeID) bool { return !u.up[id] })
}

func (u *underway) member(c *progressOf, id sim.NodeID) bool {
	return slices.Contains(c.of, id) && u.adopted[id] < c.number
}
