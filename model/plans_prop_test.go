package model_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// law is something that holds of every plan of a right variant. It gives the name of what broke and
// why, or "". The name is that of a property of the protocol, or of the law itself.
type law func(*sim.Plan) (name, why string)

// worlds are those of runs of which nothing is kept: their memory is used again.
var worlds = sync.Pool{New: func() any { return new(sim.World) }}

// holds: nothing that the protocol promises breaks.
func holds(p *sim.Plan) (name, why string) {
	w := worlds.Get().(*sim.World)
	defer worlds.Put(w)
	run, err := w.Execute(p, sim.Options{})
	if err != nil {
		return "playable", err.Error()
	}
	v := checker.Judge(run, p.Protocol.Properties)
	if low := v.Lowest(); v.Outcome == checker.Broken {
		return v.Broken()[0], low[0].Violation.Reason
	}
	for _, f := range v.Findings {
		if f.Undecided != "" {
			return "decided", f.Property.Name + ": " + f.Undecided
		}
	}
	return "", ""
}

// replays: a plan plays the same run again, in a world that has played others as well; so does what
// was recorded of it, without its seed (pins); and so does the story of that as it is printed and
// read (tells).
func replays(p *sim.Plan) (name, why string) {
	used := new(sim.World)
	other := *p
	other.Seed, other.Chance = p.Seed+1, nil
	if _, err := used.Execute(&other, sim.Options{Record: true}); err != nil {
		return "playable", err.Error()
	}
	run, err := new(sim.World).Execute(p, sim.Options{Record: true, Digest: true})
	if err != nil {
		return "playable", err.Error()
	}
	for _, w := range []*sim.World{new(sim.World), used} {
		if name, why := differs("replays", run, w, p); name != "" {
			return name, why
		}
	}
	pinned := scenarios.Pin(p, run)
	if name, why := differs("pins", run, new(sim.World), pinned); name != "" {
		return name, why
	}
	return tells(run, pinned)
}

// tells plays the story of a pinned run.
func tells(run *sim.Run, pinned *sim.Plan) (name, why string) {
	text := scenarios.Format(scenarios.Story(pinned))
	s, err := scenarios.Parse("drawn.txt", text)
	if err != nil {
		return "tells", fmt.Sprintf("%v in\n%s", err, text)
	}
	read, err := s.Plan(pinned.Protocol, pinned.Variant.Name, 0)
	if err != nil {
		return "tells", fmt.Sprintf("%v in\n%s", err, text)
	}
	if name, why = differs("tells", run, new(sim.World), read); name != "" {
		why += "\n" + string(text)
	}
	return name, why
}

// differs compares a run with that of a plan in a world.
func differs(law string, run *sim.Run, w *sim.World, p *sim.Plan) (name, why string) {
	again, err := w.Execute(p, sim.Options{Digest: true})
	if err != nil {
		return law, err.Error()
	}
	if part := search.First(run, again); part != nil {
		return law, part.String()
	}
	return "", ""
}

// failer is what of a rapid.T a failure needs.
type failer interface{ Fatalf(string, ...any) }

// fail fails a test by the name of what broke. rapid takes two failures for the same if they come
// from the same line, so each name has a line of its own; else it would shrink one into another.
func fail(t failer, name, why string) {
	switch name {
	case "one-point":
		t.Fatalf("one-point: %s", why)
	case "versions":
		t.Fatalf("versions: %s", why)
	case "consistent-cut":
		t.Fatalf("consistent-cut: %s", why)
	case "agreement":
		t.Fatalf("agreement: %s", why)
	case "channel-state":
		t.Fatalf("channel-state: %s", why)
	case "completeness":
		t.Fatalf("completeness: %s", why)
	case "nesting":
		t.Fatalf("nesting: %s", why)
	case "durable":
		t.Fatalf("durable: %s", why)
	case "termination":
		t.Fatalf("termination: %s", why)
	case "tags-grow":
		t.Fatalf("tags-grow: %s", why)
	case "majority":
		t.Fatalf("majority: %s", why)
	case "one-tag":
		t.Fatalf("one-tag: %s", why)
	case "at-majority":
		t.Fatalf("at-majority: %s", why)
	case "linearizable":
		t.Fatalf("linearizable: %s", why)
	case "answers":
		t.Fatalf("answers: %s", why)
	case "stable":
		t.Fatalf("stable: %s", why)
	case "all-yes":
		t.Fatalf("all-yes: %s", why)
	case "reason":
		t.Fatalf("reason: %s", why)
	case "panic":
		t.Fatalf("panic: %s", why)
	case "decided":
		t.Fatalf("not decided: %s", why)
	case "playable":
		t.Fatalf("not playable: %s", why)
	case "replays":
		t.Fatalf("two runs of one plan differ: %s", why)
	case "pins":
		t.Fatalf("the pinned run differs: %s", why)
	case "tells":
		t.Fatalf("the story of the pinned run differs: %s", why)
	case "order":
		t.Fatalf("the vector clocks are wrong: %s", why)
	default:
		failOfTransactions(t, name, why)
	}
}

// checking is a law held against plans that rapid draws.
type checking struct {
	drawer
	law    law
	factor int    // how many times rapid's number of checks
	found  string // folder of the stories of what breaks

	runs   int
	failed *sim.Plan // the last plan that broke the law
	name   string    // what of it
}

