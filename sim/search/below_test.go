package search_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// What these mutants fail by differs from seed to seed: another time between the requests, other
// requests, nodes and faults, several delays or one copy.
func TestSeedsThatFailInDifferentWaysShrinkToTheSameStory(t *testing.T) {
	for _, c := range []struct {
		protocol *sim.Protocol
		variant  string
		seeds    int
	}{
		{cut.Protocol, "apply-first", 5},
		{cut.Protocol, "takes-none", 5},
		{register.Protocol, "asks-once", 5},
		{register.Protocol, "nameless", 4},
		{register.Protocol, "copies", 3},
		{register.Protocol, "new-tag", 2},
	} {
		t.Run(c.protocol.Name+" "+c.variant, func(t *testing.T) {
			t.Parallel()
			campaign, err := scenarios.NewCampaign(c.protocol, c.variant, nil)
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			for i, seed := range failing(t, campaign, c.seeds) {
				f, err := campaign.Finding(seed, []string{campaign.Variant.Breaks})
				if err != nil {
					t.Fatal(err)
				}
				story := plainly(f.Story)
				if i == 0 {
					first = story
				}
				if story != first {
					t.Errorf("seed %d shrinks to\n%s\nand an earlier one to\n%s\nwant the same", seed,
						story, first)
				}
			}
		})
	}
}

// failing are the first seeds under which a campaign's variant breaks what it says it breaks.
func failing(t *testing.T, c *scenarios.Campaign, count int) []uint64 {
	t.Helper()
	var seeds []uint64
	for seed := uint64(1); len(seeds) < count; seed++ {
		if seed > 5000 {
			t.Fatalf("%s breaks %s under %d of 5000 seeds, want %d", c.Variant.Name, c.Variant.Breaks,
				len(seeds), count)
		}
		plan, err := c.Plan(seed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := sim.Execute(plan)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(c.Judge(run).Broken, c.Variant.Breaks) {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// plainly is a story as far as it plays.
func plainly(story *scenarios.Scenario) string {
	s := *story
	s.Doc, s.Tail = nil, nil
	return string(scenarios.Format(&s))
}

// missing says that some request was invoked and never noted.
func missing(_ *sim.Plan, run *sim.Run) bool {
	asked, noted := 0, 0
	for _, e := range run.Trace {
		switch e.Kind {
		case sim.EntryInvoked:
			asked++
		case sim.EntryNoted:
			noted++
		}
	}
	return noted < asked
}

// losing is a plan in which a partition loses a request that is passed on.
func losing(stands sim.Faults) *sim.Plan {
	p := *passing
	p.Stands = stands
	ask := func(node, word string) sim.Action {
		return sim.Action{Verb: sim.Request, Node: node, Words: []string{word}}
	}
	return &sim.Plan{Protocol: &p, Variant: p.Variants[0], Nodes: []string{"A", "B", "C"}, Timed: true,
		Network: sim.Network{Links: []sim.Link{{From: "*", To: "*",
			Delay: sim.Dist{Low: time.Millisecond}}}},
		Script: []sim.Action{ask("A", "a1"), ask("B", "a2"),
			{Verb: sim.Partition, Groups: [][]string{{"A"}, {"C"}}, Place: sim.At, Offset: 20e6},
			{Verb: sim.Request, Node: "A", Words: []string{"a3"}, Place: sim.At, Offset: 30e6},
			ask("B", "a4")}}
}

func TestAFaultOfTheScriptBecomesOneOfChanceThatTheProtocolStands(t *testing.T) {
	for _, c := range []struct {
		name   string
		stands sim.Faults
		want   string
	}{
		{"a loss where it stands losses", sim.Losses, "P a1; drop"},
		{"no loss where it stands none", sim.Partitions, "P partition; P a1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := (&search.Shrinking{Same: missing}).Shrink(losing(c.stands))
			if out == nil {
				t.Fatal("the plan does not fail, want that it does")
			}
			if got := brief(out.Plan); got != c.want {
				t.Errorf("shrunk to %q, want %q", got, c.want)
			}
		})
	}
}

// brief is a plan in a few words.
func brief(p *sim.Plan) string {
	var text string
	for _, a := range slices.Concat(p.Script, p.Load) {
		if text != "" {
			text += "; "
		}
		switch a.Verb {
		case sim.Request:
			text += a.Node + " " + a.Words[0]
		case sim.Partition:
			text += a.Groups[0][0] + " partition"
		default:
			text += fmt.Sprint("verb ", a.Verb)
		}
	}
	for _, e := range p.Chance {
		if e.Name.What == sim.Lost {
			text += "; drop"
			continue
		}
		text += fmt.Sprint("; choice ", e.Name.What)
	}
	return text
}

func TestAShrinkerPlaysNoPlanTwice(t *testing.T) {
	played := map[string]int{}
	s := &search.Shrinking{Same: func(p *sim.Plan, run *sim.Run) bool {
		played[fmt.Sprint(p.Seed, p.Nodes, p.Timed, p.Network, p.Script, p.Load, p.Chance)]++
		return missing(p, run)
	}}
	out := s.Shrink(losing(sim.Losses | sim.Crashes | sim.Duplicates))
	if out == nil {
		t.Fatal("the plan does not fail, want that it does")
	}
	for plan, n := range played {
		if n > 2 { // what is left is played once more in the end
			t.Errorf("played %d times, want once: %s", n, plan)
		}
	}
}
