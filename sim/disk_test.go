package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// readOnStart makes every machine note its disk when it starts.
var readOnStart = rule{"* start", "read"}

func TestWhatACrashLeavesOfADisk(t *testing.T) {
	const synced = "B x: append r 1; append r 2; sync; append r 3; append r 4; append r 5"
	for _, c := range []struct {
		name   string
		script []string
		want   string // what the restarted machine reads
	}{
		{"what was synced", []string{synced, "crash B"}, "r 1 r 2"},
		{"nothing, if nothing was", []string{"B x: append r 1", "crash B"}, ""},
		{"the first so many of the unsynced", []string{synced, "disk B keep 2", "crash B"}, "r 1 r 2 r 3 r 4"},
		{"all of them, if so many are kept", []string{synced, "disk B keep 9", "crash B"}, "r 1 r 2 r 3 r 4 r 5"},
		{"the first unsynced one torn", []string{synced, "disk B torn", "crash B"}, "r 1 r 2 torn"},
		{"the last kept one torn", []string{synced, "disk B keep 2", "disk B torn", "crash B"}, "r 1 r 2 r 3 torn"},
		{"no tear in what is durable", []string{"B x: append r 1; sync", "disk B torn", "crash B"}, "r 1"},
		{"nothing of a lost disk", []string{synced, "crash B", "disk B lost"}, ""},
		{"a fault is for one crash only", []string{"B x: append r 1", "disk B keep 1", "crash B", "restart B", "B y: append r 2", "crash B"}, "r 1"},
		{"what a crash left is durable", []string{"B x: append r 1", "disk B keep 1", "crash B", "restart B", "crash B"}, "r 1"},
		{"an old snapshot, if the new one was not synced", []string{"B x: append r 1; append r 2; replace 1 s 1; sync; append r 3; replace 3 s 2", "crash B"}, "[s 1] r 2"},
		{"a snapshot that was synced", []string{"B x: append r 1; append r 2; replace 1 s 1; sync", "crash B"}, "[s 1] r 2"},
		{"the last of two snapshots that were synced", []string{"B x: append r 1; append r 2; append r 3; replace 1 s 1; replace 2 s 2; sync", "crash B"}, "[s 2] r 3"},
		{"with a snapshot not synced, what the old log keeps", []string{"B x: append r 1; sync; append r 2; replace 2 s", "disk B keep 1", "crash B"}, "r 1 r 2"},
		{"a snapshot of unsynced records goes with them", []string{"B x: append r 1; append r 2; replace 2 s", "crash B"}, ""},
		{"a snapshot replaced after the sync was submitted is not covered by it", []string{"hold disk->B", "hold B->disk", "B x: append r 1; flush; replace 1 s",
			"deliver B->disk", "crash B"}, "r 1"},
		{"one replaced before is", []string{"hold disk->B", "hold B->disk", "B x: append r 1; append r 2; replace 1 s; flush", "deliver B->disk", "crash B"}, "[s] r 2"},
		{"of three snapshots the one that a sync covered", []string{"hold B->disk", "B x: append r 1; append r 2; append r 3; replace 1 s 1; flush; replace 2 s 2; flush; replace 3 s 3",
			"deliver upto B->disk 2nd", "crash B"}, "[s 2] r 3"},
		{"an effect behind a sync under way has not happened", []string{"hold B->disk", "B x: append r 1; sync; append r 2; replace 1 s", "disk B keep 9", "crash B"}, "r 1"},
		{"nor when the sync is done but not told", []string{"hold disk->B", "B x: append r 1; sync; append r 2; replace 1 s", "disk B keep 9", "crash B"}, "r 1"},
		{"a crash between durable and told keeps the data", []string{"hold disk->B", "B x: append r 1; sync; append r 2", "crash B"}, "r 1"},
		{"a crash before durable does not", []string{"hold B->disk", "B x: append r 1; sync; append r 2", "crash B"}, ""},
		{"a failed sync crashes the node and drops what it covered", []string{"disk B failing", "B x: append r 1; sync; append r 2"}, ""},
		{"a failed flush drops what it covered, whatever later ones say", []string{"disk B failing", "B x: append r 1; flush", "B y: append r 2; flush", "crash B"}, "torn r 2"},
		{"a disk lost under a running node", []string{"B x: append r 1; sync", "disk B lost", "B y: append r 2; sync", "crash B"}, "r 2"},
		{"a disk lost under a running sync", []string{"hold B->disk", "B x: append r 1; sync", "disk B lost", "release B->disk"}, ""},
		{"what is written after the loss is not what the flush covered", []string{"hold B->disk",
			"B x: append r 1; flush", "disk B lost", "B y: append r 2", "release B->disk", "B z: sync", "crash B"}, "r 2"},
		{"a disk lost under a running flush", []string{"hold B->disk", "B x: append r 1; flush", "disk B lost", "B y: append r 2", "release B->disk", "crash B"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withRules(world("B", c.script...), readOnStart)
			p.Network.DiskSlow = true
			run := play(t, p)
			got := factsOf(run, 0)
			compare(t, run, strings.Join(c.script, "\n"), strings.TrimSpace(strings.TrimPrefix(got[len(got)-1], "disk")), c.want)
			compare(t, run, "stale", staleText(run), "")
		})
	}
}

