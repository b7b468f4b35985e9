package metastore

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Image is a state as it is kept on a disk and sent to a replica that is far behind: rows in the
// order of their names. A row's name is its revision and its place there, high bytes first, so that
// this is the order in which they came.
type Image struct {
	Rev, Compacted, Swept, Applied int64
	Time                           sim.Time
	Chain                          uint64
	Rows                           []Row
	Revs                           []Revision
	Leases                         []Lease
	Answers                        []Done
}

// Row is a version of a key, under its name.
type Row struct {
	Name string
	Item
}

// Kind is "image".
func (Image) Kind() string { return "image" }

// Image is the state as rows.
func (s *State) Image() Image {
	i := Image{Rev: s.Rev, Compacted: s.Compacted, Swept: s.Swept, Applied: s.Applied,
		Time: s.Time, Chain: s.Chain, Revs: slices.Clone(s.Revs), Leases: slices.Clone(s.Leases)}
	if !s.rules.AnswersLost {
		i.Answers = slices.Clone(s.Answers)
	}
	for _, h := range s.Keys {
		for _, v := range h.Versions {
			i.Rows = append(i.Rows, Row{s.rules.name(v), Item{h.Key, v}})
		}
	}
	slices.SortStableFunc(i.Rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	return i
}

// name is the name of a version's row.
func (r *storeRules) name(v Version) string {
	var name [16]byte
	if r.LittleEndian {
		binary.LittleEndian.PutUint64(name[:], uint64(v.Mod))
	} else {
		binary.BigEndian.PutUint64(name[:], uint64(v.Mod))
	}
	binary.BigEndian.PutUint64(name[8:], uint64(v.Sub))
	return string(name[:])
}

// state reads the rows, one after the other.
func (i Image) state(r storeRules) State {
	s := State{Rev: i.Rev, Compacted: i.Compacted, Swept: i.Swept, Aim: i.Swept,
		Applied: i.Applied, Time: i.Time, Chain: i.Chain, Revs: r.times(i.Revs),
		Leases: slices.Clone(i.Leases), Answers: slices.Clone(i.Answers), rules: r}
	newest := r.Dialect.First
	for _, row := range i.Rows {
		newest = max(newest, row.Mod)
		s.restore(row.Item)
	}
	if r.RevisionOfRows {
		s.Rev = newest
	}
	return s
}

// restore adds a version to the history of its key.
func (s *State) restore(i Item) {
	at, found := s.find(i.Key)
	if !found && i.Dead && s.rules.SkipsTombstone {
		return
	}
	if !found {
		s.Keys = slices.Insert(s.Keys, at, history{Key: i.Key})
	}
	s.Keys[at].Versions = append(s.Keys[at].Versions, i.Version)
}
