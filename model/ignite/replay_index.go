package ignite

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// Index is over a log, for fast access to the cuts in it (draft, the third optimisation): it says
// where the marks of a cut are, and the full snapshot that the cut is an increment of, without a
// scan. It is built as records are written, by Add, or by one pass.
type Index struct {
	size    int // records
	nearest cutID
	starts  map[cutID]int // the first START
	marks   map[cutID]marks
	made    map[string]indexed // the newest record of each increment
	numbers map[numbered][]placed
	bases   map[string][]int
}

// indexed is the record of an increment, and the marks of its cut before it.
type indexed struct {
	incrementRecord
	marks
}

// numbered is an increment by its number, placed where a record of one is.
type (
	numbered struct {
		base  string
		index int
	}
	placed struct {
		at  int
		cut cutID
	}
)

// NewIndex is the index of an empty log.
func NewIndex() *Index {
	return &Index{starts: map[cutID]int{}, marks: map[cutID]marks{}, made: map[string]indexed{},
		numbers: map[numbered][]placed{}, bases: map[string][]int{}}
}

// Index is the index of the log, by one pass.
func (l Log) Index() *Index {
	x := NewIndex()
	for _, r := range l {
		x.Add(r)
	}
	return x
}

// Add is for the next record that is written.
func (x *Index) Add(r sim.Record) {
	at := x.size
	x.size++
	switch r := r.(type) {
	case startRecord:
		x.nearest = r.Cut
		if _, known := x.starts[r.Cut]; !known {
			x.starts[r.Cut] = at
		}
	case finishRecord:
		c := r.of(x.nearest)
		if start, ok := x.starts[c]; ok {
			x.marks[c] = marks{start, at}
		}
	case baseRecord:
		x.bases[r.Name] = append(x.bases[r.Name], at)
	case incrementRecord:
		k := numbered{r.Base, r.Index}
		x.made[r.Cut.Name] = indexed{r, x.marksOf(r.Cut)}
		x.numbers[k] = append(x.numbers[k], placed{at, r.Cut})
	}
}

func (x *Index) marksOf(c cutID) marks {
	if m, ok := x.marks[c]; ok {
		return m
	}
	return marks{-1, -1}
}

// passage is Log.passage without reading the log. looked counts look-ups.
func (x *Index) passage(name string) (p passage, looked int, err error) {
	inc, ok := x.made[name]
	if !ok {
		return x.base(name)
	}
	switch {
	case inc.Removed:
		return p, 1, fmt.Errorf("increment %s has been taken back: its cut failed", name)
	case !inc.complete():
		return p, 1, fmt.Errorf("increment %s has no FINISH here", name)
	}
	base, ok := x.baseBefore(inc.Start, inc.Base)
	p = passage{Cut: inc.Cut, Base: base, Previous: -1, Start: inc.Start, Finish: inc.Finish}
	if !ok {
		return p, 2, fmt.Errorf("increment %s is of the full snapshot %s, which is not here", name,
			inc.Base)
	}
	for k := inc.Index - 1; k >= 1; k-- {
		m := x.numbered(p, numbered{inc.Base, k})
		if !m.complete() || m.Finish > p.Start || m.Finish < p.Base {
			return p, 2 + inc.Index - k, fmt.Errorf("increment %d of %s is not whole, and %s is number %d",
				k, inc.Base, name, inc.Index)
		}
		if k == inc.Index-1 {
			p.Previous = m.Finish
		}
	}
	return p, 1 + inc.Index, nil
}

// base is the passage of a full snapshot.
func (x *Index) base(name string) (passage, int, error) {
	at, ok := x.baseBefore(x.size, name)
	if !ok {
		return passage{}, 2, fmt.Errorf("no increment and no full snapshot is called %q here", name)
	}
	return passage{Base: at, Previous: -1, Start: at, Finish: at}, 2, nil
}

func (x *Index) baseBefore(at int, name string) (int, bool) {
	list := x.bases[name]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] < at {
			return list[i], true
		}
	}
	return -1, name == firstBase
}

// numbered are the marks of the increment with a number, if it stands.
func (x *Index) numbered(p passage, k numbered) marks {
	list := x.numbers[k]
	for i := len(list) - 1; i >= 0; i-- {
		at, cut := list[i].at, list[i].cut
		if at > p.Base && at < p.Start && !x.made[cut.Name].Removed {
			return x.marksOf(cut)
		}
	}
	return marks{-1, -1}
}