func TestACrashCountsTheRecordsItLost(t *testing.T) {
	for _, c := range []struct {
		script []string
		want   string
	}{
		{[]string{"B x: append r 1; sync; append r 2; append r 3", "crash B"}, "B crashes 2"},
		{[]string{"B x: append r 1; sync; append r 2; append r 3", "disk B keep 1", "crash B"}, "B crashes 1"},
		{[]string{"before B writes r 2, crash B", "B x: append r 1; append r 2"}, "B crashes 1"},
		{[]string{"B x: append r 1; sync; append r 2; replace 2 s", "crash B"}, "B crashes 1"},
	} {
		run := play(t, world("B", c.script...))
		compare(t, run, strings.Join(c.script, "\n"), tale(run, sim.EntryCrashed), c.want)
	}
}

func TestAReturnAfterASyncIsAReturnAfterDurable(t *testing.T) {
	p := timed("A B", "B x: append r 1; sync; return ok; note done; send A m", "B y: note next; return ok")
	p.Network.DiskSlow = true
	p.Network.SyncTime = sim.Dist{Low: 5 * ms, High: 5 * ms}
	p.Network.Told = sim.Dist{Low: 2 * ms, High: 2 * ms}
	run := play(t, p)
	var got []string
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Node == 1 && e.Kind != sim.EntryStarted && e.Kind != sim.EntryInvoked {
			got = append(got, fmt.Sprint(sentence(run, e), " ", e.At))
		}
	}
	compare(t, run, "", strings.Join(got, ", "), "B arrives client x 0s, B writes r 1 0s, B syncs 1 5ms, B told 1 7ms, "+
		"B returns client ok 7ms, B notes done 7ms, B sends A m 7ms, B arrives client y 7ms, B notes next 7ms, B returns client ok 7ms")
}

func TestAnInstantSyncIsPartOfItsHandler(t *testing.T) {
	run := play(t, world("B", "B x: append r 1; sync; note done"))
	compare(t, run, "", tale(run, sim.EntryAppended, sim.EntrySynced, sim.EntryTold, sim.EntryNoted), "B writes r 1, B syncs 1, B notes done")
}

func TestAFlushHasThreeMoments(t *testing.T) {
	const submit = "B x: append r 1; append r 2; flush; note on"
	for _, c := range []story{
		{"durable, then told", []string{submit}, "on, durable 2, synced 2", ""},
		{"the node goes on meanwhile", []string{"hold B->disk", submit, "B y: note y", "release B->disk"}, "on, y, durable 2, synced 2", ""},
		{"others may read before the writer is told", []string{"hold disk->B", submit, "release disk->B"}, "on, durable 2, synced 2", ""},
		{"durable is not told under the name of synced", []string{"hold disk->B r 2", submit}, "on, durable 2", ""},
		{"a failure is one notice", []string{"disk B failing", submit}, "on, sync-failed 2", ""},
		{"a fault is for one sync", []string{"disk B failing", submit, "B y: flush"}, "on, sync-failed 2, durable 2, synced 2", ""},
		{"a paused node hears of it later", []string{"hold B->disk", submit, "pause B", "release B->disk", "resume B"}, "on, durable 2, synced 2", ""},
		{"so does one that waits for a sync", []string{"hold B->disk r 3", submit, "B y: append r 3; sync; note y", "release B->disk r 3"},
			"on, durable 2, synced 2, y", ""},
		{"two in one handler are two", []string{"B x: append r 1; flush; append r 2; flush"}, "durable 1, durable 2, synced 1, synced 2", ""},
		{"a sync behind a flush waits for it", []string{"hold B->disk r 1", "B x: append r 1; flush; append r 2; sync; note done", "B y: note y", "deliver B->disk r 1"},
			"done, y, durable 1, synced 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("B")
			p.Network.DiskSlow = true
			c.play(t, p)
		})
	}
}

