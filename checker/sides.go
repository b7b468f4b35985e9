package checker

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// onNode is a transaction, or a cut, on a node.
type onNode struct {
	name string
	node sim.NodeID
}

// commit is a node committing a transaction.
type commit struct {
	tx    string
	entry int
}

// commits are all commits of a run.
type commits struct {
	list  []commit
	first map[onNode]int // the first of a transaction on a node
	sign  map[string]int // the first of a transaction anywhere
}

// commits reads all commits, but for those that a restart only repeats.
func (r *reading) commits() commits {
	all := commits{first: map[onNode]int{}, sign: map[string]int{}}
	for i := range r.trace {
		tx, ok := noted(r, i, r.model.Commit)
		if !ok {
			continue
		}
		key := onNode{tx, r.trace[i].Node}
		_, again := all.first[key]
		if again && r.repeats(i) {
			continue
		}
		if !again {
			all.first[key] = i
		}
		if _, signed := all.sign[tx]; !signed {
			all.sign[tx] = i
		}
		all.list = append(all.list, commit{tx, i})
	}
	return all
}

// claim is what a node means by an entry: that a transaction is on one side of a cut.
type claim struct {
	cut    int
	tx     string
	entry  int
	before bool
	said   bool // in so many words
}

// about is a transaction, or a message, that a node has to place in a cut.
type about struct {
	cut int
	onNode
}

func (r *reading) about(c claim) about {
	return about{c.cut, onNode{c.tx, r.trace[c.entry].Node}}
}

// claims are what the members of finished cuts mean about them, in trace order.
func (r *reading) claims(all commits) []claim {
	list := r.said()
	spoke := map[about]bool{}
	for _, c := range list {
		spoke[r.about(c)] = true
	}
	parts := r.parts()
	for cut := range r.cuts {
		if !r.cuts[cut].finished {
			continue
		}
		for _, c := range all.list {
			k, means := r.implied(cut, c, parts)
			if means && !spoke[r.about(k)] {
				list = append(list, k)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.cut, b.cut))
	})
	return list
}

// implied is what a commit comes to where its node says nothing in so many words, if it means
// anything yet.
func (r *reading) implied(cut int, c commit, parts parts) (k claim, means bool) {
	line, node := &r.cuts[cut], r.trace[c.entry].Node
	_, recorded := parts.recorded[about{cut, onNode{c.tx, node}}]
	k = claim{cut: cut, tx: c.tx, entry: c.entry, before: recorded || line.before(r.trace, c.entry)}
	return k, line.member[node] && (k.before || parts.complete(line.name, node))
}

// said is what the members of finished cuts say about sides.
func (r *reading) said() []claim {
	var list []claim
	for i := range r.trace {
		s, ok := noted(r, i, r.model.Side)
		if !ok {
			continue
		}
		cut, known := r.index[s.Cut]
		if known && r.cuts[cut].finished && r.cuts[cut].member[r.trace[i].Node] {
			list = append(list, claim{cut, s.Tx, i, s.Before, true})
		}
	}
	return list
}

// agreement is that every node means of every transaction the side on which it truly is: that of
// its first commit. The premises are the claims that could be wrong: those of other nodes than the
// one that committed first, and those in so many words.
func (r *reading) agreement() (premises int, v *sim.Violation) {
	all := r.commits()
	for _, c := range r.claims(all) {
		first, signed := all.sign[c.tx]
		if !signed || (c.entry == first && !c.said) {
			continue
		}
		premises++
		if c.before != r.cuts[c.cut].before(r.trace, first) {
			v = count(v, r.disagreement(c, first))
		}
	}
	return premises, v
}

func (r *reading) disagreement(c claim, first int) *sim.Violation {
	before, after, side := first, c.entry, "after"
	if c.before {
		before, after, side = c.entry, first, "before"
	}
	if r.trace[first].Node != r.trace[c.entry].Node {
		return r.violation(before, after, "cut %s has %s before on %s, but after on %s",
			r.cuts[c.cut].name, c.tx, r.nameAt(before), r.nameAt(after))
	}
	return r.violation(before, after, "%s has %s %s cut %s, but committed it on the other side",
		r.nameAt(first), c.tx, side, r.cuts[c.cut].name)
}

// nesting is that of two cuts the one with the lower version lies within the other: what is before
// it is before the other. The premises are the pairs of neighbouring versions.
func (r *reading) nesting() (premises int, v *sim.Violation) {
	inner := r.versioned()
	if len(inner) < 2 {
		return 0, nil
	}
	outer := map[int]int{} // cut to the next one
	for k, c := range inner[1:] {
		premises++
		outer[inner[k]] = c
		v = count(v, r.unnested(inner[k], c))
	}
	claims := r.claims(r.commits())
	after := map[about]int{}
	for _, c := range claims {
		if !c.before {
			after[r.about(c)] = c.entry
		}
	}
	for _, c := range claims {
		next, ok := outer[c.cut]
		if !ok || !c.before {
			continue
		}
		wider := r.about(c)
		wider.cut = next
		if entry, wrong := after[wider]; wrong {
			v = count(v, r.violation(c.entry, entry, "%s has %s before cut %s, but after cut %s",
				r.nameAt(c.entry), c.tx, r.cuts[c.cut].name, r.cuts[next].name))
		}
	}
	return premises, v
}

// versioned are the finished cuts that have versions, in their order.
func (r *reading) versioned() []int {
	var list []int
	for c := range r.cuts {
		if r.cuts[c].version.entry >= 0 && r.cuts[c].finished {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(r.cuts[a].version.value, r.cuts[b].version.value)
	})
	return list
}

// unnested is that a node draws the point of the outer cut before that of the inner one.
func (r *reading) unnested(inner, outer int) *sim.Violation {
	a, b := &r.cuts[inner], &r.cuts[outer]
	for n := range a.at {
		if a.member[n] && b.member[n] && b.at[n] < a.at[n] {
			return r.violation(int(b.at[n]), int(a.at[n]),
				"%s draws its point of cut %s before that of cut %s", r.run.Name(sim.NodeID(n)),
				b.name, a.name)
		}
	}
	return nil
}
