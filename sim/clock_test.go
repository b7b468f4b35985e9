package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// fired is what B's timers did and when, in a timed run.
func fired(run *sim.Run) string {
	var out []string
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntryFired {
			out = append(out, fmt.Sprint(sim.Text(e.Body), " at ", e.At))
		}
	}
	return strings.Join(out, ", ")
}

func TestTimersInTimedRuns(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		want   string
	}{
		{"fire once", []string{"B x: after 5ms t"}, "t at 5ms"},
		{"at once", []string{"B x: after 0s t"}, "t at 0s"},
		{"setting again replaces", []string{"B x: after 5ms t", "at 3ms B y: after 5ms t"}, "t at 8ms"},
		{"also to an earlier time", []string{"B x: after 5ms t", "at 1ms B y: after 1ms t"}, "t at 2ms"},
		{"other values are other timers", []string{"B x: after 5ms t 1; after 4ms t 2"}, "t 2 at 4ms, t 1 at 5ms"},
		{"at one instant in the order of setting", []string{"B x: after 5ms t 1; after 5ms t 2; after 5ms t 1"}, "t 2 at 5ms, t 1 at 5ms"},
		{"cancel takes one off", []string{"B x: after 5ms t 1; after 5ms t 2", "at 1ms B y: cancel t 1; cancel t 3"}, "t 2 at 5ms"},
		{"every repeats until it is cancelled", []string{"B x: every 2ms t", "at 7ms B y: cancel t"}, "t at 2ms, t at 4ms, t at 6ms"},
		{"every may become once", []string{"B x: every 2ms t", "at 5ms B y: after 4ms t"}, "t at 2ms, t at 4ms, t at 9ms"},
		{"once may become every", []string{"B x: after 2ms t", "at 1ms B y: every 3ms t", "at 8ms B y: cancel t"}, "t at 4ms, t at 7ms"},
		{"drift counts", []string{"clock B drift 1000000", "B x: after 10ms t"}, "t at 5ms"},
		{"a slow clock waits longer", []string{"clock B drift -500000", "B x: after 10ms t"}, "t at 20ms"},
		{"drift counts for a timer that is set", []string{"B x: after 10ms t", "at 4ms clock B drift 1000000"}, "t at 7ms"},
		{"and its end too", []string{"clock B drift 1000000", "B x: after 10ms t", "at 2ms clock B drift 0"}, "t at 8ms"},
		{"jumps do not count", []string{"B x: after 10ms t", "at 4ms clock B +1h", "at 5ms clock B -1h", "at 6ms clock B -1h"}, "t at 10ms"},
		{"nor for a timer set after", []string{"clock B +1h", "B x: after 10ms t"}, "t at 10ms"},
		{"jump and drift", []string{"clock B +1h", "B x: after 10ms t", "at 4ms clock B -30ms", "at 4ms clock B drift 1000000"}, "t at 7ms"},
		{"every counts drift each time", []string{"B x: every 4ms t", "at 4ms clock B drift 1000000", "at 9ms B y: cancel t"}, "t at 4ms, t at 6ms, t at 8ms"},
		{"another node's clock is another's", []string{"clock A drift 1000000", "B x: after 10ms t"}, "t at 10ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := play(t, timed("A B", c.script...))
			compare(t, run, strings.Join(c.script, "\n"), fired(run), c.want)
			compare(t, run, "stale", staleText(run), "")
		})
	}
}

func TestMachinesSeeTheirOwnClockOnly(t *testing.T) {
	for _, c := range []story{
		{"it begins at zero", []string{"B x: now"}, "now 0s", ""},
		{"and goes with the world", []string{"at 5ms B x: now"}, "now 5ms", ""},
		{"offset", []string{"clock B +1s", "at 5ms B x: now"}, "now 1.005s", ""},
		{"back", []string{"at 5ms clock B -1s", "B x: now"}, "now -995ms", ""},
		{"drift", []string{"clock B drift 200", "at 1s B x: now"}, "now 1.0002s", ""},
		{"slow", []string{"at 1s clock B drift -200", "at 2s B x: now"}, "now 1.9998s", ""},
		{"it survives a crash", []string{"clock B +1s", "crash B", "restart B", "B x: now"}, "now 1s", ""},
		{"the monotonic clock does not jump", []string{"clock B +1s", "at 5ms clock B -3s", "B x: steady"},
			"steady 5ms", ""},
		{"it drifts", []string{"clock B +1s", "clock B drift 200", "at 1s B x: steady"}, "steady 1.0002s", ""},
		{"the host stays up", []string{"at 5ms crash B", "restart B", "at 7ms B x: steady"}, "steady 7ms", ""},
		{"a clock cannot stand", []string{"clock B drift -1000000", "B x: now"}, "now 0s",
			"clock B drift -1000000: a drift is between -999999 and 999000000 ppm, got -1000000"},
	} {
		t.Run(c.name, func(t *testing.T) { c.play(t, timed("A B")) })
	}
}

