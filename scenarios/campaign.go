package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Campaign is what a search plays: one variant of a protocol, under many seeds, from a story or,
// with none, from drawn clusters and workloads.
type Campaign struct {
	Protocol         *sim.Protocol
	Variant          sim.Variant
	Scenario         *Scenario // nil: everything is drawn
	search.Adversity           // of networks that the story leaves open
}

// NewCampaign is a campaign over a variant by name.
func NewCampaign(p *sim.Protocol, variant string, s *Scenario) (*Campaign, error) {
	v, err := p.Variant(variant)
	if err != nil {
		return nil, err
	}
	return &Campaign{Protocol: p, Variant: v, Scenario: s}, nil
}

// Must says which properties' violation a sweep must find, any one of them: those that the story
// expects to break, else the one that the variant says it breaks. With none, and free, anything may
// come of it: the story expects nothing, or a mutant to hold, which says nothing of other seeds.
// With none, and not free, nothing may break.
func (c *Campaign) Must() (breaks []string, free bool) {
	if c.Scenario == nil {
		if c.Variant.Breaks == "" {
			return nil, false
		}
		return []string{c.Variant.Breaks}, false
	}
	v := c.Scenario.expected(c.Variant.Name)
	if v != nil && v.Outcome == Breaks {
		return v.Breaks, false
	}
	return nil, c.Variant.Mutant() || v == nil && c.Variant.Breaks != "" ||
		v != nil && v.Outcome != Holds
}

// Plan is the plan of one seed. It is safe to call from several goroutines.
func (c *Campaign) Plan(seed uint64) (*sim.Plan, error) {
	if c.Scenario == nil {
		return c.Random(c.Protocol, c.Variant, seed), nil
	}
	p, err := c.Scenario.Plan(c.Protocol, c.Variant.Name, seed)
	if err != nil {
		return nil, err
	}
	if !p.Timed {
		return shuffled(p, seed), nil
	}
	c.Temper(p)
	return p, nil
}

// Judge is what a run of the campaign comes to.
func (c *Campaign) Judge(run *sim.Run) search.Finding {
	v := checker.Judge(run, c.Protocol.Properties)
	f := search.Finding{Broken: v.Broken()}
	judged := v.Findings[len(v.Findings)-len(c.Protocol.Properties):] // after the machines' complaints
	f.Premises = make([]int, 0, len(judged))
	for _, x := range judged {
		f.Premises = append(f.Premises, x.Premises)
	}
	for _, x := range v.Findings {
		if x.Undecided != "" && f.Undecided == "" {
			f.Undecided = x.Property.Name + ": " + x.Undecided
		}
	}
	f.Goals = make([]int, 0, len(c.Protocol.Goals))
	shared := *run
	shared.Memo = map[any]any{} // for what the goals share of what they read
	for _, g := range c.Protocol.Goals {
		f.Goals = append(f.Goals, g.Count(&shared))
	}
	return f
}

// Sweep is the search over seeds, with everything but seeds and jobs filled in. In drawn clusters
// a mutant's failure counts as shared if the variant that it spoils fails under the same plan: it
// is not the mutant's own, and cannot be shrunk to what is. A story says itself who breaks.
func (c *Campaign) Sweep() search.Campaign {
	s := search.Campaign{Plan: c.Plan, Judge: c.Judge, From: 1, To: 1, Jobs: 1}
	if c.Scenario != nil || !c.Variant.Mutant() {
		return s
	}
	s.Judge = func(run *sim.Run) search.Finding {
		f := c.Judge(run)
		if len(f.Broken) > 0 {
			r := c.counterpart(c.target(f.Broken))
			f.Shared = !r.holds(run.Plan) && !r.excuses(run.Plan)
		}
		return f
	}
	return s
}

// target is the property to keep broken: the one that the variant says must catch it, if it did.
func (c *Campaign) target(broken []string) string {
	if slices.Contains(broken, c.Variant.Breaks) {
		return c.Variant.Breaks
	}
	return broken[0]
}

// bare is the network as the story has it.
func (c *Campaign) bare() sim.Network {
	if c.Scenario == nil {
		return sim.Network{}
	}
	return c.Scenario.network()
}

// same is the question that a shrinker of a plan asks of each smaller run.
func (c *Campaign) same(plan *sim.Plan, property string) func(*sim.Plan, *sim.Run) bool {
	r := c.counterpart(property)
	holds := r.holds
	if !holds(plan) {
		holds = r.excuses
	}
	alone := c.alone(property)
	return func(p *sim.Plan, run *sim.Run) bool {
		if len(alone) > 0 && checker.Judge(run, alone).Outcome != checker.Broken {
			return false // most runs; to judge the others too takes longer
		}
		if !slices.Contains(checker.Judge(run, c.Protocol.Properties).Broken(), property) {
			return false
		}
		return holds(p)
	}
}

// Finding is a failure as it is kept: a story that plays it again, with what it tells.
type Finding struct {
	Story    *Scenario
	Property string // that was kept broken
	Run      *sim.Run
	Verdict  checker.Verdict
	Shrunk   *search.Shrunk
	Seed     uint64 // 0 if the plan that was shrunk had none
}

// Finding shrinks a failing seed and makes a story of what is left.
func (c *Campaign) Finding(seed uint64, broken []string) (*Finding, error) {
	plan, err := c.Plan(seed)
	if err != nil {
		return nil, err
	}
	return c.Reduce(plan, broken)
}

