package checker

import (
	"cmp"
	"slices"
)

// zones decides the history of a register that is only read and written, and never written the same
// value twice, after Gibbons and Korach (Testing shared memories, 1997). The uses of one value are
// its write and the reads that returned it; between the first return and the last call among them
// the register must hold it all the time, or, if that call comes first, at some moment between the
// two. So a history is linearizable if every value read was written, and its reads do not return
// before; no two spans overlap during which a value must be held; and no span at one moment of
// which a value must be held lies within one of another value.
//
//	w 1 |---|          r 1 |---|     1 is held from the return of its write to the call of
//	        w 2 |-----|              its read, 2 at some moment of its write, which lies
//	1       <-------------->         within: no order fits
//	2           <----->
//
// Open reads say nothing, and are not among the uses. An open write is one that returns at the end:
// if no read returned its value, its zone reaches there, and so lies within no other.
type zones struct {
	list  []zone
	of    map[string]int32 // by value
	held  []int32          // forward zones by start
	stray *use             // a read of what nobody wrote
}

// zone is the span of one value. It is forward if start < end.
type zone struct {
	value string
	write *use // nil: of the value that was there first
	first *use // the one that returns first, at start
	last  *use // the one called last, at end
	start int
	end   int
}

// read reads the zones of uses, if these are such a history.
func (z *zones) read(uses []use) (exact bool) {
	z.begin(len(uses))
	for i := range uses {
		u := &uses[i]
		a := u.access
		if a.What != Reads && a.What != Writes {
			return false
		}
		n := z.zone(a.Value)
		if a.What == Writes {
			if n.value == "" || n.write != nil {
				return false // written before, if only by nobody
			}
			n.write = u
		}
		n.add(u)
	}
	z.settle()
	return true
}

func (z *zones) begin(uses int) {
	if z.of == nil {
		z.of = make(map[string]int32, uses/2)
		z.list = make([]zone, 0, uses/2)
	}
	clear(z.of)
	z.held = z.held[:0]
	z.stray = nil
	z.list = append(z.list[:0], zone{start: -1, end: -2}) // as if written before all
	z.of[""] = 0
}

// zone is that of a value.
func (z *zones) zone(value string) *zone {
	n, known := z.of[value]
	if !known {
		n = int32(len(z.list))
		z.of[value] = n
		z.list = append(z.list, zone{value: value, start: Never, end: -1})
	}
	return &z.list[n]
}

func (n *zone) add(u *use) {
	if end := u.end(); end < n.start {
		n.first, n.start = u, end
	}
	if u.Call > n.end {
		n.last, n.end = u, u.Call
	}
}

func (n *zone) forward() bool { return n.start < n.end }

// settle sorts the forward zones, and looks for reads of what was not written, or not yet.
func (z *zones) settle() {
	for i := range z.list {
		n := &z.list[i]
		switch {
		case i > 0 && n.write == nil, n.write != nil && n.start < n.write.Call:
			if z.stray == nil || n.start < z.stray.Return {
				z.stray = n.first
			}
		case n.forward():
			z.held = append(z.held, int32(i))
		}
	}
	slices.SortStableFunc(z.held, func(a, b int32) int {
		return cmp.Compare(z.list[a].start, z.list[b].start)
	})
}

func (z *zones) outcome() Outcome {
	if a, _ := z.conflict(); z.stray != nil || a != nil {
		return Broken
	}
	return Holds
}

// conflict finds two values that cannot both be held when they must: the first forward zone that
// another zone overlaps, if that is forward too, or that it contains.
func (z *zones) conflict() (during, other *zone) {
	for i := 1; i < len(z.held); i++ {
		a, b := &z.list[z.held[i-1]], &z.list[z.held[i]]
		if b.start < a.end {
			return a, b
		}
	}
	for i := range z.list {
		n := &z.list[i]
		around := z.around(n.end)
		if !n.forward() && around != nil && n.start < around.end {
			return around, n
		}
	}
	return nil, nil
}

// around is the last forward zone that starts before a place. Forward zones do not overlap.
func (z *zones) around(place int) *zone {
	k, _ := slices.BinarySearchFunc(z.held, place, func(n int32, place int) int {
		return cmp.Compare(z.list[n].start, place)
	})
	if k == 0 {
		return nil
	}
	return &z.list[z.held[k-1]]
}
