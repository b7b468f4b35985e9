package synchro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// rule is a decision that a scenario may set on top of a variant: its values, and what each sets.
type rule struct {
	name, doc string
	values    []setting
}

type setting struct {
	name string
	set  func(*rules)
}

// flag is a rule of two values, "no|yes": no leaves the field unset, yes sets it.
func flag(name, doc, values string, field func(*rules) *bool) rule {
	no, yes, _ := strings.Cut(values, "|")
	return rule{name, doc, []setting{
		{no, func(r *rules) { *field(r) = false }},
		{yes, func(r *rules) { *field(r) = true }},
	}}
}

// ruleTable are the decisions that stories and searches vary: what profiles differ in (0), and the
// sub-switches of the draft's solutions (2).
func ruleTable() []rule {
	return slices.Concat(filterRuleRows(), queueRuleRows(), claimRuleRows(), termRuleRows(),
		electionRuleRows(), draftRuleRows(),
		queueDefectRows(), electionDefectRows(), logDefectRows(), cureRows(), harmlessRows())
}

// filterRuleRows are the feature flags of the profiles for what appliers do.
func filterRuleRows() []rule {
	return []rule{
		{"row-filter", "which rows become NOPs: those of origins whose last PROMOTE is not the " +
			"newest, or none", []setting{
			{"promote-term", func(r *rules) { r.filter.Rows = byPromoteTerm }},
			{"none", func(r *rules) { r.filter.Rows = noRowFilter }},
		}},
		flag("sender-filter", "whether, with elections on, rows of others than the leader are dropped",
			"off|on", func(r *rules) *bool { return &r.filter.BySender }),
		flag("filter-needs-elections", "whether the row filter works only while elections are on (#6133)",
			"off|on", func(r *rules) *bool { return &r.filter.OnlyElecting }),
		flag("validate", "whether control rows are validated, so that they may be a split-brain",
			"on|off", func(r *rules) *bool { return &r.filter.Unvalidated }),
		{"stale-promote", "what a PROMOTE of an old term does: split-brain, or as in P1 or P2",
			[]setting{
				{"split-brain", func(r *rules) { r.filter.Stale = staleSplits }},
				{"P1", func(r *rules) { r.filter.Stale = staleIgnored1 }},
				{"P2", func(r *rules) { r.filter.Stale = staleIgnored2 }},
				{"applied", func(r *rules) { r.filter.Stale = staleApplied }},
			}},
		{"promote-owner", "what a PROMOTE for a foreign owner does: it is not looked at, it is a " +
			"split-brain, or it rolls everything back", []setting{
			{"any", func(r *rules) { r.filter.Owner = anyOwner }},
			{"split-brain", func(r *rules) { r.filter.Owner = foreignSplits }},
			{"roll-back", func(r *rules) { r.filter.Owner = foreignRollsBack }},
		}},
		flag("range", "whether CONFIRM and ROLLBACK must lie in the queue",
			"off|on", func(r *rules) *bool { return &r.filter.Range }),
		{"former", "how an old control row of a former owner is known to be harmless: by its " +
			"boundary in any term, by it of outdated origins, or not", []setting{
			{"any-term", func(r *rules) { r.filter.Former = formerAnyTerm }},
			{"old-term", func(r *rules) { r.filter.Former = formerOldTerm }},
			{"none", func(r *rules) { r.filter.Former = formerNone }},
		}},
		flag("async-old", "what a plain asynchronous row of an outdated origin is, if somebody owns",
			"split-brain|apply", func(r *rules) *bool { return &r.filter.AsyncOld }),
		flag("nop-control", "whether control rows that come too late become NOPs",
			"off|on", func(r *rules) *bool { return &r.filter.NopControl }),
		flag("foreign-confirm", "what a CONFIRM of another owner does in P0 to P2 (cab998881d)",
			"ignored|stops", func(r *rules) *bool { return &r.filter.ForeignStops }),
		flag("latch", "whether nothing is checked while a control row is on its way (#6036)",
			"on|off", func(r *rules) *bool { return &r.filter.NoLatch }),
	}
}