// Reduce shrinks a plan whose run breaks all of some properties, and makes a story of what is left.
// It keeps one of them broken, and where the variant is a mutant, the variant it spoils holding
// under the same plan.
func (c *Campaign) Reduce(plan *sim.Plan, broken []string) (*Finding, error) {
	if len(broken) == 0 {
		return nil, fmt.Errorf("no property to keep broken")
	}
	f := &Finding{Property: c.target(broken), Seed: plan.Seed}
	f.Shrunk = (&search.Shrinking{Same: c.same(plan, f.Property), Bare: c.bare()}).Shrink(plan)
	if f.Shrunk == nil {
		return nil, fmt.Errorf("%s under seed %d does not break %s%s", c.Variant.Name, plan.Seed,
			f.Property, c.whileRight())
	}
	var err error
	if f.Run, err = sim.Execute(f.Shrunk.Plan); err != nil {
		return nil, err
	}
	f.Verdict = checker.Judge(f.Run, c.Protocol.Properties)
	f.Story = c.story(f)
	return f, nil
}

// whileRight says what else the shrinker asks of a mutant.
func (c *Campaign) whileRight() string {
	if !c.Variant.Mutant() {
		return ""
	}
	return " while " + c.Variant.Of + " holds"
}

// Need is something that a finding's plan says beyond its requests: a fault or other action of the
// script, or what chance is told to choose.
type Need struct {
	Text    string
	Without string // what comes of the plan without it: "holds", "breaks one-point"
	Passes  bool   // nothing breaks then, so it is needed
}

// Needs plays a finding's plan without each of them. What was shrunk needs all that is left.
func (c *Campaign) Needs(f *Finding) []Need {
	p := f.Shrunk.Plan
	var all []Need
	for i := range p.Script {
		q := *p
		q.Script = slices.Delete(slices.Clone(p.Script), i, i+1)
		all = c.need(all, &q, p.Script[i])
	}
	for i := range p.Load {
		q := *p
		q.Load = slices.Delete(slices.Clone(p.Load), i, i+1)
		all = c.need(all, &q, p.Load[i])
	}
	for i := range p.Chance {
		q := *p
		q.Chance = slices.Delete(slices.Clone(p.Chance), i, i+1)
		all = append(all, c.without(&q, ExceptionText(p.Chance[i])))
	}
	return all
}

// need adds an action, unless it is a request.
func (c *Campaign) need(all []Need, without *sim.Plan, a sim.Action) []Need {
	if a.Verb == sim.Request {
		return all
	}
	return append(all, c.without(without, ActionText(a)))
}

// without is what a plan comes to that lacks something.
func (c *Campaign) without(p *sim.Plan, text string) Need {
	run, err := sim.Execute(p)
	if err != nil {
		return Need{Text: text, Without: err.Error()}
	}
	v := checker.Judge(run, c.Protocol.Properties)
	n := Need{Text: text, Without: v.Outcome.String(), Passes: v.Outcome != checker.Broken}
	if !n.Passes {
		n.Without = "breaks " + strings.Join(v.Broken(), " ")
	}
	return n
}

// story prints a finding: the reason, what of it is by chance, the smallest plan.
func (c *Campaign) story(f *Finding) *Scenario {
	var s *Scenario
	if c.Scenario == nil {
		s = Story(f.Shrunk.Plan)
	} else {
		s = c.Scenario.Pinned(f.Shrunk.Plan)
	}
	s.Model = c.Protocol.Name
	s.Played = []string{c.Variant.Name}
	s = s.Expecting(f.Verdict)
	s.Doc = c.tale(f)
	if !s.Timed {
		s.Fixed = true // of all orders it is this one that fails
	}
	if c.Variant.Mutant() && c.shares(f) {
		s.Played = append(s.Played, c.Variant.Of)
		s.Expect.Verdicts = append(s.Expect.Verdicts, Verdict{Variant: c.Variant.Of, Outcome: Holds})
	}
	return s
}

// shares says that the right variant plays the same plan to its end: no line or exception is stale
// under it, and its properties have something to hold of.
func (c *Campaign) shares(f *Finding) bool {
	right, err := c.Protocol.Variant(c.Variant.Of)
	if err != nil {
		return false
	}
	q := *f.Shrunk.Plan
	q.Variant = right
	run, err := sim.Execute(&q)
	return err == nil && len(run.Stale) == 0 &&
		checker.Judge(run, c.Protocol.Properties).Outcome == checker.Holds
}

// tale is the causal story of a finding, in a few lines.
func (c *Campaign) tale(f *Finding) []string {
	var lines []string
	for _, x := range f.Verdict.Lowest() {
		if x.Property.Name != f.Property {
			continue
		}
		lines = append(lines, x.Property.Name+": "+x.Violation.Reason+".")
		chain := x.Violation.Chain
		if len(chain) == 0 {
			chain = x.Violation.Witness
		}
		lines = append(lines, causal(f.Run, chain)...)
	}
	s, from := f.Shrunk, "Shrunk"
	if f.Seed > 0 {
		from = fmt.Sprintf("Seed %d, shrunk", f.Seed)
	}
	lines = append(lines, fmt.Sprintf("%s in %d runs: %s to %s, %s to %s.", from, s.Runs,
		count(s.ActionsWas, "action"), count(s.Actions, "action"),
		count(s.ExceptionsWas, "choice"), count(s.Exceptions, "choice")))
	return lines
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// causal is a chain of entries in words, at most five.
func causal(run *sim.Run, chain []int) []string {
	var lines []string
	for i, at := range chain {
		if len(chain) > 5 && i >= 3 && i < len(chain)-1 {
			continue
		}
		e := run.Trace[at]
		lines = append(lines, strings.TrimRight(
			fmt.Sprintf("  %s %s %s", run.Name(e.Node), e.Kind, EntryText(run, e)), " "))
	}
	return lines
}
