package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// explain shows why the history of a part is not linearizable: by the first return up to which it
// is not, and what cannot be squared with it.
func (d *decider) explain(p *part) *sim.Violation {
	defer func(left int) { d.left = left }(d.left)
	d.left = d.spec.steps() / 4 // so that an explanation never costs another part its verdict
	culprit := d.culprit(p)
	uses := d.until(p, culprit.Return)
	if d.readZones(uses) && d.zones.outcome() == Broken {
		return d.clash(culprit)
	}
	return d.misfit(p, culprit)
}

// culprit is the operation whose return no order up to it allows. A history that is not
// linearizable does not become so later, so the search is binary. Where steps run out, it is the
// first return for which that is certain.
func (d *decider) culprit(p *part) *Operation {
	var ended []*Operation
	for i := range p.uses {
		if u := &p.uses[i]; !u.open {
			ended = append(ended, u.Operation)
		}
	}
	slices.SortStableFunc(ended, func(a, b *Operation) int { return a.Return - b.Return })
	low, high := 0, len(ended)-1
	for low < high {
		mid := (low + high) / 2
		switch d.quick(d.until(p, ended[mid].Return)) {
		case Broken:
			high = mid
		case Holds:
			low = mid + 1
		default:
			return ended[high]
		}
	}
	return ended[high]
}

// clash is a violation by zones.
func (d *decider) clash(culprit *Operation) *sim.Violation {
	v := &sim.Violation{Count: 1, Witness: []int{culprit.Call, culprit.Return}}
	if u := d.zones.stray; u != nil {
		v.Reason = fmt.Sprintf("%s returned before any write of %s was called",
			d.spec.names(u), d.spec.shows(u.access.Value))
		return v
	}
	during, other := d.zones.conflict()
	v.Reason = fmt.Sprintf("%s must hold %s %s, but %s", onRegister(during.last), during.text(d.spec),
		during.span(d.spec), other.against(d.spec))
	for _, n := range []*zone{during, other} {
		if n.first != nil {
			v.Witness = append(v.Witness, n.first.Return)
		}
		v.Witness = append(v.Witness, n.last.Call)
	}
	slices.Sort(v.Witness)
	v.Witness = slices.Compact(v.Witness)
	return v
}

// onRegister names the register that a use is on.
func onRegister(u *use) string { return cmp.Or(u.access.Key, "the register") }

// text is the value of a zone.
func (n *zone) text(s *Spec) string { return s.shows(n.value) }

// span says during which time the value must be held.
func (n *zone) span(s *Spec) string {
	if n.first == nil {
		return "until " + s.names(n.last) + " is called"
	}
	return fmt.Sprintf("from the return of %s to the call of %s", s.names(n.first),
		s.names(n.last))
}

// against says what the value of a zone has against another one.
func (n *zone) against(s *Spec) string {
	switch {
	case n.forward():
		return n.text(s) + " " + n.span(s)
	case n.first.Operation == n.last.Operation:
		return s.names(n.first) + " lies in between"
	}
	return fmt.Sprintf("%s at some moment between the call of %s and the return of %s", n.text(s),
		s.names(n.last), s.names(n.first))
}

// misfit is a violation by a search: what came before the culprit's return has an order, and what
// was open then might come as well, but the culprit fits in nowhere.
func (d *decider) misfit(p *part, culprit *Operation) *sim.Violation {
	order, state := d.order(d.until(p, culprit.Return-1))
	open := slices.DeleteFunc(slices.Clone(d.until(p, culprit.Return)), func(u use) bool {
		return !u.open || slices.Contains(order, u)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s fits no order", d.spec.names(&use{Operation: culprit}))
	if len(order) == 0 {
		fmt.Fprintf(&b, "; at first there is %s", state)
	} else {
		fmt.Fprintf(&b, "; one of what returned before it is %s, and leaves %s",
			d.spec.listed(order), state)
	}
	if len(open) > 0 {
		fmt.Fprintf(&b, "; still open is %s", d.spec.listed(open))
	}
	return &sim.Violation{Reason: b.String(), Count: 1,
		Witness: []int{culprit.Call, culprit.Return}}
}

// order is a legal order of uses, and the state it leaves, without what is open at its end. If no
// whole one is found in time, it is the longest of those found.
func (d *decider) order(uses []use) (order []use, state string) {
	_, info := d.find.order(uses, d.left)
	var ids []int
	for _, found := range info.PartialLinearizations() {
		for _, list := range found {
			if len(list) > len(ids) || len(list) == len(ids) && slices.Compare(list, ids) < 0 {
				ids = list
			}
		}
	}
	for len(ids) > 0 && uses[ids[len(ids)-1]].open {
		ids = ids[:len(ids)-1]
	}
	at := d.spec.Init()
	for _, id := range ids {
		u := &uses[id]
		_, at = d.spec.Step(at, u.Op, u.result(), u.open)
		order = append(order, *u)
	}
	return order, d.spec.shows(at)
}

// listShown is how many operations a sentence bears.
const listShown = 4

// listed is operations in words, the last few of them.
func (s *Spec) listed(list []use) string {
	var words []string
	if n := len(list) - listShown; n > 0 {
		words, list = append(words, fmt.Sprintf("%d more", n)), list[n:]
	}
	for i := range list {
		words = append(words, s.names(&list[i]))
	}
	return strings.Join(words, ", ")
}

// names is a use in words, with its number.
func (s *Spec) names(u *use) string { return fmt.Sprintf("%s (call %d)", s.describe(u), u.ID) }

// describe is a use in words.
func (s *Spec) describe(u *use) string { return s.says(u.Op, u.result()) }
