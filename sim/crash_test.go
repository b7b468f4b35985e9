package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// whatHappened are the kinds that an effect leaves.
var whatHappened = []sim.EntryKind{sim.EntryAppended, sim.EntrySynced, sim.EntrySent, sim.EntryPublished, sim.EntryReturned,
	sim.EntryNoted, sim.EntryFired, sim.EntryUnknown}

// work is a handler with one of each effect, a note riding on each.
const work = "append r 1; note a; sync; note b; send C m 1; note c; publish e 1; note d; return ok 1; note f; append r 2; note g"

// steps are what it leaves, up to each boundary.
var steps = []string{"writes r 1|notes a", "syncs 1|notes b", "sends C m 1|notes c", "publishes log e 1|notes d",
	"returns client ok 1|notes f", "writes r 2|notes g"}

// upTo is the tale of the handler when the first n of its steps happened.
func upTo(n int) string {
	var parts []string
	for _, s := range steps[:n] {
		for _, half := range strings.Split(s, "|") {
			parts = append(parts, "B "+half)
		}
	}
	if n < 5 {
		parts = append(parts, "B unknown client") // the call is cut off
	}
	return strings.Join(parts, ", ")
}

// only is the part of a tale that is about one node.
func only(node, tale string) string {
	var out []string
	for _, s := range strings.Split(tale, ", ") {
		if strings.HasPrefix(s, node+" ") {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

func TestACrashMayFallBetweenAnyTwoEffects(t *testing.T) {
	for i, c := range []struct{ effect, event, of, keys string }{
		{"append", "writes", "r", "1"}, {"sync", "syncs", "r", "1"}, {"send", "sends", "m", "1"},
		{"publish", "sends", "e", "1"}, {"return", "returns", "x", ""}, {"append", "writes", "r", "2"},
	} {
		for side, n := range map[string]int{"before": i, "after": i + 1} {
			boundary := side + " " + c.effect
			t.Run(boundary+" "+c.of+c.keys+" by exception", func(t *testing.T) {
				p := withLog(world("B C", "B x: "+work))
				p.Chance = []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "B", To: boundary, Of: c.of, Keys: c.keys}, Value: 1}}
				run := play(t, p)
				compare(t, run, "", only("B", tale(run, whatHappened...)), upTo(n))
				compare(t, run, "stale", staleText(run), "")
				if got := count(run, sim.EntryCrashed); got != 1 {
					t.Errorf("%d crashes, want 1\n%s", got, whole(run))
				}
			})
			t.Run(boundary+" "+c.of+c.keys+" by trigger", func(t *testing.T) {
				word := "when"
				if side == "before" {
					word = "before"
				}
				p := withLog(world("B C", fmt.Sprintf("%s B %s %s %s, crash B", word, c.event, c.of, c.keys), "B x: "+work))
				run := play(t, p)
				compare(t, run, "", only("B", tale(run, whatHappened...)), upTo(n))
				compare(t, run, "stale", staleText(run), "")
			})
		}
	}
}

func TestNothingAfterACrashPointLeaksOut(t *testing.T) {
	const program = "append r 1; send C m; after 0s t; every 1ms t; later w; flow C m; publish e; draw d 5; flush; sync; replace 1 s; return ok; fail sorted why; note n; cancel t; close C"
	for _, c := range []struct{ name, at, want string }{
		{"before all", "before append", "B starts, C starts, B invokes client x, B arrives client x, B crashes 0, B unknown client"},
		{"after the append", "after append", "B starts, C starts, B invokes client x, B arrives client x, B writes r 1, B crashes 1, B unknown client"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withLog(world("B C", "B x: "+program, "C y: stream B"))
			p.Chance = []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "B", To: c.at, Of: "r", Keys: "1"}, Value: 1}}
			run := play(t, p)
			want := c.want + ", log sequenced left B, C logged left B, C notes left 1 B, C invokes client y, C arrives client y, C notes stream B false 0"
			compare(t, run, "", tale(run), want)
			compare(t, run, "B's disk", diskText(run.Disks[0]), "")
		})
	}
}

func TestAMachineMayReadWhatItWroteAfterItsCrashPoint(t *testing.T) {
	p := world("B", "B x: append r 1; append r 2; read; replace 1 s; read")
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "B", To: "before append", Of: "r", Keys: "1"}, Value: 1}}
	run := play(t, p)
	if run.Panic != nil || run.End != sim.Settled {
		t.Errorf("end %d, panic %+v, want none\n%s", run.End, run.Panic, whole(run))
	}
	compare(t, run, "disk", diskText(run.Disks[0]), "")
}

