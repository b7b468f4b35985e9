package cli

import (
	"os"
	"runtime/debug"
)

// While a search runs, the collector waits until the heap is nine times what is in use, up to a
// gibibyte. Of a run nothing is kept but a line, so there is little to find each time, and what a
// collection costs is the stopping and waking of all workers: as Go has it, at twice what is in
// use, two workers are one and a half times as fast as one.
const (
	sweepPercent = 800
	sweepLimit   = 1 << 30
)

// collectSeldom sets the collector for a search, unless the environment says how it is to be, and
// gives what sets it back.
func collectSeldom() (restore func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(sweepPercent), debug.SetMemoryLimit(sweepLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
