package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// TestAForkThatChangesNothingIsTheRun forks rich runs everywhere, with the chance that they have
// anyway.
func TestAForkThatChangesNothingIsTheRun(t *testing.T) {
	forks := 0
	for seed := uint64(1); seed <= uint64(runsOf(60)); seed++ {
		p := rich(seed)
		p.Script = slices.DeleteFunc(p.Script, func(a sim.Action) bool { // a fork lifts holds
			return a.Verb == sim.Hold || a.Verb == sim.Release
		})
		run := executed(t, p, sim.Options{Digest: true, Steps: true})
		if !slices.IsSorted(run.Steps) || run.Steps[len(run.Steps)-1] > len(run.Trace) {
			t.Fatalf("seed %d: events begin at %v of %d entries", seed, run.Steps, len(run.Trace))
		}
		for i := 0; i < len(run.Steps); i += 1 + len(run.Steps)/10 {
			f := &sim.Fork{At: run.Steps[i], Seed: p.Seed, Network: p.Network, Chance: p.Chance, Keep: true}
			again := executed(t, p, sim.Options{Digest: true, Fork: f})
			forks++
			if again.Hash != run.Hash || again.Digest != run.Digest {
				t.Fatalf("seed %d forked at entry %d of %d: hash %x, want %x", seed, f.At, len(run.Trace),
					again.Hash, run.Hash)
			}
		}
	}
	t.Logf("%d forks", forks)
}

// TestAForkKeepsWhatHappenedBefore forks rich runs into other chance: the entries before are those
// of the run, what comes after is the same each time, and mostly something else.
func TestAForkKeepsWhatHappenedBefore(t *testing.T) {
	forks, others := 0, 0
	for seed := uint64(1); seed <= uint64(runsOf(20)); seed++ {
		p := rich(seed)
		run := executed(t, p, sim.Options{Steps: true})
		for i := 0; i < len(run.Steps) && run.Steps[i] < run.Epilogue; i += 1 + len(run.Steps)/10 {
			at := run.Steps[i]
			opt := sim.Options{Digest: true, Fork: &sim.Fork{At: at, Seed: seed + 1000, Network: p.Network}}
			other, twice := executed(t, p, opt), executed(t, p, opt)
			if other.Hash != twice.Hash || other.Digest != twice.Digest {
				t.Fatalf("seed %d forked at %d: hash %x, then %x", seed, at, other.Hash, twice.Hash)
			}
			for k := range at {
				if got, want := fmt.Sprint(other.Trace[k]), fmt.Sprint(run.Trace[k]); got != want {
					t.Fatalf("seed %d forked at %d: entry %d is %s, want %s", seed, at, k, got, want)
				}
			}
			forks++
			if other.Hash != run.Hash {
				others++
			}
		}
	}
	if others*2 < forks {
		t.Errorf("%d of %d forks came to something else, want most", others, forks)
	}
}

// TestAnyForkOfAStillRunComesToAnEnd forks stories in still time that hold, crash and wake without
// sense, with and without the rest of their script. The engine must not panic.
func TestAnyForkOfAStillRunComesToAnEnd(t *testing.T) {
	for seed := uint64(1); seed <= uint64(runsOf(100)); seed++ {
		p := richStill(seed)
		run := executed(t, p, sim.Options{Steps: true})
		for i := 0; i < len(run.Steps); i += 1 + len(run.Steps)/6 {
			f := &sim.Fork{At: run.Steps[i], Seed: seed, Network: rich(seed).Network, End: i%2 == 0,
				Pace: sim.Dist{Shape: sim.Uniform, High: 4 * ms}}
			forked := executed(t, p, sim.Options{Fork: f})
			if len(forked.Trace) < min(f.At, len(run.Trace)) || forked.Panic != nil {
				t.Fatalf("seed %d forked at %d of %d: %d entries, panic %v", seed, f.At, len(run.Trace),
					len(forked.Trace), forked.Panic)
			}
		}
	}
}

// arrivals are when B got messages, by their keys.
func arrivals(run *sim.Run) map[string]time.Duration {
	at := map[string]time.Duration{}
	for _, e := range run.Trace {
		if e.Kind == sim.EntryDelivered && run.Name(e.Node) == "B" {
			at[strings.Join(sim.KeysOf(e.Body), " ")] = time.Duration(e.At)
		}
	}
	return at
}

