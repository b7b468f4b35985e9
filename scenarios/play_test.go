package scenarios_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// parse reads a story for the relay protocol.
func parse(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("relay.txt", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

// read reads the story of a file.
func read(t *testing.T, file string) *scenarios.Scenario {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// story is a story of two nodes: a script, and what is expected.
func story(script, expect string) string { return storyWith("", script, expect) }

// storyWith is story with more lines of the header.
func storyWith(header, script, expect string) string {
	return "-- scenario --\nmodel relay\nnodes P Q\n" + header +
		"-- script --\n" + script + "\n-- expect --\n" + expect + "\n"
}

func play(t *testing.T, text string, o scenarios.PlayOptions) *scenarios.Report {
	t.Helper()
	r, err := scenarios.Play(parse(t, text), relaying, o)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return r
}

func TestPlayComparesWhatCameWithWhatIsExpected(t *testing.T) {
	for _, c := range []struct {
		name   string
		script string
		expect string
		want   string // failures, without the commands
		exit   int
	}{
		{"a variant that holds as expected",
			"P put a", "plain holds", "", 0},
		{"a mutant that breaks as expected",
			"P put x", "skips-x breaks everywhere", "", 0},
		{"all that are not named, mutants left out",
			"P put x", "skips-x breaks everywhere\n* holds", "", 0},
		{"holds where something broke",
			"P put x", "skips-x holds",
			"relay.txt:7: skips-x: want holds, got breaks everywhere: x is not on Q", 1},
		{"breaks where nothing broke",
			"P put a", "plain breaks everywhere",
			"relay.txt:7: plain: want breaks everywhere, got holds", 1},
		{"another property than the one named",
			"P put x", "skips-x breaks same-order",
			"relay.txt:7: skips-x: want breaks same-order, got breaks everywhere: x is not on Q", 1},
		{"more properties than those that broke",
			"P put x", "skips-x breaks everywhere same-order",
			"relay.txt:7: skips-x: want breaks everywhere same-order, got breaks everywhere: x is not on Q", 1},
		{"dots allow more than what is named, not less",
			"P put x", "skips-x breaks panic ...",
			"relay.txt:7: skips-x: want breaks panic ..., got breaks everywhere: x is not on Q", 1},
		{"nothing to judge is vacuous, not holds",
			"settle", "plain holds",
			"relay.txt:7: plain: want holds, but no property met its premise", 1},
		{"undecided against expectation has a code of its own",
			"P put a", "plain undecided",
			"relay.txt:7: plain: want undecided, got holds", 1},
		{"a claim before the first verdict binds every variant",
			"P put a", "Q items b\nplain holds\nrows holds",
			"relay.txt:7: plain: want \"Q items b\", saw \"Q items a\"\n" +
				"relay.txt:7: rows: want \"Q items b\", saw \"Q items a\"", 1},
		{"a claim after a verdict binds that variant",
			"P put a", "plain holds\nQ items b\nrows holds\nQ items a",
			"relay.txt:8: plain: want \"Q items b\", saw \"Q items a\"", 1},
		{"a claim of all nodes",
			"P put a\nQ put b", "* items a b\nplain holds", "", 0},
		{"a claim that nothing is called by",
			"P put a", "P itms a\nplain holds",
			"relay.txt:7: plain: want \"P itms a\", saw \"nothing is called \\\"itms a\\\"; there is items\"", 1},
		{"a check that holds",
			"P put a\ncheck Q items a\nP put b", "plain holds", "", 0},
		{"a check that fails has gone astray",
			"P put a\ncheck Q items a b\nP put b", "plain holds",
			"relay.txt:6: plain: astray: want \"Q items a b\", saw \"Q items a\"", 1},
		{"a hold that caught nothing is stale",
			"hold P->Q item b\nP put a", "plain holds",
			"relay.txt:5: plain: stale: \"hold P->Q item b\": it caught nothing", 1},
		{"a hold of a kind that is never sent is told what is",
			"hold P->Q itme b\nP put a", "plain holds",
			"relay.txt:5: plain: stale: \"hold P->Q itme b\": it caught nothing; " +
				"no \"itme\" is sent in this run; did you mean \"item\"?", 1},
		{"a trigger by a kind that does not occur is told what does",
			"when Q notes hass b: crash P\nP put a", "plain holds",
			"relay.txt:5: plain: stale: \"when Q notes hass b crash P\": its event never happened; " +
				"nothing in this run is called \"hass\"; did you mean \"has\"?", 1},
		{"a line that may come to nothing is not",
			"maybe hold P->Q item b\nP put a", "plain holds", "", 0},
		{"a line for one variant acts under no other",
			"for skips-x: P put x\nP put a", "plain holds\nP items a\nskips-x breaks everywhere", "", 0},
		{"a line for a variant acts under it with rules",
			"for plain: P put a\nP put b", "plain/way=log holds\nP items a b\nrows holds\nP items b", "", 0},
		{"a rule of a variant",
			"hold P->log news a\nP put a\ncheck Q items a\nrelease P->log news a",
			"plain/way=log holds\nQ items a",
			"relay.txt:7: plain/way=log: astray: want \"Q items a\", saw \"Q items\"", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, story(c.script, c.expect), scenarios.PlayOptions{})
			var got []string
			for _, f := range r.Failures() {
				first, _, _ := strings.Cut(f, "\n")
				got = append(got, first)
			}
			if text := strings.Join(got, "\n"); text != c.want || r.Exit() != c.exit {
				t.Errorf("script:\n%s\nexpect:\n%s\ngot exit %d:\n%s\nwant exit %d:\n%s",
					c.script, c.expect, r.Exit(), text, c.exit, c.want)
			}
		})
	}
}

func TestABudgetThatIsExceededIsUndecided(t *testing.T) {
	text := "-- scenario --\nmodel relay\nnodes P Q\nbudget events 2\n-- script --\nP put a\n-- expect --\n"
	r := play(t, text+"plain holds\n", scenarios.PlayOptions{})
	if got := r.Played[0].Got; !strings.HasPrefix(got, "undecided: 2 events were not enough") || r.Exit() != 3 {
		t.Errorf("got %q and exit %d, want undecided and exit 3", got, r.Exit())
	}
	r = play(t, text+"plain undecided\n", scenarios.PlayOptions{})
	if r.Exit() != 0 {
		t.Errorf("undecided as expected: got exit %d and %v", r.Exit(), r.Failures())
	}
}

func TestAFailureEndsWithTheCommandThatReproducesIt(t *testing.T) {
	r := play(t, "-- scenario --\nmodel relay\nnodes P Q\ntime runs\nloss 30%\nseeds 1..50\n"+
		"-- script --\nP put a\n-- expect --\nplain holds\n", scenarios.PlayOptions{})
	if len(r.Played) != 1 || len(r.Played[0].Problems) == 0 {
		t.Fatalf("want a seed that loses the item, got %+v", r.Played)
	}
	p := r.Played[0]
	if p.Tally.Runs != 50 || p.Tally.Broken < 5 || p.Tally.Broken > 30 {
		t.Errorf("got %d of %d runs broken, want about 15 of 50", p.Tally.Broken, p.Tally.Runs)
	}
	fails := r.Failures()
	if want := "downset run --variant plain --seed "; !strings.Contains(fails[0], want) {
		t.Errorf("got %q, want it to hold %q", fails[0], want)
	}
	again := play(t, "-- scenario --\nmodel relay\nnodes P Q\ntime runs\nloss 30%\n-- script --\nP put a\n"+
		"-- expect --\nplain holds\n", scenarios.PlayOptions{Seeds: scenarios.Seeds{From: p.Seed, To: p.Seed}})
	if got := again.Played[0]; got.Run.Hash != p.Run.Hash || len(got.Problems) == 0 {
		t.Errorf("seed %d alone: hash %x and problems %v, want hash %x and the same failure",
			p.Seed, got.Run.Hash, got.Problems, p.Run.Hash)
	}
}

func TestOverSeedsBreaksMeansAtLeastOneAndHoldsEveryOne(t *testing.T) {
	text := "-- scenario --\nmodel relay\nnodes P Q\ntime runs\nloss 30%\nseeds 1..50\n-- script --\nP put a\n" +
		"-- expect --\nplain breaks everywhere\n"
	if r := play(t, text, scenarios.PlayOptions{}); r.Exit() != 0 {
		t.Errorf("one seed that breaks is enough: got %v", r.Failures())
	}
	calm := strings.Replace(text, "loss 30%", "loss 0%", 1)
	r := play(t, calm, scenarios.PlayOptions{})
	want := "relay.txt:10: plain: want breaks everywhere, got holds (0 of 50 runs broke)\n" +
		"\tdownset run --variant plain relay.txt"
	if got := strings.Join(r.Failures(), "\n"); got != want || r.Exit() != 1 {
		t.Errorf("no seed breaks: got exit %d and\n%s\nwant exit 1 and\n%s", r.Exit(), got, want)
	}
	one := play(t, calm, scenarios.PlayOptions{Seeds: scenarios.Seeds{From: 3, To: 3}})
	expected := "breaks everywhere, some of 50 seeds"
	if got := one.Played[0]; one.Exit() != 0 || got.Expected != expected {
		t.Errorf("one of the seeds does not break: got exit %d, expected %q, want exit 0 and %q",
			one.Exit(), got.Expected, expected)
	}
}

func TestVariantsAreThoseNamedAndForAStarAllThatAreRight(t *testing.T) {
	for _, c := range []struct {
		name, header, expect string
		want                 []string
	}{
		{"those that expect names", "", "rows holds\nplain holds", []string{"rows", "plain"}},
		{"a star adds the others", "", "rows holds\n* holds", []string{"rows", "plain"}},
		{"those of the variants line", "variants plain rows\n", "* holds", []string{"plain", "rows"}},
		{"a mutant only by name", "", "skips-x breaks everywhere\n* holds", []string{"skips-x", "plain", "rows"}},
		{"rules are part of the name", "variants plain/way=log\n", "* holds", []string{"plain/way=log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := parse(t, "-- scenario --\nmodel relay\nnodes P Q\n"+c.header+
				"-- script --\nP put a\n-- expect --\n"+c.expect+"\n")
			got, err := s.Variants(relaying)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("Variants() = %v, %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestCheckSaysWhatTheModelDoesNotKnow(t *testing.T) {
	for _, c := range []struct{ name, header, script, expect, want string }{
		{"a variant", "", "P put a", "plan holds",
			`relay.txt:9: relay has no variant "plan"; did you mean "plain"?`},
		{"a variant to play", "variants plane", "P put a", "* holds",
			`relay.txt:4: relay has no variant "plane"; did you mean "plain"?`},
		{"a rule", "", "P put a", "plain/way=mail holds",
			`relay.txt:9: rule way has no value "mail"; have datagram direct stream log`},
		{"a variant of one line", "", "for plian: P put a", "* holds",
			`relay.txt:7: relay has no variant "plian"; did you mean "plain"?`},
		{"a set-up word", "tga Q", "P put a", "plain holds",
			`relay.txt:4: neither the engine nor model relay knows "tga"; did you mean "tag"?`},
		{"an engine word misspelt", "tome runs", "P put a", "plain holds",
			`relay.txt:4: neither the engine nor model relay knows "tome"; did you mean "time"?`},
		{"a set-up line", "tag", "P put a", "plain holds",
			`relay.txt:4: want tag WORD, got "tag"`},
		{"a request's verb", "", "P putt a", "plain holds",
			`relay.txt:7: model relay has no request "putt"; did you mean "put"?`},
		{"a request", "", "P put", "plain holds",
			`relay.txt:7: want put ITEM, got "put"`},
		{"a property", "", "P put a", "plain breaks everwhere",
			`relay.txt:9: model relay has no property or claim "everwhere"; did you mean "everywhere"?`},
		{"a variant of which nothing is expected", "variants plain rows", "P put a", "plain holds",
			`relay.txt:4: variant rows is played, but nothing is expected of it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := c.header
			if header == "" {
				header = "# nothing more"
			}
			s := parse(t, "-- scenario --\nmodel relay\nnodes P Q\n"+header+"\n\n-- script --\n"+c.script+
				"\n-- expect --\n"+c.expect+"\n")
			err := s.Check(relaying)
			if err == nil || err.Error() != c.want {
				t.Errorf("Check() = %v, want %s", err, c.want)
			}
		})
	}
}

func TestCheckRefusesAStoryOfAnotherModel(t *testing.T) {
	s := parse(t, "-- scenario --\nmodel delay\nnodes P\n-- script --\nP put a\n-- expect --\n* holds\n")
	want := "relay.txt:2: model delay, but it is played by relay"
	if err := s.Check(relaying); err == nil || err.Error() != want {
		t.Errorf("Check() = %v, want %s", err, want)
	}
}

func TestExitCodesHaveAPrecedence(t *testing.T) {
	for _, c := range []struct {
		name string
		kind []scenarios.ProblemKind
		want int
	}{
		{"nothing is wrong", nil, 0},
		{"undecided alone", []scenarios.ProblemKind{scenarios.NotDecided}, 3},
		{"a verdict comes before undecided", []scenarios.ProblemKind{scenarios.NotDecided, scenarios.WrongVerdict}, 1},
		{"stale counts as a verdict", []scenarios.ProblemKind{scenarios.StaleLine}, 1},
		{"two runs that differ come first",
			[]scenarios.ProblemKind{scenarios.WrongVerdict, scenarios.Nondeterminism, scenarios.NotDecided}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &scenarios.Report{}
			for _, k := range c.kind {
				r.Played = append(r.Played, scenarios.Played{Problems: []scenarios.Problem{{What: k}}})
			}
			if got := r.Exit(); got != c.want {
				t.Errorf("Exit() with problems %v = %d, want %d", c.kind, got, c.want)
			}
		})
	}
}

func TestADrawnLoadDependsOnTheSeedAlone(t *testing.T) {
	s := parse(t, "-- scenario --\nmodel relay\nnodes P Q\ntime runs\nclients 2\nops 6\n"+
		"-- load --\nat 1ms P put first\n-- expect --\nplain holds\n")
	load := func(seed uint64) []sim.Action {
		plan, err := s.Plan(relaying, "plain", seed)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Load
	}
	a, b, other := load(7), load(7), load(8)
	if len(a) != 7 {
		t.Fatalf("got %d actions, want the written one and 6 drawn ones", len(a))
	}
	same := func(a, b []sim.Action) bool {
		return slices.EqualFunc(a, b, func(x, y sim.Action) bool { return x.Node == y.Node && x.Offset == y.Offset })
	}
	if !same(a, b) || same(a, other) {
		t.Errorf("seed 7: %v\nseed 7: %v\nseed 8: %v\nwant the first two alike, the third not", a, b, other)
	}
	if !slices.IsSortedFunc(a, func(x, y sim.Action) int { return int(x.Offset - y.Offset) }) {
		t.Errorf("got %v, want it in order of time", a)
	}
}

func TestTwoRunsOfOnePlanThatDifferAreNondeterminism(t *testing.T) {
	leaks := 0 // between runs
	p := *relaying
	p.Variants = []sim.Variant{{Name: "plain", New: func(id sim.NodeID, nodes []sim.NodeID) sim.Machine {
		leaks++
		return relays("datagram", "")(id, nodes).(*relay).after(leaks)
	}}}
	s := parse(t, story("P put a", "plain holds"))
	r, err := scenarios.Play(s, &p, scenarios.PlayOptions{NoOrders: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit() != 4 || len(r.Played[0].Of(scenarios.Nondeterminism)) != 1 {
		t.Errorf("got exit %d and %v, want exit 4 and two hashes", r.Exit(), r.Failures())
	}
}

func TestExpectingIsWhatARunCameTo(t *testing.T) {
	for _, c := range []struct{ name, item, want string }{
		{"what broke", "x", "skips-x  breaks everywhere\n"},
		{"what held", "a", "skips-x  holds\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, story("P put "+c.item, "skips-x undecided"), scenarios.PlayOptions{})
			p := r.Played[0]
			got := string(scenarios.Format(p.Scenario.Pinned(p.Run.Plan).Expecting(p.Verdict)))
			if !strings.HasSuffix(got, "-- expect --\n"+c.want) {
				t.Errorf("got\n%s\nwant it to expect %s", got, c.want)
			}
			if again := play(t, got, scenarios.PlayOptions{}); again.Exit() != 0 {
				t.Errorf("got %v, want none", again.Failures())
			}
		})
	}
}

func TestAnExceptionThatNamesNothingIsStale(t *testing.T) {
	text := story("P put a", "plain holds") +
		"-- chance --\ndelay P->Q item a by 1ms\ndelay P->Q item b by 1ms\n"
	r := play(t, text, scenarios.PlayOptions{})
	want := "relay.txt:10: plain: stale: \"delay P->Q item b by 1ms\": no decision has this name\n" +
		"\tdownset run --variant plain relay.txt"
	if got := strings.Join(r.Failures(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
