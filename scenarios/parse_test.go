package scenarios_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"pgregory.net/rapid"
)

// limbo is a story with something of everything that most stories need, 30 lines long.
const limbo = `# A's pending k dies with A; B resolves without k.
-- scenario --
model     synchro
nodes     A B C
quorum    2
mode      candidate A B
variants  P0/resolve-empty=write P1

-- script --
wake A until A role leader
A put x
check * data x
hold A->* row k
A put k                 # durable on A only, outcome unknown
# The parked rows are lost; the hold stands.
crash A
wake B until B role leader
restart A
check A data x
B resign
wake A until A role leader
for P1: maybe drop A->B row k 2nd
release A->* row k
A put z

-- expect --
P0/resolve-empty=write  breaks C1 R1 ...
A   data x z
B C data x k z
*                       holds
`

func TestParseReadsAStory(t *testing.T) {
	s, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"the opening comment", s.Doc, []string{"A's pending k dies with A; B resolves without k."}},
		{"the model", s.Model, "synchro"},
		{"the nodes", s.Nodes, []string{"A", "B", "C"}},
		{"the set-up, with lines", s.Setup, []scenarios.Setup{
			{Words: []string{"quorum", "2"}, Line: 5}, {Words: []string{"mode", "candidate", "A", "B"}, Line: 6}}},
		{"the variants", s.Played, []string{"P0/resolve-empty=write", "P1"}},
		{"the number of steps", len(s.Script), 14},
		{"a hold", s.Script[3].Action, sim.Action{Verb: sim.Hold, Line: 13, Text: "hold A->* row k",
			Pattern: sim.Pattern{From: []string{"A"}, To: []string{"*"}, Kind: "row", Keys: []string{"k"}}}},
		{"a trailing comment", s.Script[4].After, "durable on A only, outcome unknown"},
		{"a comment above", s.Script[5].Above, []string{"The parked rows are lost; the hold stands."}},
		{"a wake", s.Script[6].Action, sim.Action{Verb: sim.Wake, Node: "B", Line: 17, Text: "wake B until B role leader",
			Claim: sim.Claim{Who: []string{"B"}, Words: []string{"role", "leader"}, Line: 17}}},
		{"a line with prefixes", s.Script[11].Action, sim.Action{Verb: sim.Drop, For: []string{"P1"}, Maybe: true, Line: 22,
			Pattern: sim.Pattern{From: []string{"A"}, To: []string{"B"}, Kind: "row", Keys: []string{"k"}, Nth: 2},
			Text:    "for P1: maybe drop A->B row k 2nd"}},
		{"a verdict with claims", s.Expect.Verdicts[0], scenarios.Verdict{
			Variant: "P0/resolve-empty=write", Outcome: scenarios.Breaks, Breaks: []string{"C1", "R1"}, More: true, Line: 27,
			Claims: []scenarios.Claim{
				{Claim: sim.Claim{Who: []string{"A"}, Words: []string{"data", "x", "z"}, Line: 28}},
				{Claim: sim.Claim{Who: []string{"B", "C"}, Words: []string{"data", "x", "k", "z"}, Line: 29}}}}},
		{"the last verdict", s.Expect.Verdicts[1], scenarios.Verdict{Variant: "*", Outcome: scenarios.Holds, Line: 30}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %#v, want %#v", c.what, c.got, c.want)
		}
	}
}

// early is a story in which keys and kinds begin with capitals, as nodes do.
const early = `# Ignite, S-06. N is in the cut when it decides; Q learns of the cut from the finish request itself.
-- scenario --
model     ignite
nodes     N P Q
client    N
key       x on P
key       y on Q        # two primaries, else this is one-phase
variants  draft merged
-- script --
hold Q->N NPR T
hold log->Q start c1
N commit T x y
P cut c1
release Q->N NPR T      # N tags T, its NFQ is signed
check Q entered c1 NFQ
release log->Q start c1 # late and without effect
-- expect --
* side T after
Q wal P S D C F-T
* holds
`

func TestKindsAndKeysMayBeginWithCapitals(t *testing.T) {
	s, err := scenarios.Parse("early.txt", []byte(early))
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Pattern{From: []string{"Q"}, To: []string{"N"}, Kind: "NPR", Keys: []string{"T"}}
	if got := s.Script[0].Pattern; !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", s.Script[0].Text, got, want)
	}
	claims := [][]string{{"side", "T", "after"}, {"wal", "P", "S", "D", "C", "F-T"}}
	for i, c := range s.Expect.Claims {
		if !slices.Equal(c.Words, claims[i]) {
			t.Errorf("line %d: got %q, want %q", c.Line, c.Words, claims[i])
		}
	}
	again(t, s)
}

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

