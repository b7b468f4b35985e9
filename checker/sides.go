package checker

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// commit is a node committing a transaction.
type commit struct {
	tx    string
	entry int
}

// commits are all commits of a run.
type commits struct {
	list  []commit
	first onNodes // the first commit of a transaction on a node
	sign  []int32 // by row of first: the first commit of the transaction anywhere
}

// on is the first commit of a transaction on a node.
func (c *commits) on(tx string, node sim.NodeID) (entry int, ok bool) {
	return c.first.find(onNode{tx, node})
}

// signed is the first commit of a transaction anywhere.
func (c *commits) signed(tx string) (entry int, ok bool) {
	row, ok := c.first.rows[tx]
	if !ok {
		return 0, false
	}
	return int(c.sign[row]), true
}

// commits are all commits, but for those that a restart only repeats.
func (r *reading) commits() *commits {
	if r.known.commits == nil {
		r.known.commits = r.readCommits()
	}
	return r.known.commits
}

func (r *reading) readCommits() *commits {
	few := len(r.trace) / 8 // of all entries are commits
	all := &commits{list: make([]commit, 0, few), first: newOnNodes(r.width, few)}
	for i := range r.trace {
		tx, ok := noted(r, i, r.model.Commit)
		if !ok {
			continue
		}
		if again := all.first.put(onNode{tx, r.trace[i].Node}, i); again && r.repeats(i) {
			continue
		}
		if len(all.sign) < len(all.first.rows) {
			all.sign = append(all.sign, int32(i))
		}
		all.list = append(all.list, commit{tx, i})
	}
	return all
}

// side is what a node means of a transaction and a cut.
type side uint8

const (
	noSide side = iota // nothing, or nothing yet, or what it says elsewhere
	isBefore
	isAfter
)

// statement is a node saying in so many words on which side of a cut a transaction is.
type statement struct {
	Side
	cut   *cutLine
	entry int
}

// statements are what the members of finished cuts say about sides.
func (r *reading) statements() []statement {
	var list []statement
	if r.model.Side == nil {
		return list
	}
	for i := range r.trace {
		s, ok := noted(r, i, r.model.Side)
		if !ok {
			continue
		}
		cut, known := r.index[s.Cut]
		if known && r.cuts[cut].finished && r.cuts[cut].member[r.trace[i].Node] {
			list = append(list, statement{s, &r.cuts[cut], i})
		}
	}
	return list
}

// meanings are what commits come to where nodes say nothing in so many words.
type meanings struct {
	*reading
	parts *parts
	said  map[stated]bool
	sides []side // by cut, of the commit looked at
}

// stated is a transaction, a node and a cut.
type stated struct {
	onNode
	cut string
}

func (r *reading) meanings(said []statement) *meanings {
	o := &meanings{reading: r, parts: r.parts(), said: map[stated]bool{}}
	o.sides = make([]side, len(r.cuts))
	for _, s := range said {
		o.said[stated{onNode{s.Tx, r.trace[s.entry].Node}, s.Cut}] = true
	}
	return o
}

// of is by cut what a commit comes to: before if it came before the point or is in the recorded
// channel, else after, once the node calls its part complete.
func (o *meanings) of(c commit) []side {
	key := onNode{c.tx, o.trace[c.entry].Node}
	for i := range o.cuts {
		line := &o.cuts[i]
		o.sides[i] = noSide
		switch {
		case !line.finished || !line.member[key.node]:
		case line.before(o.trace, c.entry):
			o.sides[i] = isBefore
		case o.parts.complete(i, key.node):
			o.sides[i] = isAfter
		}
	}
	for _, x := range o.parts.recorded[key] {
		if o.cuts[x.cut].finished {
			o.sides[x.cut] = isBefore
		}
	}
	for i := 0; i < len(o.cuts) && len(o.said) > 0; i++ {
		if o.said[stated{key, o.cuts[i].name}] {
			o.sides[i] = noSide
		}
	}
	return o.sides
}

// agreement is that every node means of every transaction the side on which it truly is: that of
// its first commit. The premises are what could be wrong: what other nodes mean than the one that
// committed first, and what is said in so many words.
func (r *reading) agreement() (premises int, v *sim.Violation) {
	all, said := r.commits(), r.statements()
	for _, s := range said {
		first, signed := all.signed(s.Tx)
		if !signed {
			continue
		}
		premises++
		if s.Before != s.cut.before(r.trace, first) {
			v = count(v, r.disagreement(s, first))
		}
	}
	o := r.meanings(said)
	for _, c := range all.list {
		first, _ := all.signed(c.tx)
		if c.entry == first {
			continue
		}
		for i, side := range o.of(c) {
			if side == noSide {
				continue
			}
			premises++
			line := &r.cuts[i]
			if (side == isBefore) != line.before(r.trace, first) {
				s := Side{Cut: line.name, Tx: c.tx, Before: side == isBefore}
				v = count(v, r.disagreement(statement{s, line, c.entry}, first))
			}
		}
	}
	return premises, v
}

func (r *reading) disagreement(s statement, first int) *sim.Violation {
	early, late, side := first, s.entry, "after"
	if s.Before {
		early, late, side = s.entry, first, "before"
	}
	if r.trace[first].Node != r.trace[s.entry].Node {
		return r.violation(early, late, "cut %s has %s before on %s, but after on %s", s.Cut, s.Tx,
			r.nameAt(early), r.nameAt(late))
	}
	return r.violation(early, late, "%s has %s %s cut %s, but committed it on the other side",
		r.nameAt(first), s.Tx, side, s.Cut)
}

// nesting is that of two cuts the one with the lower version lies within the other: what is before
// it is before the other. The premises are the pairs of neighbouring versions.
func (r *reading) nesting() (premises int, v *sim.Violation) {
	cuts := r.versioned()
	if len(cuts) < 2 {
		return 0, nil
	}
	for k, outer := range cuts[1:] {
		premises++
		v = count(v, r.unnested(cuts[k], outer))
	}
	said := r.statements()
	o := r.meanings(said)
	for _, c := range r.commits().list {
		sides := o.of(c)
		for k, outer := range cuts[1:] {
			if sides[cuts[k]] == isBefore && sides[outer] == isAfter {
				v = count(v, r.turned(cuts[k], outer, c.tx, [2]int{c.entry, c.entry}))
			}
		}
	}
	for k, outer := range cuts[1:] {
		v = count(v, r.turnedWords(cuts[k], outer, said))
	}
	return premises, v
}

// turned is a transaction before a cut and after a wider one, by two entries.
func (r *reading) turned(inner, outer int, tx string, by [2]int) *sim.Violation {
	return r.violation(by[0], by[1], "%s has %s before cut %s, but after cut %s", r.nameAt(by[0]), tx,
		r.cuts[inner].name, r.cuts[outer].name)
}

// turnedWords is a node that says so in so many words.
func (r *reading) turnedWords(inner, outer int, said []statement) *sim.Violation {
	early := map[onNode]int{}
	for _, s := range said {
		if s.cut == &r.cuts[inner] && s.Before {
			early[onNode{s.Tx, r.trace[s.entry].Node}] = s.entry
		}
	}
	for _, s := range said {
		if s.cut != &r.cuts[outer] || s.Before {
			continue
		}
		if entry, ok := early[onNode{s.Tx, r.trace[s.entry].Node}]; ok {
			return r.turned(inner, outer, s.Tx, [2]int{entry, s.entry})
		}
	}
	return nil
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
