package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// part is what a history says of one part of an object, which is judged apart from the others: a
// history is linearizable if that of every part is.
type part struct {
	key  string // the least of its keys
	uses []use  // by call
	open int    // how many of them are open
}

// undecided says what was too much for a search.
func (p *part) undecided(s *Spec) string {
	about := ""
	if p.key != "" {
		about = " on " + p.key
	}
	return fmt.Sprintf("no verdict on %d operations%s, %d of them open, within %d steps",
		len(p.uses), about, p.open, s.steps())
}

// countOpen counts the open ones among uses.
func countOpen(uses []use) int {
	n := 0
	for i := range uses {
		if uses[i].open {
			n++
		}
	}
	return n
}

// divide gives the parts that a history speaks of, small ones first, and counts the operations that
// have a result.
func (s *Spec) divide(h History) (parts []part, results int, err error) {
	read := s.uses
	if s.access != nil {
		read = s.accesses
	}
	uses, results, err := read(h)
	switch {
	case err != nil || results == 0:
		return nil, 0, err
	case s.access != nil:
		parts = gather(uses, keyed(uses, func(u *use) string { return u.access.Key }))
	case s.Keys != nil:
		parts = gather(uses, s.joined(uses))
	case s.Key != nil:
		parts = gather(uses, keyed(uses, func(u *use) string { return s.Key(u.Op) }))
	default:
		parts = []part{{"", uses, countOpen(uses)}}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(len(a.uses), len(b.uses)), cmp.Compare(a.key, b.key))
	})
	return parts, results, nil
}

// uses are the operations from which something follows, or may.
func (s *Spec) uses(h History) (uses []use, results int, err error) {
	uses = make([]use, 0, len(h))
	for i := range h {
		o := &h[i]
		if !s.takes(o.Op) {
			continue
		}
		switch {
		case s.answered(o):
			if s.Fits != nil && !s.Fits(o.Op, o.Result) {
				return nil, 0, misfit(o)
			}
			uses = append(uses, use{Operation: o})
			results++
		case o.Open() && !s.reads(o.Op):
			uses = append(uses, use{Operation: o, open: true})
		}
	}
	return uses, results, nil
}

// accesses is uses for registers.
func (s *Spec) accesses(h History) (uses []use, results int, err error) {
	uses = make([]use, 0, len(h))
	list := make([]access, 0, len(h))
	for i := range h {
		o := &h[i]
		answered := s.answered(o)
		if !answered && !o.Open() {
			continue
		}
		a, fits := s.access(o.Op, o.Result)
		switch {
		case a.What == NoAccess || a.What == Reads && !answered:
			continue
		case !answered:
		case !fits:
			return nil, 0, misfit(o)
		default:
			results++
		}
		list = append(list, access{Access: a})
		uses = append(uses, use{o, &list[len(list)-1], !answered})
	}
	return uses, results, nil
}

// misfit says that an operation cannot have its result.
func misfit(o *Operation) error {
	return fmt.Errorf("history: entry %d: %s cannot result in %s (%T)", o.Return, sim.Text(o.Op),
		sim.Text(o.Result), o.Result)
}

// grouping says of each use to which group it belongs, and names the groups.
type grouping struct {
	of    []int32
	names []string
}

// keyed groups uses by their one key.
func keyed(uses []use, key func(*use) string) grouping {
	g := grouping{of: make([]int32, len(uses))}
	number := map[string]int32{}
	for i := range uses {
		key := key(&uses[i])
		if i > 0 && key == g.names[g.of[i-1]] {
			g.of[i] = g.of[i-1]
			continue
		}
		n, known := number[key]
		if !known {
			n = int32(len(g.names))
			number[key] = n
			g.names = append(g.names, key)
		}
		g.of[i] = n
	}
	return g
}

// joined groups uses by those of their keys that operations join.
func (s *Spec) joined(uses []use) grouping {
	g := grouping{of: make([]int32, len(uses))}
	number := map[string]int32{}
	var parent []int32
	for i := range uses {
		g.of[i] = -1
		for _, key := range s.Keys(uses[i].Op) {
			n, known := number[key]
			if !known {
				n = int32(len(parent))
				number[key] = n
				parent = append(parent, n)
				g.names = append(g.names, key)
			}
			if g.of[i] < 0 {
				g.of[i] = n
			}
			g.join(parent, g.of[i], n)
		}
		if g.of[i] < 0 {
			panic(fmt.Sprintf("checker: the spec names no key of %s", uses[i].Op.Kind()))
		}
	}
	for i := range g.of {
		g.of[i] = root(parent, g.of[i])
	}
	return g
}

// join puts two keys in one group, which is called by the lesser of the two names.
func (g *grouping) join(parent []int32, a, b int32) {
	a, b = root(parent, a), root(parent, b)
	g.names[a] = min(g.names[a], g.names[b])
	parent[b] = a
}

func root(parent []int32, n int32) int32 {
	for parent[n] != n {
		parent[n] = parent[parent[n]]
		n = parent[n]
	}
	return n
}

// gather makes parts of groups. The uses of all parts share one array.
func gather(uses []use, g grouping) []part {
	if len(g.names) == 1 {
		return []part{{g.names[0], uses, countOpen(uses)}}
	}
	count := make([]int, len(g.names)+1) // by group: first its size, then where it ends
	for _, n := range g.of {
		count[n+1]++
	}
	for n := range g.names {
		count[n+1] += count[n]
	}
	sorted := make([]use, len(uses))
	next := slices.Clone(count)
	for i, n := range g.of {
		sorted[next[n]] = uses[i]
		next[n]++
	}
	var parts []part
	for n, name := range g.names {
		if from, to := count[n], count[n+1]; from < to {
			parts = append(parts, part{name, sorted[from:to], countOpen(sorted[from:to])})
		}
	}
	return parts
}

// until is what the history of a part says up to a place of the trace, without what says nothing.
// What has not returned by then is open. It is valid until the next call.
func (d *decider) until(p *part, place int) []use {
	if place == Never && p.open == 0 {
		return p.uses
	}
	uses, open := slices.Grow(d.uses[:0], len(p.uses)), 0
	for _, u := range p.uses {
		if u.Call > place {
			break
		}
		u.open = u.open || u.Return > place
		if u.open && d.reads(&u) {
			continue
		}
		if u.open {
			open++
		}
		uses = append(uses, u)
	}
	d.uses = uses
	if open > 0 && d.spec.access != nil && d.readSeen(uses) {
		return slices.DeleteFunc(uses, d.unseen)
	}
	return uses
}

func (d *decider) reads(u *use) bool {
	if u.access != nil {
		return u.access.What == Reads
	}
	return d.spec.reads(u.Op)
}

// unseen says that a use is an open write to a register whose value no read returned. Nothing can
// tell it from one never invoked, and each of them may double what a search must try.
func (d *decider) unseen(u use) bool { return u.open && !d.seen[u.access.Value] }

// readSeen notes which values reads returned, if the register is only read and written.
func (d *decider) readSeen(uses []use) bool {
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	clear(d.seen)
	for i := range uses {
		switch a := uses[i].access; a.What {
		case Reads:
			d.seen[a.Value] = true
		case Writes:
		default:
			return false
		}
	}
	return true
}
