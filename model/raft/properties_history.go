package raft

import (
	"cmp"
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// linearizableProperty is that of keys as registers, for clients who do not read by lease or
// locally. The indexes of the answers name an order; if that is one in which each answer can be,
// and which time allows, the history is linearizable, whatever the indexes mean. Else there is a
// search that knows nothing of them. Many who read at once, and a cas among them, would keep it
// busy.
func linearizableProperty() sim.Property {
	spec := checker.Registers(access)
	spec.Steps = 200_000
	p := checker.Linearizable(spec)
	search := p.Check
	p.Check = func(run *sim.Run) (premises int, v *sim.Violation) {
		if premises, ok := bookOf(run).ordered(); ok {
			return premises, nil
		}
		return search(run)
	}
	return p
}

// access is how a checker reads an operation.
func access(op sim.Op, result sim.Body) (checker.Access, bool) {
	switch op := op.(type) {
	case put:
		_, fits := result.(wrote)
		return checker.Access{Key: op.Key, What: checker.Writes, Value: op.Value}, fits
	case cas:
		s, fits := result.(swapped)
		return checker.Access{Key: op.Key, What: checker.Swaps, Old: op.Old, Value: op.New,
			Done: s.OK}, fits
	case get:
		g, fits := result.(got)
		if op.Via != throughLog && op.Via != throughIndex {
			return checker.Access{}, fits
		}
		return checker.Access{Key: op.Key, What: checker.Reads, Value: g.Value}, fits
	}
	return checker.Access{}, false
}

// use is an operation of a history, and its place in the order that indexes name.
type use struct {
	*callBook
	index int64
	reads bool
}

// ordered says that the order of indexes shows a history to be linearizable, and counts the
// operations that have a result.
func (b *book) ordered() (results int, ok bool) {
	p := newReplay(b)
	p.upTo(int64(len(b.commits)))
	uses := make([]use, 0, len(b.calls))
	for k := range b.calls {
		c := &b.calls[k]
		a, fits := access(c.op, c.result)
		switch {
		case a.What == checker.NoAccess:
		case c.ended > 0 && !fits:
			return 0, false
		case c.ended > 0:
			index, _ := indexOf(c.result)
			op, isGet := c.op.(get)
			uses = append(uses, use{c, index, isGet && op.Via == throughIndex})
			results++
		case !c.refused && a.What != checker.Reads && p.firsts[k+1] > 0:
			uses = append(uses, use{c, p.firsts[k+1], false})
		}
	}
	slices.SortStableFunc(uses, func(x, y use) int {
		if x.index != y.index || x.reads == y.reads {
			return cmp.Compare(x.index, y.index)
		}
		if x.reads {
			return 1
		}
		return -1
	})
	return results, legal(uses)
}

// legal says that operations can have come one after the other, with their results: none had ended
// before one in front of it was invoked, and registers come to what is read.
func legal(uses []use) bool {
	held, latest := map[string]string{}, int32(0)
	for i := range uses {
		u := &uses[i]
		if u.ended > 0 && u.ended < latest {
			return false
		}
		latest = max(latest, u.invoked)
		switch op := u.op.(type) {
		case put:
			held[op.Key] = op.Value
		case get:
			if r, _ := u.result.(got); r.Value != held[op.Key] {
				return false
			}
		case cas:
			swaps := held[op.Key] == op.Old
			if r, told := u.result.(swapped); told && r.OK != swaps {
				return false
			}
			if swaps {
				held[op.Key] = op.New
			}
		}
	}
	return true
}
