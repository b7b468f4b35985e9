package scenarios

import (
	"cmp"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// Plan makes of the story what decides one run: of one variant, under one seed. A drawn load is
// drawn here, from the seed alone, so that a plan holds explicit actions only. A grid has no plan;
// its cases have.
func (s *Scenario) Plan(p *sim.Protocol, variant string, seed uint64) (*sim.Plan, error) {
	if len(s.Vary) > 0 {
		return nil, s.fault(s.Vary[0].Line, "a grid is many runs: want one of its cases")
	}
	v, err := p.Variant(variant)
	if err != nil {
		return nil, s.fault(0, "%v", err)
	}
	setup, err := s.setup(p)
	if err != nil {
		return nil, err
	}
	load, err := s.load(p, variant, s.drawn(setup, seed, p.Pace))
	if err != nil {
		return nil, err
	}
	return &sim.Plan{
		Protocol: p,
		Variant:  v,
		Nodes:    slices.Clone(s.Nodes),
		Later:    slices.Clone(s.Later),
		Setup:    setup,
		Timed:    s.Timed,
		Network:  s.network(),
		Script:   actions(s.Script, variant),
		Load:     load,
		Chance:   s.exceptions(),
		Seed:     seed,
		Budget:   s.Budget,
	}, nil
}

// setup is the set-up as the model reads it.
func (s *Scenario) setup(p *sim.Protocol) ([]any, error) {
	nodes := slices.Concat(s.Nodes, s.Later)
	var all []any
	for _, line := range s.Setup {
		word := line.Words[0]
		if p.ParseSetup == nil || len(p.SetupWords) > 0 && !slices.Contains(p.SetupWords, word) {
			known := slices.Concat(engineWords, p.SetupWords)
			return nil, s.fault(line.Line, "neither the engine nor model %s knows %q%s",
				p.Name, word, didYouMean(word, known))
		}
		value, err := p.ParseSetup(line.Words, nodes)
		if err != nil {
			return nil, s.fault(line.Line, "%v", err)
		}
		all = append(all, value)
	}
	if p.FitSetup != nil {
		if at, err := p.FitSetup(all, nodes); err != nil {
			return nil, s.fault(s.Setup[at].Line, "%v", err)
		}
	}
	return all, nil
}

func (s *Scenario) network() sim.Network {
	n := s.Network
	n.Links = slices.Clone(n.Links)
	return n
}

func (s *Scenario) exceptions() []sim.Exception {
	var all []sim.Exception
	for _, c := range s.Chance {
		all = append(all, c.Exception)
	}
	return all
}

// actions are the steps that act under a variant.
func actions(steps []Step, variant string) []sim.Action {
	var all []sim.Action
	for _, st := range steps {
		if st.actsUnder(variant) {
			a := st.Action
			a.For = nil // that is decided now
			all = append(all, a)
		}
	}
	return all
}

// actsUnder says that a step acts under a variant: one that it names with or without its rules.
func (st *Step) actsUnder(variant string) bool {
	return len(st.For) == 0 ||
		slices.Contains(st.For, variant) || slices.Contains(st.For, base(variant))
}

// draws says that the load is drawn.
func (s *Scenario) draws() bool { return s.Timed && (s.Clients > 0 || s.Ops > 0) }

// load is the written load and the drawn one, in order of time; the written first where both have
// one time.
func (s *Scenario) load(p *sim.Protocol, variant string, d *sim.Draws) ([]sim.Action, error) {
	load := actions(s.Load, variant)
	if !s.draws() {
		return load, nil
	}
	if err := s.checkLoad(p); err != nil {
		return nil, err
	}
	load = append(load, p.Draw(d)...)
	for i := range load {
		load[i].Place = sim.At
	}
	slices.SortStableFunc(load, func(a, b sim.Action) int { return cmp.Compare(a.Offset, b.Offset) })
	return load, nil
}

// drawn is what the load is drawn from. Ten requests for each client, and the protocol's pace, a
// millisecond if it has none, for each request, if the story does not say.
func (s *Scenario) drawn(setup []any, seed uint64, pace time.Duration) *sim.Draws {
	if pace == 0 {
		pace = time.Millisecond
	}
	d := &sim.Draws{
		Nodes:   slices.Clone(s.Nodes),
		Later:   slices.Clone(s.Later),
		Setup:   setup,
		Clients: max(s.Clients, 1),
		Ops:     s.Ops,
		Span:    s.Span,
		Seed:    seed,
	}
	if d.Ops == 0 {
		d.Ops = 10 * d.Clients
	}
	if d.Span == 0 {
		d.Span = time.Duration(d.Ops) * pace
	}
	return d
}
