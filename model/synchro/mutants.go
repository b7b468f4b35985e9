package synchro

import "slices"

// sound is the profile that the wrong variants are copies of.
const sound = "P4"

// spoiled is a wrong decision: the sound profile with one rule changed, or two where a rule hides
// behind another. It breaks the property that catches it first: those of a higher layer are not
// told where one of a lower layer breaks.
type spoiled struct {
	name, breaks, doc string
	spoil             func(*rules)
	story             string // that shows it, if drawn workloads hardly ever do
}

// sabotaged are the variants that are wrong on purpose, by the numbers of section 5, and those of
// section 4 that the sound profile can be made to have again. Each says which property must catch
// it.
func sabotaged() []profile {
	var list []profile
	for _, s := range spoils {
		r := soundRules()
		s.spoil(&r)
		list = append(list, profile{name: s.name, doc: s.doc, rules: r, of: sound, breaks: s.breaks,
			story: s.story})
	}
	return list
}

func soundRules() rules {
	all := slices.Concat(profiles(), cured())
	return all[slices.IndexFunc(all, func(p profile) bool { return p.name == sound })].rules
}

var spoils = []spoiled{
	{name: "by-sender", breaks: "R1", doc: "M1: the filter looks at who sent a row, not at its " +
		"origin",
		spoil: func(r *rules) { r.filter.BySenderOnly = true }},
	{name: "by-raft-term", breaks: "R1", doc: "M2: rows are compared with the raft term",
		spoil: func(r *rules) { r.filter.RaftTerm = true }},
	{name: "only-ack", breaks: "W4", doc: "M3: asynchronous rows that were queued become no NOPs",
		spoil: func(r *rules) { r.filter.OnlyAck = true }},
	{name: "drops-stale", breaks: "L2", doc: "M4: stale rows are dropped",
		spoil: func(r *rules) { r.filter.Drops = true }},
	{name: "last-row", breaks: "W4", doc: "M5: only the last row of a stale transaction becomes " +
		"a NOP: the rows before it pass the filter",
		spoil: func(r *rules) { r.filter.LastRow = true }},
	{name: "nop-in-memory", breaks: "W4", doc: "M6: the WAL has the original of a NOP",
		spoil: func(r *rules) { r.filter.InMemory = true }},
	{name: "applies-early", breaks: "S1", doc: "M7, #5213: control rows take effect before they " +
		"are durable",
		spoil: func(r *rules) { r.limbo.AppliesEarly = true }},
	{name: "rolls-one", breaks: "R1", doc: "M8: PROMOTE rolls back n itself",
		spoil: func(r *rules) { r.promote.RollsOne = true }},
	{name: "own-term", breaks: "T1", doc: "M9: PROMOTE is compared with the last term of its own " +
		"origin, so an older one takes effect",
		spoil: func(r *rules) { r.filter.OwnTerm = true }},
	{name: "unpersisted", breaks: "W4", doc: "M10: foreign PROMOTEs are not written, so rows are " +
		"filtered by a term that is not in the log",
		spoil: func(r *rules) { r.promote.Unpersisted = true }},
	{name: "no-summary", breaks: "L1", doc: "M10: snapshots and joins have no summary of the queue",
		spoil: func(r *rules) { r.log.NoSummary = true }},
	{name: "own-claims-only", breaks: "S1", doc: "M11: the greatest term is moved by own " +
		"PROMOTEs " +
		"alone",
		spoil: func(r *rules) { r.filter.TermsOnly = true }},
	{name: "unconditional", breaks: "D1", doc: "M12: PROMOTE is written without waiting for a " +
		"quorum",
		spoil: func(r *rules) { r.promote.Unconditional = true }},
	{name: "keeps-acks", breaks: "A1", doc: "M13: acknowledgements outlive a change of owner",
		spoil: func(r *rules) { r.limbo.KeepsAcks = true }},
	{name: "counts-twice", breaks: "A1", doc: "M14, #5144: each ACK counts, also of the same row",
		spoil: func(r *rules) { r.limbo.CountsTwice = true }},
	{name: "ack-termless", breaks: "R1", doc: "M15: ACKs carry no term (P3, #7253)",
		spoil: func(r *rules) { r.limbo.AckTermless = true },
		story: "m15-ack-termless.txt"},
	{name: "term-last", breaks: "R1", doc: "M16: the vclock of an ACK is taken in before its term",
		spoil: func(r *rules) { r.limbo.TermLast, r.limbo.Worker = true, false },
		story: "m15-ack-termless.txt"},
	{name: "no-freeze", breaks: "F1", doc: "M17: a newer term does not freeze the owner, nor " +
		"does " +
		"the role that it has lost by it",
		spoil: func(r *rules) { r.limbo.NoFreezeTerm, r.limbo.AnyRole = true, true }},
	{name: "no-freeze-start", breaks: "F2", doc: "M18: a restarted owner goes on to finalize",
		spoil: func(r *rules) { r.limbo.NoFreezeStart, r.limbo.AnyRole = true, true }},
	{name: "before-term", breaks: "T2", doc: "M19: PROMOTE may be sent before the raft term " +
		"(#6754)",
		spoil: func(r *rules) { r.promote.BeforeTerm = true }},
	{name: "no-latch", breaks: "W4", doc: "M20: nothing is held between check and effect (#6036)",
		spoil: func(r *rules) { r.filter.NoLatch = true },
		story: "m20-no-latch.txt"},
	{name: "vote-with-term", breaks: "E3", doc: "M21: a foreign vote is written with the term " +
		"(#7253)",
		spoil: func(r *rules) { r.raft.VoteWithTerm = true }},
	{name: "vote-by-leader", breaks: "E3", doc: "M22: a vote wants the candidate's own component " +
		"only",
		spoil: func(r *rules) { r.raft.Vote = leaderComponent }},
	{name: "vote-by-sum", breaks: "E3", doc: "M22: a vote wants the sum of the components",
		spoil: func(r *rules) { r.raft.Vote = sumOfComponents }},
	{name: "forgetful", breaks: "E2", doc: "M23: votes are not persisted",
		spoil: func(r *rules) { r.raft.Forgetful = true }},
	{name: "any-prev", breaks: "V5", doc: "M24: CONFIRM and ROLLBACK ignore prev, so the " +
		"boundary " +
		"of an owner comes to be that of another, and the next PROMOTE repeats it",
		spoil: func(r *rules) { r.filter.AnyPrev = true }},
	{name: "oldest-first", breaks: "W1", doc: "M25: the oldest is undone first",
		spoil: func(r *rules) { r.limbo.OldestFirst = true }},
	{name: "adopts", breaks: "O1", doc: "M26: an empty queue takes any writer",
		spoil: func(r *rules) { r.limbo.AdoptsWriter, r.promote.NotPinned = true, true }},
	{name: "keeps-owner", breaks: "O1", doc: "M27: DEMOTE leaves the owner",
		spoil: func(r *rules) { r.promote.KeepsOwner = true }},
	{name: "reuses-term", breaks: "P1", doc: "M27: DEMOTE has the term of the PROMOTE before it",
		spoil: func(r *rules) { r.promote.ReusesTerm = true }},
	{name: "subscribes-ahead", breaks: "A2", doc: "M28: the subscription, which is the first " +
		"ACK, " +
		"says what is accepted, not what is in the WAL",
		spoil: func(r *rules) { r.log.SubscribeAhead = true }},
	{name: "confirms-in-rollback", breaks: "W2", doc: "M29, #5185: CONFIRM may start during a " +
		"ROLLBACK",
		spoil: func(r *rules) { r.limbo.ConfirmInRollback, r.limbo.TimeoutRollsBack = true, true },
		story: "m29-confirm-in-rollback.txt"},
	{name: "connected-quorum", breaks: "E4", doc: "M30: the election quorum is of connected peers",
		spoil: func(r *rules) { r.raft.Connected = true }},
	{name: "acts-early", breaks: "O2", doc: "M31: a node leads before its PROMOTE is durable",
		spoil: func(r *rules) { r.promote.ActsEarly = true }},
	{name: "leader-rows", breaks: "L2", doc: "M32: a relay sends the rows of the owner alone",
		spoil: func(r *rules) { r.log.OnlyLeaderRows = true }},
	{name: "forgets-former", breaks: "L1", doc: "M33, #9138: boundaries of former owners are not " +
		"kept",
		spoil: func(r *rules) { r.limbo.ForgetsFormer, r.filter.Former = true, formerNone }},
	{name: "covers-unwritten", breaks: "S1", doc: "M34, #6842: CONFIRM covers what has no LSN yet",
		spoil: func(r *rules) { r.limbo.CoversUnwritten = true }},
	{name: "pending-ack", breaks: "A2", doc: "M35: ACKs count what is not durable yet",
		spoil: func(r *rules) { r.limbo.PendingAck = true }},
	{name: "newcomers-in-rollback", breaks: "W3",
		doc: "#5140: transactions enter during a ROLLBACK",
		spoil: func(r *rules) {
			r.limbo.NewcomersInRollback, r.limbo.TimeoutRollsBack = true, true
		}},
	{name: "rollback-in-confirm", breaks: "W2",
		doc:   "#5185 (a): ROLLBACK may start during a CONFIRM",
		spoil: func(r *rules) { r.limbo.RollbackInConfirm, r.limbo.TimeoutRollsBack = true, true }},
	{name: "keeps-boundary", breaks: "L3", doc: "#5395: the boundary is kept across owners",
		spoil: func(r *rules) { r.limbo.KeepsBoundary, r.limbo.ForgetsFormer = true, true }},
	{name: "row-by-row", breaks: "R1", doc: "#5874: recovery takes rows for themselves",
		spoil: func(r *rules) { r.log.RowByRow = true },
		story: "bug-5874-half-a-transaction.txt"},
	{name: "early-applied", breaks: "L2", doc: "#6028: the accepted clock is empty after a " +
		"restart, so that nothing fits behind it",
		spoil: func(r *rules) { r.log.EarlyApplied = true }},
	{name: "old-ack", breaks: "A2", doc: "#12795: an ACK of the former connection is sent on the " +
		"new one",
		spoil: func(r *rules) { r.log.OldAck = true }},
	{name: "boundary-old", breaks: "L1", doc: "#11754: the summary of a snapshot is older than " +
		"its data",
		spoil: func(r *rules) { r.log.BoundaryOld = true }},
	{name: "view-at-once", breaks: "S2", doc: "#11180: a snapshot does not wait for what it shows",
		spoil: func(r *rules) { r.log.ViewAtOnce = true }},
	{name: "expelled-writes", breaks: "M1", doc: "#10266: rows of expelled nodes are accepted",
		spoil: func(r *rules) { r.log.Expelled = true }},
	{name: "freeze-hangs", breaks: "L4", doc: "#7253: a client whose CONFIRM completes while " +
		"frozen is " +
		"not answered", spoil: func(r *rules) { r.limbo.FreezeHangs = true }},
	{name: "twice-claimed", breaks: "P1", doc: "#9263: two promotion procedures may run in one " +
		"term",
		spoil: func(r *rules) { r.promote.Twice = true },
		story: "bug-9263-two-promotions.txt"},
	{name: "writable-early", breaks: "O2", doc: "#12333: writable before the queue is claimed",
		spoil: func(r *rules) { r.promote.WritableEarly = true }},
	{name: "two-writes", breaks: "E2", doc: "#8497: term and own vote are two writes",
		spoil: func(r *rules) { r.raft.TwoWrites = true }},
	{name: "no-prevote", breaks: "E5", doc: "#6654: an election looks at no witness",
		spoil: func(r *rules) { r.raft.NoPrevote = true }},
}
