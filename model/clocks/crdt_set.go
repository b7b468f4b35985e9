package clocks

import (
	"cmp"
	"slices"
	"strings"
)

// Causal is values with the writes that put them there, and a version vector of all writes that
// were ever seen: a write that is seen and has no value left has been undone, so that nothing needs
// to be kept of it (Bieniusa and others, An optimized conflict-free replicated set, 2012; Almeida
// and others, Delta state replicated data types, 2018, call it a causal dot store). It is a value:
// no method changes it. Invariant: Seen covers the dot of each of Live, and an actor counts its
// writes from what itself last had, so that no two have one dot.
type Causal struct {
	Seen VersionVector
	Live []Tagged // in order of values, then dots
}

// Tagged is a value and the write that put it there.
type Tagged struct {
	Value string
	Dot   Dot
}

func (t Tagged) compare(u Tagged) int {
	return cmp.Or(cmp.Compare(t.Value, u.Value), t.Dot.Compare(u.Dot))
}

// Put is c after a write of an actor that puts a value there, and takes away all those that undone
// holds of.
func (c Causal) Put(actor, value string, undone func(Tagged) bool) Causal {
	next := c.Drop(undone)
	next.Seen = c.Seen.Bump(actor, 0)
	next.Live = append(next.Live, Tagged{value, Dot{actor, next.Seen.Get(actor)}})
	slices.SortStableFunc(next.Live, Tagged.compare)
	return next
}

// Drop is c without the values that undone holds of.
func (c Causal) Drop(undone func(Tagged) bool) Causal {
	return Causal{c.Seen, slices.DeleteFunc(slices.Clone(c.Live), undone)}
}

// Merge keeps a value that both have, and one that one has and the other has not seen: what the
// other has seen and does not have, it has undone.
func (c Causal) Merge(d Causal) Causal {
	live := slices.Concat(c.without(d), d.without(c))
	slices.SortStableFunc(live, Tagged.compare)
	return Causal{c.Seen.Merge(d.Seen), slices.Compact(live)}
}

// without is what of Live d has not undone.
func (c Causal) without(d Causal) []Tagged {
	return slices.DeleteFunc(slices.Clone(c.Live), func(t Tagged) bool {
		return d.Seen.Covers(t.Dot) && !slices.Contains(d.Live, t)
	})
}

// Equal says that both have seen the same and have the same.
func (c Causal) Equal(d Causal) bool {
	return c.Seen.Compare(d.Seen) == Equal && slices.Equal(c.Live, d.Live)
}

// Clone shares nothing with c.
func (c Causal) Clone() Causal { return Causal{c.Seen.Merge(nil), slices.Clone(c.Live)} }

// Values are the values, in order, each once.
func (c Causal) Values() []string {
	var list []string
	for _, t := range c.Live {
		list = append(list, t.Value)
	}
	return slices.Compact(list)
}

func (c Causal) String() string { return valuesText(c.Values()) }

// valuesText is values for people.
func valuesText(values []string) string {
	if len(values) == 0 {
		return "empty"
	}
	return strings.Join(values, " ")
}

// ORSet is a set in which of an add and a del of one element that had not seen each other the add
// wins (the observed-removed set of Shapiro and others 2011, specification 15, in the form of
// Bieniusa and others 2012, without tombstones): a del takes away the adds that it has seen, no
// others. Its zero value is empty.
type ORSet struct{ Causal }

// Add is s after an actor has added e. The new add stands for those of e that it has seen.
func (s ORSet) Add(actor, e string) ORSet {
	return ORSet{s.Put(actor, e, func(t Tagged) bool { return t.Value == e })}
}

// Del is s after a del of e. It is no write of its own: nothing is left of it.
func (s ORSet) Del(e string) ORSet {
	return ORSet{s.Drop(func(t Tagged) bool { return t.Value == e })}
}

// Has says that e is in.
func (s ORSet) Has(e string) bool {
	return slices.ContainsFunc(s.Live, func(t Tagged) bool { return t.Value == e })
}

// Merge has each add that one has and the other has not seen deleted.
func (s ORSet) Merge(r ORSet) ORSet { return ORSet{s.Causal.Merge(r.Causal)} }

// Equal says that both have seen the same adds, and have the same of them.
func (s ORSet) Equal(r ORSet) bool { return s.Causal.Equal(r.Causal) }

// Clone shares nothing with s.
func (s ORSet) Clone() ORSet { return ORSet{s.Causal.Clone()} }
