package commit_test

import (
	"os"
	"slices"
	"testing"

	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// explored plays a small story in every order, with one timer and one crash, to its first failure
// that the variant names.
func explored(t *testing.T, file string, v sim.Variant) *scenarios.Explored {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/commit/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := scenarios.NewCampaign(commit.Protocol, v.Name, s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Exploring(scenarios.ExploreOptions{Bounds: &scenarios.Bounds{Timers: 1, Crashes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if v.Breaks != "" {
		x.Wanted = []string{v.Breaks}
	}
	x.Search.Jobs = 1
	r, err := x.Run()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOneTransactionHoldsInEveryOrderWithOneTimerAndOneCrash(t *testing.T) {
	for _, file := range []string{"small.txt", "small-refused.txt"} {
		r := explored(t, file, commit.Protocol.Variants[0])
		if len(r.Broken) > 0 || r.Undecided > 0 || !r.Complete {
			t.Errorf("%s: broken %v, undecided %d, complete %t, want a whole space in which all holds", file,
				r.Broken, r.Undecided, r.Complete)
		}
		t.Logf("%s: %d states, %d ends", file, r.States, r.Ends)
	}
}

// What is not written of a refusal shows only where something is refused.
func TestEveryMutantBreaksOneTransactionInSomeOrderWithOneTimerAndOneCrash(t *testing.T) {
	for _, v := range commit.Protocol.Variants {
		if !v.Mutant() {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			file := "small.txt"
			if v.Name == "refuses-first" {
				file = "small-refused.txt"
			}
			r := explored(t, file, v)
			for _, b := range r.Broken {
				if slices.Contains(b.Broken, v.Breaks) {
					t.Logf("%s breaks %v after %d moves", v.Name, b.Broken, len(b.Path))
					return
				}
			}
			t.Errorf("%s breaks %v in %d states of %s, want %s", v.Name, r.Broken, r.States, file, v.Breaks)
		})
	}
}
