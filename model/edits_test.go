package model_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

var update = flag.Bool("update", false, "rewrite the results")

const (
	// survival is where the figures are kept.
	survival = "../results/edits.md"
	// findings is where other failures are kept.
	findings = "../results/findings"
	// afresh is how many seeds a sweep plays to see whether an edited model still has a fault.
	afresh = 2000
)

// stored is a failure as it was kept, of a variant that is wrong: by its seed, pinned, and shrunk to
// a story.
type stored struct {
	protocol *sim.Protocol
	variant  sim.Variant
	seeds    []uint64 // under which a sweep finds it: as the model is, then after each edit; 0: none
	seeded   *sim.Plan
	pinned   *sim.Plan
	story    *scenarios.Scenario
	fates    []fate // by edit
}

func (s *stored) name() string { return s.protocol.Name + "/" + s.variant.Name }

// fate is what became of a stored failure under an edit. A form of it survives if it still breaks
// the same property.
type fate struct {
	found                bool // a fresh sweep finds the fault
	seed, pinned, shrunk bool // the form survives
	seeded               bool // the form without exceptions can be judged
	stale                []string
}

// String is the fate of the story in a table.
func (f fate) String() string {
	switch {
	case f.found && f.shrunk:
		return "fails"
	case f.found:
		return "lost"
	}
	return "gone"
}

// mostEdited is how many variants a model has whose failures are tried: those of ignite, with its
// hundred, would take an hour.
const mostEdited = 40

// failures are the stored failures of all wrong variants of a model, but a few of them with -short.
func failures(t *testing.T, p *sim.Protocol, known map[string][]uint64) []*stored {
	t.Helper()
	var all []*stored
	if len(p.Variants) > mostEdited {
		return nil
	}
	for i, v := range p.Variants {
		if v.Breaks == "" || testing.Short() && i%6 != 3 {
			continue
		}
		s := &stored{protocol: p, variant: v, seeds: known[p.Name+"/"+v.Name]}
		if *update {
			s.sweep()
		}
		switch {
		case s.seeds == nil:
			t.Fatalf("%s has no row for %s and these edits; go test -run Edits -update ./model", survival,
				s.name())
		case s.seeds[0] > 0:
			s.make(t)
		}
		all = append(all, s)
	}
	return all
}

// sweep looks for seeds.
func (s *stored) sweep() {
	s.seeds = []uint64{first(s.campaign(edit{}), s.variant.Breaks, edit{})}
	for _, e := range edits {
		s.seeds = append(s.seeds, first(s.campaign(e), s.variant.Breaks, e))
	}
}

// campaign is the variant's after an edit.
func (s *stored) campaign(e edit) *scenarios.Campaign {
	return &scenarios.Campaign{Protocol: e.of(s.protocol), Variant: e.variant(s.variant)}
}

// first is the first seed under which a campaign's plans, edited, break a property; 0 if none does.
func first(c *scenarios.Campaign, property string, e edit) uint64 {
	s := c.Sweep()
	s.To, s.Jobs, s.Distinct = afresh, search.Cores(), 1
	s.Plan = func(seed uint64) (*sim.Plan, error) {
		p, err := c.Plan(seed)
		if err != nil {
			return nil, err
		}
		return e.on(p), nil
	}
	s.Judge = func(run *sim.Run) search.Finding {
		if slices.Contains(checker.Judge(run, c.Protocol.Properties).Broken(), property) {
			return search.Finding{Broken: []string{property}}
		}
		return search.Finding{}
	}
	if sum := search.Sweep(s); len(sum.Groups) > 0 {
		return sum.Groups[0].Seed
	}
	return 0
}

