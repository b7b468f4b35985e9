package ignite

import "github.com/downset/downset/sim"

// Readings take their memory from the reading of the world's run before, which nobody needs any
// more: a sweep judges runs by the thousand.

// room is memory for short lists.
type room[T any] struct {
	all  []T
	used int
}

// some is an empty list with room for n.
func (r *room[T]) some(n int) []T {
	if r.used+n > len(r.all) {
		r.all, r.used = make([]T, max(n, 2*len(r.all), 64)), 0
	}
	list := r.all[r.used : r.used : r.used+n]
	r.used += n
	return list
}

// cleared is a list of n zero values, in the memory of an old one.
func cleared[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	old = old[:n]
	clear(old)
	return old
}

// spare is what a reading leaves behind, and its tales.
type spare struct {
	reading reading
	tales   tales
	open    []int32
	byCall  []int32
	places  room[int32]
	stints  room[stint]
	tags    room[tag]
	data    room[datum]
	wrote   room[wrote]
	owners  room[owner]
	nodes   room[sim.NodeID]
	station room[station]
	version room[revision]
	updates room[update]
	parts   room[partition]
	entries room[entry]
	uses    []use
	sorted  []*use
	writes  room[write]
	graph   graph
}

// spareKey is under what it is left.
type spareKey struct{}

// spareOf is the memory for the reading of a run: that of the world's run before if this is the
// reading of a judging, which outlives no run, and its first; else new memory.
func spareOf(run *sim.Run) *spare {
	if _, second := run.Memo[memo{}]; second || run.Memo == nil || run.Spare == nil {
		return &spare{}
	}
	s, ok := run.Spare[spareKey{}].(*spare)
	if !ok {
		s = &spare{}
		run.Spare[spareKey{}] = s
	}
	s.places.used, s.stints.used, s.tags.used, s.data.used = 0, 0, 0, 0
	s.wrote.used, s.owners.used, s.nodes.used, s.station.used = 0, 0, 0, 0
	s.version.used, s.writes.used, s.updates.used = 0, 0, 0
	s.parts.used, s.entries.used = 0, 0
	return s
}

// txIndex finds transactions by their ids: a table with open addresses, of places in ids plus one.
type txIndex struct {
	slots []int32
	ids   []txID
}

// reset makes it empty, with room for n.
func (x *txIndex) reset(n int) {
	size := 16
	for size < 4*n {
		size *= 2
	}
	x.slots, x.ids = cleared(x.slots, size), x.ids[:0]
}

// find is the place of a transaction; without one it is where it is to be.
func (x *txIndex) find(t *txID) (at int32, ok bool) {
	for i := t.spread(); ; i++ {
		slot := x.slots[i&uint32(len(x.slots)-1)]
		if slot == 0 {
			return int32(len(x.ids)), false
		}
		if id := &x.ids[slot-1]; id.Near == t.Near && id.Life == t.Life && id.Name == t.Name {
			return slot - 1, true
		}
	}
}

// add takes in one that is not there.
func (x *txIndex) add(t txID) {
	if x.ids = append(x.ids, t); 2*len(x.ids) > len(x.slots) {
		x.slots = make([]int32, 2*len(x.slots))
		for at := range x.ids {
			x.put(at)
		}
		return
	}
	x.put(len(x.ids) - 1)
}

func (x *txIndex) put(at int) {
	i := x.ids[at].spread()
	for x.slots[i&uint32(len(x.slots)-1)] != 0 {
		i++
	}
	x.slots[i&uint32(len(x.slots)-1)] = int32(at) + 1
}

// spread is a number that the ids of few transactions share: made of node and last letters.
func (t *txID) spread() uint32 {
	n := uint32(t.Near) * 7
	for i := max(0, len(t.Name)-4); i < len(t.Name); i++ {
		n = n*10 + uint32(t.Name[i])
	}
	return n
}
