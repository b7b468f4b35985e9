package cli

import (
	"fmt"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// maxFaults is how many faults a report names; it counts the others.
const maxFaults = 6

// maxDrawn is how many choices a report names; the seed, or a pinned story, has them all.
const maxDrawn = 5

// faults are the misfortunes of a run up to and with an entry: who, what, and at which entry.
func faults(run *sim.Run, upTo int) string {
	var all []string
	for i, e := range run.Trace[:min(upTo+1, len(run.Trace))] {
		if !misfortune(e.Kind) {
			continue
		}
		all = append(all, fmt.Sprintf("%s [%d]", said(run, e), i))
	}
	switch {
	case len(all) == 0:
		return "none up to there: no crash, no loss, no copy, no partition"
	case len(all) > maxFaults:
		return fmt.Sprintf("%s, and %d more", strings.Join(all[:maxFaults], ", "), len(all)-maxFaults)
	}
	return strings.Join(all, ", ")
}

// misfortune says that an entry is a fault of the world, not a step of the protocol.
func misfortune(k sim.EntryKind) bool {
	switch k {
	case sim.EntryLost, sim.EntryCopied, sim.EntrySyncFailed, sim.EntryCrashed, sim.EntryPaused,
		sim.EntryParted, sim.EntryClock, sim.EntryDisk:
		return true
	}
	return false
}

// drawn are the options of a run in one line that can be passed back, as flags, and the first of
// what chance chose, as the story of the run without chance would say it.
func drawn(run *sim.Run, chosen []sim.Exception) string {
	if run.Plan.Seed == 0 && len(chosen) == 0 {
		return "nothing: without a seed and without -- chance -- nothing is left to choose"
	}
	var texts []string
	for _, e := range chosen[:min(len(chosen), maxDrawn)] {
		texts = append(texts, scenarios.ExceptionText(e))
	}
	if more := len(chosen) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more, which run --pin FILE writes", more))
	}
	if len(texts) == 0 {
		texts = []string{"everything as without a seed"}
	}
	if run.Plan.Seed == 0 {
		return strings.Join(texts, "; ")
	}
	return fmt.Sprintf("--seed %d: %s", run.Plan.Seed, strings.Join(texts, "; "))
}
