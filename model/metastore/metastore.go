package metastore

import (
	"time"

	"github.com/downset/downset/sim"
)

// Protocol is the metastorage: a store with revisions on a replicated log.
var Protocol = &sim.Protocol{
	Name:       "metastore",
	Doc:        "a key-value store whose changes have one order, with watches, on a replicated log",
	Lanes:      []sim.LaneSpec{{Name: "ask"}},
	Variants:   variants(),
	Rules:      ruleList(),
	Apply:      applyRules,
	Properties: properties(),
	Goals:      goalList(),
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Breaks | sim.Crashes |
		sim.TornRecords | sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "elected"},
		{What: sim.Notes, Kind: "ready"},
		{What: sim.Notes, Kind: "replica"},
		{What: sim.Notes, Kind: "began"},
		{What: sim.Sends, Kind: "events"},
		{What: sim.Sends, Kind: "reply"},
	},
	ParseSetup: parseSetup,
	SetupWords: setupWords,
	FitSetup:   fitSetup,
	ParseOp:    parseOp,
	OpNodes:    opNodes,
	OpWords:    opWords,
	Observe:    observe,
	Shows:      shows,
	Cluster:    drawCluster,
	Draw:       drawLoad,
	Pace:       25 * time.Millisecond,
	Final:      finalReads,
}
