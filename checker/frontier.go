package checker

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// consistent is the raw frontier: each finished cut is a down-set of happened-before. Within a node
// it is one by construction, so only what comes from other nodes can break it, and one scan over
// that decides all cuts at once.
func (r *reading) consistent() (premises int, v *sim.Violation) {
	crossings := r.crossings()
	if len(crossings) == 0 {
		return r.finishedCuts(), nil
	}
	v = r.condemn(crossings)
	v.Count = len(crossings)
	return r.finishedCuts(), v
}

// crossing is a message that crosses cuts backwards: sent after the sender's point, in effect
// before the receiver's.
type crossing struct {
	cut                    *cutLine // the first of them
	sent, delivery, effect int
}

// ahead is the finished cuts of which a node has still to draw its point, at any time.
type ahead struct {
	points   []int32 // where it draws them, ascending
	earliest []int32 // flat, by points and nodes: the node's first point from here on
}

// crossings are all messages that cross finished cuts backwards. A message does when a cut that the
// receiver draws after it took effect was drawn by the sender before it was sent, so of all those
// cuts only the sender's earliest point is asked for.
func (r *reading) crossings() []crossing {
	if r.finishedCuts() == 0 {
		return nil
	}
	aheads := make([]ahead, r.width)
	for n := range aheads {
		aheads[n] = r.ahead(n)
	}
	var found []crossing
	for d := range r.trace {
		from := r.source(d)
		if from < 0 {
			continue
		}
		effect, a := r.effect(d), &aheads[r.trace[d].Node]
		k, _ := slices.BinarySearch(a.points, effect+1)
		sender := int(r.trace[from].Node)
		if k == len(a.points) || a.earliest[k*r.width+sender] >= int32(from) {
			continue
		}
		found = append(found, crossing{r.crossed(from, d), from, d, int(effect)})
	}
	return found
}

// ahead sorts the points of a node and takes the minima from the back.
func (r *reading) ahead(node int) ahead {
	var lines []*cutLine
	for c := range r.cuts {
		if r.cuts[c].finished {
			lines = append(lines, &r.cuts[c])
		}
	}
	slices.SortStableFunc(lines, func(a, b *cutLine) int {
		return cmp.Compare(a.frontier[node], b.frontier[node])
	})
	a := ahead{make([]int32, len(lines)), make([]int32, len(lines)*r.width)}
	for k := len(lines) - 1; k >= 0; k-- {
		a.points[k] = lines[k].frontier[node]
		row := a.earliest[k*r.width : (k+1)*r.width]
		copy(row, lines[k].frontier)
		if k == len(lines)-1 {
			continue
		}
		for n, later := range a.earliest[(k+1)*r.width : (k+2)*r.width] {
			row[n] = min(row[n], later)
		}
	}
	return a
}

// crosses says that a message crosses a cut backwards.
func (r *reading) crosses(c *cutLine, sent, delivery int) bool {
	return c.finished && c.frontier[r.trace[sent].Node] < int32(sent) &&
		r.effect(delivery) < c.frontier[r.trace[delivery].Node]
}

// crossed is the first cut that a message crosses backwards.
func (r *reading) crossed(sent, delivery int) *cutLine {
	for c := range r.cuts {
		if r.crosses(&r.cuts[c], sent, delivery) {
			return &r.cuts[c]
		}
	}
	panic("checker: a crossing of no cut")
}

// condemn makes a violation of the crossing that reads best: the first that made its receiver
// commit before the cut what the sender commits after it, else the first.
func (r *reading) condemn(crossings []crossing) *sim.Violation {
	if v := r.condemnCommit(crossings); v != nil {
		return v
	}
	x := crossings[0]
	return r.violation(x.sent, x.effect,
		"cut %s has %s received before on %s, but sent after on %s", x.cut.name,
		sim.Text(r.trace[x.sent].Body), r.nameAt(x.delivery), r.nameAt(x.sent))
}

func (r *reading) condemnCommit(crossings []crossing) *sim.Violation {
	byDelivery := map[int]crossing{}
	for _, x := range crossings {
		byDelivery[x.delivery] = x
	}
	all := r.commits()
	for _, theirs := range all.list {
		x, ok := byDelivery[int(r.trace[theirs.entry].Cause)]
		if !ok || !x.cut.before(r.trace, theirs.entry) {
			continue
		}
		mine, ok := all.on(theirs.tx, r.trace[x.sent].Node)
		if ok && !x.cut.before(r.trace, mine) {
			return r.violation(x.sent, theirs.entry, "cut %s has %s before on %s, but after on %s",
				x.cut.name, theirs.tx, r.nameAt(theirs.entry), r.nameAt(mine))
		}
	}
	return nil
}

// violation shows two entries that cannot both be, given in either order.
func (r *reading) violation(a, b int, format string, args ...any) *sim.Violation {
	v := r.absence(a, b, format, args...)
	if a != b {
		v.Clash = v.Witness
	}
	return v
}

// absence shows two entries, given in either order, which could both be if something else were as
// well.
func (r *reading) absence(a, b int, format string, args ...any) *sim.Violation {
	v := &sim.Violation{Reason: fmt.Sprintf(format, args...), Count: 1}
	v.Witness = []int{min(a, b), max(a, b)}
	if a == b {
		v.Witness = v.Witness[:1]
	}
	return v
}

// count adds the next violation, if it is one, to those found so far, of which the first is kept.
func count(v, next *sim.Violation) *sim.Violation {
	if v == nil || next == nil {
		return cmp.Or(v, next)
	}
	v.Count++
	return v
}
