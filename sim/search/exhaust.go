package search

import (
	"slices"

	"github.com/downset/downset/sim"
)

// exhaust tries, for a script of at most three requests, every order of them and every choice of
// nodes, without any exception first and then with one; the first in the order of reading that
// fails is taken. So it no longer matters which of several equally small plans a run shrank to.
func (s *Shrinking) exhaust(p *sim.Plan) *sim.Plan {
	if !exhaustible(p) {
		return p
	}
	all := arrangements(p)
	bare := len(p.Chance) == 0
	for _, q := range all {
		q.Chance = nil
		if bare && slices.Compare(reading(q), reading(p)) >= 0 {
			return p
		}
		if s.fails(q) {
			return q
		}
	}
	if len(p.Chance) == 1 && len(p.Script) > 1 {
		return s.exhaustSingles(p, all)
	}
	return p
}

// exhaustSingles is exhaust with one exception of the catalogue.
func (s *Shrinking) exhaustSingles(p *sim.Plan, all []*sim.Plan) *sim.Plan {
	for _, q := range all {
		if slices.Compare(reading(q), reading(p)) >= 0 {
			return p
		}
		if r := s.single(q); r != nil && len(r.Chance) <= 1 {
			return r
		}
	}
	return p
}

// exhaustible says that a plan is small enough, and nothing but requests in turn.
func exhaustible(p *sim.Plan) bool {
	if len(p.Load) > 0 || len(p.Script) > 3 || len(p.Nodes) > 3 || len(p.Later) > 0 {
		return false
	}
	for i := range p.Script {
		a := &p.Script[i]
		if a.Verb != sim.Request || a.Place != sim.InTurn || a.When != nil {
			return false
		}
	}
	return true
}

// arrangements are all orders and nodes of a script's requests, in the order of reading.
func arrangements(p *sim.Plan) []*sim.Plan {
	var all []*sim.Plan
	var extend func(q *sim.Plan, left []sim.Action)
	extend = func(q *sim.Plan, left []sim.Action) {
		if len(left) == 0 {
			all = append(all, q)
			return
		}
		for i := range left {
			for _, node := range p.Nodes {
				r := editable(q)
				a := left[i]
				a.Node = node
				r.Script = append(r.Script, a)
				extend(r, slices.Delete(slices.Clone(left), i, i+1))
			}
		}
	}
	start := editable(p)
	start.Script = nil
	extend(start, p.Script)
	for i, q := range all {
		all[i] = renumbered(q)
	}
	compare := func(a, b *sim.Plan) int { return slices.Compare(reading(a), reading(b)) }
	slices.SortStableFunc(all, compare)
	return slices.CompactFunc(all, func(a, b *sim.Plan) bool { return compare(a, b) == 0 })
}
