package synchro

import "github.com/downset/downset/sim"

// queueDefectRows are what once was wrong about stale rows, owners, CONFIRM and ROLLBACK (4.1,
// 4.2), where no profile has it as a rule of its own; and a cure that none has yet. The first value
// is that of all profiles.
func queueDefectRows() []rule {
	return append(ownerDefectRows(), decisionDefectRows()...)
}

// ownerDefectRows are about owners and the rows of former ones (4.1).
func ownerDefectRows() []rule {
	return []rule{
		sim.Flag("uncovered", "what a promotion does about a last transaction without quorum: it waits, "+
			"or rolls back what the quorum does not have at that moment (#5435)",
			"waits|rolled-back", func(r *rules) *bool { return &r.promote.RollsUncovered }),
		sim.Flag("boundary", "whether the confirmed boundary of a new owner is its own, or that of the "+
			"owner before (#5395)",
			"reloaded|kept", func(r *rules) *bool { return &r.limbo.KeepsBoundary }),
		sim.Flag("old-nops", "whether NOPs of an outdated origin pass, or are judged as other "+
			"asynchronous rows (#8746)",
			"pass|judged", func(r *rules) *bool { return &r.filter.NopsSplit }),
		sim.Flag("async-boundary", "whether plain asynchronous commits of the owner move its boundary, "+
			"against which claims are held (#10528)",
			"stays|moves", func(r *rules) *bool { return &r.limbo.AsyncMoves }),
		sim.Flag("expelled-rows", "whether rows of a node that is no member any more are taken (#10266)",
			"refused|taken", func(r *rules) *bool { return &r.log.Expelled }),
	}
}

// decisionDefectRows are about CONFIRM and ROLLBACK at their owner (4.2).
func decisionDefectRows() []rule {
	return []rule{
		sim.Flag("rollback-in-confirm", "whether ROLLBACK waits for a CONFIRM of the same transaction "+
			"that is in flight (#5185 a)",
			"waits|starts", func(r *rules) *bool { return &r.limbo.RollbackInConfirm }),
		sim.Flag("confirm-in-rollback",
			"whether CONFIRM waits for a ROLLBACK that is in flight (#5185 b)",
			"waits|starts", func(r *rules) *bool { return &r.limbo.ConfirmInRollback }),
		sim.Flag("newcomers-in-rollback",
			"whether transactions enter while a ROLLBACK is in flight (#5140)",
			"refused|enter", func(r *rules) *bool { return &r.limbo.NewcomersInRollback }),
		sim.Flag("newcomers-in-claim",
			"whether transactions enter while a PROMOTE is in flight (#6842 a)",
			"refused|enter", func(r *rules) *bool { return &r.limbo.NewcomersInClaim }),
		sim.Flag("repeated-ack", "whether an ACK that says nothing new counts (#5144)",
			"ignored|counts", func(r *rules) *bool { return &r.limbo.CountsTwice }),
		sim.Flag("unwritten-async", "what a CONFIRM makes of an asynchronous transaction that is not in "+
			"the WAL yet: a plain one, or a committed one (#6057)",
			"plain|committed", func(r *rules) *bool { return &r.limbo.CommitsUnwritten }),
		sim.Flag("lsn-told",
			"when a transaction learns its LSN: with the completion of its write, or once its "+
				"client wakes (#6842 b)",
			"completed|woken", func(r *rules) *bool { return &r.limbo.LateLSN }),
		sim.Flag("frozen-client",
			"whether a client is answered whose CONFIRM completes while its node is frozen "+
				"(#7253)",
			"answered|forgotten", func(r *rules) *bool { return &r.limbo.FreezeHangs }),
		sim.Flag("cancel", "whether a cancelled client leaves its transaction, or rolls it back (#9480)",
			"leaves|rolls-back", func(r *rules) *bool { return &r.limbo.CancelRollsBack }),
		sim.Flag("frozen-quorum", "whether a lower quorum waits while the node is frozen, or confirms",
			"waits|confirms", func(r *rules) *bool { return &r.limbo.FrozenQuorum }),
		sim.Flag("behind-rollback",
			"what becomes of asynchronous transactions behind one that is rolled back: undone "+
				"first, or left (#10853)",
			"undone|left", func(r *rules) *bool { return &r.limbo.LeavesAsync }),
	}
}
