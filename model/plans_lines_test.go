package model_test

// failOfTransactions has a line for each property of transactions in ignite.
func failOfTransactions(t failer, name, why string) {
	switch name {
	case "transitions":
		t.Fatalf("transitions: %s", why)
	case "finalization":
		t.Fatalf("finalization: %s", why)
	case "write-ahead":
		t.Fatalf("write-ahead: %s", why)
	case "unanimity":
		t.Fatalf("unanimity: %s", why)
	case "commit-order":
		t.Fatalf("commit-order: %s", why)
	case "one-phase":
		t.Fatalf("one-phase: %s", why)
	case "yes-vote":
		t.Fatalf("yes-vote: %s", why)
	case "synchrony":
		t.Fatalf("synchrony: %s", why)
	case "atomicity":
		t.Fatalf("atomicity: %s", why)
	case "outcome":
		t.Fatalf("outcome: %s", why)
	case "recovery":
		t.Fatalf("recovery: %s", why)
	case "completion":
		t.Fatalf("completion: %s", why)
	case "no-vote":
		t.Fatalf("no-vote: %s", why)
	case "serializable":
		t.Fatalf("serializable: %s", why)
	case "replicas":
		t.Fatalf("replicas: %s", why)
	case "key-prefix":
		t.Fatalf("key-prefix: %s", why)
	case "session-order":
		t.Fatalf("session-order: %s", why)
	case "read-closure":
		t.Fatalf("read-closure: %s", why)
	default:
		failOfCuts(t, name, why)
	}
}

// failOfCuts has a line for each property of cuts in ignite.
func failOfCuts(t failer, name, why string) {
	switch name {
	case "discovery":
		t.Fatalf("discovery: %s", why)
	case "marks":
		t.Fatalf("marks: %s", why)
	case "colour":
		t.Fatalf("colour: %s", why)
	case "one-cut":
		t.Fatalf("one-cut: %s", why)
	case "stamps":
		t.Fatalf("stamps: %s", why)
	case "joiner":
		t.Fatalf("joiner: %s", why)
	case "signer":
		t.Fatalf("signer: %s", why)
	case "same-tag":
		t.Fatalf("same-tag: %s", why)
	case "sets":
		t.Fatalf("sets: %s", why)
	case "trusted":
		t.Fatalf("trusted: %s", why)
	case "oracle":
		t.Fatalf("oracle: %s", why)
	case "complete":
		t.Fatalf("complete: %s", why)
	case "restored":
		t.Fatalf("restored: %s", why)
	case "failed-marks":
		t.Fatalf("failed-marks: %s", why)
	case "truncated":
		t.Fatalf("truncated: %s", why)
	case "sum":
		t.Fatalf("sum: %s", why)
	case "one-result":
		t.Fatalf("one-result: %s", why)
	case "alive":
		t.Fatalf("alive: %s", why)
	case "report":
		t.Fatalf("report: %s", why)
	case "finishes":
		t.Fatalf("finishes: %s", why)
	case "suspended":
		t.Fatalf("suspended: %s", why)
	case "restores":
		t.Fatalf("restores: %s", why)
	case "restores-all":
		t.Fatalf("restores-all: %s", why)
	default:
		t.Fatalf("no line of its own: %s: %s", name, why)
	}
}
