package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// What tests of the conflict rules need to see.

// History is what a writer has seen.
type History = history

// With, Merge and Has are those of a history.
func (h history) With(d Dot) History           { return h.with(d) }
func (h history) MergedWith(g History) History { return h.merge(g) }
func (h history) Has(d Dot) bool               { return h.has(d) }

// Shelf is a replica of one key, by the rule of a variant, without a node around it.
type Shelf struct {
	rules storeRules
	name  string
	cell  cell
	limit int
}

// NewShelf is an empty replica by the rule of a variant.
func NewShelf(variant, name string, limit int) *Shelf {
	all := rows()
	at := slices.IndexFunc(all, func(r row) bool { return r.name == variant })
	return &Shelf{rules: all[at].rules.store, name: name, limit: limit,
		cell: cell{Record: record{Key: "x"}}}
}

// Reader is a session of one key.
type Reader struct {
	Name string
	puts int64
	c    context
}

// Read lets a session see all that a replica has.
func (s *Shelf) Read(r *Reader) { s.rules.reads(&r.c, s.cell.Record) }

// Put makes a version of what a session has seen, which is then told of it.
func (s *Shelf) Put(id sim.CallID, r *Reader) []compared {
	s.cell.Count++
	r.puts++
	c := r.c
	c.Writer = Pair{Actor: r.Name, Count: r.puts}
	v := version{ID: id, Seen: c.Seen, Dot: Dot{s.name, s.cell.Count}, Past: c.Past,
		Number: c.Number + 1}
	out, seen := s.rules.update(s.cell.Record, v, c, place{s.name, sim.Time(id), s.limit})
	s.cell.Record = out.Record
	s.rules.wrote(&r.c, done{Made: v, Record: out.Record, Vector: seen})
	return out.Says
}

// Take merges what another replica has into this one.
func (s *Shelf) Take(o *Shelf) []compared {
	out := s.rules.merge(s.cell.Record, o.cell.Record, s.limit)
	s.cell.Record = out.Record
	return out.Says
}

// IDs are the versions that a replica has.
func (s *Shelf) IDs() []sim.CallID { return s.cell.Record.ids() }
