package register

import "github.com/downset/downset/sim"

// Protocol is a register that is read and written at majorities, and one whose reads are quicker
// where nothing is under way.
var Protocol = &sim.Protocol{
	Name:       "register",
	Doc:        "registers read and written at majorities: Attiya, Bar-Noy and Dolev, many writers",
	Variants:   variants(),
	Properties: properties(),
	Goals:      goals,
	Stands: sim.Losses | sim.Duplicates | sim.Partitions | sim.Crashes | sim.TornRecords |
		sim.SlowDisks | sim.Pauses | sim.Clocks | sim.LateTimers,
	Moments: []sim.Moment{
		{What: sim.Writes, Kind: "stored"},
		{What: sim.Notes, Kind: "stored"},
		{What: sim.Notes, Kind: "quorum"},
		{What: sim.Sends, Kind: "store"},
		{What: sim.Fires, Kind: "again"},
	},
	ParseOp: parseOp,
	OpWords: opWords,
	Observe: observe,
	Shows:   []string{"value", "tag", "reads", "final"},
	Draw:    drawLoad,
	Final:   final,
}
