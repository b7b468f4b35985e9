package clocks

import (
	"slices"
	"strconv"
)

// crdtMutants are wrong on purpose.
func crdtMutants() []row {
	of := func(name, breaks, doc string, r crdtRules) row {
		return wrong(name, breaks, doc, rules{crdt: r})
	}
	return []row{
		of("crdt-adds", "counter-exact", "counters are merged by addition: what is heard twice "+
			"counts twice", crdtRules{Adds: true}),
		of("crdt-counts-again", "counter-exact", "a replica makes an edit again that it is asked "+
			"for again", crdtRules{Twice: true}),
		of("crdt-forgets", "set-adds-win", "the merge of two sets has what either has, deleted or "+
			"not: elements come back", crdtRules{Forgets: true}),
		of("crdt-same-dots", "set-adds-win", "an actor counts those of its adds that are still "+
			"there, so that an add has the dot of one that was deleted", crdtRules{SameDots: true}),
		of("crdt-keeps-one", "register-keeps", "of values that had not seen each other a "+
			"multi-value register keeps the greatest", crdtRules{KeepsOne: true}),
		of("crdt-keeps-own", "crdt-converges", "of two writes with equal stamps each replica "+
			"keeps the one that it has", crdtRules{KeepsOwn: true}),
		of("crdt-shows-none", "answers", "who asks from another node is shown an object that "+
			"nobody has edited", crdtRules{ShowsNone: true}),
		of("crdt-from-memory", "object-kept", "what a replica itself has added is not on its "+
			"disk, and after a crash it counts anew", crdtRules{FromMemory: true}),
	}
}

// sum is a counter that is merged by addition, up to a bound so that it ends.
type sum struct{ N int64 }

func (s sum) edited(e edit) sum {
	if e.Verb == verbDec {
		return sum{s.N - e.N}
	}
	return sum{s.N + e.N}
}

func (s sum) Merge(t sum) sum {
	const bound = 1_000_000
	if s == t {
		return s
	}
	return sum{max(-bound, min(s.N+t.N, bound))}
}

func (s sum) Equal(t sum) bool { return s == t }

func (s sum) String() string { return strconv.FormatInt(s.N, 10) }

// union is a set whose merge is the union.
type union struct{ ORSet }

func (u union) edited(e edit) union { return union{u.ORSet.edited(e)} }

func (u union) Merge(v union) union {
	live := slices.Concat(u.Live, v.Live)
	slices.SortStableFunc(live, Tagged.compare)
	return union{ORSet{Causal{u.Seen.Merge(v.Seen), slices.Compact(live)}}}
}

func (u union) Equal(v union) bool { return u.ORSet.Equal(v.ORSet) }

// sameDots is a set whose dots are numbered by what is there.
type sameDots struct{ ORSet }

func (s sameDots) edited(e edit) sameDots {
	if e.Verb == verbDel {
		return sameDots{s.ORSet.edited(e)}
	}
	next := s.Drop(func(t Tagged) bool { return t.Value == e.Word })
	d := Dot{Actor: e.Actor, Count: 1}
	for _, t := range next.Live {
		if t.Dot.Actor == d.Actor {
			d.Count = max(d.Count, t.Dot.Count+1)
		}
	}
	next.Seen = s.Seen.Merge(VersionVector{}.Set(d.Actor, d.Count, 0))
	next.Live = append(next.Live, Tagged{e.Word, d})
	slices.SortStableFunc(next.Live, Tagged.compare)
	return sameDots{ORSet{next}}
}

func (s sameDots) Merge(r sameDots) sameDots { return sameDots{s.ORSet.Merge(r.ORSet)} }

func (s sameDots) Equal(r sameDots) bool { return s.ORSet.Equal(r.ORSet) }

// oneValue is a register that keeps one of the values that it should keep.
type oneValue struct{ MVRegister }

func (o oneValue) edited(e edit) oneValue { return oneValue{o.MVRegister.edited(e)} }

func (o oneValue) Merge(p oneValue) oneValue {
	m := o.MVRegister.Merge(p.MVRegister)
	m.Live = m.Live[max(0, len(m.Live)-1):]
	return oneValue{m}
}

func (o oneValue) Equal(p oneValue) bool { return o.MVRegister.Equal(p.MVRegister) }

// ownRegister is a register that has no second criterion.
type ownRegister struct{ LWWRegister }

func (r ownRegister) edited(e edit) ownRegister { return ownRegister{r.LWWRegister.edited(e)} }

func (r ownRegister) Merge(q ownRegister) ownRegister {
	if r.Actor != "" && q.Actor != "" && r.Stamp == q.Stamp {
		return r
	}
	return ownRegister{r.LWWRegister.Merge(q.LWWRegister)}
}

func (r ownRegister) Equal(q ownRegister) bool { return r == q }
