package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Update is the story's text with the values of its claims, and its stored traces, made what they
// are. Verdicts stay as they are written: what must hold is not for a run to say.
func Update(s *Scenario, p *sim.Protocol, o PlayOptions) ([]byte, error) {
	u, err := updated(s, p, o)
	if err != nil {
		return nil, err
	}
	return Format(u), nil
}

// updated is the story of Update.
func updated(s *Scenario, p *sim.Protocol, o PlayOptions) (*Scenario, error) {
	if err := s.Check(p); err != nil {
		return nil, err
	}
	up := &updater{story: copied(s), values: map[int][]string{}}
	pl := &player{protocol: p, options: o, world: new(sim.World)}
	for _, c := range s.Grid() {
		pl.story, pl.grid = c.Scenario, c.Name != ""
		variants, err := pl.story.Variants(p)
		if err != nil {
			return nil, err
		}
		for _, v := range variants {
			if err := up.take(pl, v); err != nil {
				return nil, err
			}
		}
	}
	return up.story, up.write()
}

// copied is a story whose claims, steps and traces can be changed.
func copied(s *Scenario) *Scenario {
	c := *s
	c.Script = slices.Clone(s.Script)
	c.Traces = slices.Clone(s.Traces)
	c.Expect.Claims = slices.Clone(s.Expect.Claims)
	c.Expect.Verdicts = slices.Clone(s.Expect.Verdicts)
	for i := range c.Expect.Verdicts {
		v := &c.Expect.Verdicts[i]
		v.Claims = slices.Clone(v.Claims)
	}
	return &c
}

// updater collects what claims would have to say. A claim is known by its line, since it stands in
// every case and binds several variants.
type updater struct {
	story  *Scenario
	lines  []int            // of claims that do not hold, in the order met
	values map[int][]string // what they would have to say instead, by line
}

// take plays a variant and takes up what its claims would have to say.
func (up *updater) take(pl *player, variant string) error {
	pl.variant, pl.want = variant, pl.story.expected(variant)
	first := true
	return pl.eachSeed(func(seed uint64) error {
		plan, err := pl.plan(seed)
		if err != nil {
			return err
		}
		run, err := pl.world.Execute(plan, sim.Options{})
		if err != nil {
			return pl.story.wrap(err)
		}
		if pl.grid && len(run.Stale) > 0 {
			return nil // a void case: its claims do not count
		}
		if first {
			up.trace(run, variant)
			first = false
		}
		return up.takeRun(pl, run)
	})
}

func (up *updater) trace(run *sim.Run, variant string) {
	if g := up.story.golden(variant); g != nil {
		g.Lines = TraceText(run)
	}
}

func (up *updater) takeRun(pl *player, run *sim.Run) error {
	for _, c := range run.Checks {
		if c.Fails == "" {
			continue
		}
		if err := up.note(c.Line, c.Claim, fromSeen(run, c)); err != nil {
			return err
		}
	}
	seen := run.Observe()
	for _, c := range pl.story.claimsFor(pl.want) {
		if c.Test(seen) == "" {
			continue
		}
		words, err := wordsFor(c.Claim, seen)
		if err != nil {
			return pl.story.fault(c.Line, "%v", err)
		}
		if err := up.note(c.Line, c.Claim, words); err != nil {
			return err
		}
	}
	return nil
}

// note remembers what a claim would have to say. Two runs must agree about it.
func (up *updater) note(line int, c sim.Claim, words []string) error {
	if words == nil {
		return up.story.fault(line, "%q cannot be updated: nothing like it is seen", c.String())
	}
	if old, met := up.values[line]; met && !slices.Equal(old, words) {
		return up.story.fault(line, "%q cannot be updated: it is %q in one run and %q in another",
			c.String(), strings.Join(old, " "), strings.Join(words, " "))
	} else if !met {
		up.lines = append(up.lines, line)
	}
	up.values[line] = words
	return nil
}

// fromSeen is the words of a check, made of what was seen instead: "P data x" without the node.
func fromSeen(run *sim.Run, c sim.Check) []string {
	words := strings.Fields(c.Fails)
	if len(words) > 0 && slices.Contains(run.Nodes, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || words[0] != c.Claim.Words[0] {
		return nil
	}
	return words
}

// wordsFor is the words that make a claim true: its name and the value that all it speaks of have.
func wordsFor(c sim.Claim, seen []sim.Observation) ([]string, error) {
	name := observedName(c, seen)
	value, first := "", true
	for _, o := range seen {
		if o.Name != name || !slices.Contains(c.Who, "*") && !slices.Contains(c.Who, o.Node) {
			continue
		}
		if !first && o.Value != value {
			return nil, fmt.Errorf("%q cannot be updated: it is %q and %q; want a claim for each node",
				c.String(), value, o.Value)
		}
		value, first = o.Value, false
	}
	if first {
		return nil, nil
	}
	return strings.Fields(name + " " + value), nil
}

// observedName is the longest observed name that the claim's words begin with, "" if there is none.
func observedName(c sim.Claim, seen []sim.Observation) string {
	best, text := "", strings.Join(c.Words, " ")+" "
	for _, o := range seen {
		if len(o.Name) > len(best) && strings.HasPrefix(text, o.Name+" ") {
			best = o.Name
		}
	}
	return best
}

// write puts what was taken up into the story.
func (up *updater) write() error {
	for _, line := range up.lines {
		if err := up.writeLine(line, up.values[line]); err != nil {
			return err
		}
	}
	return nil
}

func (up *updater) writeLine(line int, words []string) error {
	s := up.story
	var claims []*sim.Claim
	for i := range s.Expect.Claims {
		claims = append(claims, &s.Expect.Claims[i].Claim)
	}
	for i := range s.Expect.Verdicts {
		v := &s.Expect.Verdicts[i]
		for j := range v.Claims {
			claims = append(claims, &v.Claims[j].Claim)
		}
	}
	for _, c := range claims {
		if c.Line == line {
			return s.rewrite(line, c, words)
		}
	}
	for i := range s.Script {
		if st := &s.Script[i]; st.Line == line && st.Verb == sim.CheckClaim {
			err := s.rewrite(line, &st.Claim, words)
			st.Text = ActionText(st.Action)
			return err
		}
	}
	return s.fault(line, "this check cannot be updated: it stands for several; change it by hand")
}

func (s *Scenario) rewrite(line int, c *sim.Claim, words []string) error {
	if open(c.String()) {
		return s.fault(line, "%q cannot be updated: it stands for several; change it by hand", c)
	}
	c.Words = words
	return nil
}
