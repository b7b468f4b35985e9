package synchro

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// rule is a decision that a scenario may set on top of a variant.
type rule = sim.RuleRow[rules]

// ruleTable are the decisions that stories and searches vary: what profiles differ in (0), and the
// sub-switches of the draft's solutions (2).
func ruleTable() sim.RuleTable[rules] {
	return slices.Concat(filterRuleRows(), queueRuleRows(), claimRuleRows(), termRuleRows(),
		electionRuleRows(), draftRuleRows(),
		queueDefectRows(), electionDefectRows(), logDefectRows(), cureRows(), harmlessRows())
}

// filterRuleRows are the feature flags of the profiles for what appliers do.
func filterRuleRows() []rule {
	return []rule{
		sim.Decision("row-filter",
			"which rows become NOPs: those of origins whose last PROMOTE is not the newest, or "+
				"none",
			sim.Setting("promote-term", func(r *rules) { r.filter.Rows = byPromoteTerm }),
			sim.Setting("none", func(r *rules) { r.filter.Rows = noRowFilter }),
		),
		sim.Flag("sender-filter",
			"whether, with elections on, rows of others than the leader are dropped",
			"off|on", func(r *rules) *bool { return &r.filter.BySender }),
		sim.Flag("filter-needs-elections",
			"whether the row filter works only while elections are on (#6133)",
			"off|on", func(r *rules) *bool { return &r.filter.OnlyElecting }),
		sim.Flag("validate", "whether control rows are validated, so that they may be a split-brain",
			"on|off", func(r *rules) *bool { return &r.filter.Unvalidated }),
		sim.Decision("stale-promote",
			"what a PROMOTE of an old term does: split-brain, or as in P1 or P2",

			sim.Setting("split-brain", func(r *rules) { r.filter.Stale = staleSplits }),
			sim.Setting("P1", func(r *rules) { r.filter.Stale = staleIgnored1 }),
			sim.Setting("P2", func(r *rules) { r.filter.Stale = staleIgnored2 }),
			sim.Setting("applied", func(r *rules) { r.filter.Stale = staleApplied }),
		),
		sim.Decision("promote-owner",
			"what a PROMOTE for a foreign owner does: it is not looked at, it is a split-brain, "+
				"or it rolls everything back",
			sim.Setting("any", func(r *rules) { r.filter.Owner = anyOwner }),
			sim.Setting("split-brain", func(r *rules) { r.filter.Owner = foreignSplits }),
			sim.Setting("roll-back", func(r *rules) { r.filter.Owner = foreignRollsBack }),
		),
		sim.Flag("range", "whether CONFIRM and ROLLBACK must lie in the queue",
			"off|on", func(r *rules) *bool { return &r.filter.Range }),
		sim.Decision("former",
			"how an old control row of a former owner is known to be harmless: by its boundary "+
				"in any term, by it of outdated origins, or not",
			sim.Setting("any-term", func(r *rules) { r.filter.Former = formerAnyTerm }),
			sim.Setting("old-term", func(r *rules) { r.filter.Former = formerOldTerm }),
			sim.Setting("none", func(r *rules) { r.filter.Former = formerNone }),
		),
		sim.Flag("async-old", "what a plain asynchronous row of an outdated origin is, if somebody owns",
			"split-brain|apply", func(r *rules) *bool { return &r.filter.AsyncOld }),
		sim.Flag("nop-control", "whether control rows that come too late become NOPs",
			"off|on", func(r *rules) *bool { return &r.filter.NopControl }),
		sim.Flag("foreign-confirm", "what a CONFIRM of another owner does in P0 to P2 (cab998881d)",
			"ignored|stops", func(r *rules) *bool { return &r.filter.ForeignStops }),
		sim.Flag("latch", "whether nothing is checked while a control row is on its way (#6036)",
			"on|off", func(r *rules) *bool { return &r.filter.NoLatch }),
	}
}

