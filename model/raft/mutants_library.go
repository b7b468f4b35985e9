package raft

import "slices"

// libraryMutants are wrong on purpose, each in one thing around the library. Numbers in brackets
// are rows of the field's table of mutants, or of its catalogue of faults that real systems had.
func libraryMutants() []row {
	return slices.Concat(recordMutants(), shotMutants(), leaseMutants(), asyncMutants())
}

// told is a row that a story breaks, which drawn workloads hardly ever do.
func told(story string, r row) row {
	r.story = story
	return r
}

// misused is a row that is wrong in what r says, and else is as the library driven synchronously.
func misused(name, breaks, doc string, r libraryRules) row {
	return row{name: name, doc: doc, of: "etcd", breaks: breaks,
		rules: rules{Library: true, Harness: r}}
}

func recordMutants() []row {
	return []row{
		misused("etcd-unsynced", "pledges-kept",
			"nothing is synced (mutant 1)",
			libraryRules{NoSync: true}),
		misused("etcd-send-first", "pledges-kept",
			"messages leave before the sync of what they rest on (mutant 2)",
			libraryRules{SendFirst: true}),
		misused("etcd-vote-forgotten", "pledges-kept",
			"the vote is not among what is written (mutant 3)",
			libraryRules{NoVote: true}),
		misused("etcd-state-forgotten", "pledges-kept",
			"neither term nor vote are written (mutant 4)",
			libraryRules{NoHardState: true}),
		misused("etcd-loses-tail", "pledges-kept",
			"of several entries at once the last is not written",
			libraryRules{LosesTail: true}),
		told("etcd-sole-unsynced.txt",
			misused("etcd-sole-unsynced", "pledges-kept",
				"the leader of a group of one does not wait for its disk before it "+
					"applies and answers (fault 15: etcd #14370)",
				libraryRules{SoleFlushes: true})),
		misused("etcd-wiped", "one-vote",
			"a node that lost its disk comes back under its old name (mutant 44; "+
				"fault 17: RethinkDB #5289)",
			libraryRules{Wiped: true}),
	}
}

func shotMutants() []row {
	return []row{
		told("etcd-stale-commit.txt",
			misused("etcd-stale-commit", "panic",
				"a restart hands the library a commit index that its snapshot has "+
					"overtaken (2.3)",
				libraryRules{StaleCommit: true})),
		told("etcd-old-members.txt",
			misused("etcd-old-members", "match-true",
				"a restart does not know that configurations of its log are committed, "+
					"and campaigns by one that is two steps behind",
				libraryRules{OldMembers: true})),
		told("etcd-first-members.txt",
			misused("etcd-first-members", "snapshot-true",
				"a snapshot has the configuration of the founders (mutant 19; fault 32: "+
					"MatrixOne #23281)",
				libraryRules{FirstMembers: true})),
		told("half-joint.txt",
			misused("etcd-half-joint", "snapshot-true",
				"a snapshot has only the new half of a joint configuration (mutant 43; "+
					"fault 34b)",
				libraryRules{NoOutgoing: true})),
		told("etcd-no-reports.txt",
			misused("etcd-no-reports", "progress",
				"the library is not told that a snapshot was lost, and waits for it (2.3)",
				libraryRules{NoReports: true})),
		told("etcd-old-snapshot.txt",
			misused("etcd-old-snapshot", "progress",
				"a member is sent a snapshot from before it was one, which the library "+
					"ignores",
				libraryRules{OldSnapshot: true})),
	}
}

func leaseMutants() []row {
	return []row{
		told("etcd-old-lease.txt",
			misused("etcd-old-lease", "lease-fresh",
				"whoever leads and has not given up has the lease: it may outlive the "+
					"patience of the others (mutant 16; fault 39: raft #166)",
				libraryRules{OldLease: true})),
		told("etcd-votes-soon.txt",
			misused("etcd-votes-soon", "lease-fresh",
				"a node that restarts votes at once, though it may have promised to wait",
				libraryRules{VotesSoon: true})),
	}
}

// asyncMutants are as the library with asynchronous storage writes.
func asyncMutants() []row {
	of := func(name, breaks, doc string, r libraryRules) row {
		r.Async = true
		row := misused(name, breaks, doc, r)
		row.of = "etcd-async"
		return row
	}
	return []row{
		of("async-unsynced", "pledges-kept",
			"the queue of the disk is worked off without a sync (mutant 1)",
			libraryRules{NoSync: true}),
		of("async-send-first", "pledges-kept",
			"what waits for the disk does not wait (mutant 2; fault 16: etcd #14143)",
			libraryRules{SendFirst: true}),
		told("etcd-stale-commit.txt",
			of("async-stale-commit", "panic",
				"a restart hands the library a commit index that its snapshot has "+
					"overtaken (2.3)",
				libraryRules{StaleCommit: true})),
	}
}
