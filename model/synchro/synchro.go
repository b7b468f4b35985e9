package synchro

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// Protocol is Tarantool's synchronous replication, over five years of its rules.
var Protocol = &sim.Protocol{
	Name: "synchro",
	Doc:  "Tarantool's synchronous replication: CONFIRM, ROLLBACK, PROMOTE, elections (#5445)",
	Lanes: []sim.LaneSpec{
		{Name: "relay"},
		{Name: "applier"},
		{Name: "raft"},
	},
	Variants:   variants(),
	Rules:      ruleList(),
	Apply:      applyRules,
	Properties: properties(),
	Goals:      goalList(),
	Joins:      true,
	Stands: sim.Partitions | sim.Breaks | sim.Crashes | sim.TornRecords | sim.SlowDisks | sim.Pauses |
		sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "plays"},
		{What: sim.Notes, Kind: "owns"},
		{What: sim.Notes, Kind: "votes"},
		{What: sim.Notes, Kind: "confirms"},
		{What: sim.Notes, Kind: "entered"},
		{What: sim.Sends, Kind: "ack"},
		{What: sim.Receives, Kind: "row"},
		{What: sim.Writes, Kind: "row"},
		{What: sim.Notes, Kind: "stored"},
		{What: sim.Notes, Kind: "rises"},
	},
	ParseSetup: parseSetup,
	SetupWords: setupWords,
	FitSetup:   fitSetup,
	ParseOp:    parseOp,
	OpWords:    opWords,
	OpNodes:    opNodes,
	Observe:    observe,
	Shows:      shows,
	Cluster:    drawCluster,
	Draw:       drawLoad,
	Pace:       40 * time.Millisecond,
	Final:      finalReads,
}

// finalReads ask, once the world has healed, every node for a write, which the one that leads must
// do, and then one of them for a linearizable read of each key that workloads and stories write
// (6.3, 6.5): a lost write shows even if nobody had read it.
func finalReads(nodes []string) []sim.Action {
	var all []sim.Action
	ask := func(node string, words ...string) {
		all = append(all, sim.Action{Verb: sim.Request, Node: node, Words: words})
	}
	for _, n := range nodes {
		ask(n, "put", probeKey+"="+n)
	}
	for _, k := range append(slices.Clone(syncKeys), "k") {
		if len(nodes) > 0 {
			ask(nodes[0], "get", k, "linearizable")
		}
	}
	return all
}
