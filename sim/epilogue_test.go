package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// after is the tale of the epilogue.
func after(run *sim.Run, kinds ...sim.EntryKind) string {
	var out []string
	for _, e := range run.Trace[run.Epilogue:] {
		if has(kinds, e.Kind) {
			out = append(out, sentence(run, e))
		}
	}
	return strings.Join(out, ", ")
}

func TestTheEpilogueHealsTheWorld(t *testing.T) {
	all := []sim.EntryKind{sim.EntryStarted, sim.EntryHealed, sim.EntryResumed, sim.EntryDelivered, sim.EntryNoted, sim.EntryCrashed}
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"nothing to do", []string{"A x: note on"}, ""},
		{"holds are lifted, in the original order", []string{"hold A->B m 2", "hold A->B m 1", "A x: send B m 1; send B m 2"},
			"B receives A m 1, B notes got A m 1, B receives A m 2, B notes got A m 2"},
		{"links are healed", []string{"A x: flow B m 1", "partition A | B", "A x: flow B m 2"}, "healed, B receives A m 2, B notes got A m 2"},
		{"in the original order as well", []string{"hold A->B m 1", "A x: flow B m 1; flow B m 2", "partition A | B", "A x: flow B m 3"},
			"healed, B receives A m 1, B notes got A m 1, B receives A m 2, B notes got A m 2, B receives A m 3, B notes got A m 3"},
		{"paused nodes go on", []string{"pause B", "A x: send B m"}, "B resumes, B receives A m, B notes got A m"},
		{"in the middle of a handler", []string{"when B notes a, pause B", "B x: note a; note b"}, "B resumes, B notes b"},
		{"nodes restart", []string{"crash B"}, "B starts"},
		{"but those that left", []string{"leave B"}, ""},
		{"or are down for good", []string{"crash B for good"}, ""},
		{"or never joined", []string{"A x: note on"}, ""},
		{"timers that are set fire", []string{"B x: after 5ms t"}, "B notes fired t"},
		{"own work that is held comes", []string{"hold B->B w", "B x: later w"}, "B notes did w"},
		{"a sync that is held is done", []string{"hold B->disk", "B x: append r; sync; note done"}, "B notes done"},
		{"triggers are off", []string{"maybe when B notes fired t, crash B", "B x: after 5ms t"}, "B notes fired t"},
		{"what the script had in store for a disk does not strike", []string{"maybe disk B failing", "maybe disk B torn", "B x: after 5ms t"}, "B notes fired t, B notes synced"},
		{"nor a crash that a pause holds up", []string{"when B sends m, crash B", "when B sends m, pause B", "B x: send A m; note a; send A n; note b"},
			"B resumes, B notes a, B notes b, A receives B n, A notes got B n"},
		{"a sync that failed before still crashes its node, which comes back", []string{"hold disk->B", "disk B failing", "B x: append r; sync; note a"}, "B crashes 1, B starts"},
		{"one that was to fail does not", []string{"hold B->disk", "disk B failing", "B x: append r; sync; note a"}, "B notes a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withRules(world("A B", c.script...), rule{"B fired t", "append r; sync; note synced"})
			p.Later = []string{"C"}
			p.Network.DiskSlow = true
			if !strings.Contains(c.name, "disk") {
				p.Setup = nil
			}
			run := play(t, p)
			compare(t, run, strings.Join(c.script, "\n"), after(run, all...), c.want)
			compare(t, run, "stale", staleText(run), "")
			if n := count(run, sim.EntryEpilogue); n != 1 || run.Trace[run.Epilogue].Kind != sim.EntryEpilogue {
				t.Errorf("%d entries mark the epilogue's start, want 1, at %d\n%s", n, run.Epilogue, whole(run))
			}
		})
	}
}

func TestTheEpilogueKnowsNoChance(t *testing.T) {
	p := timed("A B", "crash A")
	p.Seed = 3
	p.Network = sim.Network{Crash: 1_000_000, Break: 1_000_000, SyncFail: 1_000_000, DiskSlow: true, Keep: true, Torn: 1_000_000,
		Links: []sim.Link{{From: "*", To: "*", Loss: 1_000_000, Duplicate: 1_000_000, Delay: sim.Dist{Shape: sim.Uniform, Low: ms, High: 1000 * ms}}},
		Late:  sim.Dist{Shape: sim.Uniform, High: 1000 * ms}}
	p.Chance = []sim.Exception{{Name: sim.Name{What: sim.CrashAt, At: "A", To: "before send", Of: "m"}, Value: 1},
		{Name: sim.Name{What: sim.Delay, At: "A", To: "B", Of: "m"}, Value: 5}}
	run := play(t, withRules(p, rule{"A start", "draw d 100; append r; sync; send B m; flow B n; after 2ms t"}))
	compare(t, run, "", after(run, sim.EntryNoted, sim.EntrySyncFailed, sim.EntryLost, sim.EntryCopied, sim.EntryCrashed, sim.EntryBroken),
		"A notes drew d 0, B notes got A m, B notes got A n, A notes fired t")
	for _, e := range run.Trace[run.Epilogue:] {
		if e.Kind == sim.EntryDelivered && e.At.Sub(run.Trace[e.Cause].At) != ms {
			t.Errorf("%s took %v, want the boring 1ms\n%s", sentence(run, e), e.At.Sub(run.Trace[e.Cause].At), whole(run))
		}
	}
}