// queueRuleRows are those for the queue and the elections.
func queueRuleRows() []rule {
	return []rule{
		flag("freeze-term", "whether an owner that knows a newer raft term finalizes nothing",
			"on|off", func(r *rules) *bool { return &r.limbo.NoFreezeTerm }),
		flag("freeze-restart", "whether a restarted owner waits for a fresh PROMOTE (#5856)",
			"on|off", func(r *rules) *bool { return &r.limbo.NoFreezeStart }),
		flag("term-in-ack", "whether ACKs carry the raft term (#7253)",
			"on|off", func(r *rules) *bool { return &r.limbo.AckTermless }),
		flag("confirmed-per-owner", "whether the boundaries of former owners are kept (#9138)",
			"on|off", func(r *rules) *bool { return &r.limbo.ForgetsFormer }),
		flag("rollback-on-timeout", "whether what has no quorum in time is rolled back (#12278)",
			"off|on", func(r *rules) *bool { return &r.limbo.TimeoutRollsBack }),
		flag("confirm-worker", "whether CONFIRM is written by a worker",
			"off|on", func(r *rules) *bool { return &r.limbo.Worker }),
		flag("prevote", "whether an election needs a healthy quorum and nobody who sees the leader",
			"on|off", func(r *rules) *bool { return &r.raft.NoPrevote }),
		flag("fencing", "whether a leader without a healthy quorum resigns, as the set-up says",
			"on|off", func(r *rules) *bool { return &r.raft.ResignsNot }),
		flag("vote-write", "whether a foreign vote is written behind its term, or with it (#7253)",
			"split|with-term", func(r *rules) *bool { return &r.raft.VoteWithTerm }),
		flag("system-writes", "whether writes to system spaces are synchronous in an owned queue",
			"sync|async", func(r *rules) *bool { return &r.limbo.SystemAsync }),
		flag("old-term", "whether a newer raft term closes a node that may write else",
			"closed|open", func(r *rules) *bool { return &r.limbo.OpenInOldTerm }),
		flag("summary", "whether snapshots and joins have a summary of the queue",
			"on|off", func(r *rules) *bool { return &r.log.NoSummary }),
		flag("disk-fault", "whether a leader whose journal fails resigns (#9399)",
			"resigns|stays", func(r *rules) *bool { return &r.raft.Stays }),
		flag("off-votes", "whether nodes in mode off run the machine and vote",
			"on|off", func(r *rules) *bool { return &r.raft.OffIdle }),
	}
}

// claimRuleRows are about what a promotion writes.
func claimRuleRows() []rule {
	return []rule{
		flag("resolve-empty", "whether a new leader of P0 writes its pair about an empty queue",
			"skip|write", func(r *rules) *bool { return &r.promote.ResolveEmpty }),
		{"claim", "whether PROMOTE is one row, or CONFIRM and ROLLBACK, or these and RAFT_TERM (7.2)",
			[]setting{
				{"row", func(r *rules) { r.promote.Pair, r.promote.Triplet = false, false }},
				{"pair", func(r *rules) { r.promote.Pair, r.promote.Triplet = true, false }},
				{"triplet", func(r *rules) { r.promote.Pair, r.promote.Triplet = false, true }},
			}},
		flag("own-last", "whether a promotion waits until Q nodes have the last transaction, or "+
			"confirms it at once (the plan's item 2)",
			"quorum|at-once", func(r *rules) *bool { return &r.promote.Unconditional }),
		flag("pinned", "whether PROMOTE pins the owner of an empty queue (#6034)",
			"on|off", func(r *rules) *bool { return &r.promote.NotPinned }),
		flag("adopts", "whether an empty queue belongs to whoever writes next (#6034)",
			"off|on", func(r *rules) *bool { return &r.limbo.AdoptsWriter }),
		flag("promote-term", "which term PROMOTE has without elections: a new one, or always the first",
			"new|first", func(r *rules) *bool { return &r.promote.TermOne }),
		flag("promote-returns", "when promote returns: once the node may write, or once it is elected",
			"writable|elected", func(r *rules) *bool { return &r.promote.ReturnsElected }),
		flag("demote", "whether there is demote",
			"on|off", func(r *rules) *bool { return &r.promote.NoDemote }),
		flag("recheck", "whether a promotion looks at the terms again under the latch (#7086)",
			"on|off", func(r *rules) *bool { return &r.promote.NoRecheck }),
		flag("writable", "whether a leader may write before its queue is claimed (#12333)",
			"claimed|elected", func(r *rules) *bool { return &r.promote.WritableEarly }),
		flag("promote-after-term", "whether a relay sends PROMOTE only after its raft term (#6754)",
			"on|off", func(r *rules) *bool { return &r.promote.BeforeTerm }),
	}
}

