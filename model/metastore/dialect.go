package metastore

// Dialect is where stores differ in what clients can see. Each field is one decision; the zero
// value is etcd's, of version 3, but for First.
type Dialect struct {
	First         int64 // the revision of an empty store: 1 in etcd, 0 in Ignite
	EmptyDelete   bool  // a delete of what is not there is a revision, without entries
	EmptyTxn      bool  // so is a transaction that changes nothing
	EvictCounts   bool  // so is the eviction of stored answers, if there were any
	ReadsAhead    bool  // a read of a revision to come is answered by what there is, not refused
	HidesBound    bool  // what is compacted includes the revision that was asked for
	LastAnswers   bool  // but a get is answered if what it finds is the key's last and alive
	KeepsCurrent  bool  // the current revision cannot be compacted
	Repeats       bool  // a transaction may write a key twice: the last of it counts
	Trees         bool  // conditions may be trees; else they are conjunctions of tests
	Yields        bool  // a transaction comes to what its branch yields, not to its steps
	Remembers     bool  // a command that comes again gets the answer that it got
	Stamped       bool  // each revision has a time
	Leaseless     bool  // there are no leases
	EveryRevision bool  // a watcher is told of every revision, if it has entries for it or not
	Lockstep      bool  // a node's watchers get a revision when all of them are done with the last
}

// etcd3 is the dialect of etcd, version 3.
func etcd3() Dialect { return Dialect{First: 1} }

// ignite3 is the dialect of Ignite 3's MetaStorageManager.
func ignite3() Dialect {
	return Dialect{EmptyDelete: true, EmptyTxn: true, EvictCounts: true, ReadsAhead: true,
		HidesBound: true, LastAnswers: true, KeepsCurrent: true, Trees: true, Yields: true,
		Remembers: true, Stamped: true, Leaseless: true, EveryRevision: true, Lockstep: true}
}

// floor is the least revision that can be read when what is up to compacted is: of which all
// versions are still known.
func (d *Dialect) floor(compacted int64) int64 {
	if d.HidesBound && compacted >= 0 {
		return compacted + 1
	}
	return max(compacted, 0)
}
