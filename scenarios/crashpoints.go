package scenarios

import (
	"fmt"
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Crashing is the search for crash points of the campaign's story, with everything but their number
// and that of runs and jobs filled in. A story with seeds is played under the given one, and
// pinned: that what chance chose stays as it is, but for the crashes.
func (c *Campaign) Crashing(seed uint64) (*search.Crashing, error) {
	if c.Scenario == nil {
		return nil, fmt.Errorf("want a story: crash points of %s are those of a run", c.Protocol.Name)
	}
	plan, err := c.Scenario.Plan(c.Protocol, c.Variant.Name, seed)
	if err != nil {
		return nil, err
	}
	if seed != 0 {
		run, err := new(sim.World).Execute(plan, sim.Options{Record: true})
		if err != nil {
			return nil, c.Scenario.wrap(err)
		}
		plan = search.Pin(plan, run)
	}
	return &search.Crashing{Plan: plan, Judge: c.Judge, Crashes: 1, Most: 10_000, Seed: 1,
		Jobs: 1}, nil
}

// Struck is a run with crashes as a finding: a story that plays it again and tells where the
// crashes fall and what comes of them.
func (c *Campaign) Struck(x *search.Crashing, s *search.Struck) (*Finding, error) {
	run, err := sim.Execute(numbered(search.WithCrashes(x.Plan, s.Hits)))
	if err == nil {
		run, err = sim.Execute(withoutStale(run))
	}
	if err != nil {
		return nil, c.Scenario.wrap(err)
	}
	f := &Finding{Run: run, Verdict: checker.Judge(run, c.Protocol.Properties)}
	var doc []string
	for _, h := range s.Hits {
		doc = append(doc, fmt.Sprintf("%s crashes: %s. %s.", h.Node, h.Phase, Remains(h)))
	}
	for _, v := range f.Verdict.Lowest() {
		if f.Property == "" {
			f.Property = v.Property.Name
		}
		doc = append(doc, v.Property.Name+": "+v.Violation.Reason+".")
	}
	story := c.Scenario.Pinned(run.Plan)
	story.Model, story.Played = c.Protocol.Name, []string{c.Variant.Name}
	story.Fixed = !story.Timed // it is this order of deliveries that has been judged
	f.Story = story.Expecting(f.Verdict)
	f.Story.Doc = doc
	return f, nil
}

// withoutStale is the plan of a run in which crashes came between: what came to nothing since is
// made a "maybe" or left out, and so are checks that do not hold any more. It plays the same run.
func withoutStale(run *sim.Run) *sim.Plan {
	stale, checked := map[int]bool{}, map[int]bool{}
	for _, s := range run.Stale {
		stale[s.Line] = true
	}
	for _, k := range run.Checks {
		checked[k.Line] = k.Fails == ""
	}
	p := *run.Plan
	p.Script = slices.DeleteFunc(slices.Clone(p.Script), func(a sim.Action) bool {
		return a.Verb == sim.CheckClaim && !checked[a.Line]
	})
	p.Load = slices.Clone(p.Load)
	for _, list := range [][]sim.Action{p.Script, p.Load} {
		for i := range list {
			list[i].Maybe = list[i].Maybe || list[i].Line != 0 && stale[list[i].Line]
		}
	}
	p.Chance = slices.DeleteFunc(slices.Clone(p.Chance), func(e sim.Exception) bool {
		return stale[e.Line]
	})
	return &p
}

// numbered gives exceptions that stand in no file a line beyond all files, to tell which are stale.
func numbered(p *sim.Plan) *sim.Plan {
	for i := range p.Chance {
		if e := &p.Chance[i]; e.Line == 0 {
			e.Line = 1<<30 + i
		}
	}
	return p
}

// Remains is what a crash leaves, and when the node is back, in words: "It keeps 1 unsynced record,
// torn, and restarts at once".
func Remains(h search.Hit) string {
	back := "restarts at the end"
	if h.Now {
		back = "restarts at once"
	}
	switch {
	case h.Unsynced == 0:
		return "All it wrote is durable, and it " + back
	case h.Keeps == 0:
		return fmt.Sprintf("It loses %s and %s", count(int(h.Unsynced), "unsynced record"), back)
	}
	torn := ""
	if h.Torn {
		torn = ", the last of them torn,"
	}
	return fmt.Sprintf("It keeps %d of %s%s and %s", h.Keeps,
		count(int(h.Unsynced), "unsynced record"), torn, back)
}

// CrashLines are the lines of a story that make the crashes: those of its script, then those of its
// chance.
func CrashLines(hits []search.Hit) []string {
	p := search.WithCrashes(&sim.Plan{}, hits)
	var lines []string
	for _, a := range p.Script {
		lines = append(lines, ActionText(a))
	}
	for _, e := range p.Chance {
		lines = append(lines, ExceptionText(e))
	}
	return lines
}
