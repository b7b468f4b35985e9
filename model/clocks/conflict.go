package clocks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What becomes of versions of one key that meet on a replica. Nothing here knows of nodes.

// version is what one put made. It has every stamp, whichever of them the rule looks at.
type version struct {
	ID    sim.CallID
	Value string
	By    sim.NodeID // the replica that made it
	// what its writer had seen, as far as the writer was told: no rule reads it
	Seen    []sim.CallID
	Dot     Dot
	Past    history       // what its writer had seen, by dots
	Vector  VersionVector // that and itself, by writers
	Number  int64         // how often the record had been updated, this update included
	Wall    sim.Time
	Lamport Lamport
	Hybrid  Hybrid
}

// record is what a replica has of a key: versions in order of their calls. Vector is of all of them
// together, where the rule has one for each object.
type record struct {
	Key      string
	Versions []version
	Vector   VersionVector
}

// outcome is what a rule makes of two records: what is kept, and how it takes their versions to
// stand to each other, if it claims to know.
type outcome struct {
	Record record
	Says   []compared
}

// ids names the versions of a record.
func (r record) ids() []sim.CallID {
	list := make([]sim.CallID, len(r.Versions))
	for i, v := range r.Versions {
		list[i] = v.ID
	}
	return list
}

func (r record) values() []string {
	list := make([]string, len(r.Versions))
	for i, v := range r.Versions {
		list[i] = v.Value
	}
	return list
}

// has says that a version is in a record.
func (r record) has(id sim.CallID) bool {
	return slices.ContainsFunc(r.Versions, func(v version) bool { return v.ID == id })
}

// same says that two records of a key have the same versions, with the same vectors.
func (r record) same(o record) bool {
	return slices.Equal(r.Vector, o.Vector) &&
		slices.EqualFunc(r.Versions, o.Versions, func(v, u version) bool {
			return v.ID == u.ID && slices.Equal(v.Vector, u.Vector)
		})
}

// number is the greatest of a record's versions.
func (r record) number() int64 {
	top := int64(0)
	for _, v := range r.Versions {
		top = max(top, v.Number)
	}
	return top
}

// pairs is how many a record's largest vector has: of the object, of a version, or of what its
// writer had seen.
func (r record) pairs() int {
	most := len(r.Vector)
	for _, v := range r.Versions {
		most = max(most, len(v.Vector), len(v.Past.Front))
	}
	return most
}

// text is the values, then the vectors where there are any.
func (r record) text() string {
	words := r.values()
	for _, v := range r.Versions {
		if len(v.Vector) > 0 {
			words = append(words, v.Vector.String())
		}
	}
	if len(r.Vector) > 0 {
		words = append(words, r.Vector.String())
	}
	return strings.Join(words, " ")
}

// history is a set of writes by their dots: of each actor the first so many, and some beyond. A
// session that has seen its own write has not seen the one that the same replica made just before,
// so a version vector cannot say what it has seen.
type history struct {
	Front  VersionVector
	Beyond []Dot // in order, none of them in Front
}

func (h history) has(d Dot) bool { return h.Front.Covers(d) || slices.Contains(h.Beyond, d) }

// with is h and one write more.
func (h history) with(d Dot) history {
	if h.has(d) || d.Count < 1 {
		return h
	}
	at, _ := slices.BinarySearchFunc(h.Beyond, d, Dot.Compare)
	h.Beyond = slices.Insert(slices.Clone(h.Beyond), at, d)
	for {
		next := Dot{d.Actor, h.Front.Get(d.Actor) + 1}
		at, ok := slices.BinarySearchFunc(h.Beyond, next, Dot.Compare)
		if !ok {
			return h
		}
		h.Front = h.Front.Set(next.Actor, next.Count, 0)
		h.Beyond = slices.Delete(h.Beyond, at, at+1)
	}
}

// merge is what is in either.
func (h history) merge(g history) history {
	all := history{Front: h.Front.Merge(g.Front)}
	for _, d := range slices.Concat(h.Beyond, g.Beyond) {
		all = all.with(d)
	}
	return all
}

// merge is what a replica that has one record keeps when another comes. The vectors of versions
// that are new to it have at most limit pairs then; 0 is no limit.
func (r *storeRules) merge(mine, theirs record, limit int) outcome {
	if r.Conflict == byServer {
		return mergeObjects(mine, theirs)
	}
	out := r.mergeVersions(mine, theirs)
	for i, v := range out.Record.Versions {
		if limit > 0 && !mine.has(v.ID) {
			out.Record.Versions[i].Vector = r.pruned(v.Vector, limit)
		}
	}
	return out
}

