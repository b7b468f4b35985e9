package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/downset/downset/sim"
)

// drawClocks is a plan in which clocks jump and drift, nodes crash, and machines say what their
// clock shows: at a request, a message, a timer. Amounts are few, so that a jump and a drift of one
// node are often of the same amount.
func drawClocks(t *rapid.T) *sim.Plan {
	node := rapid.SampledFrom([]string{"A", "B", "C"})
	amount := rapid.SampledFrom([]int64{-400_000, -200, 0, 200, 400_000, 3_000_000})
	var script []string
	for at := range rapid.IntRange(1, 30).Draw(t, "lines") {
		n := node.Draw(t, "node")
		line := ""
		switch rapid.IntRange(0, 7).Draw(t, "what") {
		case 0:
			line = fmt.Sprintf("maybe clock %s drift %d", n, amount.Draw(t, "drift"))
		case 1:
			jump := time.Duration(amount.Draw(t, "jump"))
			line = fmt.Sprintf("maybe clock %s %+dns", n, int64(jump))
		case 2:
			line = "maybe crash " + n
		case 3:
			line = "maybe restart " + n
		case 4:
			line = fmt.Sprintf("%s x: now; send %s ping", n, node.Draw(t, "peer"))
		default:
			line = fmt.Sprintf("%s x: now; after %dus t; append r; sync; now", n, 300+at)
		}
		script = append(script, fmt.Sprintf("at %dus %s", 137*at, line))
	}
	p := withRules(timed("A B C", script...), rule{"* got", "now"}, rule{"* fired t", "now"})
	p.Network.DiskSlow = rapid.Bool().Draw(t, "slow disks")
	p.Network.SyncTime = sim.Dist{Low: 50 * time.Microsecond, High: 50 * time.Microsecond}
	p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: ms, High: ms}}}
	return p
}

func TestClocksAreWhatMachinesSaw(t *testing.T) {
	said, changed, both := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run, err := sim.Execute(drawClocks(t))
		if err != nil {
			t.Fatal(err)
		}
		clocks := run.Clocks()
		kinds := map[string]int{}
		for i, e := range run.Trace {
			if e.Kind == sim.EntryClock {
				kinds[run.ClockChange(e)]++
			}
			if e.Kind != sim.EntryNoted {
				continue
			}
			want := fmt.Sprintf("now %v", clocks[e.Cause])
			if got := sim.Text(e.Body); len(got) > 3 && got[:4] == "now " {
				said++
				if clocks[e.Cause] != run.Trace[e.Cause].At {
					changed++
				}
				if got != want {
					t.Fatalf("entry %d, %s: the machine says %q, the trace %q", i, sentence(run, e), got, want)
				}
			}
		}
		both += kinds["changed by 200"]
	})
	if said == 0 || changed == 0 || both == 0 {
		t.Errorf("%d said, %d of them by a clock that had been changed, %d changes that the plan alone does not tell: want some of each",
			said, changed, both)
	}
}

func TestAnEntryThatChangesAClockHasWhatItShowsAfterwards(t *testing.T) {
	run := play(t, timed("A B", "at 1s clock A +5s", "at 2s clock A drift 1000000", "at 3s A x: now", "at 4s clock B -1s"))
	clocks := run.Clocks()
	got := ""
	for i, e := range run.Trace {
		if e.Kind == sim.EntryClock || e.Kind == sim.EntryArrived || e.Kind == sim.EntryEpilogue {
			got += fmt.Sprintf("%s %v; ", e.Kind, clocks[i])
		}
	}
	compare(t, run, "clocks", strings.TrimSuffix(got, "; "),
		"clock 6s; clock 7s; arrives 9s; clock 3s; epilogue 4s")
}
