package search

import (
	"cmp"
	"slices"
)

// Cell is what some runs with crashes came to.
type Cell struct {
	Runs, Undecided, Vacuous, Missed int
	New                              []string // what breaks in some of them, and not without crashes
	Broken                           int      // runs that break anything, if only what breaks without
}

// Add adds a run.
func (c *Cell) Add(s *Struck) {
	c.Runs++
	switch {
	case s.Missed:
		c.Missed++
	case len(s.Broken) > 0:
		c.Broken++
	case s.Undecided != "":
		c.Undecided++
	case idle(s.Premises):
		c.Vacuous++
	}
	c.New = append(c.New, without(s.New, c.New)...)
	slices.Sort(c.New)
}

// idle says that no property had anything to hold of.
func idle(premises []int) bool {
	return !slices.ContainsFunc(premises, func(n int) bool { return n > 0 })
}

// Tail is what a crash does to the unsynced tail of its node's log.
type Tail uint8

// The tails: all of it is lost; some of it or all stays; the last record that stays is torn.
const (
	LostTail Tail = iota
	KeptTail
	TornTail
)

// Tail is what the crash does to the tail.
func (h *Hit) Tail() Tail {
	switch {
	case h.Torn:
		return TornTail
	case h.Keeps > 0:
		return KeptTail
	}
	return LostTail
}

// Row is what the crashes at one point come to, by tail: with a restart at once, and at the end.
type Row struct {
	*Point
	Now, End [3]Cell
	Pairs    Cell // of runs in which a second crash follows
}

// Rows are the rows of all points, by node and then in order of time.
func (r *CrashPoints) Rows() []Row {
	rows := make([]Row, len(r.Points))
	for i := range rows {
		rows[i].Point = &r.Points[i]
	}
	for i := range r.Singles {
		s := &r.Singles[i]
		h := &s.Hits[0]
		row := &rows[h.Index]
		if h.Now {
			row.Now[h.Tail()].Add(s)
		} else {
			row.End[h.Tail()].Add(s)
		}
	}
	for i := range r.Pairs {
		s := &r.Pairs[i]
		rows[s.Hits[0].Index].Pairs.Add(s)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Node, b.Node) })
	return rows
}

// LogRow is what recovery from one log comes to, over all single crashes that leave it.
type LogRow struct {
	Node  string
	Rows  int64
	Last  string // the newest record of it; if it is torn, what it had been
	Whole Cell
	Torn  Cell
}

// Logs are all logs that a single crash left, by node and length. Logs of one length that end in
// different records are different.
func (r *CrashPoints) Logs() []LogRow {
	var rows []LogRow
	for i := range r.Singles {
		s := &r.Singles[i]
		if s.Missed || s.Error != "" {
			continue
		}
		l := s.Left[0]
		k := slices.IndexFunc(rows, func(x LogRow) bool {
			return x.Node == l.Node && x.Rows == l.Rows && x.Last == l.Last
		})
		if k < 0 {
			k = len(rows)
			rows = append(rows, LogRow{Node: l.Node, Rows: l.Rows, Last: l.Last})
		}
		if l.Torn {
			rows[k].Torn.Add(s)
		} else {
			rows[k].Whole.Add(s)
		}
	}
	slices.SortStableFunc(rows, func(a, b LogRow) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Rows, b.Rows))
	})
	return rows
}
