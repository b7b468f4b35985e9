package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// told is what the snapshots of a script were answered, and what the last restart found.
func told(run *sim.Run) (answers []sim.Body, last synchro.Recovered) {
	snaps := map[int64]bool{}
	for _, e := range run.Trace[:run.Epilogue] {
		switch e.Kind {
		case sim.EntryInvoked:
			_, snap := e.Body.(synchro.SnapshotOp)
			snaps[e.N] = snap
		case sim.EntryReturned:
			if snaps[e.N] {
				answers = append(answers, e.Body)
			}
		case sim.EntryNoted:
			if f, ok := e.Body.(synchro.Recovered); ok {
				last = f
			}
		}
	}
	return answers, last
}

func TestASnapshotOfWhatIsRolledBackFails(t *testing.T) {
	p := synchro.Both("P3", func(r *synchro.Rules) { r.Queue().CancelRollsBack = true }, nil)
	run := playedStory(t, p, "kept", oneLeads, untilLed+
		"A put t\nhold A->* row u\nA put u\nA snapshot\nA cancel u\ncrash A\nrestart A\n")
	answers, last := told(run)
	if len(answers) != 1 || answers[0] != (synchro.RolledBack{}) {
		t.Errorf("the snapshot is answered %v, want rolled-back", answers)
	}
	if len(last.Data) != 1 || last.Data[0].Key != "t" || len(last.Log) == 0 {
		t.Errorf("the restart finds %v behind a snapshot, want t in the WAL", last.Data)
	}
}

func TestTheSummaryOfASnapshotIsAsNewAsItsData(t *testing.T) {
	p := synchro.Both("P4", nil, func(r *synchro.Rules) { r.Log().BoundaryOld = true })
	for variant, want := range map[string]sim.NodeID{"kept": 1, "changed": 0} {
		run := playedStory(t, p, variant, manual+"disk slow\n",
			"A promote\nA put t\nhold C->disk row PROMOTE\nB promote\nC snapshot\n"+
				"release C->disk row PROMOTE\ncrash C\nrestart C\n")
		if _, last := told(run); last.Owner != want || len(last.Log) != 0 {
			t.Errorf("%s: the restart finds owner %d and %d rows, want %d and none", variant, last.Owner,
				len(last.Log), want)
		}
	}
}
