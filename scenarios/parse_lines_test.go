package scenarios_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestEachLineOfAScriptIsTheActionItSays(t *testing.T) {
	at := sim.Claim{Who: []string{"P"}, Words: []string{"role", "leader"}, Line: 6}
	for line, want := range map[string]sim.Action{
		"P put x 2nd":                    {Verb: sim.Request, Node: "P", Words: []string{"put", "x", "2nd"}},
		"by 3 Q hold it":                 {Verb: sim.Request, Node: "Q", Words: []string{"hold", "it"}, Client: 3},
		"deliver clock->P election":      {Verb: sim.Deliver, Pattern: sim.Pattern{From: []string{"clock"}, To: []string{"P"}, Kind: "election"}},
		"deliver all P Q->R row k":       {Verb: sim.DeliverAll, Pattern: sim.Pattern{From: []string{"P", "Q"}, To: []string{"R"}, Kind: "row", Keys: []string{"k"}}},
		"deliver upto P->Q R row":        {Verb: sim.DeliverUpto, Pattern: sim.Pattern{From: []string{"P"}, To: []string{"Q", "R"}, Kind: "row"}},
		"release log->*":                 {Verb: sim.Release, Pattern: sim.Pattern{From: []string{"log"}, To: []string{"*"}}},
		"duplicate P->P step 11th":       {Verb: sim.Duplicate, Pattern: sim.Pattern{From: []string{"P"}, To: []string{"P"}, Kind: "step", Nth: 11}},
		"crash P for good":               {Verb: sim.Crash, Node: "P", Forever: true},
		"join R":                         {Verb: sim.Join, Node: "R"},
		"partition P Q | R":              {Verb: sim.Partition, Groups: [][]string{{"P", "Q"}, {"R"}}},
		"partition P -> Q | R":           {Verb: sim.Partition, Groups: [][]string{{"P"}, {"Q"}, {"R"}}, OneWay: true},
		"heal":                           {Verb: sim.Heal},
		"clock P -50ms":                  {Verb: sim.Jump, Node: "P", Amount: -50_000_000},
		"clock P drift 200":              {Verb: sim.Drift, Node: "P", Amount: 200},
		"disk P keep 2":                  {Verb: sim.SpoilDisk, Node: "P", Fault: sim.DiskKeep, Amount: 2},
		"disk P lost":                    {Verb: sim.SpoilDisk, Node: "P", Fault: sim.DiskLost},
		"check P role leader":            {Verb: sim.CheckClaim, Claim: at},
		"after 1m30s":                    {Verb: sim.Wait, Place: sim.After, Offset: 90 * time.Second},
		"at 1.5ms settle":                {Verb: sim.Settle, Place: sim.At, Offset: 1500 * time.Microsecond},
		"until P notes elected 3 2nd":    {Verb: sim.Until, Event: sim.Event{Node: "P", What: sim.Notes, Kind: "elected", Keys: []string{"3"}, Nth: 2}},
		"when * sends crash P":           {Verb: sim.Crash, Node: "P", When: &sim.Trigger{Event: sim.Event{Node: "*", What: sim.Sends}}},
		"before every Q syncs row: Q go": {Verb: sim.Request, Node: "Q", Words: []string{"go"}, When: &sim.Trigger{Before: true, Every: true, Event: sim.Event{Node: "Q", What: sim.Syncs, Kind: "row"}}},
	} {
		text := "-- scenario --\nmodel m\nnodes P Q R\ntime runs\n-- script --\n" + line + "\n-- expect --\n* holds\n"
		s, err := scenarios.Parse("x.txt", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		want.Line, want.Text = 6, s.Script[0].Text
		got := s.Script[0].Action
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, got, want)
		}
		if text := scenarios.PatternText(got.Pattern); text != "->" && !strings.Contains(line, text) {
			t.Errorf("%s: PatternText(%+v) = %q", line, got.Pattern, text)
		}
		if text := scenarios.EventText(got.Event); got.Verb == sim.Until && line != "until "+text {
			t.Errorf("%s: EventText(%+v) = %q", line, got.Event, text)
		}
	}
}

