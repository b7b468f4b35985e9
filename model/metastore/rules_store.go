package metastore

import "slices"

// storeRules are the decisions of the store. The zero value of each but Dialect is right.
type storeRules struct {
	Dialect        Dialect
	Forgetful      bool // answers are not kept
	AnyTerm        bool // what was proposed under another term counts
	SeesTombstones bool // a condition on a revision sees that of a tombstone, while it is there
	SweptBound     bool // what can be read depends on what this replica has removed
	LastOnly       bool // of what is compacted a version stays only if it is the key's last
	DropsTombstone bool // a tombstone at the compacted revision goes
	SkipsTombstone bool // a key whose first row is a tombstone begins behind it after a restart
	RevisionOfRows bool // the revision after a restart is that of the newest row
	LittleEndian   bool // rows are kept in the order of the low byte of their revision
	TimeOfNew      bool // time does not go on with a command that has been done before
	AnswersLost    bool // answers are kept, but not in a snapshot
	OneLate        bool // a watch from now begins a revision too late
	FromOwn        bool // a watch from a revision to come begins with the next one of this replica
	PrevOfNow      bool // what there was before an event is what there is now
	OneTime        bool // after a restart all revisions have the time of the first that is left
	MapOrder       bool // the order of what one delete deletes is each server's own
	Backwards      bool // of MapOrder: this server's is the other way round
	SkipsGap       bool // a watch of what is forgotten goes on with what is not
}

// remembers says that answers are kept for who asks again.
func (r *storeRules) remembers() bool { return r.Dialect.Remembers && !r.Forgetful }

// passes says that time goes on with a command: with each of its leader's own term, whatever it
// comes to, and whether it has been done before or not.
func (r *storeRules) passes(c Command, term int64, known bool) bool {
	return (c.Term == 0 || c.Term == term) && !(known && r.TimeOfNew)
}

// unseen is what conditions see of a key without a living version.
func (r *storeRules) unseen(h *history) Version {
	if r.SeesTombstones && h != nil {
		return Version{Mod: h.last().Mod}
	}
	return Version{}
}

// bound is the least revision that can be read, where floor is what all replicas agree on.
func (r *storeRules) bound(floor, swept int64) int64 {
	if r.SweptBound {
		return r.Dialect.floor(swept)
	}
	return floor
}

// stays says that version i of a key, the newest up to a compacted revision, is kept.
func (r *storeRules) stays(h *history, i int, rev int64) bool {
	v := h.Versions[i]
	switch {
	case r.LastOnly && i < len(h.Versions)-1:
		return false
	case r.DropsTombstone && v.Dead:
		return false
	}
	return !v.Dead || v.Mod >= r.Dialect.floor(rev)
}

// now is the first revision of a watch that begins now.
func (r *storeRules) now(rev int64) int64 {
	if r.OneLate {
		return rev + 2
	}
	return rev + 1
}

// clamp is the first revision of a watch that is to begin with next.
func (r *storeRules) clamp(next, rev int64) int64 {
	if r.FromOwn {
		return min(next, rev+1)
	}
	return next
}

// before is the revision that shows what there was before an event.
func (r *storeRules) before(mod, rev int64) int64 {
	if r.PrevOfNow {
		return rev
	}
	return mod - 1
}

// order is the order in which keys are deleted: theirs.
func (r *storeRules) order(keys []string) []string {
	if r.Backwards {
		slices.Reverse(keys)
	}
	return keys
}

// times are the revisions of an image as they are read.
func (r *storeRules) times(revs []Revision) []Revision {
	list := slices.Clone(revs)
	for i := range list {
		if r.OneTime {
			list[i].Time = list[0].Time
		}
	}
	return list
}

// skips is where a watch of a forgotten revision goes on, below floor if it does not.
func (r *storeRules) skips(next, floor int64) int64 {
	if r.SkipsGap {
		return floor
	}
	return next
}
