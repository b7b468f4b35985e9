package cut

import "github.com/downset/downset/sim"

// Protocol is the consistent cut of committed transactions by signed messages, with the form
// without signatures that it improves upon and the one by markers that it does without.
var Protocol = &sim.Protocol{
	Name:       "cut",
	Doc:        "consistent cut of committed transactions: the simple model of the draft",
	Lanes:      []sim.LaneSpec{{Name: "tx"}},
	Variants:   variants(),
	Rules:      rules,
	Properties: properties(),
	Goals:      goals,
	Joins:      true,
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Breaks | sim.Crashes | sim.TornRecords |
		sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "point"},
		{What: sim.Writes, Kind: "committed"},
		{What: sim.Sends, Kind: "notify"},
		{What: sim.Fires, Kind: "gather"},
	},
	Apply:   apply,
	ParseOp: parseOp,
	OpNodes: opNodes,
	OpWords: opWords,
	Observe: observe,
	Shows:   []string{"data", "version", "cut", "learned", "side", "channel"},
	Point:   pointOf,
	Draw:    drawLoad,
}