// entryOf is the position of the first entry of a kind.
func entryOf(t *testing.T, run *sim.Run, kind sim.EntryKind) int {
	t.Helper()
	i := slices.IndexFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == kind })
	if i < 0 {
		t.Fatalf("no entry %v", kind)
	}
	return i
}

func links(d sim.Dist) sim.Network {
	return sim.Network{Links: []sim.Link{{From: "*", To: "*", Delay: d}}}
}

func TestTheDelayOfWhatIsInFlightIsDrawnAnewAtAFork(t *testing.T) {
	p := timed("A B", "A x: send B m 1", "at 2ms A y: note here")
	p.Network = links(sim.Dist{Low: 5 * ms})
	at := entryOf(t, executed(t, p, sim.Options{}), sim.EntryNoted) + 1 // at 2 ms, m in flight
	fresh := links(sim.Dist{Shape: sim.Uniform, Low: 1 * ms, High: 9 * ms})
	fork := func(seed uint64, keep bool) time.Duration {
		f := &sim.Fork{At: at, Seed: seed, Network: fresh, Keep: keep}
		return arrivals(executed(t, p, sim.Options{Fork: f}))["1"]
	}
	times := map[time.Duration]bool{}
	for seed := uint64(1); seed <= 20; seed++ {
		got := fork(seed, false)
		if got < 3*ms || got > 11*ms {
			t.Errorf("seed %d: m arrives at %v, want 1 to 9 ms after the fork at 2 ms", seed, got)
		}
		times[got] = true
		if kept := fork(seed, true); kept != 5*ms {
			t.Errorf("seed %d: m that keeps its delay arrives at %v, want 5 ms", seed, kept)
		}
	}
	if len(times) < 15 {
		t.Errorf("m arrives at %d different times under 20 seeds, want at least 15", len(times))
	}
}

func TestAStreamKeepsItsOrderAtAFork(t *testing.T) {
	p := timed("A B", "A x: flow B m 1; flow B m 2; flow B m 3; note here")
	p.Network = links(sim.Dist{Low: 5 * ms})
	at := entryOf(t, executed(t, p, sim.Options{}), sim.EntryNoted) + 1
	for seed := uint64(1); seed <= 20; seed++ {
		f := &sim.Fork{At: at, Seed: seed, Network: links(sim.Dist{Shape: sim.Uniform, High: 9 * ms})}
		run := executed(t, p, sim.Options{Fork: f})
		if got, want := facts(run, "B"), "got A m 1, got A m 2, got A m 3"; got != want {
			t.Errorf("seed %d: B notes %q, want %q", seed, got, want)
		}
	}
}

func TestAStillRunGoesOnInTimedTimeFromAFork(t *testing.T) {
	const ask = "A x: send B m 1"
	for _, c := range []struct {
		name   string
		script []string
		end    bool
		want   string // what B notes before the epilogue, forked once A has noted
	}{
		{"a hold that stands is lifted", []string{"hold A->B", ask, "A y: note here"}, false, "got A m 1"},
		{"a hold that is still to come does nothing", []string{"A y: note here", "hold A->B m", ask}, false,
			"got A m 1"},
		{"a delivery that is still to come does nothing", []string{"hold A->B", ask, "A y: note here",
			"B z: note there", "deliver A->B m"}, false, "got A m 1, there"},
		{"a request that is still to come does come", []string{"A y: note here", ask}, false, "got A m 1"},
		{"unless the script ends", []string{"A y: note here", ask}, true, ""},
		{"what is in flight comes though the script ends", []string{"hold A->B", ask, "A y: note here"}, true,
			"got A m 1"},
		{"a crash that is still to come does come", []string{"A y: note here", "crash B", "restart B", ask}, false,
			"got A m 1"},
		{"a timer that was parked runs", []string{"B x: after 5ms tick 1; after 1s t", "A y: note here"}, false,
			"fired t"},
		{"a hold of a trigger does nothing", []string{"when A notes here, hold A->B", "B y: note there",
			"A y: note here", ask}, false, "there, got A m 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := world("A B", c.script...)
			run := executed(t, p, sim.Options{Steps: true})
			at := entryOf(t, run, sim.EntryNoted)
			if strings.Contains(c.name, "trigger") {
				at++ // the note of B
			}
			f := &sim.Fork{At: at + 1, Seed: 1, Network: links(sim.Dist{Low: ms}), End: c.end,
				Pace: sim.Dist{Low: 3 * ms}}
			forked := executed(t, p, sim.Options{Fork: f})
			if got := facts(forked, "B"); got != c.want {
				t.Errorf("%s\nforked at entry %d, B notes %q, want %q", strings.Join(c.script, "\n"), f.At, got, c.want)
			}
			if !forked.Plan.Timed || p.Timed {
				t.Errorf("timed is %v from the fork on, and %v of the plan, want true and false", forked.Plan.Timed,
					p.Timed)
			}
		})
	}
}

