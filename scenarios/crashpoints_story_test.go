package scenarios_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func TestStoriesOfCrashesReplayToTheirVerdict(t *testing.T) {
	for _, c := range []struct {
		model          *sim.Protocol
		story, variant string
		crashes, least int
	}{
		{register.Protocol, twoWrites, "told-first", 1, 4}, {cut.Protocol, twoCommits, "told-first", 1, 12},
		{register.Protocol, tornTwice, "stops-at-torn", 2, 10}, {cut.Protocol, oneCut, "forgetful", 1, 10},
	} {
		campaign, x := crashing(t, c.model, c.story, c.variant)
		x.Crashes = c.crashes
		r := crashPoints(t, x)
		written := 0
		for _, s := range slices.Concat(r.Singles, r.Pairs) {
			if len(s.New) == 0 || s.Same || written >= c.least && (s.Hash[0]+s.Hash[1])%7 > 0 {
				continue // a part of them is enough
			}
			f, err := campaign.Struck(x, &s)
			if err != nil {
				t.Fatal(err)
			}
			text, err := f.Text("found.txt")
			if err != nil {
				t.Fatalf("%q: %v", scenarios.CrashLines(s.Hits), err)
			}
			replayed(t, c.model, c.variant, text)
			written++
		}
		if written < c.least {
			t.Errorf("%s: %d stories, want at least %d", c.variant, written, c.least)
		}
	}
}

// replayed plays a story and wants everything in it to be as it says, stale lines included.
func replayed(t *testing.T, p *sim.Protocol, variant string, text []byte) {
	t.Helper()
	s, err := scenarios.Parse("found.txt", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again := scenarios.Format(s); !bytes.Equal(again, text) {
		t.Errorf("not canonical:\n%s\nwant\n%s", text, again)
	}
	report, err := scenarios.Play(s, p, scenarios.PlayOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !report.Met() {
		t.Errorf("%s: %s\n%s", variant, strings.Join(report.Failures(), "\n"), text)
	}
}

// TestCrashPointsOfATimedStoryAreThoseOfItsPinnedRun uses a story with delays, losses and crashes
// by chance.
func TestCrashPointsOfATimedStoryAreThoseOfItsPinnedRun(t *testing.T) {
	const story = `-- scenario --
model    register
nodes    A B C
time     runs
seeds    1..9
delay    1ms..20ms
loss     5%
crash    4%
restart  5ms..30ms
disk     torn 20%

-- script --
A write x 1
at 30ms B write x 2
at 60ms C read x
at 90ms A read x

-- expect --
abd  holds
`
	crashed := false
	for seed := uint64(1); seed <= 9; seed++ {
		s, err := scenarios.Parse("timed.txt", []byte(story))
		if err != nil {
			t.Fatal(err)
		}
		_, x := campaign(t, register.Protocol, s, "abd", seed)
		if x.Plan.Seed != 0 {
			t.Fatalf("seed %d is not pinned", seed)
		}
		run, err := sim.Execute(x.Plan)
		if err != nil {
			t.Fatal(err)
		}
		crashes := slices.ContainsFunc(run.Trace, func(e sim.Entry) bool { return e.Kind == sim.EntryCrashed })
		crashed = crashed || crashes
		r := crashPoints(t, x)
		if got := broken(r); len(got) > 0 || !r.Complete() {
			t.Errorf("seed %d: abd breaks %q, complete: %v", seed, got, r.Complete())
		}
		if got := lacking(count(run), r.Points); len(got) > 0 {
			t.Errorf("seed %d: %s", seed, strings.Join(got, "\n\t"))
		}
		for _, s := range r.Singles {
			if s.Missed {
				t.Errorf("seed %d: the crash did not fall: %s", seed, scenarios.CrashLines(s.Hits))
			}
		}
	}
	if !crashed {
		t.Error("no seed has a crash by chance")
	}
}

// TestLaterCrashesKeepWhatIsSaidOfThem puts a crash before one that the plan has already.
func TestLaterCrashesKeepWhatIsSaidOfThem(t *testing.T) {
	plan := &sim.Plan{Chance: []sim.Exception{
		{Name: sim.Name{What: sim.RestartIn, At: "P", N: 1}, Value: 7},
		{Name: sim.Name{What: sim.KeepRows, At: "P", N: 2}, Value: 3},
		{Name: sim.Name{What: sim.Tear, At: "Q", N: 2}, Value: 1},
	}}
	p := &search.Point{Node: "P", Crash: 2, Name: sim.Name{What: sim.CrashAt, At: "P", To: "before sync"}}
	got := search.WithCrashes(plan, []search.Hit{{Point: p, Keeps: 1, Torn: true, Now: true}})
	var lines []string
	for _, e := range got.Chance {
		lines = append(lines, scenarios.ExceptionText(e))
	}
	want := []string{"restart P after 6ns", "keep P 3 3rd", "torn Q 2nd", "crash P before sync", "keep P 1 2nd",
		"torn P 2nd", "restart P 2nd after 0s"}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q\nwant %q", lines, want)
	}
	if plan.Chance[1].Name.N != 2 {
		t.Error("the plan itself was changed")
	}
}
