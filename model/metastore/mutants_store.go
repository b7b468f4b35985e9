package metastore

// storeMutants are stores that are wrong on purpose. Numbers are those of the catalogue of faults
// that the specification of this model keeps, M1 to M20 its invariants.
func storeMutants() []row {
	return []row{
		wrong("ignite", "forgetful", "once", func(r *rules) { r.store.Forgetful = true }).
			says("no answer is kept: a command that is asked for again is done again (M16)"),
		wrong("ignite", "answers-lost", "same-state", func(r *rules) { r.store.AnswersLost = true }).
			says("answers are kept, but are not in snapshots: a server that had one does again " +
				"what others know to be done (M16)"),
		wrong("etcd", "any-term", "leases", func(r *rules) {
			r.store.AnyTerm, r.server.RevokesAnyway = true, true
		}).told("old-revoke.txt").
			says("a leader that has lost the lead goes on to end leases, and it counts (etcd " +
				"#15247)"),
		wrong("etcd", "sees-tombstones", "answers",
			func(r *rules) { r.store.SeesTombstones = true }).
			says("a condition sees the revision of a tombstone as long as this replica has not " +
				"removed it"),
		wrong("etcd", "swept-bound", "compaction", func(r *rules) { r.store.SweptBound = true }).
			says("what can be read depends on what this replica has removed"),
		wrong("etcd", "last-only", "answers", func(r *rules) { r.store.LastOnly = true }).
			says("of what is compacted a version stays only if it is the last of its key (Ignite " +
				"25227)"),
		wrong("etcd", "drops-tombstone", "complete",
			func(r *rules) { r.store.DropsTombstone = true }).told("drops-tombstone.txt").
			says("a tombstone at the compacted revision is removed (etcd #18089)"),
		wrong("etcd", "skips-tombstone", "complete",
			func(r *rules) { r.store.SkipsTombstone = true }).told("skips-tombstone.txt").
			says("a key whose first version left is a tombstone is read without it at a start " +
				"(etcd #19179)"),
		wrong("etcd", "revision-of-rows", "revisions", func(r *rules) {
			r.store.RevisionOfRows, r.store.DropsTombstone = true, true
		}).told("revision-of-rows.txt").
			says("the revision after a start is that of the newest version that is left (etcd #6567, " +
				"#17780)"),
		wrong("etcd", "little-endian", "same-state", func(r *rules) {
			r.store.LittleEndian, r.store.Dialect.First = true, 254
		}).says("rows are kept in the order of the low byte of their revision (Ignite 16584); the " +
			"store has been in use and begins with 254, since it shows from 256 on"),
		wrong("etcd", "one-late", "begins", func(r *rules) { r.store.OneLate = true }).
			says("a watch from now begins a revision late"),
		wrong("etcd", "from-own", "not-before", func(r *rules) { r.store.FromOwn = true }).
			says("a watch of a revision to come begins with what comes next on its server (etcd " +
				"#20221)"),
		wrong("etcd", "prev-of-now", "content", func(r *rules) { r.store.PrevOfNow = true }).
			says("what an event says there was before is what there is when it is told"),
		wrong("ignite", "time-of-new", "timestamps", func(r *rules) { r.store.TimeOfNew = true }).
			told("time-of-new.txt").
			says("a command that has been done before is passed over, and its time with it (as its " +
				"index in Ignite 28202): the next leader may stamp an earlier one"),
		wrong("ignite", "one-time", "content", func(r *rules) { r.store.OneTime = true }).
			says("after a start all revisions have the time of the first (Ignite 20741)"),
		wrong("etcd", "map-order", "same-state", func(r *rules) { r.store.MapOrder = true }).
			says("what one command deletes has an order of its own on each server (Ignite 23907)"),
		wrong("etcd", "skips-gap", "forgotten", func(r *rules) { r.store.SkipsGap = true }).
			says("a watch of what is forgotten goes on with what is not, and says nothing"),
	}
}
