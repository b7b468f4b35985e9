package synchro

import "github.com/downset/downset/sim"

// termRuleRows are about terms, restarts, snapshots and joins (4.3).
func termRuleRows() []rule {
	return []rule{
		sim.Flag("promotions", "how many promotions may be under way in a term (#9263)",
			"one|two", func(r *rules) *bool { return &r.promote.Twice }),
		sim.Flag("announce", "whether nodes with elections off say their term too (#5438)",
			"all|elections", func(r *rules) *bool { return &r.raft.Unannounced }),
		sim.Flag("join-term", "whether a join brings the raft term (#10089)",
			"on|off", func(r *rules) *bool { return &r.log.NoRaftInJoin }),
		sim.Flag("anonymous-summary", "whether anonymous joiners get a summary of the queue (#9401)",
			"on|off", func(r *rules) *bool { return &r.log.NoAnonymous }),
		sim.Flag("former-summary", "whether summaries have the boundaries of former owners (#9138)",
			"on|off", func(r *rules) *bool { return &r.log.SummaryOwner }),
		sim.Flag("summary-boundary",
			"whether summaries have boundaries at all, or are those of an older version (#8996)",
			"on|off", func(r *rules) *bool { return &r.log.NoBoundary }),
		sim.Flag("async-unowned",
			"what an asynchronous row of an outdated origin is if nobody owns (#7286)",
			"apply|split-brain", func(r *rules) *bool { return &r.filter.UnownedSplits }),
		sim.Flag("demote-term", "whether demote does nothing once a newer term is known (#6860)",
			"any|own", func(r *rules) *bool { return &r.promote.DemoteOwnTerm }),
		sim.Flag("clear-wait",
			"whether promote without elections waits for a clear queue for ever (#10333)",
			"bounded|endless", func(r *rules) *bool { return &r.promote.ClearEndless }),
	}
}

// electionRuleRows are about who begins an election, and when (4.4).
func electionRuleRows() []rule {
	return []rule{
		sim.Flag("promote-retry", "whether promote tries again when another term has begun",
			"off|on", func(r *rules) *bool { return &r.raft.Retries }),
		sim.Flag("manual-timer", "whether a node promoted by hand begins elections by itself (#8168)",
			"off|on", func(r *rules) *bool { return &r.raft.ManualBumps }),
		sim.Flag("own-vote", "whether a term and the vote for oneself are one write, or two (#8497)",
			"with-term|after", func(r *rules) *bool { return &r.raft.TwoWrites }),
		sim.Flag("split-votes",
			"whether votes of others count twice as a split vote is looked for (#8698)",
			"cast|doubled", func(r *rules) *bool { return &r.raft.CountsOwn }),
		sim.Flag("health-first", "whether health is looked at before witnesses (#8433)",
			"on|off", func(r *rules) *bool { return &r.raft.WitnessFirst }),
	}
}
