package ignite

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// ruleTable are the decisions that stories and searches vary: the axes of the specification, and
// where the draft and the shipped code differ.
var ruleTable = sim.RuleTable[rules]{
	sim.Decision("entry",
		"whether a node writes START and collects transactions as it enters the cut, or in a "+
			"thread of its own (1.8, D8)",
		sim.Setting("atomic", func(r *rules) { r.Split = false }),
		sim.Setting("split", func(r *rules) { r.Split = true }),
	),
	sim.Decision("commit", "whether a commit is one event, or two: data records, and completion (1.7)",
		sim.Setting("atomic", func(r *rules) { r.SplitEnd = false }),
		sim.Setting("split", func(r *rules) { r.SplitEnd = true }),
	),
	sim.Decision("log",
		"whether the record of PREPARED is written at once, or as a step of its own, which the "+
			"next message waits for (5.3)",
		sim.Setting("atomic", func(r *rules) { r.SplitLog = false }),
		sim.Setting("split", func(r *rules) { r.SplitLog = true }),
	),
	sim.Decision("scan",
		"whether START, the scan of active transactions and that of the remembered ones are one "+
			"step or three (1.8)",
		sim.Setting("atomic", func(r *rules) { r.ScanSteps = false }),
		sim.Setting("split", func(r *rules) { r.ScanSteps = true }),
	),
	sim.Decision("decide",
		"whether the side of a transaction is recorded in the step in which it is dropped from "+
			"the list, or before that (R16)",
		sim.Setting("atomic", func(r *rules) { r.DecideEnd = false }),
		sim.Setting("split", func(r *rules) { r.DecideEnd = true }),
	),
	sim.Decision("preparing", "whether a cut waits for transactions that are PREPARING (1.11)",
		sim.Setting("skip", func(r *rules) { r.Tracks &^= setOf(preparing) }),
		sim.Setting("track", func(r *rules) { r.Tracks |= setOf(preparing) }),
	),
	sim.Decision("suspended", "whether a cut waits for SUSPENDED transactions (D5)",
		sim.Setting("skip", func(r *rules) { r.Tracks &^= setOf(suspended) }),
		sim.Setting("track", func(r *rules) { r.Tracks |= setOf(suspended) }),
	),
	sim.Decision("sign", "whether messages carry the cut always, or while one runs (D2)",
		sim.Setting("always", func(r *rules) { r.Always = true }),
		sim.Setting("running", func(r *rules) { r.Always = false }),
	),
	sim.Decision("identity",
		"whether a cut is named by a version that grows, or by an id that says nothing (D1)",
		sim.Setting("version", func(r *rules) { r.Counter = true }),
		sim.Setting("id", func(r *rules) { r.Counter = false }),
	),
	sim.Decision("zero-backups",
		"who fixes the tag of a transaction in one phase without a backup (D4)",

		sim.Setting("primary", func(r *rules) { r.ZeroSigner = signPrimary }),
		sim.Setting("nobody", func(r *rules) { r.ZeroSigner = asPublished }),
	),
	sim.Decision("rescued", "whether a primary that commits by recovery says so to its backups (D11)",
		sim.Setting("untold", func(r *rules) { r.TellsRescue = false }),
		sim.Setting("told", func(r *rules) { r.TellsRescue = true }),
	),
	sim.Decision("backups", "whether one phase wants all keys to have the same backup",
		sim.Setting("any", func(r *rules) { r.commits.EvenBackups = false }),
		sim.Setting("even", func(r *rules) { r.commits.EvenBackups = true }),
	),
	sim.Decision("validation",
		"whether primaries that have only reads to validate are asked together with the others, "+
			"or before them",
		sim.Setting("together", func(r *rules) { r.commits.ReadsFirst = false }),
		sim.Setting("first", func(r *rules) { r.commits.ReadsFirst = true }),
	),
	sim.Decision("cut-off",
		"whether a commit is completed at a restart, of whose data records a crash has lost the "+
			"last",
		sim.Setting("left", func(r *rules) { r.replay.Completes = false }),
		sim.Setting("completed", func(r *rules) { r.replay.Completes = true }),
	),
	sim.Decision("counters",
		"which update counters restored data has: those of the cut, or new ones, above all that "+
			"were given",
		sim.Setting("of-cut", func(r *rules) { r.replay.CountsOn = false }),
		sim.Setting("new", func(r *rules) { r.replay.CountsOn = true }),
	),
	sim.Decision("lost", "what near tells its client of one phase whose owners are all gone (3.2)",
		sim.Setting("rollback", func(r *rules) { r.rescue.LostUnknown = false }),
		sim.Setting("unknown", func(r *rules) { r.rescue.LostUnknown = true }),
	),
	sim.Decision("primary-gone",
		"whom a client waits for that waits for primaries only, if one of them leaves (3.2)",
		sim.Setting("nobody", func(r *rules) { r.rescue.AsksBackups = false }),
		sim.Setting("backups", func(r *rules) { r.rescue.AsksBackups = true }),
	),
	sim.Decision("recovery", "whether the messages of recovery carry the cut",
		sim.Setting("signed", func(r *rules) { r.SignRescue = true }),
		sim.Setting("unsigned", func(r *rules) { r.SignRescue = false }),
	),
	sim.Decision("recovered",
		"what a tracked transaction that recovery committed makes of the local cut (D9, D11)",
		sim.Setting("fails", func(r *rules) { r.Recovered = asShipped }),
		sim.Setting("tag", func(r *rules) { r.Recovered = byTag }),
	),
	sim.Decision("unknown",
		"what a tracked transaction that ended UNKNOWN makes of the local cut (R18)",

		sim.Setting("fails", func(r *rules) { r.Unknown = asShipped }),
		sim.Setting("tag", func(r *rules) { r.Unknown = byTag }),
	),
	sim.Decision("stages",
		"whether a cut's process has one stage, or a second one that waits for the transactions "+
			"that could be signed with it (1.12, D1)",
		sim.Setting("one", func(r *rules) { r.process.OneStage = true }),
		sim.Setting("two", func(r *rules) { r.process.OneStage = false }),
	),
	sim.Decision("waits", "for whose replies the reducer waits (IGNITE-18573, D18)",
		sim.Setting("all", func(r *rules) { r.process.Awaits = allNodes }),
		sim.Setting("servers", func(r *rules) { r.process.Awaits = serversOnly }),
		sim.Setting("baseline", func(r *rules) { r.process.Awaits = listedOnly }),
	),
	sim.Decision("change",
		"whether a server that joins or leaves ends the local cuts that are running (D9, D10)",
		sim.Setting("stops", func(r *rules) { r.process.StopsOnChange = true }),
		sim.Setting("ignored", func(r *rules) { r.process.StopsOnChange = false }),
	),
	sim.Decision("guard", "whether a node remembers the ids of cuts that have ended (D1, M-23)",
		sim.Setting("on", func(r *rules) { r.process.Guards = true }),
		sim.Setting("off", func(r *rules) { r.process.Guards = false }),
	),
	sim.Decision("introduce",
		"whether a node that joins is told which cut is running, before it takes part",

		sim.Setting("on", func(r *rules) { r.process.Introduces = true }),
		sim.Setting("off", func(r *rules) { r.process.Introduces = false }),
	),
	sim.Decision("basing", "whether it is told as well which full snapshot is being made",
		sim.Setting("told", func(r *rules) { r.process.TellsBase = true }),
		sim.Setting("untold", func(r *rules) { r.process.TellsBase = false }),
	),
	sim.Decision("overtake",
		"whether a node that is in a cut enters the next one, which a message brings "+
			"(IGNITE-18599)",
		sim.Setting("on", func(r *rules) { r.process.Overtakes = true }),
		sim.Setting("off", func(r *rules) { r.process.Overtakes = false }),
	),
	sim.Decision("counts",
		"whether a node numbers increments by what is on its disk, or by the successes that it "+
			"has seen",
		sim.Setting("written", func(r *rules) { r.process.Doubts = false }),
		sim.Setting("seen", func(r *rules) { r.process.Doubts = true }),
	),
	sim.Decision("remembers",
		"whether the callback between the two steps of entering sees commits that fail",

		sim.Setting("all", func(r *rules) { r.RemembersFailed = true }),
		sim.Setting("successes", func(r *rules) { r.RemembersFailed = false }),
	),
	sim.Decision("vanished",
		"what counts of a node that leaves before it answers the question of recovery (3.1)",

		sim.Setting("yes", func(r *rules) { r.rescue.Vanished = countsAsYes }),
		sim.Setting("no", func(r *rules) { r.rescue.Vanished = countsAsNo }),
		sim.Setting("again", func(r *rules) { r.rescue.Vanished = asksAnew }),
	),
	sim.Decision("no-vote", "whether a node that has said no to recovery remembers it (3.1, I-18)",
		sim.Setting("kept", func(r *rules) { r.rescue.RememberNo = true }),
		sim.Setting("forgotten", func(r *rules) { r.rescue.RememberNo = false }),
	),
	sim.Decision("gone",
		"whether a question of recovery says who is gone, and who answers hears no more of "+
			"those",

		sim.Setting("told", func(r *rules) { r.rescue.TellsGone = true }),
		sim.Setting("untold", func(r *rules) { r.rescue.TellsGone = false }),
	),
	sim.Decision("read-only",
		"whether an object with nothing but reads counts as prepared in recovery (IGNITE-12956)",
		sim.Setting("prepared", func(r *rules) { r.rescue.ReadsVote = true }),
		sim.Setting("unprepared", func(r *rules) { r.rescue.ReadsVote = false }),
	),
	sim.Decision("rebalance",
		"which of the draft's four options keeps data and log together when a node takes over "+
			"what it has missed (D12)",
		sim.Setting("flag", func(r *rules) { r.topology.Rebalance = forbidIncrements }),
		sim.Setting("wal", func(r *rules) { r.topology.Rebalance = logAll }),
		sim.Setting("snapshot", func(r *rules) { r.topology.Rebalance = snapshotGroups }),
		sim.Setting("record", func(r *rules) { r.topology.Rebalance = recordRebalance }),
	),
	sim.Decision("replay",
		"whether a replay of a later increment asks its sets from the increment before on, "+
			"which rests on the drain, or from the full snapshot on (4, 1.10)",
		sim.Setting("from-base", func(r *rules) { r.replay.Undrained = true }),
		sim.Setting("from-previous", func(r *rules) { r.replay.Undrained = false }),
	),
	sim.Decision("version",
		"which version a cluster has after a restore: that of the cut, or the newest (D1)",

		sim.Setting("of-cut", func(r *rules) { r.replay.VersionBack = true }),
		sim.Setting("newest", func(r *rules) { r.replay.VersionBack = false }),
	),
	sim.Decision("restored",
		"whether increments go on after a restore, or a full snapshot comes first (D12)",

		sim.Setting("goes-on", func(r *rules) { r.replay.Increments = true }),
		sim.Setting("needs-base", func(r *rules) { r.replay.Increments = false }),
	),
}

// ruleList says of each rule which value each mode has.
func ruleList() []sim.Rule {
	var holders []sim.RuleHolder[rules]
	for _, m := range modes() {
		holders = append(holders, sim.RuleHolder[rules]{Name: m.name, Rules: m.rules})
	}
	return ruleTable.Rules(holders)
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	v, ok := named(to.Name)
	if !ok {
		return to, fmt.Errorf("ignite has no variant %q to set rules on", to.Name)
	}
	return v.with(func(r *rules) { ruleTable.Set(r, given) }), nil
}