// queueRuleRows are those for the queue and the elections.
func queueRuleRows() []rule {
	return []rule{
		sim.Flag("freeze-term", "whether an owner that knows a newer raft term finalizes nothing",
			"on|off", func(r *rules) *bool { return &r.limbo.NoFreezeTerm }),
		sim.Flag("freeze-restart", "whether a restarted owner waits for a fresh PROMOTE (#5856)",
			"on|off", func(r *rules) *bool { return &r.limbo.NoFreezeStart }),
		sim.Flag("term-in-ack", "whether ACKs carry the raft term (#7253)",
			"on|off", func(r *rules) *bool { return &r.limbo.AckTermless }),
		sim.Flag("confirmed-per-owner", "whether the boundaries of former owners are kept (#9138)",
			"on|off", func(r *rules) *bool { return &r.limbo.ForgetsFormer }),
		sim.Flag("rollback-on-timeout", "whether what has no quorum in time is rolled back (#12278)",
			"off|on", func(r *rules) *bool { return &r.limbo.TimeoutRollsBack }),
		sim.Flag("confirm-worker", "whether CONFIRM is written by a worker",
			"off|on", func(r *rules) *bool { return &r.limbo.Worker }),
		sim.Flag("prevote", "whether an election needs a healthy quorum and nobody who sees the leader",
			"on|off", func(r *rules) *bool { return &r.raft.NoPrevote }),
		sim.Flag("fencing", "whether a leader without a healthy quorum resigns, as the set-up says",
			"on|off", func(r *rules) *bool { return &r.raft.ResignsNot }),
		sim.Flag("vote-write", "whether a foreign vote is written behind its term, or with it (#7253)",
			"split|with-term", func(r *rules) *bool { return &r.raft.VoteWithTerm }),
		sim.Flag("system-writes", "whether writes to system spaces are synchronous in an owned queue",
			"sync|async", func(r *rules) *bool { return &r.limbo.SystemAsync }),
		sim.Flag("old-term", "whether a newer raft term closes a node that may write else",
			"closed|open", func(r *rules) *bool { return &r.limbo.OpenInOldTerm }),
		sim.Flag("summary", "whether snapshots and joins have a summary of the queue",
			"on|off", func(r *rules) *bool { return &r.log.NoSummary }),
		sim.Flag("disk-fault", "whether a leader whose journal fails resigns (#9399)",
			"resigns|stays", func(r *rules) *bool { return &r.raft.Stays }),
		sim.Flag("off-votes", "whether nodes in mode off run the machine and vote",
			"on|off", func(r *rules) *bool { return &r.raft.OffIdle }),
	}
}

// claimRuleRows are about what a promotion writes.
func claimRuleRows() []rule {
	return []rule{
		sim.Flag("resolve-empty", "whether a new leader of P0 writes its pair about an empty queue",
			"skip|write", func(r *rules) *bool { return &r.promote.ResolveEmpty }),
		sim.Decision("claim",
			"whether PROMOTE is one row, or CONFIRM and ROLLBACK, or these and RAFT_TERM (7.2)",

			sim.Setting("row", func(r *rules) { r.promote.Pair, r.promote.Triplet = false, false }),
			sim.Setting("pair", func(r *rules) { r.promote.Pair, r.promote.Triplet = true, false }),
			sim.Setting("triplet", func(r *rules) { r.promote.Pair, r.promote.Triplet = false, true }),
		),
		sim.Flag("own-last", "whether a promotion waits until Q nodes have the last transaction, or "+
			"confirms it at once (the plan's item 2)",
			"quorum|at-once", func(r *rules) *bool { return &r.promote.Unconditional }),
		sim.Flag("pinned", "whether PROMOTE pins the owner of an empty queue (#6034)",
			"on|off", func(r *rules) *bool { return &r.promote.NotPinned }),
		sim.Flag("adopts", "whether an empty queue belongs to whoever writes next (#6034)",
			"off|on", func(r *rules) *bool { return &r.limbo.AdoptsWriter }),
		sim.Flag("promote-term",
			"which term PROMOTE has without elections: a new one, or always the first",
			"new|first", func(r *rules) *bool { return &r.promote.TermOne }),
		sim.Flag("promote-returns",
			"when promote returns: once the node may write, or once it is elected",
			"writable|elected", func(r *rules) *bool { return &r.promote.ReturnsElected }),
		sim.Flag("demote", "whether there is demote",
			"on|off", func(r *rules) *bool { return &r.promote.NoDemote }),
		sim.Flag("recheck", "whether a promotion looks at the terms again under the latch (#7086)",
			"on|off", func(r *rules) *bool { return &r.promote.NoRecheck }),
		sim.Flag("writable", "whether a leader may write before its queue is claimed (#12333)",
			"claimed|elected", func(r *rules) *bool { return &r.promote.WritableEarly }),
		sim.Flag("promote-after-term", "whether a relay sends PROMOTE only after its raft term (#6754)",
			"on|off", func(r *rules) *bool { return &r.promote.BeforeTerm }),
	}
}

