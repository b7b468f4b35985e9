package search_test

import (
	"fmt"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// judged is a campaign whose seeds fail as is said of them.
func judged(findings map[uint64]search.Finding) search.Campaign {
	c := campaign(2)
	c.To = 100
	c.Judge = func(run *sim.Run) search.Finding { return findings[run.Plan.Seed] }
	return c
}

func TestFailuresThatARightVariantSharesAreAGroupOfTheirOwn(t *testing.T) {
	s := search.Sweep(judged(map[uint64]search.Finding{
		3: {Broken: []string{"order"}, Shared: true}, 8: {Broken: []string{"order"}},
		50: {Broken: []string{"order"}, Shared: true}, 70: {Broken: []string{"other"}, Shared: true},
	}))
	if got, want := fmt.Sprint(s.Groups), "[{[order] true 3 2} {[order] false 8 1} {[other] true 70 1}]"; got != want {
		t.Errorf("the groups are %s, want %s", got, want)
	}
}

func TestASweepGoesOnUntilItIsEnough(t *testing.T) {
	findings := map[uint64]search.Finding{3: {Broken: []string{"order"}}, 40: {Broken: []string{"other"}},
		70: {Broken: []string{"third"}}}
	for _, c := range []struct {
		name     string
		distinct int
		enough   func([]search.Group) bool
		want     int
	}{
		{"with one failure", 1, nil, 3},
		{"with two", 2, nil, 40},
		{"with one, if some have been seen, and more are wanted", 1,
			func(all []search.Group) bool { return len(all) == 3 }, 70},
		{"with none, if none will do", 1, func([]search.Group) bool { return false }, 100},
		{"never, however much there is", 0, func([]search.Group) bool { return true }, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := judged(findings)
			x.Distinct, x.Enough = c.distinct, c.enough
			if s := search.Sweep(x); s.Seeds != c.want {
				t.Errorf("it ends after %d seeds, want %d", s.Seeds, c.want)
			}
		})
	}
}