func TestTheEpilogueAsksTheFinalRequests(t *testing.T) {
	p := world("A B C", "leave C", "crash B", "by 1 A stuck: note on")
	p.Protocol.Final = func(nodes []string) []sim.Action {
		var asks []sim.Action
		for _, n := range nodes {
			asks = append(asks, sim.Action{Verb: sim.Request, Node: n, Client: 1, Words: strings.Fields("get : after 5ms t")})
		}
		return asks
	}
	run := play(t, withRules(p, rule{"* fired t", "return got"}))
	compare(t, run, "", after(run, sim.EntryInvoked, sim.EntryReturned), "A invokes client get, A returns client got, B invokes client get, B returns client got")
}

func TestARunSettles(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		rules  []rule
		last   string // of the trace
		end    sim.Ending
		why    string
	}{
		{"at once if nothing is left", []string{"A x: note on"}, nil, "0s", sim.Settled, ""},
		{"after the last timer", []string{"A x: after 30ms t"}, nil, "30ms", sim.Settled, ""},
		{"not for a cancelled one", []string{"A x: after 30ms t; cancel t"}, nil, "0s", sim.Settled, ""},
		{"nor for a replaced one", []string{"A x: after 30ms t; after 5ms t"}, nil, "5ms", sim.Settled, ""},
		{"nor for one of a dead incarnation", []string{"A x: after 30ms t", "crash A"}, nil, "0s", sim.Settled, ""},
		{"three periods after the start", []string{"A x: every 10ms tick"}, nil, "30ms", sim.Settled, ""},
		{"what descends from periodic timers does not count", []string{"A x: every 10ms tick"}, []rule{{"A fired tick", "send B m; later w; after 1ms tick 2"}, {"B got m", ""}}, "", sim.Unsettled,
			"3000 events were not enough"},
		{"unless it says a fact", []string{"A x: every 10ms tick"}, []rule{{"A fired tick", "note f"}}, "", sim.Unsettled, "3000 events were not enough; A notes f again after timer tick of A: a run settles only after three of the longest periods without a fact, append or answer"},
		{"of the longest period", []string{"A x: every 10ms tick 1; every 70ms tick 2"}, nil, "210ms", sim.Settled, ""},
		{"three periods after the epilogue's start, whatever was before", []string{"A x: every 10ms tick", "settle", "settle"}, nil, "60ms", sim.Settled, ""},
		{"of those that are still set", []string{"A x: every 10ms tick 1; every 1h tick 2", "A y: cancel tick 2"}, nil, "30ms", sim.Settled, ""},
		{"and not of a dead incarnation's", []string{"A x: every 10ms tick 1", "B x: every 1h tick 2", "crash B"}, nil, "30ms", sim.Settled, ""},
		{"nor of one that was set to a shorter one", []string{"A x: every 1h tick", "A y: every 10ms tick"}, nil, "30ms", sim.Settled, ""},
		{"from the last fact on", []string{"A x: every 10ms tick; after 24ms t"}, nil, "60ms", sim.Settled, ""},
		{"never if timers that fire once go on", []string{"A x: after 10ms tick"}, []rule{{"A fired tick", "after 10ms tick"}}, "", sim.Unsettled,
			"3000 events were not enough; next would be clock->A tick"},
		{"never if triggers set each other off", []string{"every B writes r, crash B", "every B writes r, restart B", "crash B", "restart B"}, []rule{{"B start", "append r"}}, "", sim.Unsettled,
			"3000 events were not enough"},
		{"never if messages go on", []string{"A x: send B m"}, []rule{{"* got m", "send back m"}}, "", sim.Unsettled, "3000 events were not enough; next would be A->B m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withRules(world("A B", c.script...), c.rules...)
			p.Budget.Events = 3000
			run := play(t, p)
			if run.End != c.end || !strings.HasPrefix(run.Why, c.why) || c.why == "" && run.Why != "" {
				t.Errorf("end %d %q, want %d %q\n%.5000s", run.End, run.Why, c.end, c.why, whole(run))
			}
			if last := lastOf(run).String(); c.last != "" && last != c.last {
				t.Errorf("the last entry is at %s, want %s\n%s", last, c.last, whole(run))
			}
		})
	}
}