// check draws plans. What breaks is handed to our own shrinker once rapid is done with it, and left
// as a story.
func check(t cleaner, c *checking) {
	t.Helper()
	t.Cleanup(func() { c.keep(t) })
	checks, restore := tuned(c.factor)
	defer restore()
	rapid.Check(t, func(r *rapid.T) {
		c.runs++
		p := c.plan(r)
		if name, why := c.law(p); name != "" {
			c.failed, c.name = p, name
			fail(r, name, why)
		}
	})
	c.enough(t, checks)
}

// cleaner is what of a testing.TB check needs.
type cleaner interface {
	rapid.TB
	Cleanup(func())
}

// enough fails a test that rapid ended early, because it was short of time.
func (c *checking) enough(t cleaner, checks int) {
	if c.runs < checks {
		t.Errorf("rapid drew %d plans, want %d", c.runs, checks)
	}
}

// tuned makes rapid check so many times as often, from the same seed each time unless it is told
// one, and leave the shrinking to us. It gives the number of checks.
func tuned(factor int) (checks int, restore func()) {
	old := map[string]string{}
	set := func(name, from, to string) {
		if f := flag.Lookup(name); f.Value.String() == from || from == "" {
			old[name] = f.Value.String()
			flag.Set(name, to)
		}
	}
	n, _ := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	set("rapid.checks", "", strconv.Itoa(n*factor))
	set("rapid.seed", "0", "1")
	set("rapid.shrinktime", "30s", "1s")
	set("rapid.nofailfile", "false", "true")
	checks = n * factor
	if testing.Short() {
		checks /= 5 // as rapid does
	}
	return checks, func() {
		for name, value := range old {
			flag.Set(name, value)
		}
	}
}

// keep shrinks what broke, and leaves a story of it: of what a variant promises one that says that
// it holds, as it should.
func (c *checking) keep(t cleaner) {
	t.Helper()
	if c.failed == nil {
		return
	}
	f, err := c.shrink()
	if err != nil {
		t.Errorf("%s broke under a drawn plan, but does not shrink: %v", c.name, err)
		return
	}
	file := filepath.Join(c.found, c.protocol.Name+"-"+c.variant.Name+"-"+c.name+".txt")
	if err := f.Save(file); err != nil {
		t.Errorf("%s broke under a drawn plan: %v", c.name, err)
		return
	}
	t.Errorf("%s of %s breaks %s; the story is kept: downset replay %s", c.variant.Name,
		c.protocol.Name, c.name, filepath.ToSlash(file))
}

// shrink makes a finding of the plan that broke the law.
func (c *checking) shrink() (*scenarios.Finding, error) {
	own := slices.ContainsFunc(c.protocol.Properties, func(p sim.Property) bool { return p.Name == c.name })
	if own || c.name == "panic" {
		campaign := &scenarios.Campaign{Protocol: c.protocol, Variant: c.variant}
		f, err := campaign.Reduce(c.failed, []string{c.name})
		if err == nil && c.variant.Breaks == "" {
			f.Story = f.Story.Wanting(c.variant.Name)
		}
		return f, err
	}
	s := &search.Shrinking{Same: func(p *sim.Plan, _ *sim.Run) bool {
		name, _ := c.law(p)
		return name == c.name
	}}
	small := s.Shrink(c.failed)
	if small == nil {
		return nil, fmt.Errorf("the plan without its seed does not break %s", c.name)
	}
	run, err := sim.Execute(small.Plan)
	if err != nil {
		return nil, err
	}
	_, why := c.law(small.Plan)
	f := &scenarios.Finding{Property: c.name, Run: run, Shrunk: small, Seed: c.failed.Seed,
		Verdict: checker.Judge(run, c.protocol.Properties), Story: scenarios.Story(small.Plan)}
	f.Story.Doc = []string{c.name + ": " + strings.SplitN(why, "\n", 2)[0]}
	return f, nil
}

// foundHere is where the stories of failures are left.
const foundHere = "testdata/found"

// everyRight calls f with a drawer of each right variant of each model, as a subtest.
func everyRight(t *testing.T, nodes, requests int, f func(*testing.T, drawer)) {
	for _, p := range model.All {
		for _, v := range p.Variants {
			if v.Breaks == "" {
				t.Run(p.Name+"/"+v.Name, func(t *testing.T) { f(t, drawer{p, v, nodes, requests}) })
			}
		}
	}
}

func TestStoriesOfWhatRandomPlansFoundComeOutAsTheySay(t *testing.T) {
	if _, err := os.Stat(foundHere); err == nil {
		scenarios.TestAll(t, model.Lookup, os.DirFS(foundHere))
	}
}

func TestRightVariantsHoldOnRandomPlans(t *testing.T) {
	everyRight(t, 5, 12, func(t *testing.T, d drawer) {
		check(t, &checking{drawer: d, law: holds, factor: 10, found: foundHere})
	})
}

func TestARandomPlanReplaysFromItselfFromItsPinAndFromTheStoryOfThat(t *testing.T) {
	everyRight(t, 5, 12, func(t *testing.T, d drawer) {
		check(t, &checking{drawer: d, law: replays, factor: 2, found: foundHere})
	})
}

func TestVectorClocksAgreeWithReachabilityOnSmallRuns(t *testing.T) {
	everyRight(t, 3, 4, func(t *testing.T, d drawer) {
		check(t, &checking{drawer: d, law: ordered, factor: 2, found: foundHere})
	})
}
