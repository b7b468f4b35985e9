package scenarios_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// exploring is the exploration of a story that stands in the script, of a variant of cut.
func exploring(t *testing.T, header, script, variant string, o scenarios.ExploreOptions) *scenarios.Exploring {
	t.Helper()
	x, err := explorable(t, header, script, variant, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func explorable(t *testing.T, header, script, variant string, o scenarios.ExploreOptions) (
	*scenarios.Exploring, error) {
	t.Helper()
	text := "-- scenario --\nmodel cut\nnodes P Q\n" + header + "\n-- script --\n" + script +
		"\n-- expect --\n* holds\n"
	s, err := scenarios.Parse("story.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := scenarios.NewCampaign(cut.Protocol, variant, s)
	if err != nil {
		t.Fatal(err)
	}
	return c.Exploring(o)
}

func ran(t *testing.T, x *scenarios.Exploring) *scenarios.Explored {
	t.Helper()
	r, err := x.Run()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const crossing = "P commit tx1\nP cut 1\nQ cut 1\n"

func TestExploringFindsWhatOneOrderOfManyBreaks(t *testing.T) {
	// As it is written tx1 is before the cut on both.
	x := exploring(t, "explore", crossing, "unsigned", scenarios.ExploreOptions{})
	r := ran(t, x)
	if len(r.Broken) == 0 || !slices.Equal(r.Broken[0].Broken, []string{"consistent-cut"}) {
		t.Fatalf("got %+v, want consistent-cut broken", r.Broken)
	}
	w, err := x.Way(r.Broken[0])
	if err != nil || w == nil {
		t.Fatalf("no story: %v", err)
	}
	// P draws its point, then commits; Q commits as it hears of it, then draws its own: no shorter.
	want := "P cut 1\nP commit tx1\nQ cut 1\n"
	if got := script(w.Story); got != want || !w.Shortest || w.Moves > 4 {
		t.Errorf("a way of %d moves, shortest %v:\n%swant at most 4, true, and\n%s", w.Moves, w.Shortest, got, want)
	}
	signed := ran(t, exploring(t, "explore", crossing, "signed", scenarios.ExploreOptions{}))
	if !signed.Complete || len(signed.Broken) > 0 || signed.Ends == 0 {
		t.Errorf("signed: %+v, want it complete, with nothing broken", signed)
	}
}

func script(s *scenarios.Scenario) string {
	text := ""
	for _, st := range s.Script {
		text += st.Text + "\n"
	}
	return text
}

// TestTheStoryOfAWayPlaysAsItSays takes every mutant of commit that its smallest story comes to.
func TestTheStoryOfAWayPlaysAsItSays(t *testing.T) {
	const file = "commit/small.txt"
	s := read(t, file)
	told := 0
	for _, v := range commit.Protocol.Variants {
		if !v.Mutant() {
			continue
		}
		told += told1(t, s, v)
	}
	if told < 10 {
		t.Errorf("%d mutants broke, want at least 10", told)
	}
}

func told1(t *testing.T, s *scenarios.Scenario, v sim.Variant) int {
	c, err := scenarios.NewCampaign(commit.Protocol, v.Name, s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Exploring(scenarios.ExploreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := ran(t, x)
	if len(r.Broken) == 0 {
		return 0
	}
	w, err := x.Way(r.Broken[0])
	if err != nil || w == nil {
		t.Fatalf("%s: no story: %v", v.Name, err)
	}
	text, err := w.Text("way.txt")
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	again, err := scenarios.Parse("way.txt", text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", v.Name, err, text)
	}
	report, err := scenarios.Play(again, commit.Protocol, scenarios.PlayOptions{})
	if err != nil || !report.Met() {
		t.Errorf("%s: %v, %q\n%s", v.Name, err, report.Failures(), text)
	}
	plan, f, err := again.Recorded(commit.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Digest: true})
	if err != nil {
		t.Fatal(err)
	}
	broken := checker.Judge(run, commit.Protocol.Properties).Broken()
	if scenarios.Fingerprint(run) != f.Hash || !slices.Contains(broken, w.Property) {
		t.Errorf("%s: the replay breaks %q, want %s, and the recorded run\n%s", v.Name, broken, w.Property, text)
	}
	if !bytes.Equal(scenarios.Format(again), text) {
		t.Errorf("%s: the story is not in the canonical form\n%s", v.Name, text)
	}
	return 1
}

func TestOneJobAndTwoComeToTheSame(t *testing.T) {
	for _, full := range []bool{true, false} {
		var all []scenarios.Explored
		for _, jobs := range []int{1, 2} {
			x := exploring(t, "explore timers 1 crashes 1", "P commit tx1\nP cut 1\n", "signed", scenarios.ExploreOptions{})
			x.Search.Jobs, x.Search.Full = jobs, full
			r := ran(t, x)
			if !r.Complete || r.States < 500 || r.Ends < 100 {
				t.Errorf("%d jobs, full %v: %+v, want it complete", jobs, full, r)
			}
			r.Bytes, r.Steady = 0, false
			if !full { // which states are left out may depend on what was met before
				r.States, r.Transitions, r.Depth = 0, 0, 0
			}
			all = append(all, *r)
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Errorf("full %v: with one job %+v\nwith two     %+v\nwant the same", full, all[0], all[1])
		}
	}
}

// TestOneWorkerDoesASmallSpaceAloneAndOthersHelpWithALargeOne explores a space of some hundred
// states, where one worker may visit all of it alone, or but a few.
func TestOneWorkerDoesASmallSpaceAloneAndOthersHelpWithALargeOne(t *testing.T) {
	explored := func(jobs, alone int) *scenarios.Explored {
		x := exploring(t, "explore timers 1 crashes 1", "P commit tx1\nP cut 1\n", "signed", scenarios.ExploreOptions{})
		x.Search.Jobs, x.Alone = jobs, alone
		return ran(t, x)
	}
	want := explored(1, 0)
	if got := explored(2, 50_000); !got.Steady || !reflect.DeepEqual(got, want) {
		t.Errorf("two jobs, one of them alone:\n%+v\nwant what one job comes to\n%+v", got, want)
	}
	got := explored(2, 200)
	if got.Steady || !got.Complete || got.Ends != want.Ends || !slices.Equal(got.Goals, want.Goals) {
		t.Errorf("two jobs, one of them alone up to 200 states:\n%+v\nwant it complete, unsteady, with the ends of\n%+v",
			got, want)
	}
}

// TestAWayToTheWantedIsSoughtBehindOthers takes a story that wants what is not broken first.
func TestAWayToTheWantedIsSoughtBehindOthers(t *testing.T) {
	x := exploring(t, "explore", crossing+"Q commit tx2\n", "takes-later", scenarios.ExploreOptions{})
	x.Wanted = []string{"agreement"}
	if first := ran(t, x); len(first.Broken) == 0 || len(first.Early) > 0 || first.Complete {
		t.Errorf("agreement wanted: %+v, want it broken at once", first)
	}
	x.Wanted = []string{"termination"}
	second := ran(t, x)
	if len(second.Early) == 0 || len(second.Broken) > 0 || !second.Complete {
		t.Errorf("termination wanted: %+v, want others early, and the whole space", second)
	}
}

func TestBoundsAreTheStorysElseByWhatTheProtocolStands(t *testing.T) {
	for _, c := range []struct {
		name, header string
		asked        *scenarios.Bounds
		want         scenarios.Bounds
	}{
		{"none said", "", nil, scenarios.Bounds{Timers: 1, Crashes: 1}},
		{"orders alone", "explore", nil, scenarios.Bounds{}},
		{"the story's", "explore breaks 1 losses 2 keep", nil, scenarios.Bounds{Losses: 2, Breaks: 1, Keep: true}},
		{"asked for", "explore losses 2", &scenarios.Bounds{Partitions: 1}, scenarios.Bounds{Partitions: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := exploring(t, c.header, crossing, "signed", scenarios.ExploreOptions{Bounds: c.asked})
			if x.Bounds != c.want || x.Search.Walk.Crashes != c.want.Crashes || x.Search.Walk.Losses != c.want.Losses {
				t.Errorf("got %v, walk %+v; want %v", x.Bounds, x.Search.Walk, c.want)
			}
		})
	}
	stands := *cut.Protocol
	stands.Stands = sim.Losses
	if got := scenarios.UsualBounds(&stands); got.Crashes != 0 {
		t.Errorf("a protocol that stands no crash gets %v", got)
	}
}

func TestLinesThatFixAnOrderAreLeftOut(t *testing.T) {
	lines := "hold P->Q notify tx1\nP commit tx1\nwhen Q notes point crash Q\nsettle\ncrash P\nrelease P->Q notify tx1\n" +
		"check P side tx1 before\npause Q\ndrop P->Q notify\nrestart P\nclock Q +5ms\npartition P | Q\nheal\n"
	x := exploring(t, "", lines, "signed", scenarios.ExploreOptions{})
	var left, kept []string
	for _, l := range x.LeftOut {
		if l.Line == 0 || l.After == "" {
			t.Errorf("left out without line or reason: %+v", l)
		}
		left = append(left, l.Words[0])
	}
	for _, a := range x.Search.Plan.Script {
		kept = append(kept, scenarios.ActionText(a))
	}
	if got, want := strings.Join(left, " "), "hold when settle release check pause drop clock"; got != want {
		t.Errorf("left out %q, want %q", got, want)
	}
	if got, want := strings.Join(kept, "; "), "P commit tx1; crash P; restart P; partition P | Q; heal"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func TestWhatCannotBeExploredIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, header, script string
		o                    scenarios.ExploreOptions
		want                 string
	}{
		{"time", "time runs", "P cut 1", scenarios.ExploreOptions{},
			"story.txt:4: time runs: explore leaves time out, and tries all orders of a story in still time"},
		{"chance", "", "P cut 1\n-- chance --\ncrash P before sync", scenarios.ExploreOptions{},
			`story.txt:8: "crash P before sync": explore tries every choice, want none made`},
		{"nothing but an order", "", "hold P->Q", scenarios.ExploreOptions{},
			"story.txt:6: no line is left to explore: want requests"},
		{"more lines than an exploration takes", "", strings.Repeat("P commit tx1\n", 65), scenarios.ExploreOptions{},
			"story.txt:70: want at most 64 requests and faults to explore, got 65"},
		{"a property that is not there", "", "P cut 1", scenarios.ExploreOptions{Only: []string{"one-pont"}},
			`model cut has no property "one-pont"; did you mean "one-point"?`},
		{"a grid", "-- vary --\nx P Q\ncases 2", "$x cut 1", scenarios.ExploreOptions{},
			"story.txt:5: a grid is many stories: want one of its cases"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := explorable(t, c.header, c.script, "signed", c.o)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			var at *scenarios.Error
			if strings.HasPrefix(c.want, "story.txt") && !errors.As(err, &at) {
				t.Errorf("got %T, want an error with file and line", err)
			}
		})
	}
}

func TestStatesAreKeptApartByTheirPastIfAPropertyReadsIt(t *testing.T) {
	deep := exploring(t, "explore", crossing, "signed", scenarios.ExploreOptions{})
	if !deep.Search.Walk.Deep || !slices.Contains(deep.Past, "consistent-cut") {
		t.Errorf("deep %v for %q, want true, for consistent-cut among them", deep.Search.Walk.Deep, deep.Past)
	}
	only := scenarios.ExploreOptions{Only: []string{"one-point", "durable"}}
	shallow := exploring(t, "explore", crossing, "signed", only)
	if shallow.Search.Walk.Deep || len(shallow.Past) > 0 || len(shallow.Judged) != 2 {
		t.Errorf("one-point and durable alone: deep %v for %q, %d judged", shallow.Search.Walk.Deep, shallow.Past,
			len(shallow.Judged))
	}
	if a, b := ran(t, deep), ran(t, shallow); len(b.Premises) != 2 || b.States > a.States {
		t.Errorf("%d states with all properties, %d with two, premises %v", a.States, b.States, b.Premises)
	}
}

// hoarder holds what cannot be copied.
type hoarder struct {
	sim.Idle
	_ chan int
}

func TestAMachineThatIsNoPlainDataIsRefused(t *testing.T) {
	p := &sim.Protocol{Name: "hoard",
		Variants: []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &hoarder{} }}},
		ParseOp:  func(w []string) (sim.Op, error) { return put{w[0]}, nil },
	}
	s, err := scenarios.Parse("story.txt", []byte("-- scenario --\nmodel hoard\nnodes P\n-- script --\nP x\n-- expect --\n* holds\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := scenarios.NewCampaign(p, "plain", s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Exploring(scenarios.ExploreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = x.Run(); err == nil || !strings.Contains(err.Error(), "chan int") {
		t.Errorf("got %v, want an error about chan int", err)
	}
}
