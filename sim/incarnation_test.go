package sim_test

import (
	"testing"

	"github.com/downset/downset/sim"
)

// told tells chance what to choose for the first decision of a name.
func told(what sim.Choice, at, to, of, keys string, value int64) sim.Exception {
	return sim.Exception{Name: sim.Name{What: what, At: at, To: to, Of: of, Keys: keys, N: 1}, Value: value}
}

// Chance crashes B and would restart it after 10 ms. Somebody restarts it before, and crashes it
// again: that crash is not chance's, so B stays down.
func TestARestartByChanceIsOfTheCrashItBelongsTo(t *testing.T) {
	p := timed("A B", "B x: append r 1", "at 5ms restart B", "at 7ms crash B", "at 15ms A y: send B m")
	p.Chance = []sim.Exception{told(sim.CrashAt, "B", "before append", "r", "1", 1),
		told(sim.RestartIn, "B", "", "", "", 1+int64(10*ms))}
	run := play(t, p)
	compare(t, run, "B", only("B", tale(run, sim.EntryStarted, sim.EntryCrashed, sim.EntryDelivered)),
		"B starts, B crashes 0, B starts, B crashes 0")
	compare(t, run, "stale", staleText(run), "")
}

// The end of B's sync comes while B is paused, and waits for it. B crashes: the next incarnation has
// nothing to go on with, and what it gets while it is paused comes when it goes on.
func TestThePausedEndOfASyncDiesWithItsIncarnation(t *testing.T) {
	p := world("A B", "hold disk->B", "B x: append r 1; sync; note a", "pause B", "release disk->B", "crash B",
		"restart B", "pause B", "A y: send B m", "resume B")
	p.Network.DiskSlow = true
	run := play(t, p)
	compare(t, run, "B", facts(run, "B"), "got A m")
	compare(t, run, "stale", staleText(run), "")
}

// The first sync of B would take 900 ms, and dies with it. The next incarnation's own takes 1 ms.
func TestANewIncarnationDoesNotWaitForTheDiskOfTheDeadOne(t *testing.T) {
	p := timed("B", "B x: append r 1; sync", "at 5ms crash B", "at 6ms restart B",
		"at 7ms B y: append r 2; sync; note done")
	p.Network.DiskSlow, p.Network.SyncTime = true, sim.Dist{Low: ms}
	p.Chance = []sim.Exception{told(sim.Delay, "B", "disk", "r", "1", int64(899*ms))}
	run := play(t, p)
	compare(t, run, "stale", staleText(run), "")
	for _, e := range run.Trace {
		if e.Kind == sim.EntrySynced && e.At != sim.Time(8*ms) {
			t.Errorf("record r 2 is durable at %v, want 8ms\n%s", e.At, whole(run))
		}
	}
	compare(t, run, "B", facts(run, "B"), "done")
}

// A sync has failed, and B learns of it only in the epilogue, where it crashes for it. What the
// script had in store for B's next crash was for one before the end.
func TestAFaultThatADiskWaitsForDoesNotStrikeInTheEpilogue(t *testing.T) {
	for _, fault := range []string{"torn", "keep 1"} {
		p := world("A B", "disk B failing", "hold disk->B", "B x: append r 1; replace 0 s; sync", "maybe disk B "+fault)
		p.Network.DiskSlow = true
		run := play(t, p)
		compare(t, run, fault, tale(run, sim.EntryAppended, sim.EntrySyncFailed, sim.EntryCrashed), "B writes r 1, B sync-failed 1")
		if run.Settled() && count(run, sim.EntryCrashed) == 1 {
			compare(t, run, fault+": the disk", diskText(run.Disks[1]), "")
			continue
		}
		t.Errorf("%s: %d crashes, end %d, want one crash in the epilogue, and rest\n%s", fault,
			count(run, sim.EntryCrashed), run.End, whole(run))
	}
}

// A closes its stream to B with a message in flight that takes 50 ms. It comes up again at once, but
// an epoch ends before the next begins: nobody is told of the new one while the old one is under way.
func TestAStreamComesUpAgainBehindWhatItsBreakLetsArrive(t *testing.T) {
	p := timed("A B", "A x: flow B m; close B")
	p.Network.Links = []sim.Link{{From: "A", To: "B", Delay: sim.Dist{Low: 50 * ms}}}
	run := play(t, p)
	compare(t, run, "", tale(run, sim.EntryDelivered, sim.EntryBroken, sim.EntryOpened),
		"A broken B 1, B receives A m, B broken A 1, B opened A 2, A opened B 2")
}

// B restarts before its absence is noticed. The log lane says that it left and joined; B follows the
// lane from its joining on, and does not hear of its own leaving.
func TestARestartedNodeDoesNotHearOfItsOwnLeaving(t *testing.T) {
	p := withLog(timed("A B", "at 1ms crash B", "at 5ms restart B", "at 9ms A x: publish e"))
	p.Network.Detect = 100 * ms
	run := play(t, p)
	compare(t, run, "B", facts(run, "B"), "joined 2 B, logged 3 e")
	compare(t, run, "A", facts(run, "A"), "left 1 B, joined 2 B, logged 3 e")
}

func TestEveryNthEventIsOneEvent(t *testing.T) {
	run := play(t, world("A B", "every A sends m 2nd, B y: note two", "A x: send B m 1; send B m 2; send B m 3; send B m 4"))
	compare(t, run, "B", facts(run, "B"), "two, got A m 1, got A m 2, got A m 3, got A m 4")
}

// A fault of a disk waits for a crash or a sync. If none comes before the end, its line came to
// nothing.
func TestAFaultOfADiskThatNeverStrikesIsStale(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"torn, and no crash", []string{"disk B torn", "B x: append r 1"}, "disk B torn: no crash came for it"},
		{"torn, and a crash", []string{"disk B torn", "B x: append r 1", "crash B"}, ""},
		{"failing, and no sync", []string{"disk B failing", "B x: append r 1"}, "disk B failing: no sync came for it"},
		{"failing, and a sync", []string{"disk B failing", "B x: append r 1; sync"}, ""},
		{"failing, and a crash first", []string{"disk B failing", "B x: append r 1", "crash B", "restart B"}, "disk B failing: no sync came for it"},
		{"keep, and no crash", []string{"disk B keep 1", "B x: append r 1"}, "disk B keep 1: no crash came for it"},
		{"keep, and a crash", []string{"disk B keep 1", "B x: append r 1", "crash B"}, ""},
		{"lost, at once", []string{"B x: append r 1", "disk B lost"}, ""},
		{"the crash of another", []string{"disk B torn", "crash A"}, "disk B torn: no crash came for it"},
		{"the second of two", []string{"disk B torn", "crash B", "restart B", "disk B torn"},
			"disk B torn: no crash came for it"},
		{"one that may come to nothing", []string{"maybe disk B torn"}, ""},
		{"one of a trigger", []string{"when B writes r, disk B torn", "B x: append r 1"},
			"when B writes r, disk B torn: no crash came for it"},
		{"one of a trigger that never was", []string{"when B writes r, disk B torn"},
			"when B writes r, disk B torn: its event never happened"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := play(t, world("A B", c.script...))
			compare(t, run, "stale", staleText(run), c.want)
		})
	}
}