func TestATimerIsNeverEarlyOnItsOwnClock(t *testing.T) {
	for _, drift := range []int64{-999_999, -333_333, -7, 0, 1, 13, 333_333, 999_000_000} {
		for _, d := range []time.Duration{1, 2, 3, 7, 999, 1001, 123_457, 3 * time.Millisecond} {
			p := timed("B", fmt.Sprintf("clock B drift %d", drift), "at 3us B x: now; after "+d.String()+" t")
			p.Budget.Linger = 1 << 62
			p.Budget.Time = 1 << 62
			run := play(t, withRules(p, rule{"B fired t", "now"}))
			var times []time.Duration
			for _, f := range factsOf(run, 0) {
				if text, ok := strings.CutPrefix(f, "now "); ok {
					times = append(times, length(text))
				}
			}
			if len(times) != 2 {
				t.Fatalf("drift %d, after %v: %v\n%s", drift, d, times, whole(run))
			}
			took := times[1] - times[0]
			if late := took - d; late < 0 || late > time.Duration(2+max(drift, 0)/1_000_000) {
				t.Errorf("drift %d: after %v fired %v later on its own clock", drift, d, took)
			}
		}
	}
}

func TestATimerThatIsAlwaysFarAwayDoesNotFireNow(t *testing.T) {
	p := timed("B", fmt.Sprintf("B x: after %v far; after 1ms near", time.Duration(math.MaxInt64)))
	p.Network.Late = sim.Dist{Low: time.Second, High: time.Second}
	run := play(t, p)
	compare(t, run, "", fired(run), "near at 1.001s")
	if run.End != sim.Unsettled || !strings.Contains(run.Why, "clock->B far") {
		t.Errorf("end %d %q, want unsettled for the timer that is still set", run.End, run.Why)
	}
}

func TestTimersMayBeLate(t *testing.T) {
	p := timed("B", "B x: every 10ms t; after 5ms u", "at 45ms B y: cancel t")
	name := func(kind string, n int32) sim.Name {
		return sim.Name{What: sim.Tardy, At: "clock", To: "B", Of: kind, N: n}
	}
	p.Chance = []sim.Exception{{Name: name("t", 2), Value: int64(3 * ms)}, {Name: name("u", 1), Value: int64(1 * ms)}}
	run := play(t, p)
	compare(t, run, "", fired(run), "u at 6ms, t at 10ms, t at 23ms, t at 33ms, t at 43ms")
	compare(t, run, "stale", staleText(run), "")
	p.Chance, p.Seed = nil, 3
	p.Network.Late = sim.Dist{Shape: sim.Uniform, Low: ms, High: 4 * ms}
	run = play(t, p)
	last := sim.Time(0)
	lates := map[time.Duration]bool{}
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntryFired && e.Body.Kind() == "t" {
			late := e.At.Sub(last) - 10*ms
			lates[late] = true
			if late < ms || late > 4*ms {
				t.Errorf("%s %v late, want 1ms to 4ms", sentence(run, e), late)
			}
			last = e.At
		}
	}
	if len(lates) < 3 {
		t.Errorf("each firing was late by one of %v, want its own draw\n%s", lates, whole(run))
	}
	p.Network.Late = sim.Dist{}
	p.Network.Links = []sim.Link{{From: "clock", To: "B", Delay: sim.Dist{Low: 2 * ms, High: 2 * ms}}}
	compare(t, play(t, p), "a link from the clock", fired(play(t, p)), "u at 7ms, t at 12ms, t at 24ms, t at 36ms")
}

