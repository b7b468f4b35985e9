package model_test

// failOfLogs has the lines of the properties of raft.
func failOfLogs(t failer, name, why string) {
	switch name {
	case "term-grows":
		t.Fatalf("term-grows: %s", why)
	case "one-vote":
		t.Fatalf("one-vote: %s", why)
	case "pledges-kept":
		t.Fatalf("pledges-kept: %s", why)
	case "match-true":
		t.Fatalf("match-true: %s", why)
	case "own-term":
		t.Fatalf("own-term: %s", why)
	case "durable-quorum":
		t.Fatalf("durable-quorum: %s", why)
	case "leader-appends":
		t.Fatalf("leader-appends: %s", why)
	case "quorums-meet":
		t.Fatalf("quorums-meet: %s", why)
	case "snapshot-true":
		t.Fatalf("snapshot-true: %s", why)
	case "no-return":
		t.Fatalf("no-return: %s", why)
	case "leader-complete":
		t.Fatalf("leader-complete: %s", why)
	case "log-matching":
		t.Fatalf("log-matching: %s", why)
	case "election-safety":
		t.Fatalf("election-safety: %s", why)
	case "commit-grows":
		t.Fatalf("commit-grows: %s", why)
	case "same-commands":
		t.Fatalf("same-commands: %s", why)
	case "applied-once":
		t.Fatalf("applied-once: %s", why)
	case "read-fresh":
		t.Fatalf("read-fresh: %s", why)
	case "lease-fresh":
		t.Fatalf("lease-fresh: %s", why)
	case "undisturbed":
		t.Fatalf("undisturbed: %s", why)
	case "progress":
		t.Fatalf("progress: %s", why)
	case "answered":
		t.Fatalf("answered: %s", why)
	default:
		failOfStores(t, name, why)
	}
}

// failOfStores has the lines of the properties of metastore.
func failOfStores(t failer, name, why string) {
	switch name {
	case "revisions":
		t.Fatalf("revisions: %s", why)
	case "same-state":
		t.Fatalf("same-state: %s", why)
	case "timestamps":
		t.Fatalf("timestamps: %s", why)
	case "compaction":
		t.Fatalf("compaction: %s", why)
	case "once":
		t.Fatalf("once: %s", why)
	case "updates":
		t.Fatalf("updates: %s", why)
	case "pages":
		t.Fatalf("pages: %s", why)
	case "leases":
		t.Fatalf("leases: %s", why)
	case "ordered":
		t.Fatalf("ordered: %s", why)
	case "unique":
		t.Fatalf("unique: %s", why)
	case "whole":
		t.Fatalf("whole: %s", why)
	case "resumable":
		t.Fatalf("resumable: %s", why)
	case "bookmarks":
		t.Fatalf("bookmarks: %s", why)
	case "content":
		t.Fatalf("content: %s", why)
	case "forgotten":
		t.Fatalf("forgotten: %s", why)
	case "not-before":
		t.Fatalf("not-before: %s", why)
	case "begins":
		t.Fatalf("begins: %s", why)
	case "follows":
		t.Fatalf("follows: %s", why)
	case "current":
		t.Fatalf("current: %s", why)
	case "real-time":
		t.Fatalf("real-time: %s", why)
	case "monotonic":
		t.Fatalf("monotonic: %s", why)
	case "same-order":
		t.Fatalf("same-order: %s", why)
	case "assigned":
		t.Fatalf("assigned: %s", why)
	default:
		t.Fatalf("no line of its own: %s: %s", name, why)
	}
}