// linksOf is what a plan does on a link: what the last entry that matches says.
func linksOf(links []sim.Link, from, to string) sim.Link {
	matches := func(end, name string) bool {
		return end == name || end == "*" && name[0] >= 'A' && name[0] <= 'Z'
	}
	for _, l := range slices.Backward(links) {
		own := from == to && (l.From == "*" || l.To == "*")
		if !own && matches(l.From, from) && matches(l.To, to) {
			return sim.Link{Delay: l.Delay, Loss: l.Loss, Duplicate: l.Duplicate}
		}
	}
	return sim.Link{}
}

func TestEachTraitOfALinkIsWhatTheLastLineSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t, nodes: []string{"P", "Q", "R"}}
		var lines []string
		said := map[string]bool{}
		single := [3][]sim.Link{} // of each trait, as if it were the only one
		for range 1 + d.upTo(8) {
			trait := d.upTo(2)
			end := func() string { return d.one("P", "Q", "R", "*") }
			l := sim.Link{From: end(), To: end()}
			if trait == 0 && d.rarely() {
				l.To = d.one("log", "client")
			}
			own := l.From == l.To && l.From != "*"
			word := []string{"delay", "loss", "duplicate"}[trait] + " " + l.From + "->" + l.To
			if own && trait != 0 || said[word] {
				continue
			}
			said[word] = true
			n := d.upTo(9)
			switch trait {
			case 0:
				l.Delay.Low = time.Duration(n) * time.Millisecond
				lines = append(lines, fmt.Sprintf("%s %dms", word, n))
			case 1:
				l.Loss = sim.PPM(n) * 10_000
				lines = append(lines, fmt.Sprintf("%s %d%%", word, n))
			case 2:
				l.Duplicate = sim.PPM(n) * 10_000
				lines = append(lines, fmt.Sprintf("%s %d%%", word, n))
			}
			single[trait] = append(single[trait], l)
		}
		text := "-- scenario --\nmodel m\nnodes P Q R\ntime runs\n" + strings.Join(lines, "\n") + "\n-- script --\n-- expect --\n* holds\n"
		s, err := scenarios.Parse("x.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		made := *s
		made.Header = nil // so that Format makes the lines of the links anew
		back, err := scenarios.Parse("x.txt", scenarios.Format(&made))
		if err != nil {
			t.Fatalf("%v in\n%s", err, scenarios.Format(&made))
		}
		for _, from := range []string{"P", "Q", "R", "log", "client"} {
			for _, to := range []string{"P", "Q", "R", "log", "client"} {
				want := sim.Link{
					Delay: linksOf(single[0], from, to).Delay, Loss: linksOf(single[1], from, to).Loss,
					Duplicate: linksOf(single[2], from, to).Duplicate,
				}
				if got := linksOf(s.Network.Links, from, to); got != want {
					t.Fatalf("%s\n%s->%s: got %+v, want %+v of %+v", text, from, to, got, want, s.Network.Links)
				}
				if got := linksOf(back.Network.Links, from, to); got != want {
					t.Fatalf("%s\nprinted as\n%s\n%s->%s: got %+v, want %+v", text, scenarios.Format(&made), from, to, got, want)
				}
			}
		}
	})
}

func TestLineEndsTabsAndTrailingBlanksDoNotMatter(t *testing.T) {
	want, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"line ends of Windows":   strings.ReplaceAll(limbo, "\n", "\r\n"),
		"tabs":                   strings.ReplaceAll(limbo, "  ", "\t"),
		"trailing blanks":        strings.ReplaceAll(limbo, "\n", " \t \n"),
		"a byte order mark":      "\uFEFF" + limbo,
		"no newline at the end":  strings.TrimSuffix(limbo, "\n"),
		"blank lines at the end": limbo + "\n\n",
	} {
		got, err := scenarios.Parse("limbo.txt", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s", name, difference2(reflect.ValueOf(*got), reflect.ValueOf(*want), "s"))
		}
	}
}

// varied is a grid in which a verb, a node, a part of a link and durations vary.
const varied = `-- scenario --
model m
nodes P Q
time runs
delay $span

-- vary --
verb drop duplicate
to P Q
span 1ms 5ms
skip to=P span=5ms
cases 6

-- script --
at $span $verb *->$to row 2nd # but $to
-- expect --
* side after if to=Q span=1ms
$to side $verb
* holds
`

