package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// Story is a plan as a story: everything that decides the run, in words. It expects that the
// variant holds; Expecting says otherwise. The lines of the set-up are what the model's values say
// of themselves (String); Scenario.Pinned keeps them as they were written.
func Story(p *sim.Plan) *Scenario {
	return story(p, setupOf(p))
}

// setupOf is a plan's set-up as lines.
func setupOf(p *sim.Plan) []Setup {
	var lines []Setup
	for _, value := range p.Setup {
		lines = append(lines, Setup{Words: strings.Fields(fmt.Sprint(value))})
	}
	return lines
}

// Pinned is the story of a plan that was made of s, perhaps changed or pinned since: it keeps the
// set-up as s has it, unless that was changed too, and the opening comment.
func (s *Scenario) Pinned(p *sim.Plan) *Scenario {
	lines := s.Setup
	if was, err := s.setup(p.Protocol); err != nil || !reflect.DeepEqual(was, p.Setup) {
		lines = setupOf(p)
	}
	t := story(p, lines)
	t.File, t.Doc = s.File, slices.Clone(s.Doc)
	return t
}

// Expecting makes a story of one variant expect what a run of it came to.
func (s *Scenario) Expecting(v checker.Verdict) *Scenario {
	t := *s
	want := Verdict{Variant: s.Played[0], Outcome: Holds}
	switch v.Outcome {
	case checker.Broken:
		want.Outcome, want.Breaks = Breaks, v.Broken()
	case checker.Undecided:
		want.Outcome = Undecided
	case checker.Holds, checker.Vacuous:
	}
	t.Expect = Expect{Verdicts: []Verdict{want}}
	return &t
}

func story(p *sim.Plan, setup []Setup) *Scenario {
	s := &Scenario{
		Model:   p.Protocol.Name,
		Nodes:   slices.Clone(p.Nodes),
		Later:   slices.Clone(p.Later),
		Timed:   p.Timed,
		Network: p.Network,
		Budget:  p.Budget,
		Played:  []string{p.Variant.Name},
		Script:  steps(p.Script),
		Load:    steps(p.Load),
		Expect:  Expect{Verdicts: []Verdict{{Variant: p.Variant.Name, Outcome: Holds}}},
	}
	s.Network.Links = slices.Clone(p.Network.Links)
	for _, l := range setup {
		s.Setup = append(s.Setup, Setup{Words: slices.Clone(l.Words)})
	}
	for _, e := range p.Chance {
		e.Line = 0
		s.Chance = append(s.Chance, Chosen{Exception: e})
	}
	if p.Seed != 0 {
		s.Seeds = Seeds{p.Seed, p.Seed}
	}
	return s
}

func steps(actions []sim.Action) []Step {
	var all []Step
	for _, a := range actions {
		a.Line, a.Claim.Line = 0, 0
		a.Text = ActionText(a)
		all = append(all, Step{Action: a})
	}
	return all
}