func TestEachLineOfChanceIsTheDecisionItSays(t *testing.T) {
	for line, want := range map[string]sim.Exception{
		"delay P->Q row k 2nd by 30ms":   {Name: sim.Name{What: sim.Delay, At: "P", To: "Q", Of: "row", Keys: "k", N: 2}, Value: 30_000_000},
		"delay P->disk row by by by 0s":  {Name: sim.Name{What: sim.Delay, At: "P", To: "disk", Of: "row", Keys: "by by", N: 1}},
		"drop P->Q row 2nd 1st":          {Name: sim.Name{What: sim.Lost, At: "P", To: "Q", Of: "row", Keys: "2nd", N: 1}, Value: 1},
		"duplicate P->Q row by 5ns":      {Name: sim.Name{What: sim.Copy, At: "P", To: "Q", Of: "row", N: 1}, Value: 6},
		"late clock->P election by 1us":  {Name: sim.Name{What: sim.Tardy, At: "clock", To: "P", Of: "election", N: 1}, Value: 1000},
		"crash P before sync row k 3rd":  {Name: sim.Name{What: sim.CrashAt, At: "P", To: "before sync", Of: "row", Keys: "k", N: 3}, Value: 1},
		"crash P after send":             {Name: sim.Name{What: sim.CrashAt, At: "P", To: "after send", N: 1}, Value: 1},
		"restart P 2nd after 4ns":        {Name: sim.Name{What: sim.RestartIn, At: "P", N: 2}, Value: 5},
		"keep P 3 2nd":                   {Name: sim.Name{What: sim.KeepRows, At: "P", N: 2}, Value: 3},
		"torn P":                         {Name: sim.Name{What: sim.Tear, At: "P", N: 1}, Value: 1},
		"fail P->disk row k":             {Name: sim.Name{What: sim.SyncFails, At: "P", To: "disk", Of: "row", Keys: "k", N: 1}, Value: 1},
		"break P->Q row":                 {Name: sim.Name{What: sim.BreakAt, At: "P", To: "Q", Of: "row", N: 1}, Value: 1},
		"lose P->Q after row k":          {Name: sim.Name{What: sim.LoseAfter, At: "P", To: "Q", Of: "row", Keys: "k", N: 1}, Value: 1},
		"draw P time of election is 712": {Name: sim.Name{What: sim.Drawn, At: "P", Of: "time of election", N: 1}, Value: 712},
	} {
		s, err := scenarios.Parse("x.txt", []byte(story("P go", "* holds")+"-- chance --\n"+line+"\n"))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		want.Line = 9
		if got := s.Chance[0].Exception; got != want {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, got, want)
		}
		if got := scenarios.ExceptionText(want); got != line {
			t.Errorf("ExceptionText(%+v) = %q, want %q", want, got, line)
		}
	}
}

func TestEveryWordOfTheSectionScenarioIsRead(t *testing.T) {
	ms := func(low, high time.Duration, shape sim.Shape) sim.Dist {
		return sim.Dist{Shape: shape, Low: low * time.Millisecond, High: high * time.Millisecond}
	}
	text := "-- scenario --\nmodel m\nnodes P Q\nlater R\ntime runs\ninflight park\ndisk slow 1ms..2ms told 1ms\n" +
		"disk fails 1%\ndisk torn 0.0001%\ndisk keeps some\ncrash 2%\ncrashes 3\nrestart 1ms..4ms heavy\nbreak 5%\n" +
		"detect 6ms\nreopen 7ms\ntimeout 8ms\nlate 9ms\nclients 2\nops 20\nspan 30ms\nseeds 5..9\nbudget events 10\n" +
		"budget time 11ms\nbudget bytes 12\nbudget linger 13ms\ndelay 3ms\nloss P->Q 50%\n-- expect --\n* holds\n"
	s, err := scenarios.Parse("x.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Network{
		InFlight: sim.Park, DiskSlow: true, SyncTime: ms(1, 2, sim.Uniform), Told: ms(1, 0, sim.Constant),
		SyncFail: 10_000, Torn: 1, Keep: true, Crash: 20_000, Crashes: 3, Restart: ms(1, 4, sim.Heavy),
		Break: 50_000, Detect: 6 * time.Millisecond, Reopen: ms(7, 0, sim.Constant), Timeout: 8 * time.Millisecond,
		Late: ms(9, 0, sim.Constant), Links: []sim.Link{
			{From: "*", To: "*", Delay: ms(3, 0, sim.Constant)},
			{From: "P", To: "Q", Delay: ms(3, 0, sim.Constant), Loss: 500_000},
		},
	}
	if !reflect.DeepEqual(s.Network, want) {
		t.Errorf("network\ngot  %+v\nwant %+v", s.Network, want)
	}
	budget := sim.Budget{Events: 10, Time: 11 * time.Millisecond, Bytes: 12, Linger: 13 * time.Millisecond}
	got := fmt.Sprint(s.Budget, s.Clients, s.Ops, s.Span, s.Seeds, s.Later)
	if want := fmt.Sprint(budget, 2, 20, 30*time.Millisecond, scenarios.Seeds{From: 5, To: 9}, []string{"R"}); got != want {
		t.Errorf("the rest: got %s, want %s", got, want)
	}
	again(t, s)
}