func TestAStillForkLeavesItsPaceBetweenLines(t *testing.T) {
	p := world("A B", "A x: note here", "A y: send B m 1", "A z: send B m 2")
	f := &sim.Fork{At: 0, Seed: 1, Pace: sim.Dist{Low: 3 * ms}}
	at := arrivals(executed(t, p, sim.Options{Fork: f}))
	if at["2"]-at["1"] != 3*ms {
		t.Errorf("m 1 comes at %v and m 2 at %v, want 3 ms between", at["1"], at["2"])
	}
}

func TestARequestThatHasNotArrivedIsRefusedWhereTheScriptEnds(t *testing.T) {
	p := timed("A B", "by 1 A x: note first", "by 1 A y: note second")
	p.Network.Links = []sim.Link{{From: "client", To: "A", Delay: sim.Dist{Low: 5 * ms}}}
	at := entryOf(t, executed(t, p, sim.Options{}), sim.EntryInvoked) + 1
	run := executed(t, p, sim.Options{Fork: &sim.Fork{At: at, Seed: 1, End: true}})
	if got := facts(run, "A"); got != "" {
		t.Errorf("A notes %q, want nothing", got)
	}
	if r := entryOf(t, run, sim.EntryRefused); run.Trace[r].N != 1 || len(run.Clients) != 1 {
		t.Errorf("call %d of %d is refused, want 1 of 1", run.Trace[r].N, len(run.Clients))
	}
}

func TestAForkInTheEpilogueIsNone(t *testing.T) {
	p := withRules(timed("A B", "A x: send B m 1", "crash B"), rule{"B start", "send A m 2"})
	run := executed(t, p, sim.Options{})
	f := &sim.Fork{At: run.Epilogue + 1, Seed: 1, Network: sim.Network{Links: []sim.Link{
		{From: "*", To: "*", Loss: 1_000_000}}}}
	if got := executed(t, p, sim.Options{Fork: f}); got.Hash != run.Hash || got.Plan != p {
		t.Errorf("forked at entry %d of %d: hash %x, want %x", f.At, len(run.Trace), got.Hash, run.Hash)
	}
}

func TestAForkIsToldWhatToChoose(t *testing.T) {
	p := timed("A B", "A x: send B m 1", "A y: send B m 2")
	f := &sim.Fork{At: 0, Chance: []sim.Exception{{Name: sim.Name{What: sim.Lost, At: "A", To: "B",
		Of: "m", Keys: "2", N: 1}, Value: 1}}}
	if got, want := facts(executed(t, p, sim.Options{Fork: f}), "B"), "got A m 1"; got != want {
		t.Errorf("B notes %q, want %q", got, want)
	}
}

func TestAForkThatNoRunCouldTakeIsRefused(t *testing.T) {
	p := timed("A B", "A x: note here")
	for _, c := range []struct {
		name, want string
		fork       sim.Fork
	}{
		{"a link to nobody", `no node called "C"`, sim.Fork{Network: sim.Network{Links: []sim.Link{
			{From: "A", To: "C"}}}}},
		{"a delay below zero", "-1ms is below 0", sim.Fork{Network: links(sim.Dist{Low: -ms})}},
		{"an exception of nobody", `no node called "C"`, sim.Fork{Chance: []sim.Exception{{
			Name: sim.Name{What: sim.Lost, At: "C", To: "A", Of: "m"}}}}},
		{"a pace below zero", "pace of a fork: -1ms is below 0", sim.Fork{Pace: sim.Dist{Low: -ms}}},
	} {
		_, err := new(sim.World).Execute(p, sim.Options{Fork: &c.fork})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