// make makes the three forms of the failure. The story is the one that is kept with the results, and
// where there is none, it is shrunk now.
func (s *stored) make(t *testing.T) {
	t.Helper()
	c := s.campaign(edit{})
	plan, err := c.Plan(s.seeds[0])
	if err != nil {
		t.Fatal(err)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	s.seeded, s.pinned = plan, scenarios.Pin(plan, run)
	if s.story = s.kept(t); s.story != nil {
		return
	}
	f, err := c.Finding(s.seeds[0], []string{s.variant.Breaks})
	if err != nil {
		t.Fatalf("%v: %s may be old; go test -run Edits -update ./model", err, survival)
	}
	text, err := f.Text(s.variant.Name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	if s.story, err = scenarios.Parse(s.variant.Name+".txt", text); err != nil {
		t.Fatal(err)
	}
}

// kept is the story with the results, nil if there is none.
func (s *stored) kept(t *testing.T) *scenarios.Scenario {
	t.Helper()
	file := filepath.Join(findings, s.protocol.Name+"-"+s.variant.Name+"-"+s.variant.Breaks+".txt")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	story, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// breaks says that a plan, of the model after an edit, breaks what the variant breaks. If the plan
// was stored before the edit it has the words of then.
func (s *stored) breaks(t *testing.T, e edit, plan *sim.Plan, before bool) (is bool, stale []sim.Stale) {
	t.Helper()
	q := *plan
	if before && e.words != nil {
		e.words(&q)
	}
	q.Protocol, q.Variant = e.of(s.protocol), e.variant(s.variant)
	run, err := sim.Execute(e.on(&q))
	if err != nil {
		t.Fatalf("%s after %s: %v", s.name(), e.name, err)
	}
	broken := checker.Judge(run, q.Protocol.Properties).Broken()
	return slices.Contains(broken, s.variant.Breaks), run.Stale
}

// under is what becomes of a stored failure under an edit, which has a fault under a seed.
func (s *stored) under(t *testing.T, e edit, seed uint64) (f fate) {
	t.Helper()
	told, err := s.story.Plan(s.protocol, s.variant.Name, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.seed, _ = s.breaks(t, e, s.seeded, false)
	f.seeded = e.words == nil // else the seed draws by other names, which this plan has not
	f.pinned, _ = s.breaks(t, e, s.pinned, true)
	shrunk, stale := s.breaks(t, e, told, true)
	f.shrunk = shrunk
	for _, x := range stale {
		f.stale = append(f.stale, s.text(x))
	}
	if seed == 0 {
		return f
	}
	plan, err := s.campaign(e).Plan(seed)
	if err != nil {
		t.Fatal(err)
	}
	if f.found, _ = s.breaks(t, e, plan, false); !f.found {
		t.Errorf("%s after %s does not break %s under seed %d: %s is old", s.name(), e.name,
			s.variant.Breaks, seed, survival)
	}
	return f
}

// text is what the story says that came to nothing.
func (s *stored) text(x sim.Stale) string {
	for _, c := range s.story.Chance {
		if x.Text == "" && c.Line == x.Line {
			return scenarios.ExceptionText(c.Exception)
		}
	}
	return x.Text
}

func TestStoredFailuresSurviveEditsOfTheirModel(t *testing.T) {
	known := rows(t)
	var all []*stored
	for _, p := range model.All {
		all = append(all, failures(t, p, known)...)
	}
	var sum tally
	for _, s := range all {
		if s.story == nil {
			s.fates = make([]fate, len(edits))
			continue
		}
		unedited := s.under(t, edit{}, s.seeds[0])
		if !unedited.seed || !unedited.pinned || !unedited.shrunk {
			t.Errorf("%s does not fail as the model is: %+v", s.name(), unedited)
		}
		for k, e := range edits {
			s.fates = append(s.fates, s.under(t, e, s.seeds[k+1]))
			sum.add(s.fates[k])
		}
	}
	t.Logf("%d of %d stories still fail, %d pinned runs, and %d of %d seeds", sum.shrunk, sum.found,
		sum.pinned, sum.seed, sum.seeded)
	if sum.shrunk*100 < sum.found*95 || sum.found < 8*len(all) {
		t.Errorf("%d of %d stories still fail after an edit, want 95 %%", sum.shrunk, sum.found)
	}
	compare(t, all)
}

func TestAFailureWhoseEveryNameIsGoneSaysSo(t *testing.T) {
	p := model.Lookup("register")
	v, err := p.Variant("copies")
	if err != nil {
		t.Fatal(err)
	}
	s := &stored{protocol: p, variant: v}
	if s.seeds = []uint64{first(s.campaign(edit{}), v.Breaks, edit{})}; s.seeds[0] == 0 {
		t.Fatal("a sweep does not find copies")
	}
	s.make(t)
	all := edit{name: "all", words: func(p *sim.Plan) {
		p.Chance = slices.Clone(p.Chance)
		for i := range p.Chance {
			p.Chance[i].Name.Of = "other"
		}
	}}
	f := s.under(t, all, s.seeds[0])
	if !f.found || f.pinned || f.shrunk || len(f.stale) != len(s.story.Chance) || len(f.stale) == 0 {
		t.Errorf("got %#v, want it lost, and every exception of it stale: %d", f, len(s.story.Chance))
	}
}

func TestRightVariantsHoldAfterTheEdits(t *testing.T) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			for _, p := range model.All {
				edited := e.of(p)
				for _, v := range edited.Variants {
					if v.Breaks == "" {
						harmless(t, &scenarios.Campaign{Protocol: edited, Variant: v}, e)
					}
				}
			}
		})
	}
}

// harmless says that an edited model keeps its promises, and is not the model as it was.
func harmless(t *testing.T, c *scenarios.Campaign, e edit) {
	t.Helper()
	held, w := 0, new(sim.World)
	for seed := uint64(1); seed <= 40; seed++ {
		p, err := c.Plan(seed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := w.Execute(e.on(p), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		switch v := checker.Judge(run, c.Protocol.Properties); v.Outcome {
		case checker.Holds:
			held++
		case checker.Vacuous: // a crash of all before anything has begun
		default:
			t.Fatalf("%s of %s, seed %d: %v %q, want holds", c.Variant.Name, c.Protocol.Name, seed,
				v.Outcome, v.Broken())
		}
	}
	if held < 35 {
		t.Fatalf("%s of %s holds under %d of 40 seeds, want 35", c.Variant.Name, c.Protocol.Name, held)
	}
}
