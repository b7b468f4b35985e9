package commit_test

import (
	"testing"

	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim/search"
)

func TestSweepOfTheRightVariant(t *testing.T) {
	scenarios.Sweep(t, commit.Protocol, scenarios.SweepOptions{Goals: true,
		Seeds: scenarios.Seeds{From: 1, To: 2000}})
}

func TestEveryMutantIsCaughtByThePropertyItNamesWithinAThousandSeeds(t *testing.T) {
	count := 0
	for _, v := range commit.Protocol.Variants {
		if !v.Mutant() {
			continue
		}
		count++
		t.Run(v.Name, func(t *testing.T) {
			c, err := scenarios.NewCampaign(commit.Protocol, v.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Sweep()
			s.To, s.Jobs, s.Distinct = 1000, search.Cores(), 1
			s.Judge = only(c, v.Breaks)
			sum := search.Sweep(s)
			if len(sum.Groups) == 0 {
				t.Fatalf("%s breaks %s under none of %d seeds", v.Name, v.Breaks, sum.Seeds)
			}
			t.Logf("%s breaks %s first under seed %d", v.Name, v.Breaks, sum.Groups[0].Seed)
		})
	}
	if count < 15 {
		t.Errorf("%d mutants, want at least 15", count)
	}
}
