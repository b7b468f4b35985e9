package cli_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// TestWhatWorkersSharedIsPrintedAsFarAsItIsTheSameEachTime takes two explorations that differ only in
// what depends on which worker was faster.
func TestWhatWorkersSharedIsPrintedAsFarAsItIsTheSameEachTime(t *testing.T) {
	broke := []search.Broken{{Broken: []string{"agreement"}}}
	p := &sim.Protocol{Goals: []sim.Goal{{Name: "met"}}}
	for _, c := range []struct {
		name     string
		one, two search.Explored
		past     []string
		want     string
	}{
		{"complete", search.Explored{States: 60_000, Depth: 9, Ends: 70, Complete: true, Goals: []int{3}},
			search.Explored{States: 60_004, Depth: 8, Ends: 70, Complete: true, Goals: []int{4}}, nil,
			"space more than 50,000 states, 70 ends judged; complete\n" +
				"goals and premises are not counted: several workers shared the space, --jobs 1 counts them"},
		{"complete, kept apart", search.Explored{States: 60_000, Depth: 9, Ends: 70, Complete: true, Goals: []int{3}},
			search.Explored{States: 60_004, Depth: 8, Ends: 70, Complete: true, Goals: []int{3}}, []string{"order"},
			"goals met 3"},
		{"broken", search.Explored{States: 60_000, Ends: 70, Why: "it ended", Broken: broke},
			search.Explored{States: 55_000, Ends: 12, Why: "it ended", Broken: broke}, nil,
			"space more than 50,000 states; it ended, --all goes on; with --jobs 1 the first is the same each time"},
		{"more than were allowed", search.Explored{States: 200_000, Depth: 9, Ends: 70, Why: "too many"},
			search.Explored{States: 200_000, Depth: 8, Ends: 71, Why: "too many"}, nil,
			"space more than 200,000 states; too many"},
		{"stopped for another reason", search.Explored{States: 60_000, Ends: 70, Why: "it was stopped"},
			search.Explored{States: 60_004, Ends: 71, Why: "it was stopped"}, nil,
			"space more than 50,000 states; it was stopped"},
	} {
		one, two := cli.SharedRows(c.one, c.past, p), cli.SharedRows(c.two, c.past, p)
		if one != two || !strings.Contains(one, c.want+"\n") {
			t.Errorf("%s: got\n%sand\n%swant both the same, with %q", c.name, one, two, c.want)
		}
	}
}
