package clocks

// leaseMutants are wrong on purpose, each in one thing.
func leaseMutants() []row {
	of := func(name, breaks, doc string, r leaseRules) row {
		return wrong(name, breaks, doc, rules{lease: r})
	}
	rare := func(r row, story string) row {
		r.story = story
		return r
	}
	return []row{
		of("grant-forgotten", "one-holder", "what was given is not on the granter's disk",
			leaseRules{Forgets: true}),
		of("not-waited-out", "one-holder", "a granter that restarts gives its lease at once",
			leaseRules{NoWait: true}),
		rare(of("no-margin", "one-holder", "a granter waits for the term by its own clock, and "+
			"leaves no margin for drift", leaseRules{NoMargin: true}), "lease-drift.txt"),
		of("granter-by-wall", "one-holder", "a granter tells by its wall clock when a lease is "+
			"over",
			leaseRules{GranterByWall: true}),
		of("to-anybody", "one-holder", "whoever asks is taken for the holder who renews",
			leaseRules{ToAnybody: true}),
		of("renewed-from-answer", "one-holder",
			"a lease that is renewed is counted from the answer",
			leaseRules{RenewsLate: true}),
		of("from-last-try", "one-holder", "a lease is counted from when its holder asked last, "+
			"though it may have been given for the first question", leaseRules{LastTry: true}),
		of("acts-without-lease", "one-holder", "who is asked to act does, with a lease or without",
			leaseRules{Anyway: true}),
		of("numbers-anew", "grant-numbers",
			"a granter that restarts numbers its leases from 1 again", leaseRules{Anew: true}),
		wrong("one-is-enough", "self-check",
			"a node stops if one other is off, who may be the one that is",
			rules{latency: latencyRules{OneIsEnough: true}}),
	}
}
