package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// defaultPatience is how long one run may take by the wall clock. A million events, the default
// budget, take about a second.
const defaultPatience = time.Minute

// performance is a story that has been played.
type performance struct {
	*story
	played   []scenarios.Played
	doubles  []*search.Double // by played; nil where nothing broke
	problems []scenarios.Problem
	cases    int // of a grid
	void     int
	part     bool // an interrupt came before the last variant
}

// play plays a story under the watchdog, a variant at a time so that an interrupt loses little; a
// grid, whose cases are void under all variants or none, in one go. What broke is played again.
func (a *app) play(s *story, o scenarios.PlayOptions) (*performance, error) {
	p := &performance{story: s}
	units := []scenarios.PlayOptions{o}
	if len(s.Vary) == 0 {
		variants, err := s.variants(o.Variants)
		if err != nil {
			return nil, err
		}
		units = nil
		for _, v := range variants {
			one := o
			one.Variants = []string{v}
			units = append(units, one)
		}
	}
	for _, unit := range units {
		if p.part = a.interrupted(); p.part {
			return p, nil
		}
		err := a.guard(s.protocol, func(w *sim.Protocol) error { return p.add(w, unit) })
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// variants are the variants to play: those wanted, else those of the story.
func (s *story) variants(wanted []string) ([]string, error) {
	if len(wanted) == 0 {
		return s.Variants(s.protocol)
	}
	for _, name := range wanted {
		if _, err := s.protocol.Variant(name); err != nil {
			return nil, usage("%w", err)
		}
	}
	return wanted, nil
}

// add plays a part of the story and adds what came of it.
func (p *performance) add(w *sim.Protocol, o scenarios.PlayOptions) error {
	r, err := scenarios.Play(p.Scenario, w, o)
	if err != nil {
		return usage("%w", err)
	}
	p.played = append(p.played, r.Played...)
	p.problems = append(p.problems, r.Problems...)
	p.cases, p.void = r.Cases, r.Void
	for i := range r.Played {
		d, err := p.twice(w, &r.Played[i])
		if err != nil {
			return err
		}
		p.doubles = append(p.doubles, d)
	}
	return nil
}

// twice plays again what broke or differed, and compares; nil if there is no reason to.
func (p *performance) twice(w *sim.Protocol, q *scenarios.Played) (*search.Double, error) {
	doubted := slices.ContainsFunc(q.Problems, func(r scenarios.Problem) bool {
		return r.What == scenarios.Nondeterminism
	})
	if len(q.Verdict.Broken()) == 0 && q.Met() && !doubted {
		return nil, nil
	}
	plan, err := q.Scenario.Plan(w, q.Variant, q.Seed)
	if err != nil {
		return nil, usage("%w", err)
	}
	double, err := search.Twice(plan)
	if err != nil {
		return nil, usage("%s: %w", p.File, err)
	}
	if double.Part == nil && double.Run.Hash != q.Run.Hash {
		double.Part = search.First(q.Run, double.Run)
	}
	return double, nil
}

// code is the exit code of a story: 4 if two runs differ, else what its verdicts come to.
func (p *performance) code() int {
	r := scenarios.Report{
		Scenario: p.Scenario, Protocol: p.protocol, Played: p.played, Problems: p.problems,
	}
	code := r.Exit()
	for _, d := range p.doubles {
		if d != nil && d.Part != nil {
			code = worse(code, exitUnsteady)
		}
	}
	if p.part {
		code = worse(code, exitUndecided)
	}
	return code
}

// guard calls f, and ends it if one of its runs takes longer than a.patience: a handler loops.
func (a *app) guard(p *sim.Protocol, f func(*sim.Protocol) error) error {
	var err error
	stuck := search.Guard(a.patience, func(alive func()) { err = f(watched(p, alive)) })
	if stuck != nil {
		return tool(fmt.Errorf("%s: %w", p.Name, stuck))
	}
	return err
}

// watched is a protocol that says it is alive whenever a machine is made: that is at the beginning
// of each run, if not more often.
func watched(p *sim.Protocol, alive func()) *sim.Protocol {
	w := *p
	w.Variants = slices.Clone(p.Variants)
	for i := range w.Variants {
		w.Variants[i] = lively(w.Variants[i], alive)
	}
	if p.Apply != nil {
		w.Apply = func(v sim.Variant, rules []sim.RuleValue) (sim.Variant, error) {
			v, err := p.Apply(v, rules)
			return lively(v, alive), err
		}
	}
	return &w
}

func lively(v sim.Variant, alive func()) sim.Variant {
	made := v.New
	if made == nil {
		return v
	}
	v.New = func(id sim.NodeID, nodes []sim.NodeID) sim.Machine {
		alive()
		return made(id, nodes)
	}
	return v
}
