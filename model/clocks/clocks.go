package clocks

import (
	"time"

	"github.com/downset/downset/sim"
)

// Protocol is logical clocks, and what is built on them.
var Protocol = &sim.Protocol{
	Name:       "clocks",
	Doc:        "logical clocks, and a store, streams and leases that need one or the other",
	Variants:   variants(),
	Rules:      ruleList(),
	Apply:      applyRules,
	Properties: properties(),
	Goals:      goalList(),
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Crashes | sim.TornRecords |
		sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "holds"},
		{What: sim.Sends, Kind: "offer"},
		{What: sim.Sends, Kind: "done"},
		{What: sim.Notes, Kind: "appended"},
		{What: sim.Notes, Kind: "granted"},
	},
	ParseSetup: parseSetup,
	SetupWords: setupWords,
	FitSetup:   fitSetup,
	ParseOp:    parseOp,
	OpNodes:    opNodes,
	OpWords:    opWords(),
	Observe:    observe,
	Shows:      shows,
	Cluster:    drawCluster,
	Draw:       drawLoad,
	Pace:       3 * time.Millisecond,
	Final:      finalReads,
}