func TestExceptionsForCrashesAreBoundByName(t *testing.T) {
	name := func(at, of, keys string, n int32) []sim.Exception {
		return []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "B", To: at, Of: of, Keys: keys, N: n}, Value: 1}}
	}
	for _, c := range []struct {
		name   string
		chance []sim.Exception
		want   string
		stale  string
	}{
		{"the second of a name", name("before send", "m", "1", 2), "B sends C m 1, B sends C m 2", ""},
		{"the third does not happen", name("before send", "m", "1", 3), "B sends C m 1, B sends C m 2, B sends C m 1", "no decision has this name"},
		{"other keys are another name", name("before send", "m", "2", 1), "B sends C m 1", ""},
		{"another effect is another name", name("before append", "m", "1", 1), "B sends C m 1, B sends C m 2, B sends C m 1", "no decision has this name"},
		{"after", name("after send", "m", "2", 0), "B sends C m 1, B sends C m 2", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("B C", "B x: send C m 1; send C m 2; send C m 1")
			p.Chance = c.chance
			run := play(t, p)
			compare(t, run, "", tale(run, sim.EntrySent), c.want)
			compare(t, run, "stale", staleText(run), c.stale)
		})
	}
}

func TestATimerOfADeadIncarnationDoesNotFire(t *testing.T) {
	p := timed("B", "B x: after 10ms t 1; every 3ms t 2; later w", "at 5ms crash B", "at 6ms restart B", "at 7ms B y: after 10ms t 1")
	p.Network.Links = []sim.Link{{From: "B", To: "B", Delay: sim.Dist{Low: 8 * ms, High: 8 * ms}}}
	run := play(t, p)
	compare(t, run, "", facts(run, "B"), "fired t 2, fired t 1")
	if run.Trace[len(run.Trace)-1].At != sim.Time(17*ms) {
		t.Errorf("the run went on until %v, want 17ms: only the new timer counts\n%s", run.Trace[len(run.Trace)-1].At, whole(run))
	}
}

// busy is a node that appends, syncs and sends every 2 ms.
func busyPlan(seed uint64) *sim.Plan {
	p := timed("B C")
	for i := range 50 {
		p.Load = append(p.Load, line(fmt.Sprintf("at %dms B x %d: append r %d; note a; sync; send C m %d; return ok", 2*i, i, i, i)))
	}
	p.Seed = seed
	return p
}

