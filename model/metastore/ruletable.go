package metastore

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// ruleTable are the decisions that stories vary: where etcd and Ignite differ, and the log.
func ruleTable() sim.RuleTable[rules] {
	flag := func(name, doc, values string, field func(*Dialect) *bool) sim.RuleRow[rules] {
		return sim.Flag(name, doc, values, func(r *rules) *bool { return field(&r.store.Dialect) })
	}
	return sim.RuleTable[rules]{
		sim.Decision("first", "the revision of an empty store",
			sim.Setting("1", func(r *rules) { r.store.Dialect.First = 1 }),
			sim.Setting("0", func(r *rules) { r.store.Dialect.First = 0 })),
		flag("empty-delete", "what a delete of nothing is", "nothing|revision",
			func(d *Dialect) *bool { return &d.EmptyDelete }),
		flag("empty-txn", "what a transaction that changes nothing is", "nothing|revision",
			func(d *Dialect) *bool { return &d.EmptyTxn }),
		flag("evict", "what it is that stored answers are forgotten", "nothing|revision",
			func(d *Dialect) *bool { return &d.EvictCounts }),
		flag("ahead", "how a read of a revision to come ends", "refused|answered",
			func(d *Dialect) *bool { return &d.ReadsAhead }),
		flag("bound", "whether the compacted revision itself can be read", "kept|hidden",
			func(d *Dialect) *bool { return &d.HidesBound }),
		flag("last", "how a get of a forgotten revision ends that finds the key's last version",
			"refused|answered", func(d *Dialect) *bool { return &d.LastAnswers }),
		flag("current", "whether the current revision can be compacted", "compacted|kept",
			func(d *Dialect) *bool { return &d.KeepsCurrent }),
		flag("repeats", "what a transaction is that writes a key twice", "refused|accepted",
			func(d *Dialect) *bool { return &d.Repeats }),
		flag("conditions", "what conditions may be", "flat|trees",
			func(d *Dialect) *bool { return &d.Trees }),
		flag("result", "what a transaction comes to", "steps|yields",
			func(d *Dialect) *bool { return &d.Yields }),
		flag("answers", "whether the answer to a command is kept for who asks again",
			"forgotten|kept", func(d *Dialect) *bool { return &d.Remembers }),
		flag("times", "whether each revision has a time", "none|stamped",
			func(d *Dialect) *bool { return &d.Stamped }),
		flag("leases", "whether there are any", "some|none",
			func(d *Dialect) *bool { return &d.Leaseless }),
		flag("told", "of which revisions a watcher is told", "its-own|every",
			func(d *Dialect) *bool { return &d.EveryRevision }),
		flag("listeners", "how the watches of one node go on", "alone|in-step",
			func(d *Dialect) *bool { return &d.Lockstep }),
		sim.Flag("log", "which replicated log it stands on: downset's own, or the library that "+
			"etcd runs on", "reference|library", func(r *rules) *bool { return &r.Library }),
	}
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
	return to, fmt.Errorf("metastore has no variant %q to set rules on", to.Name)
}