func TestTimersInStillTime(t *testing.T) {
	for _, c := range []story{
		{"are parked", []string{"B x: after 5ms t"}, "", ""},
		{"fire when delivered, and the clock moves", []string{"B x: after 5ms t", "deliver clock->B t", "B y: now"}, "fired t, now 5ms", ""},
		{"it does not move back", []string{"B x: after 5ms t 1; after 3ms t 2", "deliver clock->B t 1", "deliver clock->B t 2", "B y: now"},
			"fired t 1, fired t 2, now 5ms", ""},
		{"a timer fires once", []string{"B x: after 5ms t", "deliver clock->B t", "deliver clock->B t"}, "fired t", "deliver clock->B t: no timer that is set matches"},
		{"a periodic one stays set", []string{"B x: every 5ms tick", "deliver clock->B tick", "deliver clock->B tick", "B y: now"}, "now 10ms", ""},
		{"deliver wants one", []string{"B x: after 5ms t 1; after 5ms t 2", "deliver clock->B t"}, "",
			"deliver clock->B t: several timers match: clock->B t 1, clock->B t 2"},
		{"deliver all fires all, the earliest first", []string{"B x: after 5ms t 1; after 3ms t 2", "deliver all clock->B t"}, "fired t 2, fired t 1", ""},
		{"a timer that is set again by one fired with it is another", []string{"B x: after 5ms z 1; after 9ms z 2", "deliver all clock->B z"},
			"fired z 1", ""},
		{"a cancelled one is gone", []string{"B x: after 5ms t; cancel t", "deliver clock->B t"}, "", "deliver clock->B t: no timer that is set matches"},
		{"the n-th is the n-th that was set", []string{"B x: after 5ms t 1; after 9ms t 2", "deliver clock->B t 2nd"}, "fired t 2", ""},
		{"a paused node is not woken", []string{"B x: every 5ms tick", "pause B", "deliver clock->B tick", "resume B"}, "",
			"deliver clock->B tick: B is paused or waits for its disk"},
		{"settle lets them run", []string{"B x: after 5ms t 1; after 3ms t 2", "settle", "B y: now"}, "fired t 2, fired t 1, now 5ms", ""},
		{"but only for three periods of periodic ones", []string{"B x: every 5ms tick", "settle", "B y: now"}, "now 15ms", ""},
		{"and parks them again", []string{"B x: every 5ms tick", "settle", "B y: now", "deliver clock->B tick", "B z: now"}, "now 15ms, now 20ms", ""},
		{"a timer that is held through a settle stays one timer", []string{"hold clock->B t", "B x: after 5ms t", "settle", "settle", "deliver clock->B t", "B y: now"}, "fired t, now 5ms", ""},
		{"and may be set again", []string{"hold clock->B t", "B x: after 5ms t", "settle", "B y: after 5ms t", "settle", "deliver clock->B t"}, "fired t", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.play(t, withRules(world("A B"), rule{"B fired z 1", "after 20ms z 2"}))
		})
	}
}

func TestAHeldTimerThatIsSetAgainIsOneTimer(t *testing.T) {
	p := timed("B", "hold clock->B t", "B x: after 5ms t", "at 6ms B y: after 5ms t", "at 20ms deliver clock->B t", "at 21ms B z: after 5ms t",
		"at 30ms B z: cancel t", "at 31ms deliver clock->B t")
	run := play(t, p)
	compare(t, run, "", fired(run), "t at 20ms")
	compare(t, run, "stale", staleText(run), "at 31ms deliver clock->B t: no timer that is held matches, and a timer is never early")
}

func TestWake(t *testing.T) {
	rules := []rule{{"B fired t 3", "note leader; cancel t"}, {"B fired t", "after 1ms u"}, {"B start", "every 10ms tick"}}
	for _, c := range []story{
		{"fires the earliest timer until the claim holds", []string{"B x: after 5ms t 1; after 9ms t 3; after 7ms t 2", "wake B until B last leader", "B y: now"},
			"fired t 1, fired u, fired t 2, fired u, fired t 3, leader, now 9ms", ""},
		{"not at all if it holds", []string{"B x: note leader", "wake B until B last leader"}, "leader", ""},
		{"but at most 20 times", []string{"wake B until B last leader", "B y: note done"}, "done",
			"wake B until B last leader: 20 timers later the claim was still false: B last nothing"},
		{"a node that is down has no timer", []string{"crash B", "wake B until B last leader"}, "", "wake B until B last leader: B has no timer set"},
	} {
		t.Run(c.name, func(t *testing.T) { c.play(t, withRules(world("A B"), rules...)) })
	}
}

func TestAChangeOfAClockIsSaidInTheWordsOfAStory(t *testing.T) {
	for _, c := range []struct {
		name, line, want string
	}{
		{"a jump forwards", "clock A +50ms", "+50ms"},
		{"a jump backwards", "clock A -1500us", "-1.5ms"},
		{"a drift", "clock A drift 200", "drift 200"},
		{"a drift backwards", "clock A drift -200", "drift -200"},
		{"a jump of the load", "at 5ms clock A +50ms", "+50ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B", "clock B +7ms")
			p.Script = append(p.Script, line(c.line))
			run := play(t, p)
			got := ""
			for _, e := range run.Trace {
				if e.Kind == sim.EntryClock && run.Name(e.Node) == "A" {
					got = run.ClockChange(e)
				}
			}
			if got != c.want {
				t.Errorf("%q is shown as %q, want %q", c.line, got, c.want)
			}
		})
	}
	bare := &sim.Run{Nodes: []string{"A"}}
	if got := bare.ClockChange(sim.Entry{Kind: sim.EntryClock, N: 50}); got != "changed by 50" {
		t.Errorf("without a plan 50 is shown as %q, want \"changed by 50\"", got)
	}
}