// draftRuleRows are the sub-switches of the draft's solutions. The first value is its wording.
func draftRuleRows() []rule {
	return []rule{
		{"dup-by", "II: who writes a ROLLBACK once more: who it is about, or everyone", []setting{
			{"owner", func(r *rules) { r.solution.DupBy = ownerOnly }},
			{"every", func(r *rules) { r.solution.DupBy = everyNode }},
		}},
		flag("dedupe", "II: whether a ROLLBACK is copied once, or each copy of it again",
			"on|off", func(r *rules) *bool { return &r.solution.NoDedupe }),
		flag("bounded", "II: whether a copy undoes all from its row on, or ends at the last known",
			"open|closed", func(r *rules) *bool { return &r.solution.Bounded }),
		flag("copies", "II: whether copies that a crash has prevented are found again in the log",
			"lost|derived", func(r *rules) *bool { return &r.solution.Derives }),
		flag("pair", "III: whether CONFIRM and ROLLBACK are two rows, or one, CHANGE_OWNER (UPD 1)",
			"two|one", func(r *rules) *bool { return &r.solution.Atomic }),
		flag("table", "III: whether the table of valid rows is in snapshots, or only in the WAL",
			"snapshot|wal", func(r *rules) *bool { return &r.solution.NoTableInSnapshot }),
		flag("nop-async", "III: whether asynchronous rows are filtered too",
			"off|on", func(r *rules) *bool { return &r.solution.NopAsync }),
		flag("compare", "IV: whether rows are measured by the raft term, or the newest in a log",
			"raft|leader-log", func(r *rules) *bool { return &r.solution.ByLeaderLog }),
		flag("filter-async", "IV: whether asynchronous rows are filtered too",
			"off|on", func(r *rules) *bool { return &r.solution.NopAsync }),
		flag("evidence", "V: whether all peers must have told their state, or one is enough",
			"all|first", func(r *rules) *bool { return &r.solution.FirstEvidence }),
		flag("hold", "V: whether rows are held because of own pending rows, or of any",
			"own|any", func(r *rules) *bool { return &r.solution.AnyPending }),
		flag("trigger", "V: whether they are held after a restart, or at each reconnect",
			"restart|reconnect", func(r *rules) *bool { return &r.solution.EveryReconnect }),
		flag("nops", "V: whether a second restart finds again which rows go as NOPs",
			"derived|forgotten", func(r *rules) *bool { return &r.solution.ForgetsNops }),
	}
}

// ruleList is the table as the engine wants it.
func ruleList() []sim.Rule {
	var list []sim.Rule
	for _, r := range ruleTable() {
		var names []string
		for _, v := range r.values {
			names = append(names, v.name)
		}
		list = append(list, sim.Rule{Name: r.name, Doc: r.doc + r.taken(), Values: names})
	}
	return list
}

// taken says which value each variant has.
func (r rule) taken() string {
	var words []string
	for _, v := range r.values {
		var names []string
		for _, p := range rows() {
			with := p.rules
			v.set(&with)
			if with == p.rules && p.of == "" {
				names = append(names, p.name)
			}
		}
		if len(names) > 0 {
			words = append(words, v.name+" in "+strings.Join(names, " "))
		}
	}
	return "; " + strings.Join(words, ", ")
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	for _, p := range rows() {
		if p.name != to.Name {
			continue
		}
		for _, g := range given {
			setter(g)(&p.rules)
		}
		return p.variant(), nil
	}
	return to, fmt.Errorf("synchro has no variant %q to set rules on", to.Name)
}

// setter is what a value of a rule does, which the engine has found in the table.
func setter(g sim.RuleValue) func(*rules) {
	for _, r := range ruleTable() {
		for _, v := range r.values {
			if r.name == g.Rule && v.name == g.Value {
				return v.set
			}
		}
	}
	panic(fmt.Sprintf("synchro: no rule %s=%s", g.Rule, g.Value))
}
