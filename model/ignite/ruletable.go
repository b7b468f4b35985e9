package ignite

import (
	"fmt"

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

// ruleTable are the decisions that stories and searches vary: the axes of the specification, and
// where the draft and the shipped code differ.
var ruleTable = []rule{
	{"entry", "whether a node writes START and collects transactions as it enters the cut, or in a " +
		"thread of its own (1.8, D8)", []setting{
		{"atomic", func(r *rules) { r.Split = false }},
		{"split", func(r *rules) { r.Split = true }},
	}},
	{"commit", "whether a commit is one event, or two: data records, and completion (1.7)", []setting{
		{"atomic", func(r *rules) { r.SplitEnd = false }},
		{"split", func(r *rules) { r.SplitEnd = true }},
	}},
	{"log", "whether the record of PREPARED is written at once, or as a step of its own, which the " +
		"next message waits for (5.3)", []setting{
		{"atomic", func(r *rules) { r.SplitLog = false }},
		{"split", func(r *rules) { r.SplitLog = true }},
	}},
	{"scan", "whether START, the scan of active transactions and that of the remembered ones are " +
		"one step or three (1.8)", []setting{
		{"atomic", func(r *rules) { r.ScanSteps = false }},
		{"split", func(r *rules) { r.ScanSteps = true }},
	}},
	{"decide", "whether the side of a transaction is recorded in the step in which it is dropped " +
		"from the list, or before that (R16)", []setting{
		{"atomic", func(r *rules) { r.DecideEnd = false }},
		{"split", func(r *rules) { r.DecideEnd = true }},
	}},
	{"preparing", "whether a cut waits for transactions that are PREPARING (1.11)", []setting{
		{"skip", func(r *rules) { r.Tracks &^= setOf(preparing) }},
		{"track", func(r *rules) { r.Tracks |= setOf(preparing) }},
	}},
	{"suspended", "whether a cut waits for SUSPENDED transactions (D5)", []setting{
		{"skip", func(r *rules) { r.Tracks &^= setOf(suspended) }},
		{"track", func(r *rules) { r.Tracks |= setOf(suspended) }},
	}},
	{"sign", "whether messages carry the cut always, or while one runs (D2)", []setting{
		{"always", func(r *rules) { r.Always = true }},
		{"running", func(r *rules) { r.Always = false }},
	}},
	{"identity", "whether a cut is named by a version that grows, or by an id that says nothing " +
		"(D1)", []setting{
		{"version", func(r *rules) { r.Counter = true }},
		{"id", func(r *rules) { r.Counter = false }},
	}},
	{"zero-backups", "who fixes the tag of a transaction in one phase without a backup (D4)",
		[]setting{
			{"primary", func(r *rules) { r.ZeroSigner = signPrimary }},
			{"nobody", func(r *rules) { r.ZeroSigner = asPublished }},
		}},
	{"rescued", "whether a primary that commits by recovery says so to its backups (D11)", []setting{
		{"untold", func(r *rules) { r.TellsRescue = false }},
		{"told", func(r *rules) { r.TellsRescue = true }},
	}},
	{"backups", "whether one phase wants all keys to have the same backup", []setting{
		{"any", func(r *rules) { r.commits.EvenBackups = false }},
		{"even", func(r *rules) { r.commits.EvenBackups = true }},
	}},
	{"validation", "whether primaries that have only reads to validate are asked together with the " +
		"others, or before them", []setting{
		{"together", func(r *rules) { r.commits.ReadsFirst = false }},
		{"first", func(r *rules) { r.commits.ReadsFirst = true }},
	}},
	{"cut-off", "whether a commit is completed at a restart, of whose data records a crash has lost " +
		"the last", []setting{
		{"left", func(r *rules) { r.replay.Completes = false }},
		{"completed", func(r *rules) { r.replay.Completes = true }},
	}},
	{"counters", "which update counters restored data has: those of the cut, or new ones, above " +
		"all that were given", []setting{
		{"of-cut", func(r *rules) { r.replay.CountsOn = false }},
		{"new", func(r *rules) { r.replay.CountsOn = true }},
	}},
	{"lost", "what near tells its client of one phase whose owners are all gone (3.2)", []setting{
		{"rollback", func(r *rules) { r.rescue.LostUnknown = false }},
		{"unknown", func(r *rules) { r.rescue.LostUnknown = true }},
	}},
	{"primary-gone", "whom a client waits for that waits for primaries only, if one of them leaves " +
		"(3.2)", []setting{
		{"nobody", func(r *rules) { r.rescue.AsksBackups = false }},
		{"backups", func(r *rules) { r.rescue.AsksBackups = true }},
	}},
	{"recovery", "whether the messages of recovery carry the cut", []setting{
		{"signed", func(r *rules) { r.SignRescue = true }},
		{"unsigned", func(r *rules) { r.SignRescue = false }},
	}},
	{"recovered", "what a tracked transaction that recovery committed makes of the local cut (D9, " +
		"D11)", []setting{
		{"fails", func(r *rules) { r.Recovered = asShipped }},
		{"tag", func(r *rules) { r.Recovered = byTag }},
	}},
	{"unknown", "what a tracked transaction that ended UNKNOWN makes of the local cut (R18)",
		[]setting{
			{"fails", func(r *rules) { r.Unknown = asShipped }},
			{"tag", func(r *rules) { r.Unknown = byTag }},
		}},
	{"stages", "whether a cut's process has one stage, or a second one that waits for the " +
		"transactions that could be signed with it (1.12, D1)", []setting{
		{"one", func(r *rules) { r.process.OneStage = true }},
		{"two", func(r *rules) { r.process.OneStage = false }},
	}},
	{"waits", "for whose replies the reducer waits (IGNITE-18573, D18)", []setting{
		{"all", func(r *rules) { r.process.Awaits = allNodes }},
		{"servers", func(r *rules) { r.process.Awaits = serversOnly }},
		{"baseline", func(r *rules) { r.process.Awaits = listedOnly }},
	}},
	{"change", "whether a server that joins or leaves ends the local cuts that are running (D9, " +
		"D10)", []setting{
		{"stops", func(r *rules) { r.process.StopsOnChange = true }},
		{"ignored", func(r *rules) { r.process.StopsOnChange = false }},
	}},
	{"guard", "whether a node remembers the ids of cuts that have ended (D1, M-23)", []setting{
		{"on", func(r *rules) { r.process.Guards = true }},
		{"off", func(r *rules) { r.process.Guards = false }},
	}},
	{"introduce", "whether a node that joins is told which cut is running, before it takes part",
		[]setting{
			{"on", func(r *rules) { r.process.Introduces = true }},
			{"off", func(r *rules) { r.process.Introduces = false }},
		}},
	{"basing", "whether it is told as well which full snapshot is being made", []setting{
		{"told", func(r *rules) { r.process.TellsBase = true }},
		{"untold", func(r *rules) { r.process.TellsBase = false }},
	}},
	{"overtake", "whether a node that is in a cut enters the next one, which a message brings " +
		"(IGNITE-18599)", []setting{
		{"on", func(r *rules) { r.process.Overtakes = true }},
		{"off", func(r *rules) { r.process.Overtakes = false }},
	}},
	{"counts", "whether a node numbers increments by what is on its disk, or by the successes that " +
		"it has seen", []setting{
		{"written", func(r *rules) { r.process.Doubts = false }},
		{"seen", func(r *rules) { r.process.Doubts = true }},
	}},
	{"remembers", "whether the callback between the two steps of entering sees commits that fail",
		[]setting{
			{"all", func(r *rules) { r.RemembersFailed = true }},
			{"successes", func(r *rules) { r.RemembersFailed = false }},
		}},
	{"vanished", "what counts of a node that leaves before it answers the question of recovery (3.1)",
		[]setting{
			{"yes", func(r *rules) { r.rescue.Vanished = countsAsYes }},
			{"no", func(r *rules) { r.rescue.Vanished = countsAsNo }},
			{"again", func(r *rules) { r.rescue.Vanished = asksAnew }},
		}},
	{"no-vote", "whether a node that has said no to recovery remembers it (3.1, I-18)", []setting{
		{"kept", func(r *rules) { r.rescue.RememberNo = true }},
		{"forgotten", func(r *rules) { r.rescue.RememberNo = false }},
	}},
	{"gone", "whether a question of recovery says who is gone, and who answers hears no more of those",
		[]setting{
			{"told", func(r *rules) { r.rescue.TellsGone = true }},
			{"untold", func(r *rules) { r.rescue.TellsGone = false }},
		}},
	{"read-only", "whether an object with nothing but reads counts as prepared in recovery " +
		"(IGNITE-12956)", []setting{
		{"prepared", func(r *rules) { r.rescue.ReadsVote = true }},
		{"unprepared", func(r *rules) { r.rescue.ReadsVote = false }},
	}},
	{"rebalance", "which of the draft's four options keeps data and log together when a node takes " +
		"over what it has missed (D12)", []setting{
		{"flag", func(r *rules) { r.topology.Rebalance = forbidIncrements }},
		{"wal", func(r *rules) { r.topology.Rebalance = logAll }},
		{"snapshot", func(r *rules) { r.topology.Rebalance = snapshotGroups }},
		{"record", func(r *rules) { r.topology.Rebalance = recordRebalance }},
	}},
	{"replay", "whether a replay of a later increment asks its sets from the increment before on, " +
		"which rests on the drain, or from the full snapshot on (4, 1.10)", []setting{
		{"from-base", func(r *rules) { r.replay.Undrained = true }},
		{"from-previous", func(r *rules) { r.replay.Undrained = false }},
	}},
	{"version", "which version a cluster has after a restore: that of the cut, or the newest (D1)",
		[]setting{
			{"of-cut", func(r *rules) { r.replay.VersionBack = true }},
			{"newest", func(r *rules) { r.replay.VersionBack = false }},
		}},
	{"restored", "whether increments go on after a restore, or a full snapshot comes first (D12)",
		[]setting{
			{"goes-on", func(r *rules) { r.replay.Increments = true }},
			{"needs-base", func(r *rules) { r.replay.Increments = false }},
		}},
}

// table is that as the engine has it.
func table() sim.RuleTable[rules] {
	var t sim.RuleTable[rules]
	for _, r := range ruleTable {
		row := sim.RuleRow[rules]{Name: r.name, Doc: r.doc}
		for _, v := range r.values {
			row.Values = append(row.Values, sim.RuleSetting[rules]{Name: v.name, Set: v.set})
		}
		t = append(t, row)
	}
	return t
}

// ruleList says of each rule which value each mode has.
func ruleList() []sim.Rule {
	var holders []sim.RuleHolder[rules]
	for _, m := range modes() {
		holders = append(holders, sim.RuleHolder[rules]{Name: m.name, Rules: m.rules})
	}
	return table().Rules(holders)
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	v, ok := named(to.Name)
	if !ok {
		return to, fmt.Errorf("ignite has no variant %q to set rules on", to.Name)
	}
	return v.with(func(r *rules) { table().Set(r, given) }), nil
}
