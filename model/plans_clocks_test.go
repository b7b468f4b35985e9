package model_test

// failOfClocks has the lines of half of the properties of clocks.
func failOfClocks(t failer, name, why string) {
	switch name {
	case "object-kept":
		t.Fatalf("object-kept: %s", why)
	case "counter-exact":
		t.Fatalf("counter-exact: %s", why)
	case "set-adds-win":
		t.Fatalf("set-adds-win: %s", why)
	case "register-keeps":
		t.Fatalf("register-keeps: %s", why)
	case "counter-grows":
		t.Fatalf("counter-grows: %s", why)
	case "crdt-converges":
		t.Fatalf("crdt-converges: %s", why)
	case "one-holder":
		t.Fatalf("one-holder: %s", why)
	case "grant-numbers":
		t.Fatalf("grant-numbers: %s", why)
	case "answers":
		t.Fatalf("answers: %s", why)
	case "stops-when-off":
		t.Fatalf("stops-when-off: %s", why)
	case "lease-usable":
		t.Fatalf("lease-usable: %s", why)
	case "lease-passes":
		t.Fatalf("lease-passes: %s", why)
	case "latency-possible":
		t.Fatalf("latency-possible: %s", why)
	case "self-check":
		t.Fatalf("self-check: %s", why)
	case "writes-follow-reads":
		t.Fatalf("writes-follow-reads: %s", why)
	case "monotonic-writes":
		t.Fatalf("monotonic-writes: %s", why)
	case "read-your-writes":
		t.Fatalf("read-your-writes: %s", why)
	case "monotonic-reads":
		t.Fatalf("monotonic-reads: %s", why)
	case "lamport-order":
		t.Fatalf("lamport-order: %s", why)
	case "lamport-total":
		t.Fatalf("lamport-total: %s", why)
	case "vector-exact":
		t.Fatalf("vector-exact: %s", why)
	case "vector-grows":
		t.Fatalf("vector-grows: %s", why)
	case "hybrid-ahead":
		t.Fatalf("hybrid-ahead: %s", why)
	default:
		failOfData(t, name, why)
	}
}

// failOfData has those of the other half.
func failOfData(t failer, name, why string) {
	switch name {
	case "vector-size":
		t.Fatalf("vector-size: %s", why)
	case "hybrid-order":
		t.Fatalf("hybrid-order: %s", why)
	case "hybrid-drift":
		t.Fatalf("hybrid-drift: %s", why)
	case "hybrid-logical":
		t.Fatalf("hybrid-logical: %s", why)
	case "hybrid-limit":
		t.Fatalf("hybrid-limit: %s", why)
	case "hybrid-restart":
		t.Fatalf("hybrid-restart: %s", why)
	case "no-false-descent":
		t.Fatalf("no-false-descent: %s", why)
	case "no-false-conflict":
		t.Fatalf("no-false-conflict: %s", why)
	case "accepted-once":
		t.Fatalf("accepted-once: %s", why)
	case "descendants-win":
		t.Fatalf("descendants-win: %s", why)
	case "siblings-concurrent":
		t.Fatalf("siblings-concurrent: %s", why)
	case "no-lost-update":
		t.Fatalf("no-lost-update: %s", why)
	case "converges":
		t.Fatalf("converges: %s", why)
	case "settles":
		t.Fatalf("settles: %s", why)
	case "stream-numbers":
		t.Fatalf("stream-numbers: %s", why)
	case "stream-durable":
		t.Fatalf("stream-durable: %s", why)
	case "stream-causal":
		t.Fatalf("stream-causal: %s", why)
	case "stream-order":
		t.Fatalf("stream-order: %s", why)
	case "stream-once":
		t.Fatalf("stream-once: %s", why)
	case "stream-retention":
		t.Fatalf("stream-retention: %s", why)
	case "stream-complete":
		t.Fatalf("stream-complete: %s", why)
	default:
		failOfLogs(t, name, why)
	}
}
