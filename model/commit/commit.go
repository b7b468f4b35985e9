package commit

import "github.com/downset/downset/sim"

// Protocol is atomic commitment in two phases, with presumed abort.
var Protocol = &sim.Protocol{
	Name:       "commit",
	Doc:        "two-phase commit with presumed abort: Mohan, Lindsay, Obermarck; Gray",
	Variants:   variants(),
	Properties: properties(),
	Goals:      goals,
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Crashes | sim.TornRecords |
		sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Notes, Kind: "prepared"},
		{What: sim.Notes, Kind: "commit"},
		{What: sim.Writes, Kind: "decided"},
		{What: sim.Sends, Kind: "yes"},
		{What: sim.Sends, Kind: "no"},
		{What: sim.Sends, Kind: "ack"},
	},
	ParseOp: parseOp,
	OpWords: opWords,
	OpNodes: opNodes,
	Observe: observe,
	Shows:   []string{"outcome", "told"},
	Draw:    drawLoad,
}
