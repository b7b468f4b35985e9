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
		failOfRows(t, name, why)
	}
}

// failOfRows has the lines of half of the properties of synchro.
func failOfRows(t failer, name, why string) {
	switch name {
	case "A1":
		t.Fatalf("A1: %s", why)
	case "A2":
		t.Fatalf("A2: %s", why)
	case "B1":
		t.Fatalf("B1: %s", why)
	case "C1":
		t.Fatalf("C1: %s", why)
	case "C2":
		t.Fatalf("C2: %s", why)
	case "D1":
		t.Fatalf("D1: %s", why)
	case "D2":
		t.Fatalf("D2: %s", why)
	case "D3":
		t.Fatalf("D3: %s", why)
	case "E1":
		t.Fatalf("E1: %s", why)
	case "E2":
		t.Fatalf("E2: %s", why)
	case "E3":
		t.Fatalf("E3: %s", why)
	case "E4":
		t.Fatalf("E4: %s", why)
	case "E5":
		t.Fatalf("E5: %s", why)
	case "E6":
		t.Fatalf("E6: %s", why)
	case "E7":
		t.Fatalf("E7: %s", why)
	case "F1":
		t.Fatalf("F1: %s", why)
	case "F2":
		t.Fatalf("F2: %s", why)
	case "L1":
		t.Fatalf("L1: %s", why)
	case "L2":
		t.Fatalf("L2: %s", why)
	case "L3":
		t.Fatalf("L3: %s", why)
	case "L4":
		t.Fatalf("L4: %s", why)
	case "M1":
		t.Fatalf("M1: %s", why)
	case "O1":
		t.Fatalf("O1: %s", why)
	default:
		failOfQueues(t, name, why)
	}
}

// failOfQueues has those of the other half.
func failOfQueues(t failer, name, why string) {
	switch name {
	case "O2":
		t.Fatalf("O2: %s", why)
	case "P1":
		t.Fatalf("P1: %s", why)
	case "P2":
		t.Fatalf("P2: %s", why)
	case "R1":
		t.Fatalf("R1: %s", why)
	case "R2":
		t.Fatalf("R2: %s", why)
	case "S1":
		t.Fatalf("S1: %s", why)
	case "S2":
		t.Fatalf("S2: %s", why)
	case "T1":
		t.Fatalf("T1: %s", why)
	case "T2":
		t.Fatalf("T2: %s", why)
	case "T3":
		t.Fatalf("T3: %s", why)
	case "V1":
		t.Fatalf("V1: %s", why)
	case "V2":
		t.Fatalf("V2: %s", why)
	case "V3":
		t.Fatalf("V3: %s", why)
	case "V4":
		t.Fatalf("V4: %s", why)
	case "V5":
		t.Fatalf("V5: %s", why)
	case "W1":
		t.Fatalf("W1: %s", why)
	case "W2":
		t.Fatalf("W2: %s", why)
	case "W3":
		t.Fatalf("W3: %s", why)
	case "W4":
		t.Fatalf("W4: %s", why)
	case "H1":
		t.Fatalf("H1: %s", why)
	case "H2":
		t.Fatalf("H2: %s", why)
	case "H4":
		t.Fatalf("H4: %s", why)
	case "H1-strict":
		t.Fatalf("H1-strict: %s", why)
	default:
		failOfClocks(t, name, why)
	}
}