// draftRuleRows are the sub-switches of the draft's solutions. The first value is its wording.
func draftRuleRows() []rule {
	return []rule{
		sim.Decision("dup-by", "II: who writes a ROLLBACK once more: who it is about, or everyone",
			sim.Setting("owner", func(r *rules) { r.solution.DupBy = ownerOnly }),
			sim.Setting("every", func(r *rules) { r.solution.DupBy = everyNode }),
		),
		sim.Flag("dedupe", "II: whether a ROLLBACK is copied once, or each copy of it again",
			"on|off", func(r *rules) *bool { return &r.solution.NoDedupe }),
		sim.Flag("bounded", "II: whether a copy undoes all from its row on, or ends at the last known",
			"open|closed", func(r *rules) *bool { return &r.solution.Bounded }),
		sim.Flag("copies", "II: whether copies that a crash has prevented are found again in the log",
			"lost|derived", func(r *rules) *bool { return &r.solution.Derives }),
		sim.Flag("pair", "III: whether CONFIRM and ROLLBACK are two rows, or one, CHANGE_OWNER (UPD 1)",
			"two|one", func(r *rules) *bool { return &r.solution.Atomic }),
		sim.Flag("table", "III: whether the table of valid rows is in snapshots, or only in the WAL",
			"snapshot|wal", func(r *rules) *bool { return &r.solution.NoTableInSnapshot }),
		sim.Flag("nop-async", "III: whether asynchronous rows are filtered too",
			"off|on", func(r *rules) *bool { return &r.solution.NopAsync }),
		sim.Flag("compare", "IV: whether rows are measured by the raft term, or the newest in a log",
			"raft|leader-log", func(r *rules) *bool { return &r.solution.ByLeaderLog }),
		sim.Flag("filter-async", "IV: whether asynchronous rows are filtered too",
			"off|on", func(r *rules) *bool { return &r.solution.NopAsync }),
		sim.Flag("evidence", "V: whether all peers must have told their state, or one is enough",
			"all|first", func(r *rules) *bool { return &r.solution.FirstEvidence }),
		sim.Flag("hold", "V: whether rows are held because of own pending rows, or of any",
			"own|any", func(r *rules) *bool { return &r.solution.AnyPending }),
		sim.Flag("trigger", "V: whether they are held after a restart, or at each reconnect",
			"restart|reconnect", func(r *rules) *bool { return &r.solution.EveryReconnect }),
		sim.Flag("nops", "V: whether a second restart finds again which rows go as NOPs",
			"derived|forgotten", func(r *rules) *bool { return &r.solution.ForgetsNops }),
	}
}

// ruleList is the table as the engine wants it.
func ruleList() []sim.Rule {
	var holders []sim.RuleHolder[rules]
	for _, p := range rows() {
		if p.of == "" {
			holders = append(holders, sim.RuleHolder[rules]{Name: p.name, Rules: p.rules})
		}
	}
	return ruleTable().Rules(holders)
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	for _, p := range rows() {
		if p.name == to.Name {
			ruleTable().Set(&p.rules, given)
			return p.variant(), nil
		}
	}
	return to, fmt.Errorf("synchro has no variant %q to set rules on", to.Name)
}