func TestACaseOfAGridIsAStoryWithTheLinesOfTheFile(t *testing.T) {
	s, err := scenarios.Parse("grid.txt", []byte(varied))
	if err != nil {
		t.Fatal(err)
	}
	where := []scenarios.Cond{{Name: "verb", Value: "drop"}, {Name: "to", Value: "Q"}, {Name: "span", Value: "5ms"}}
	c, err := s.Expand(where)
	if err != nil {
		t.Fatal(err)
	}
	want := "-- scenario --\nmodel  m\nnodes  P Q\ntime   runs\ndelay  5ms\n\n" +
		"-- script --\nat 5ms drop *->Q row 2nd  # but $to\n\n-- expect --\nQ side drop\n*  holds\n"
	if got := string(scenarios.Format(c)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c.Script[0].Line != 15 || c.Expect.Claims[0].Line != 18 || c.Header[3].Line != 5 {
		t.Errorf("got lines %d, %d and %d, want 15, 18 and 5", c.Script[0].Line, c.Expect.Claims[0].Line, c.Header[3].Line)
	}
	for _, bad := range [][]scenarios.Cond{nil, where[:2], {where[1], where[0], where[2]}} {
		if _, err := s.Expand(bad); err == nil {
			t.Errorf("Expand(%v) = nil, want an error", bad)
		}
	}
}

func TestANameStandsForAVariantAnOutcomeAnEndOrAModelsWord(t *testing.T) {
	text := `-- scenario --
model m
nodes P Q
tag $what

-- vary --
variant a b
outcome holds loose
end log client
what x y
cases 16

-- script --
release $end->P $what
-- expect --
P is $what
$variant $outcome
c $outcome
`
	s, err := scenarios.Parse("grid.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again(t, s)
	cases := s.Grid()
	c := cases[len(cases)-1].Scenario
	want := "-- scenario --\nmodel  m\nnodes  P Q\ntag    y\n\n-- script --\nrelease client->P y\n\n" +
		"-- expect --\nP is y\nb  loose\nc  loose\n"
	if got := string(scenarios.Format(c)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAMistakeInOneCaseNamesTheLineAndTheCase(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"a verb that is none", "verb drop", "verb dorp",
			`grid.txt:15: no verb "dorp"; did you mean "drop"? (in case verb=dorp to=P span=1ms)`},
		{"a duration that is none", "5ms", "5mm",
			`grid.txt:5: want a duration such as 5ms or 1ms..10ms, got "5mm" (in case verb=drop to=Q span=5mm)`},
		{"a node that is none", "to P Q", "to P R",
			`grid.txt:17: to has no value "Q"; have P R`},
		{"a name that does not vary", "at $span", "at $spam",
			`grid.txt:15: -- vary -- has no name "spam"; did you mean "span"?`},
		{"a mistake that is in every case", "$to side $verb\n", "R side x\n",
			`grid.txt:18: no node called "R"; have P Q`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenarios.Parse("grid.txt", []byte(strings.ReplaceAll(varied, c.from, c.to)))
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// cutModel knows just enough to be asked about a story.
var cutModel = &sim.Protocol{
	Name: "cut",
	Variants: []sim.Variant{
		{Name: "unsigned", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }},
		{Name: "signed", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }},
	},
	Rules:      []sim.Rule{{Name: "channel", Values: []string{"kept", "lost"}}},
	Properties: []sim.Property{{Name: "consistent-cut"}, {Name: "complete-cut"}},
	Apply:      func(v sim.Variant, _ []sim.RuleValue) (sim.Variant, error) { return v, nil },
	Shows:      []string{"data", "version", "cut", "learned", "side", "channel"},
	SetupWords: []string{"key"},
	ParseSetup: func(words, nodes []string) (any, error) {
		if len(words) != 4 || words[2] != "on" || !slices.Contains(nodes, words[3]) {
			return nil, fmt.Errorf("want key NAME on NODE, got %q", strings.Join(words, " "))
		}
		return words, nil
	},
	OpWords: []string{"commit", "cut"},
	ParseOp: func(words []string) (sim.Op, error) {
		if len(words) != 2 {
			return nil, fmt.Errorf("want %s and one name, got %q", words[0], strings.Join(words, " "))
		}
		return put{Item: words[1]}, nil
	},
}

func TestEveryMalformedStoryIsRefusedWithItsError(t *testing.T) {
	count := 0
	for _, pattern := range []string{"testdata/malformed/*.txt", "testdata/malformed/model/*.txt"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			count++
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { malformed(t, name) })
		}
	}
	if count < 45 {
		t.Errorf("%d malformed stories, want 45 at least", count)
	}
}

// updating says that golden files are to be rewritten: go test ./scenarios -update.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func malformed(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(filepath.Base(name), text)
	if strings.Contains(filepath.ToSlash(name), "/model/") {
		if err != nil {
			t.Fatalf("want Parse to take it and Check to refuse it, got %v", err)
		}
		err = s.Check(cutModel)
	}
	if err == nil {
		t.Fatal("want an error, got none")
	}
	var at *scenarios.Error
	if !errors.As(err, &at) || at.Line == 0 {
		t.Errorf("got %v, want an error with file and line", err)
	}
	golden := strings.TrimSuffix(name, ".txt") + ".err"
	got := err.Error() + "\n"
	if updating() {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got  %swant %s", got, want)
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(limbo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scenarios.Parse("limbo.txt", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	s, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		scenarios.Format(s)
	}
}
