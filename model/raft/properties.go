package raft

import "github.com/downset/downset/sim"

// The layers of properties, from those that localise a fault to those that see what comes of it.
const (
	nodeLayer    = iota // what a node says and keeps
	groupLayer          // what becomes of the log
	clientLayer         // what clients are told
	forwardLayer        // that it goes on
)

// code names a property within a book.
type code uint8

const (
	cTermGrows code = iota
	cOneVote
	cPledgesKept
	cMatchTrue
	cOwnTerm
	cDurableQuorum
	cLeaderAppends
	cQuorumsMeet
	cSnapshotTrue
	cNoReturn
	cLeaderComplete
	cLogMatching
	cElectionSafety
	cCommitGrows
	cSameCommands
	cAppliedOnce
	cReadFresh
	cLeaseFresh
	cAnswers
	cUndisturbed
	cProgress
	cAnswered
	codes
)

// properties are what a group promises, R1 to R20, and what clients see of it. All but the
// linearizable one come of one book, which is read once a judging: see book.go.
//
// Those of sim.ScopeState compare what nodes say wherever in the run they say it; none of them
// depends on which of two nodes did something first. A lease read (lease-fresh) rests on clocks: a
// run in which a clock was changed says nothing about it. A lost disk is against what the paper
// assumes of a node; no-return says who comes back from one.
func properties() []sim.Property {
	linearizable := linearizableProperty()
	linearizable.Layer = clientLayer
	return append(append(nodeProperties(), groupProperties()...),
		booked(cAnswers, sim.Property{Name: "answers", Layer: clientLayer, Class: sim.Silent,
			Scope: sim.ScopeOrder, Doc: "a client is told what the committed log, played from its " +
				"beginning, gives at the index that it is told; and what was answered before it " +
				"asked, has a smaller index"}),
		linearizable,
		booked(cUndisturbed, sim.Property{Name: "undisturbed", Layer: forwardLayer,
			Class: sim.Stopped, Scope: sim.ScopeOrder, Doc: "nobody stands for election while a " +
				"majority has heard from its leader all along (R19; the dissertation, 9.6)"}),
		booked(cProgress, sim.Property{Name: "progress", Layer: forwardLayer, Class: sim.Stopped,
			Scope: sim.ScopeEnd, Doc: "in the end, with a majority up, one node leads, and all of " +
				"the group know of the same committed entries (R18)"}),
		booked(cAnswered, sim.Property{Name: "answered", Layer: forwardLayer, Class: sim.Stopped,
			Scope: sim.ScopeEnd, Doc: "in the end every call that a node of the group took up has " +
				"ended, unless the node crashed or the group has lost its majority"}))
}

// nodeProperties are about what nodes say and what their disks hold.
func nodeProperties() []sim.Property {
	all := []sim.Property{
		{Name: "term-grows", Class: sim.Silent, Doc: "the term of a node never decreases, over " +
			"restarts neither (R2)"},
		{Name: "one-vote", Class: sim.Silent, Doc: "a node votes for one candidate a term, over " +
			"restarts too (R3)"},
		{Name: "pledges-kept", Class: sim.DetectedLoss, Doc: "what a node tells others of its " +
			"vote and its log is durable before, and what it has told a leader it has, it keeps " +
			"as long as it knows of no later term (R11)"},
		{Name: "match-true", Class: sim.Silent, Doc: "what a leader takes for the common prefix " +
			"of another's log and its own, that node has told it, and it is so (R12)"},
		{Name: "own-term", Class: sim.Silent, Doc: "what a leader finds committed by counting is " +
			"of its own term (R9; the paper, 5.4.2)"},
		{Name: "durable-quorum", Class: sim.DetectedLoss, Scope: sim.ScopeOrder, Doc: "when a " +
			"leader finds an entry committed, a quorum of the configuration that it goes by has " +
			"it on their disks (R10)"},
		{Name: "leader-appends", Class: sim.Silent, Doc: "who leads only appends to its log (R7)"},
		{Name: "quorums-meet", Class: sim.Silent, Doc: "consecutive configurations cannot decide " +
			"apart: each quorum of one meets each of the other, one change is under way at most, " +
			"and who goes by one that is not committed has committed an entry of its term " +
			"before; a node goes by what its log and its snapshot say (R13)"},
		{Name: "snapshot-true", Class: sim.Silent, Doc: "a snapshot is what the committed log " +
			"comes to at its index, with the configuration there, and none takes a node back " +
			"(R16)"},
		{Name: "no-return", Class: sim.Silent, Doc: "who has lost its disk takes no part in the " +
			"group any more (R20)"},
		{Name: "leader-complete", Class: sim.Silent, Doc: "a leader has all that was committed " +
			"in earlier terms, and nobody votes for a log that has less than its own (R5; the " +
			"paper, 5.4.1)"},
		{Name: "log-matching", Class: sim.Silent, Doc: "logs that have an entry of the same index " +
			"and term agree up to it (R4)"},
	}
	for i := range all {
		all[i] = booked(cTermGrows+code(i), all[i])
	}
	return all
}

// groupProperties are about the log that all share.
func groupProperties() []sim.Property {
	all := []sim.Property{
		{Name: "election-safety", Class: sim.Silent, Doc: "a term has one leader at most, and it " +
			"has the votes of a quorum of the configuration that it goes by (R1)"},
		{Name: "commit-grows", Class: sim.Silent, Doc: "what a node knows to be committed grows, " +
			"and it has it and keeps it (R8)"},
		{Name: "same-commands", Class: sim.Silent, Doc: "no two nodes apply different commands at " +
			"one index, or take them for committed, and what a node takes for committed a leader " +
			"has found so (R6)"},
		{Name: "applied-once", Class: sim.Silent, Doc: "in each life a node applies each entry " +
			"once, in order, from its snapshot on, and none that it does not know to be committed " +
			"(R17)"},
		{Name: "read-fresh", Class: sim.Silent, Scope: sim.ScopeOrder, Doc: "a read by index is " +
			"served at an index with all that was committed, and all that was answered, before " +
			"it was asked (R14)"},
		{Name: "lease-fresh", Class: sim.Silent, Scope: sim.ScopeOrder, Doc: "so is one by lease, " +
			"if no clock was changed (R15)"},
	}
	for i := range all {
		all[i].Layer = groupLayer
		all[i] = booked(cElectionSafety+code(i), all[i])
	}
	return all
}

// booked is a property that the book judges. Of sim.ScopeTrace, the zero value, it makes
// ScopeState.
func booked(c code, p sim.Property) sim.Property {
	if p.Scope == sim.ScopeTrace {
		p.Scope = sim.ScopeState
		p.Reads = []string{"hardstate", "logged", "snapshot", "elected", "deposed", "granted",
			"pledged", "matched", "committed", "applied", "installed", "governs", "image"}
	}
	p.Check = func(run *sim.Run) (premises int, v *sim.Violation) {
		f := &bookOf(run).findings[c]
		return f.premises, f.violation
	}
	return p
}
