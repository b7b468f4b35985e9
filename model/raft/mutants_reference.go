package raft

import "slices"

// referenceMutants are wrong on purpose, each in one rule of our own engine. Numbers in brackets
// are rows of the field's table of mutants, or of its catalogue of faults that real systems had.
func referenceMutants() []row {
	return slices.Concat(voteMutants(), logMutants(), diskMutants(), memberMutants(), readMutants())
}

// spoiled is a row that is wrong in what r says, and else is as our own engine.
func spoiled(name, breaks, doc string, r referenceRules) row {
	return row{name: name, doc: doc, of: "raft", breaks: breaks, rules: rules{Reference: r}}
}

// rarely is a row that drawn workloads hardly ever break, so that a story of its name does.
func rarely(r row) row {
	r.story = r.name + ".txt"
	return r
}

func voteMutants() []row {
	return []row{
		spoiled("no-log-check", "leader-complete",
			"a vote is given whatever the candidate's log is (mutant 5)",
			referenceRules{NoLogCheck: true}),
		spoiled("length-only", "leader-complete",
			"of two logs the longer one wins, whatever its last term (2.5)",
			referenceRules{LengthOnly: true}),
		rarely(spoiled("longer-only", "progress",
			"a candidate is refused whose log is shorter, though its last term is newer: two "+
				"survivors refuse each other (fault 7: hashicorp/raft #94)",
			referenceRules{LongerOnly: true})),
		spoiled("votes-twice", "one-vote",
			"a vote is given to all that ask (mutant 6)",
			referenceRules{VotesTwice: true}),
		spoiled("term-forgotten", "pledges-kept",
			"a term is written with a vote only (mutant 4)",
			referenceRules{TermForgotten: true}),
		spoiled("vote-forgotten", "pledges-kept",
			"a vote is not written (mutant 3)",
			referenceRules{VoteForgotten: true}),
		spoiled("vote-cleared", "one-vote",
			"to follow a leader erases the vote of its term (fault 5: Redpanda)",
			referenceRules{VoteCleared: true}),
		rarely(spoiled("no-self-vote", "progress",
			"one that is not in the new half of a joint configuration does not vote for itself "+
				"(fault 33: ScyllaDB #10618)",
			referenceRules{NoSelfVote: true})),
		rarely(spoiled("leaves-early", "progress",
			"a leader that is to be removed does not campaign again, though nobody else has the "+
				"entry (the dissertation, 4.2.2)",
			referenceRules{LeavesEarly: true})),
		rarely(spoiled("pre-vote-blind", "undisturbed",
			"a pre-vote is given though a leader is heard (fault 28)",
			referenceRules{PreVoteBlind: true})),
	}
}

func logMutants() []row {
	return []row{
		spoiled("no-previous-check", "log-matching",
			"entries are appended whatever precedes them (mutant 8)",
			referenceRules{NoPrevCheck: true}),
		spoiled("always-cuts", "pledges-kept",
			"what follows the entries of a message is dropped, though it agrees (mutant 9)",
			referenceRules{AlwaysCuts: true}),
		spoiled("never-cuts", "log-matching",
			"an entry that conflicts stays, and what is behind it is appended: recovery by "+
				"difference (fault 19: ZOOKEEPER-1154)",
			referenceRules{NeverCuts: true}),
		spoiled("heartbeat-commits", "same-commands",
			"a heartbeat's commit index counts though the log does not agree (mutant 11)",
			referenceRules{TrustsCommit: true, OneEntry: true}),
		spoiled("commits-own-last", "same-commands",
			"what is committed is taken from the own last entry, not from the last new one (mutant "+
				"10)",
			referenceRules{CommitsOwnLast: true, OneEntry: true, Cautious: true}),
		spoiled("figure-8", "own-term",
			"entries of older terms are committed by counting (mutant 7; fault 1: LogCabin #44)",
			referenceRules{AnyTerm: true, OneEntry: true, NoNoop: true}),
		spoiled("half-commits", "durable-quorum",
			"half of an even number of voters commits (mutant 12; fault 8: hashicorp/raft 163a55f)",
			referenceRules{HalfCommits: true}),
		spoiled("rolls-back", "leader-complete",
			"a leader that steps down drops what it does not know to be committed (fault 10: CCF "+
				"#5674)",
			referenceRules{RollsBack: true}),
		spoiled("cuts-at-start", "leader-complete",
			"a restart drops what it does not know to be committed (fault 22: KAFKA-1211, KIP-101)",
			referenceRules{CutsAtStart: true}),
	}
}

func diskMutants() []row {
	return []row{
		spoiled("no-sync", "pledges-kept",
			"nothing is ever synced (mutant 1)",
			referenceRules{NoSync: true}),
		spoiled("sends-first", "pledges-kept",
			"messages leave before the sync (mutant 2)",
			referenceRules{SendFirst: true}),
		spoiled("late-pledge", "pledges-kept",
			"entries are synced with the next term only, and pledged at once (fault 18: "+
				"ZOOKEEPER-4646)",
			referenceRules{LatePledge: true}),
	}
}

func memberMutants() []row {
	return []row{
		rarely(spoiled("several-changes", "quorums-meet",
			"a change of members may begin while another is not committed (mutant 14)",
			referenceRules{SeveralChanges: true})),
		spoiled("early-change", "quorums-meet",
			"a change of members may begin before a commit in the own term (mutant 13; fault 29: "+
				"raft-dev, July 2015)",
			referenceRules{UnprovenChanges: true}),
		spoiled("committed-only", "quorums-meet",
			"a restart goes by the configuration that it knows to be committed (fault 34a: jraft "+
				"#1)",
			referenceRules{CommittedOnly: true}),
		spoiled("snapshot-before", "snapshot-true",
			"a snapshot has the configuration before the last change (mutant 19; fault 32: "+
				"MatrixOne #23281)",
			referenceRules{SnapshotBefore: true}),
		spoiled("snapshot-mislabelled", "snapshot-true",
			"a snapshot's index is one less than its state's (mutant 19)",
			referenceRules{SnapshotMislabels: true}),
		spoiled("half-restored", "quorums-meet",
			"a configuration from a snapshot is not joint any more (mutant 43; fault 34b: etcd raft "+
				"e515a67)",
			referenceRules{HalfRestored: true}),
	}
}

func readMutants() []row {
	return []row{
		spoiled("unproven-read", "read-fresh",
			"a read takes a commit index from before the leader's own term (mutant 17; fault 37: "+
				"etcd #7331, TiKV #9208)",
			referenceRules{UnprovenReads: true}),
		rarely(spoiled("round-reused", "read-fresh",
			"a read waits for a round of heartbeats that was sent before it (mutant 18)",
			referenceRules{RoundReused: true})),
		rarely(spoiled("lease-from-answer", "lease-fresh",
			"a lease counts from when a majority has answered, not from when it was asked (fault "+
				"39)",
			referenceRules{LeaseFromAnswer: true})),
		rarely(spoiled("lease-kept", "lease-fresh",
			"a leader keeps its lease after it has told its heir to begin an election (fault 39: "+
				"etcd raft #99)",
			referenceRules{LeaseKept: true})),
	}
}
