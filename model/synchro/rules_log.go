package synchro

import "github.com/downset/downset/sim"

// electionDefectRows are what once was wrong about resigned and elected leaders, and about who
// counts (4.4), where no profile has it as a rule of its own. The first value is that of all
// profiles.
func electionDefectRows() []rule {
	return []rule{
		sim.Flag("resigns-into",
			"whether a leader that resigns stays in its term, or begins the next with a vote "+
				"for itself (#9855)",
			"its-term|own-vote", func(r *rules) *bool { return &r.raft.SelfVote }),
		sim.Flag("off-sees", "whether a node whose elections stand still says that it sees the leader "+
			"(#12018)",
			"off|on", func(r *rules) *bool { return &r.raft.OffSees }),
		sim.Flag("promote-wait", "whether promote gives up after the election timeout (#10836)",
			"bounded|endless", func(r *rules) *bool { return &r.raft.WaitsForever }),
		sim.Flag("hung-beats", "whether a node whose main thread hangs sends heartbeats (#7512)",
			"off|on", func(r *rules) *bool { return &r.raft.HungBeats }),
		sim.Flag("next-term", "which term an election adds one to: the one decided, or the one on the "+
			"disk (#6129)",
			"decided|durable", func(r *rules) *bool { return &r.raft.FromDurable }),
		sim.Flag("rewind", "whether a new leader sends again what others have dropped (#5433)",
			"on|off", func(r *rules) *bool { return &r.log.NoRewind }),
		sim.Flag("promotion-quorum",
			"whether a promotion under way is measured by a new quorum, or by that of its "+
				"beginning (#11574)",
			"newest|first", func(r *rules) *bool { return &r.promote.FixedQuorum }),
		sim.Flag("anonymous-count", "whether replicas that are not registered count in quorums (#5418)",
			"off|on", func(r *rules) *bool { return &r.limbo.Anonymous }),
	}
}

// logDefectRows are about appliers, restarts, snapshots and joins (4.5).
func logDefectRows() []rule {
	return append(restartDefectRows(), queueLimitRows()...)
}

// restartDefectRows are about what is on the disk, and who has to have it.
func restartDefectRows() []rule {
	return []rule{
		sim.Flag("effect", "when a control row of a peer takes effect: once it is durable, or as it is "+
			"submitted (#5213)",
			"durable|submitted", func(r *rules) *bool { return &r.limbo.AppliesEarly }),
		sim.Flag("replay", "what recovery takes in at once: a transaction, or a row (#5874)",
			"whole|by-row", func(r *rules) *bool { return &r.log.RowByRow }),
		sim.Flag("replay-flags", "whether recovery is told by a row that it was queued, or by the queue "+
			"(#11053)",
			"row|queue", func(r *rules) *bool { return &r.log.DerivedFlags }),
		sim.Flag("subscribe", "what a subscription says that a node has: what is in its WAL, or what is "+
			"accepted for it (M28)",
			"wal|accepted", func(r *rules) *bool { return &r.log.SubscribeAhead }),
		sim.Flag("accepted", "which rows a restarted node takes as accepted: those on its disk, or none "+
			"(#6028)",
			"disk|none", func(r *rules) *bool { return &r.log.EarlyApplied }),
		sim.Flag("joiner-counts", "from when on a joiner counts in quorums: once it is registered, or "+
			"once it is known (#10087)",
			"registered|at-once", func(r *rules) *bool { return &r.log.CountsAtOnce }),
		sim.Flag("in-flight", "whether a row that is on its way to the disk is skipped as it comes "+
			"again, or taken (#9916)",
			"skipped|taken", func(r *rules) *bool { return &r.log.InFlight }),
		sim.Flag("lost-rows", "whether a node waits for rows of its own that it has lost, or writes on "+
			"(#10592)",
			"awaited|replaced", func(r *rules) *bool { return &r.log.ReusesLSN }),
		sim.Flag("queued-ack", "what becomes of an ACK that is left from a former connection (#12795)",
			"dropped|sent", func(r *rules) *bool { return &r.log.OldAck }),
		sim.Flag("snapshot-view", "whether a snapshot waits for what it shows (#11180)",
			"waits|at-once", func(r *rules) *bool { return &r.log.ViewAtOnce }),
		sim.Flag("snapshot-boundary",
			"of when the boundary in a snapshot is: of its last transaction, or of its "+
				"beginning (#11754)",
			"last|first", func(r *rules) *bool { return &r.log.BoundaryOld }),
	}
}

// queueLimitRows are about latches, limits and local writes.
func queueLimitRows() []rule {
	return []rule{
		sim.Flag("next-volatile",
			"which of the transactions that wait for a place in the journal is next (#11180)",
			"oldest|newest", func(r *rules) *bool { return &r.limbo.NewestEnters }),
		sim.Flag("cancel-volatile",
			"whether what waits behind a cancelled transaction for a place in the journal is "+
				"undone too (#11180)",
			"cascades|alone", func(r *rules) *bool { return &r.limbo.CancelAlone }),
		sim.Flag("latch-after-error", "whether the latch is free after a split-brain or a failed write "+
			"(#10073)",
			"free|kept", func(r *rules) *bool { return &r.log.KeepsLatch }),
		sim.Flag("volatile", "whether a control row waits for transactions that are not in the journal "+
			"(#12205)",
			"ignored|awaited", func(r *rules) *bool { return &r.log.WaitsVolatile }),
		sim.Flag("limit", "whose the limit of the queue is: its owner's, or that of replicas (#11836)",
			"owner|replica", func(r *rules) *bool { return &r.limbo.LimitsReplicas }),
		sim.Flag("local-writes", "whether local spaces may be written to while the queue is another's "+
			"(#7592)",
			"allowed|refused", func(r *rules) *bool { return &r.limbo.BarsLocal }),
	}
}
