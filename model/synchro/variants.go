package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// profile is a row of the table: an era of the rules (0), one of the draft's solutions, or one that
// is wrong on purpose.
type profile struct {
	name, doc string
	rules     rules
	of        string
	breaks    string
	story     string
}

// profiles are the eras.
func profiles() []profile {
	return []profile{
		{name: "P0", rules: p0(), breaks: "C1",
			doc: "2.6, 2.7: CONFIRM and ROLLBACK at a change of leader, rows filtered by their " +
				"sender"},
		{name: "P1", rules: p1(), breaks: "C1",
			doc: "2.8.1: PROMOTE, rows of outdated origins become NOPs while elections are on " +
				"(#5445)"},
		{name: "P2", rules: p2(), breaks: "C1",
			doc: "2.8.2, 2.10.0: filter by origin, pinned owner, DEMOTE, latch, pre-vote, fencing"},
		{name: "P3", rules: p3(), breaks: "R1",
			doc: "2.10.1: split-brain validation, frozen by a newer term and after a restart"},
		{name: "P3a", rules: p3a(), breaks: "L1",
			doc: "2.10.3: ACKs carry the term, votes are written after terms"},
		{name: "P3b", rules: p3b(), breaks: "L1",
			doc: "2.11.2, 3.0: boundaries of former owners are kept"},
		{name: "P4", rules: p4(), breaks: "L1",
			doc: "3.x of 2026: CONFIRM by a worker, control rows never NOP, raft always on"},
	}
}

func p4() rules { return rules{limbo: limboRules{Worker: true}} }

func p3b() rules {
	r := p4()
	r.limbo.Worker = false
	r.limbo.SystemAsync, r.limbo.OpenInOldTerm = true, true
	r.filter.Owner, r.filter.Range = foreignSplits, true
	r.filter.Former, r.filter.NopControl = formerOldTerm, true
	r.raft.OffIdle, r.raft.Stays, r.promote.ReturnsElected = true, true, true
	return r
}

func p3a() rules {
	r := p3b()
	r.filter.Former, r.limbo.ForgetsFormer = formerNone, true
	return r
}

func p3() rules {
	r := p3a()
	r.limbo.AckTermless, r.raft.VoteWithTerm = true, true
	return r
}

func p2() rules {
	r := p3()
	r.filter.Unvalidated, r.filter.Stale, r.filter.Owner = true, staleIgnored2, foreignRollsBack
	r.filter.Range, r.filter.AsyncOld, r.filter.OnlyElecting = false, true, true
	r.limbo.NoFreezeTerm, r.limbo.NoFreezeStart = true, true
	return r
}

func p1() rules {
	r := p2()
	r.filter.Stale, r.filter.BySender, r.filter.NoLatch = staleIgnored1, true, true
	r.promote.NotPinned, r.promote.TermOne, r.promote.NoDemote = true, true, true
	r.promote.NoRecheck, r.promote.BeforeTerm, r.promote.WritableEarly = true, true, true
	r.limbo.AdoptsWriter = true
	r.raft.NoPrevote, r.raft.ResignsNot = true, true
	r.log.NoSummary = true
	return r
}

func p0() rules {
	r := p1()
	r.filter.Rows, r.filter.Stale = noRowFilter, staleApplied
	r.promote.Pair = true
	return r
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, p := range rows() {
		list = append(list, p.variant())
	}
	return list
}

// rows are all rows of the table.
func rows() []profile { return slices.Concat(profiles(), cured(), drafts(), sabotaged()) }

func (p profile) variant() sim.Variant {
	r := p.rules
	return sim.Variant{Name: p.name, Doc: p.doc, Of: p.of, Breaks: p.breaks, Story: p.story,
		New: func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			return &node{rules: r, id: id, founder: slices.Contains(founders, id),
				founders: founders}
		}}
}