func TestCrashesByChance(t *testing.T) {
	places := map[string]int{}
	total := 0
	for seed := range uint64(200) {
		p := busyPlan(seed + 1)
		p.Network.Crash = 100_000
		p.Network.Crashes = 3
		p.Network.Restart = sim.Dist{Shape: sim.Uniform, Low: ms, High: 5 * ms}
		run, err := new(sim.World).Execute(p, sim.Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		crashes := 0
		down := sim.Time(-1)
		for i, e := range run.Trace {
			if e.Node == 0 && down >= 0 && e.Kind.Local() && e.Kind != sim.EntryStarted {
				t.Fatalf("seed %d entry %d: B is down\n%s", seed+1, i, whole(run))
			}
			switch {
			case e.Kind == sim.EntryCrashed:
				crashes++
				down = e.At
			case e.Kind == sim.EntryStarted && down >= 0:
				if took := e.At.Sub(down); i < run.Epilogue && (took < ms || took > 5*ms) {
					t.Fatalf("seed %d entry %d: restarted after %v, want 1ms to 5ms\n%s", seed+1, i, took, whole(run))
				}
				down = -1
			}
		}
		if crashes > 3 {
			t.Fatalf("seed %d: %d crashes, want at most 3\n%s", seed+1, crashes, whole(run))
		}
		total += crashes
		for _, c := range run.Chosen {
			if c.Name.What == sim.CrashAt {
				places[c.Name.To]++
			}
		}
	}
	if total < 450 {
		t.Errorf("%d crashes in 200 runs, want most to reach the cap of 3", total)
	}
	for _, where := range []string{"before append", "before sync", "before send", "before return", "after return"} {
		if places[where] < 30 {
			t.Errorf("%d crashes %s, want at least 30: %v", places[where], where, places)
		}
	}
}

func TestAnExceptionSaysWhenANodeRestarts(t *testing.T) {
	p := timed("B", "B x: append r 1", "at 20ms B x: append r 2")
	crash := func(key string) sim.Exception {
		return sim.Exception{Name: sim.Name{What: sim.CrashAt, At: "B", To: "after append", Of: "r", Keys: key}, Value: 1}
	}
	p.Chance = []sim.Exception{crash("1"), crash("2"),
		{Name: sim.Name{What: sim.RestartIn, At: "B", N: 1}, Value: 1 + int64(5*ms)},
		{Name: sim.Name{What: sim.RestartIn, At: "B", N: 2}, Value: 1}}
	run := play(t, p)
	var got []string
	for _, e := range run.Trace {
		if e.Kind == sim.EntryStarted || e.Kind == sim.EntryCrashed {
			got = append(got, fmt.Sprint(e.Kind, " ", e.At))
		}
	}
	compare(t, run, "", strings.Join(got, ", "), "starts 0s, crashes 0s, starts 5ms, crashes 20ms, starts 20ms")
	compare(t, run, "stale", staleText(run), "")
}

func TestWithoutARestartANodeStaysDownUntilTheEpilogue(t *testing.T) {
	p := busyPlan(5)
	p.Network.Crash = 1_000_000
	run := play(t, p)
	if n := count(run, sim.EntryCrashed); n != 1 {
		t.Fatalf("%d crashes, want 1\n%s", n, whole(run))
	}
	if n := count(run, sim.EntryStarted); n != 3 || run.Trace[run.Epilogue+1].Kind != sim.EntryStarted {
		t.Errorf("%d starts, want B's second in the epilogue\n%s", n, whole(run))
	}
}

func TestACrashForGoodOutlivesTheEpilogue(t *testing.T) {
	for _, c := range []struct {
		script []string
		starts int
	}{
		{[]string{"crash B"}, 3},
		{[]string{"crash B for good"}, 2},
		{[]string{"crash B", "crash B for good"}, 2},
		{[]string{"crash B for good", "restart B", "crash B"}, 4},
		{[]string{"when B writes r, crash B for good", "B x: append r"}, 2},
		{[]string{"leave B"}, 2},
	} {
		run := play(t, world("A B", c.script...))
		if n := count(run, sim.EntryStarted); n != c.starts {
			t.Errorf("%s: %d starts, want %d\n%s", strings.Join(c.script, "; "), n, c.starts, whole(run))
		}
		compare(t, run, "stale", staleText(run), "")
	}
}

func TestPauseAndResume(t *testing.T) {
	for _, c := range []story{
		{"a paused node takes nothing", []string{"pause B", "A x: send B m", "B y: note y"}, "", ""},
		{"and then a burst in order", []string{"pause B", "A x: send B m 1; flow B m 2", "B y: note y", "A x: send B m 3", "resume B"}, "got A m 1, got A m 2, y, got A m 3", ""},
		{"what it sent goes on", []string{"hold B->A m", "B x: send A m", "pause B", "release B->A m"}, "", ""},
		{"pausing twice is stale", []string{"pause B", "pause B", "resume B", "resume B"}, "",
			"pause B: B is down, paused or no member; resume B: B is not paused"},
		{"a crash ends it", []string{"pause B", "A x: send B m", "crash B", "restart B", "A y: send B m 2"}, "got A m 2", ""},
		{"inside a handler it falls between two effects", []string{"when B sends m 1, pause B", "B x: send A m 1; note a; send A m 2; note b", "check A last got B m 1", "resume B"},
			"a, b", ""},
		{"a crash then loses what was to come", []string{"when B sends m 1, pause B", "B x: send A m 1; note a; send A m 2", "crash B"}, "", ""},
		{"a receive may be paused before", []string{"before B receives m, pause B", "A x: send B m", "check B last nothing", "resume B"}, "got A m", ""},
		{"or between receiving and doing", []string{"when B receives m, pause B", "A x: send B m", "check B last nothing", "resume B"}, "got A m", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := c.play(t, world("A B"))
			for _, check := range run.Checks {
				if check.Fails != "" {
					t.Errorf("line %d: saw %q\n%s", check.Line, check.Fails, whole(run))
				}
			}
		})
	}
}

func TestAPausedNodeGetsItsTimersInABurst(t *testing.T) {
	p := timed("B", "B x: after 1ms t 1; after 3ms t 2; every 2ms t 3", "pause B", "at 10ms resume B")
	run := play(t, withRules(p, rule{"B fired t 3", "cancel t 3"}))
	compare(t, run, "", facts(run, "B"), "fired t 1, fired t 3, fired t 2")
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntryFired && e.At < sim.Time(10*ms) {
			t.Errorf("%s at %v, while paused", sentence(run, e), e.At)
		}
	}
}