func TestAPausedNodeDoesNotGoOnWhenItsSyncIsDone(t *testing.T) {
	p := world("A B", "hold B->disk", "B x: append r; sync; note done; send A m", "pause B", "release B->disk", "A y: note a", "resume B")
	p.Network.DiskSlow = true
	run := play(t, p)
	compare(t, run, "", tale(run, sim.EntrySynced, sim.EntryTold, sim.EntryNoted, sim.EntryResumed),
		"B syncs 1, A notes a, B resumes, B told 1, B notes done, A notes got B m")
}

func TestASyncFailsByExceptionAndByChance(t *testing.T) {
	p := world("B", "B x: append r 1; sync; note a", "restart B", "B x: append r 1; sync; note b")
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.SyncFails, At: "B", To: "disk", Of: "r", Keys: "1"}, Value: 1}}
	run := play(t, p)
	compare(t, run, "", tale(run, sim.EntrySyncFailed, sim.EntryCrashed, sim.EntryNoted, sim.EntrySynced),
		"B sync-failed 1, B crashes 1, B syncs 1, B notes b")
	run = play(t, withLog(world("A B", "disk B failing", "B x: append r; sync; send A m; note n; after 0s t; later w; publish e; return ok")))
	compare(t, run, "nothing after a sync that failed", tale(run, whatHappened...), "B writes r, B unknown client, A notes left 1 B")
	failed := 0
	for seed := range uint64(100) {
		p := busyPlan(seed + 1)
		p.Network.SyncFail = 20_000
		failed += count(play(t, p), sim.EntrySyncFailed)
	}
	if failed < 40 || failed > 100 {
		t.Errorf("%d runs of 100 failed at a sync in 50, want about 64", failed)
	}
}

func TestTornAndKeptRecordsByChance(t *testing.T) {
	kept, torn := map[int]int{}, 0
	for seed := range uint64(200) {
		p := world("B", "B x: append r 1; append r 2; append r 3", "crash B")
		p.Seed, p.Network.Keep, p.Network.Torn = seed+1, true, 300_000
		d := play(t, p).Disks[0]
		kept[int(d.Last())]++
		if d.Last() > 0 && d.At(d.Last()) == (sim.Torn{}) {
			torn++
		}
	}
	for n := range 4 {
		if kept[n] < 25 {
			t.Errorf("%d of 200 crashes left %d records, want about 50: %v", kept[n], n, kept)
		}
	}
	if torn < 30 || torn > 90 {
		t.Errorf("%d of 200 crashes tore a record, want about 60", torn)
	}
	p := world("B", "B x: append r 1; append r 2; append r 3", "crash B", "restart B", "B x: append r 4", "crash B")
	p.Chance = []sim.Exception{
		{Name: sim.Name{What: sim.KeepRows, At: "B", N: 1}, Value: 2},
		{Name: sim.Name{What: sim.Tear, At: "B", N: 2}, Value: 1},
	}
	run := play(t, p)
	compare(t, run, "disk", diskText(run.Disks[0]), "r 1 r 2 torn")
	compare(t, run, "stale", staleText(run), "")
}

func TestALinkToTheDiskHasItsOwnPace(t *testing.T) {
	p := timed("A B", "A x: append r; sync; note done", "B x: append r; sync; note done")
	p.Network.DiskSlow = true
	p.Network.SyncTime = sim.Dist{Low: ms, High: ms}
	p.Network.Links = []sim.Link{{From: "B", To: "disk", Delay: sim.Dist{Low: 3 * ms, High: 3 * ms}},
		{From: "disk", To: "B", Delay: sim.Dist{Low: 4 * ms, High: 4 * ms}}}
	run := play(t, p)
	var got []string
	for _, e := range run.Trace {
		if e.Kind == sim.EntrySynced || e.Kind == sim.EntryTold {
			got = append(got, fmt.Sprint(sentence(run, e), " at ", e.At))
		}
	}
	compare(t, run, "", strings.Join(got, ", "), "A syncs 1 at 1ms, A told 1 at 1ms, B syncs 1 at 3ms, B told 1 at 7ms")
}
