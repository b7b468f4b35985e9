package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Exploring is the exploration of a campaign's story: of all orders that its requests, messages and
// timers can take, with faults at every moment, within bounds.
type Exploring struct {
	*Campaign
	Search search.Exploration // jobs and most states are the caller's
	Bounds Bounds
	// LeftOut are the lines of the story that have no meaning where there is no order.
	LeftOut []Line
	Claims  int // of -- expect --, which are not judged: they speak of the order that is written
	Judged  []sim.Property
	// Past are the properties that read how things came about, not only what every node says in
	// which order. If there are any, states are kept apart by their causal past.
	Past []string
	// Wanted are the properties of which one must break for the exploration to be done; nil: any.
	Wanted []string
	// Alone is how many states one worker visits before the others help. What it comes to within
	// them is the same each time, and with any number of jobs. 0: all begin at once.
	Alone int
}

// ExploreOptions say how to explore a story.
type ExploreOptions struct {
	Bounds *Bounds  // instead of those of the story; nil: those
	Only   []string // judge these properties only; nil: all
}

// Exploring is the exploration of the campaign's story. The error says with file and line what of
// the story cannot be explored.
func (c *Campaign) Exploring(o ExploreOptions) (*Exploring, error) {
	s := c.Scenario
	if s == nil {
		return nil, fmt.Errorf("want a story of %s: what is explored is one", c.Protocol.Name)
	}
	if err := s.explorable(); err != nil {
		return nil, err
	}
	judged, err := c.judging(o.Only)
	if err != nil {
		return nil, err
	}
	plan, err := s.Plan(c.Protocol, c.Variant.Name, 0)
	if err != nil {
		return nil, err
	}
	x := &Exploring{Campaign: c, Judged: judged.Protocol.Properties}
	if x.Bounds, _ = s.Bounds(c.Protocol); o.Bounds != nil {
		x.Bounds = *o.Bounds
	}
	if err := x.script(plan); err != nil {
		return nil, err
	}
	x.Search = search.Exploration{Plan: plan, Judge: judged.Judge, Walk: x.Bounds.walk(), Jobs: 1}
	for _, p := range x.Judged {
		switch p.Scope {
		case sim.ScopeTrace:
			x.Past = append(x.Past, p.Name)
		case sim.ScopeHistory:
			x.Search.Walk.History = true
		case sim.ScopeOrder:
			x.Past = append(x.Past, p.Name)
			x.Search.Walk.Order = true
		}
	}
	x.Claims = len(s.claimsFor(s.expected(c.Variant.Name)))
	x.Search.Walk.Deep = len(x.Past) > 0
	x.Search.Walk.Facts = factsOf(x.Judged)
	x.Wanted, _ = c.Must()
	if len(x.Wanted) == 0 && c.Variant.Breaks != "" {
		x.Wanted = []string{c.Variant.Breaks}
	}
	return x, nil
}

