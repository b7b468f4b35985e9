package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Protocol is Ignite's consistent cut of committed transactions, over commits in one phase and in
// two, with discovery, recovery and restore.
var Protocol = &sim.Protocol{
	Name:       "ignite",
	Doc:        "Apache Ignite's consistent cut: incremental snapshots over 2PC and 1PC (IEP-89)",
	Log:        true,
	Variants:   variants(),
	Rules:      ruleList(),
	Apply:      applyRules,
	Properties: slices.Concat(txProperties(), cutProperties(), restoreProperties()),
	Goals:      goalList(),
	Joins:      true,
	Stands:     sim.Crashes | sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "entered"},
		{What: sim.Notes, Kind: "prepared"},
		{What: sim.Notes, Kind: "tagged"},
		{What: sim.Notes, Kind: "listed"},
		{What: sim.Sends, Kind: "NFQ"},
		{What: sim.Sends, Kind: "DPR"},
		{What: sim.Receives, Kind: "RQ"},
		{What: sim.Writes, Kind: "start"},
		{What: sim.Writes, Kind: "finish"},
	},
	Aside:      func(m sim.Message) bool { return kindOf(unwrap(m)) == 0 },
	FitOp:      fitOp,
	FitSetup:   fitSetup,
	ParseSetup: parseSetup,
	SetupWords: setupWords,
	ParseOp:    parseOp,
	OpWords:    opWords,
	OpNodes:    opNodes,
	Observe:    observe,
	Shows:      shows,
	Point:      pointOf,
	Cluster:    drawCluster,
	Draw:       drawLoad,
	Pages:      []sim.Page{{Name: "recovery", Doc: "costs of restores and cuts", Write: costPage}},
}

// pointOf says that a fact is a node's point of a cut.
func pointOf(b sim.Body) (cut string, ok bool) {
	e, ok := b.(entered)
	return e.Cut.Name, ok
}