// mergeVersions compares each version that one side lacks with each that the other lacks, and keeps
// those that none has seen or beaten.
func (r *storeRules) mergeVersions(mine, theirs record) outcome {
	out := outcome{Record: record{Key: mine.Key}}
	gone := map[sim.CallID]bool{}
	for _, a := range mine.Versions {
		for _, b := range theirs.Versions {
			if mine.has(b.ID) || theirs.has(a.ID) {
				continue
			}
			is := r.stands(a, b)
			gone[a.ID] = gone[a.ID] || is == Before
			gone[b.ID] = gone[b.ID] || is == After || is == Equal
			if r.Conflict.detects() {
				out.Says = append(out.Says, compared{mine.Key, a.ID, b.ID, is})
			}
		}
	}
	for _, v := range slices.Concat(mine.Versions, theirs.Versions) {
		if !gone[v.ID] && !out.Record.has(v.ID) {
			out.Record.Versions = append(out.Record.Versions, v)
		}
	}
	out.Record.Versions = r.keeps(inOrder(out.Record.Versions))
	return out
}

func inOrder(list []version) []version {
	slices.SortStableFunc(list, func(v, u version) int { return cmp.Compare(v.ID, u.ID) })
	return list
}

// stands is how one version stands to another, by the rule.
func (r *storeRules) stands(a, b version) Relation {
	switch r.Conflict {
	case byNumber:
		return relationOf(cmp.Compare(a.Number, b.Number), Equal)
	case byCount:
		return relationOf(cmp.Compare(a.Lamport.Count, b.Lamport.Count), Concurrent)
	case byDots:
		return byDot(a, b)
	case byWriter:
		return relation(!a.Vector.sees(b.Vector), !b.Vector.sees(a.Vector))
	}
	return relationOf(r.last(a, b), Equal)
}

// byDot looks each version's dot up in what the other's writer had seen, as Dotted.Compare does.
func byDot(a, b version) Relation {
	return a.Dot.relation(b.Dot, b.Past.has(a.Dot), a.Past.has(b.Dot))
}

// last orders versions by the stamp that says which is the last. Where stamps are equal the greater
// node's is, and of one node's the later: Cassandra counts a microsecond on where two writes of one
// client would have the same, and looks at values only between clients.
func (r *storeRules) last(a, b version) int {
	by := cmp.Compare(a.Wall, b.Wall)
	switch r.Conflict {
	case byLamport:
		by = a.Lamport.Compare(b.Lamport)
	case byHybrid:
		by = a.Hybrid.Compare(b.Hybrid)
	}
	if r.Ties {
		return by
	}
	return cmp.Or(by, cmp.Compare(a.By, b.By),
		cmp.Compare(a.Dot.Count, b.Dot.Count))
}

// relationOf is the relation that an order makes: that of equals is given.
func relationOf(order int, equals Relation) Relation {
	switch {
	case order < 0:
		return Before
	case order > 0:
		return After
	}
	return equals
}

// mergeObjects compares objects as a whole, as Riak did before it had dots: one that has seen the
// other takes its place, else the versions of both are kept under the vector of both. What one of
// them has replaced comes back that way, as a sibling of what replaced it. That objects are
// concurrent is not said of their versions: one of several may well have seen another.
func mergeObjects(mine, theirs record) outcome {
	switch {
	case mine.Vector.sees(theirs.Vector):
		return outcome{mine, replaced(theirs, mine)}
	case theirs.Vector.sees(mine.Vector):
		return outcome{theirs, replaced(mine, theirs)}
	}
	return outcome{Record: both(mine, theirs)}
}

// both is two objects in one.
func both(a, b record) record {
	all := record{Key: a.Key, Vector: a.Vector.Merge(b.Vector)}
	for _, v := range slices.Concat(a.Versions, b.Versions) {
		if !all.has(v.ID) {
			all.Versions = append(all.Versions, v)
		}
	}
	all.Versions = inOrder(all.Versions)
	return all
}

// replaced is what is said when one object takes the place of another: of versions only if the one
// that has seen the others is alone.
func replaced(old, by record) []compared {
	var says []compared
	for _, v := range old.Versions {
		if len(by.Versions) == 1 && !by.has(v.ID) {
			says = append(says, compared{old.Key, v.ID, by.Versions[0].ID, Before})
		}
	}
	return says
}
