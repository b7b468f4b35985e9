package raft

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// rule is a decision that a scenario may set on top of a variant.
type rule = sim.RuleRow[rules]

// ruleTable are the decisions that stories and searches vary. Each is about both engines where both
// have it.
func ruleTable() sim.RuleTable[rules] {
	return sim.RuleTable[rules]{
		onOff("pre-vote", "whether a node asks, before it begins an election, if it could win "+
			"(the dissertation, 9.6)", func(r *rules, off bool) {
			r.Reference.NoPreVote, r.Harness.NoPreVote = off, off
		}),
		onOff("check-quorum", "whether a leader that hears of no majority steps down, and who hears a "+
			"leader votes for nobody else (6.2)", func(r *rules, off bool) {
			r.Reference.NoCheckQuorum, r.Harness.NoCheckQuorum = off, off
		}),
		onOff("no-op", "whether a leader begins its term with an entry of its own (section 8); the "+
			"library always does", func(r *rules, off bool) { r.Reference.NoNoop = off }),
		sim.Decision("batch", "how many entries a message brings at most",
			sim.Setting("many", func(r *rules) { setOneEntry(r, false) }),
			sim.Setting("one", func(r *rules) { setOneEntry(r, true) })),
		sim.Decision("sync", "when what a message rests on is durable: before it leaves, after, or "+
			"not at all",
			sim.Setting("first", func(r *rules) { setSync(r, false, false) }),
			sim.Setting("after", func(r *rules) { setSync(r, true, false) }),
			sim.Setting("never", func(r *rules) { setSync(r, false, true) })),
		sim.Flag("lease", "how long the library's leader may serve by its lease: as the harness "+
			"counts it, from the sending of what a majority answered, or until it gives up",
			"sent|believed", func(r *rules) *bool { return &r.Harness.OldLease }),
		sim.Flag("dedup", "whether a copy of a command has no effect", "yes|no",
			func(r *rules) *bool { return &r.Node.NoDedup }),
	}
}

// onOff is a decision that is on if it is right.
func onOff(name, doc string, set func(r *rules, off bool)) rule {
	return sim.Decision(name, doc, sim.Setting("on", func(r *rules) { set(r, false) }),
		sim.Setting("off", func(r *rules) { set(r, true) }))
}

func setOneEntry(r *rules, one bool) { r.Reference.OneEntry, r.Harness.OneEntry = one, one }

func setSync(r *rules, after, never bool) {
	r.Reference.SendFirst, r.Harness.SendFirst = after, after
	r.Reference.NoSync, r.Harness.NoSync = never, never
}

// ruleList is the table as the engine wants it.
func ruleList() []sim.Rule {
	var holders []sim.RuleHolder[rules]
	for _, r := range rightRows() {
		holders = append(holders, sim.RuleHolder[rules]{Name: r.name, Rules: r.rules})
	}
	return ruleTable().Rules(holders)
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	for _, r := range rows() {
		if r.name == to.Name {
			ruleTable().Set(&r.rules, given)
			return r.variant(), nil
		}
	}
	return to, fmt.Errorf("raft has no variant %q to set rules on", to.Name)
}