// factsOf are the kinds of facts and records whose order at their node properties read, nil if one
// reads that of all facts.
func factsOf(list []sim.Property) []string {
	facts := []string{}
	for _, p := range list {
		if p.Reads == nil && p.Scope != sim.ScopeHistory {
			return nil
		}
		facts = append(facts, p.Reads...)
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// Unexplorable is the kind of a story that cannot be explored as it is: "timed", "grid" or "with
// chance"; "" if it can be.
func (s *Scenario) Unexplorable() string {
	switch {
	case len(s.Vary) > 0:
		return "grid"
	case s.Timed:
		return "timed"
	case len(s.Chance) > 0:
		return "with chance"
	}
	return ""
}

// explorable says what keeps a story from being explored: time, and chance.
func (s *Scenario) explorable() error {
	switch {
	case len(s.Vary) > 0:
		return s.fault(s.Vary[0].Line, "a grid is many stories: want one of its cases")
	case s.Timed:
		return s.fault(s.headerLine("time"), "time runs: explore leaves time out, and tries all orders"+
			" of a story in still time")
	case len(s.Chance) > 0:
		return s.fault(s.Chance[0].Line, "%q: explore tries every choice, want none made",
			ExceptionText(s.Chance[0].Exception))
	}
	return nil
}

// judging is the campaign that judges some properties only.
func (c *Campaign) judging(only []string) (*Campaign, error) {
	if len(only) == 0 {
		return c, nil
	}
	p, narrow := *c.Protocol, *c
	p.Properties = nil
	var known []string
	for _, q := range c.Protocol.Properties {
		known = append(known, q.Name)
		if slices.Contains(only, q.Name) {
			p.Properties = append(p.Properties, q)
		}
	}
	for _, name := range only {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("model %s has no property %q%s", p.Name, name,
				didYouMean(name, known))
		}
	}
	narrow.Protocol = &p
	return &narrow, nil
}

// mostLines is how many lines of a script can be explored.
const mostLines = 64

// script takes out of a plan's script what fixes an order.
func (x *Exploring) script(plan *sim.Plan) error {
	var kept []sim.Action
	for _, a := range plan.Script {
		if why := orderly(&a); why != "" {
			x.LeftOut = append(x.LeftOut, Line{Words: strings.Fields(ActionText(a)), Line: a.Line,
				Comments: Comments{After: why}})
			continue
		}
		kept = append(kept, a)
	}
	switch line := x.Scenario.firstLine(); {
	case len(kept) == 0:
		return x.Scenario.fault(line, "no line is left to explore: want requests")
	case len(kept) > mostLines:
		return x.Scenario.fault(kept[mostLines].Line, "want at most %d requests and faults to explore,"+
			" got %d", mostLines, len(kept))
	}
	plan.Script, plan.Network.Manual = kept, false
	return nil
}

func (s *Scenario) firstLine() int {
	if len(s.Script) == 0 {
		return 0
	}
	return s.Script[0].Line
}

// orderly says why a line has no meaning where all orders are tried, "" if it has one.
func orderly(a *sim.Action) string {
	if a.When != nil {
		return "bound to a moment"
	}
	switch a.Verb {
	case sim.Request, sim.Crash, sim.Restart, sim.Join, sim.Leave, sim.Partition, sim.Heal,
		sim.SpoilDisk:
		return ""
	case sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Settle, sim.Wake,
		sim.Until, sim.Wait, sim.Pause, sim.Resume:
		return "an order"
	case sim.CheckClaim:
		return "of one moment"
	case sim.Drop, sim.Duplicate:
		return "a loss or copy of one message: see the bounds"
	case sim.Jump, sim.Drift:
		return "time"
	}
	panic(fmt.Sprintf("scenarios: verb %d", a.Verb))
}

// Explored is what came of an exploration.
type Explored struct {
	search.Explored
	// Early are failures that were found first, before the one that was wanted, in a search that
	// ended with them. Those of Explored are of a search that passed over them.
	Early []search.Broken
	// Steady says that one worker did it all: all numbers are the same each time. Else those of
	// States, Transitions and Depth may differ a little between runs, those of Goals and Premises
	// too where ends are not kept apart by their past, and which failure is the first.
	Steady bool
}

// Run explores. If the first failure is not the one that is wanted it explores again, for that one.
// The error says what of the plan, or of the machines, cannot be explored.
func (x *Exploring) Run() (r *Explored, err error) {
	defer func() { err = unwalkable(recover(), err) }()
	r, err = x.explored(x.Search)
	if err != nil {
		return nil, x.Scenario.wrap(err)
	}
	first := r
	if x.Search.All || len(r.Broken) == 0 || x.Finds(r.Broken) {
		return r, nil
	}
	again := x.Search
	again.Judge = x.judgeWanted
	second, err := x.explored(again)
	if err != nil {
		return nil, x.Scenario.wrap(err)
	}
	second.Early, second.Steady = first.Broken, first.Steady && second.Steady
	return second, nil
}

// explored explores with one worker, and with all of them if that does not come to an end.
func (x *Exploring) explored(s search.Exploration) (*Explored, error) {
	if s.MaxStates == 0 {
		s.MaxStates = search.DefaultMaxStates
	}
	if s.Jobs > 1 && x.Alone > 0 {
		one := s
		one.Jobs, one.MaxStates = 1, min(s.MaxStates, x.Alone)
		r, err := search.Explore(one)
		full := !r.Complete && r.States >= int64(one.MaxStates) && one.MaxStates < s.MaxStates
		if err != nil || !full || len(r.Broken) > 0 && !s.All {
			return &Explored{Explored: r, Steady: true}, err
		}
	}
	r, err := search.Explore(s)
	return &Explored{Explored: r, Steady: s.Jobs <= 1}, err
}

// unwalkable makes an error of the panic that says that a machine holds what cannot be copied.
func unwalkable(r any, err error) error {
	if r == nil {
		return err
	}
	if text, ok := r.(string); ok && strings.HasPrefix(text, "a machine holds a ") {
		return fmt.Errorf("%s: a machine's state must be plain data to be explored", text)
	}
	panic(r)
}

// Finds says that something broke that was wanted.
func (x *Exploring) Finds(all []search.Broken) bool {
	return len(x.Wanted) == 0 || slices.ContainsFunc(all, func(b search.Broken) bool {
		return x.Wants(b.Broken)
	})
}

// Wants says that one of the broken properties is wanted.
func (x *Exploring) Wants(broken []string) bool {
	return len(x.Wanted) == 0 || slices.ContainsFunc(broken, func(name string) bool {
		return slices.Contains(x.Wanted, name)
	})
}

// judgeWanted passes over failures that are not wanted.
func (x *Exploring) judgeWanted(run *sim.Run) search.Finding {
	f := x.Search.Judge(run)
	if !x.Wants(f.Broken) {
		f.Broken = nil
	}
	return f
}

// Way is a way to a failure as it is kept: a story, cut down.
type Way struct {
	*Finding
	Moves    int  // of the way, from the start to where the epilogue begins
	Shortest bool // no way has fewer
	Tried    int64
}

// Way makes a story of a failure that an exploration found: of the shortest way that breaks the
// same property, if it is found; else of the way that was found first. The story keeps what of its
// lines it takes to break that property and, of a mutant, to leave the variant it spoils whole. It
// is nil if no story of the failure breaks it.
func (x *Exploring) Way(b search.Broken) (way *Way, err error) {
	defer func() { err = unwalkable(recover(), err) }()
	property := x.aim(b.Broken)
	one := x.Search
	one.Judge = func(run *sim.Run) search.Finding {
		f := x.Search.Judge(run)
		if !slices.Contains(f.Broken, property) {
			return search.Finding{}
		}
		return search.Finding{Broken: []string{property}}
	}
	short, err := search.Shortest(one, []string{property}, len(b.Path))
	if err != nil {
		return nil, x.Scenario.wrap(err)
	}
	if short != nil {
		return x.keep(short.Plan, property, &Way{Moves: len(short.Path), Shortest: true,
			Tried: short.States})
	}
	told, err := new(sim.World).Tell(x.Search.Plan, x.Search.Walk, b.Path)
	if err != nil {
		return nil, x.Scenario.wrap(err)
	}
	return x.keep(told, property, &Way{Moves: len(b.Path)})
}

// aim is the property to keep broken: one that is wanted, if it broke.
func (x *Exploring) aim(broken []string) string {
	for _, name := range broken {
		if slices.Contains(x.Wanted, name) {
			return name
		}
	}
	return x.target(broken)
}

// keep cuts a told way down and makes a story of it.
func (x *Exploring) keep(plan *sim.Plan, property string, way *Way) (*Way, error) {
	small := x.cutDown(plan, property)
	if small == nil {
		return nil, nil
	}
	f := &Finding{Property: property, Shrunk: small}
	var err error
	if f.Run, err = sim.Execute(small.Plan); err != nil {
		return nil, err
	}
	f.Verdict = checker.Judge(f.Run, x.Protocol.Properties)
	f.Story = x.story(f)
	what := "A way"
	if way.Shortest {
		what = "A shortest way"
	}
	f.Story.Doc[len(f.Story.Doc)-1] = fmt.Sprintf("%s there, of %s: %s cut down to %d.", what,
		count(way.Moves, "move"), count(small.ActionsWas, "line"), small.Actions)
	way.Finding = f
	return way, nil
}
