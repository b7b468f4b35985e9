package raft

import (
	"time"

	"github.com/downset/downset/sim"
)

// Protocol is Raft, by two engines, with a state machine of keys and values on each.
var Protocol = &sim.Protocol{
	Name:       "raft",
	Doc:        "a replicated log after Raft: etcd's library, and an engine that reads like the paper",
	Variants:   variants(),
	Rules:      ruleList(),
	Apply:      applyRules,
	Properties: properties(),
	Goals:      goalList(),
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Crashes | sim.TornRecords |
		sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "elected"},
		{What: sim.Notes, Kind: "granted"},
		{What: sim.Notes, Kind: "governs"},
		{What: sim.Notes, Kind: "committed"},
		{What: sim.Writes, Kind: "hardstate"},
	},
	Nemeses:    nemeses(),
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
	Pace:       30 * time.Millisecond,
	Final:      finalReads,
}