// TestIdleChatterSettles has periodic talk under way at every moment.
func TestIdleChatterSettles(t *testing.T) {
	slow := sim.Dist{Low: 12 * ms, High: 12 * ms}
	var links []sim.Link
	for _, l := range []string{"*->*", "A->A", "*->log", "log->*", "*->disk", "disk->*"} {
		from, to, _ := strings.Cut(l, "->")
		links = append(links, sim.Link{From: from, To: to, Delay: slow})
	}
	for _, what := range []string{"send", "flow", "later", "after", "publish", "flush"} {
		p := withLog(timed("A B", "A x: every 10ms tick", "at 100ms wait"))
		p.Network.Links, p.Budget.Events = links, 3000
		p.Variant.New = func(sim.NodeID, []sim.NodeID) sim.Machine { return &chatter{what: what} }
		run := play(t, p)
		if run.End != sim.Settled || lastOf(run) > sim.Time(140*ms) || count(run, sim.EntryFired) < 13 {
			t.Errorf("%s: end %d %q at %v, want settled three periods after the epilogue's start\n%.3000s", what, run.End, run.Why,
				lastOf(run), whole(run))
		}
	}
}

// chatter is idle talk: a periodic timer, and one sort of thing that descends from it.
type chatter struct {
	sim.Idle
	what string
}

func (*chatter) Invoke(env *sim.Env, _ sim.Call) { env.Every(10*ms, body("tick")) }

func (c *chatter) Timeout(env *sim.Env, t sim.Timer) {
	if t.(thing).keys != "" {
		return
	}
	switch c.what {
	case "send":
		env.Send(1, body("m"))
	case "flow":
		env.Stream(1, 0).Send(body("m"))
	case "later":
		env.Later(body("m"))
	case "after":
		env.After(25*ms, body(fmt.Sprint("tick ", env.Now())))
	case "publish":
		env.Publish(body("m"))
	case "flush":
		env.Disk.Flush()
	}
}

func (*chatter) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if from != env.ID && m.Kind() == "m" {
		env.Send(from, body("back"))
	}
}

func TestBudgets(t *testing.T) {
	ping := func() *sim.Plan {
		return withRules(timed("A B", "A x: send B m 1"), rule{"A got m", "send B m"}, rule{"B got m", "send A m"})
	}
	for _, c := range []struct {
		name   string
		budget sim.Budget
		delay  bool
		why    string
	}{
		{"events", sim.Budget{Events: 50}, false, "50 events were not enough; next would be A->B m"},
		{"time", sim.Budget{Time: 50 * ms, Linger: 1000 * ms}, true, "50ms of virtual time were not enough; next would be"},
		{"bytes", sim.Budget{Bytes: 100_000}, false, "100000 bytes of memory were not enough; next would be"},
		{"time of the epilogue", sim.Budget{Time: 50 * ms, Linger: 10 * ms}, true, "50ms of virtual time were not enough; next would be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := ping()
			p.Budget = c.budget
			if c.delay {
				p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: ms, High: ms}}}
			}
			for _, opt := range []sim.Options{{}, {NoTrace: true}, {Record: true, Digest: true}} {
				run, err := new(sim.World).Execute(p, opt)
				if err != nil {
					t.Fatal(err)
				}
				if run.End != sim.Unsettled || !strings.HasPrefix(run.Why, c.why) || run.Settled() {
					t.Errorf("end %d %q, want %d %q", run.End, run.Why, sim.Unsettled, c.why)
				}
			}
		})
	}
	p := timed("A B", "A x: send B m 1; send B m 2")
	exact := play(t, p).Events
	p.Budget.Events = exact
	if run := play(t, p); run.End != sim.Settled {
		t.Errorf("%d events of %d: %s", run.Events, exact, run.Why)
	}
	p.Budget.Events = exact - 1
	if run := play(t, p); run.End != sim.Unsettled {
		t.Errorf("%d events of %d: settled", run.Events, exact-1)
	}
	p.Budget = sim.Budget{Bytes: 10}
	if run := play(t, p); run.End != sim.Unsettled {
		t.Error("a short run beyond its memory settled")
	}
}

func TestTimeDoesNotGoBack(t *testing.T) {
	for seed := range uint64(20) {
		p := flows(10, "at 3ms B x: after 30ms t", "at 9ms pause B", "at 12ms resume B", "at 14ms partition A | B", "at 20ms heal")
		p.Seed = seed + 1
		p.Script = sorted(p.Script)
		now := sim.Time(0)
		run := play(t, p)
		for i, e := range run.Trace {
			if e.At < now {
				t.Fatalf("seed %d entry %d: %v after %v\n%s", seed+1, i, e.At, now, whole(run))
			}
			if now = e.At; int(e.Cause) >= i {
				t.Fatalf("seed %d entry %d is caused by %d\n%s", seed+1, i, e.Cause, fmt.Sprint(e))
			}
		}
	}
}
