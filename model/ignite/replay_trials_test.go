package ignite_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// tried tries the restores of drawn runs of a variant, until one of them is wrong.
func tried(t *testing.T, variant string, seeds uint64) *ignite.Trials {
	t.Helper()
	v, err := ignite.Protocol.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	all, w := new(ignite.Trials), new(sim.World)
	for seed := uint64(1); seed <= seeds && all.Disagreements == 0; seed++ {
		run, err := w.Execute(search.Random(ignite.Protocol, v, seed, search.Mix), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all.Add(run)
	}
	return all
}

func TestRestoresOfDrawnRunsAreAsTheModelHasThem(t *testing.T) {
	all := tried(t, "fixed", 400)
	if all.Disagreements > 0 {
		t.Errorf("want no disagreement, got %d:\n%s", all.Disagreements, strings.Join(all.First, "\n"))
	}
	for _, c := range []struct {
		what string
		n    int
	}{
		{"restores from whole logs", all.Restores},
		{"transactions placed by 1.13", all.Certain},
		{"transactions of recovery", all.Marked},
		{"increments put on the cut before", all.Increments},
		{"cuts restored from logs cut off", all.Back},
		{"cuts refused for logs that are too short", all.Short},
		{"cuts refused since no log says that they succeeded", all.Doubtful},
		{"attempts to restore failed cuts", all.Withheld},
	} {
		if c.n < 5 {
			t.Errorf("%d %s, want at least 5", c.n, c.what)
		}
	}
	if all.Back+all.Short+all.Doubtful != all.Clusters {
		t.Errorf("%d restored, %d too short and %d doubtful are not all %d", all.Back, all.Short,
			all.Doubtful, all.Clusters)
	}
}

func TestWrongReplaysDisagreeWithTheModel(t *testing.T) {
	for _, c := range []struct{ variant, want string }{
		{"replays-included", "restoring cut"},
		{"replays-excluded", "restoring cut"},
		{"no-previous", "restoring cut"},
		{"any-start", "restoring cut"},
		{"keeps-gaps", "a gap in the counters"},
		{"finishless", "from a log that ends at record"},
		{"unsigns-early", "restoring cut"}, // it is the cut that is wrong, not the replay
	} {
		t.Run(c.variant, func(t *testing.T) {
			all := tried(t, c.variant, 1500)
			if all.Disagreements == 0 || !strings.Contains(all.First[0], c.want) {
				t.Errorf("%d runs of %s: got disagreements %q, want one that says %q", all.Runs, c.variant,
					all.First, c.want)
			}
		})
	}
}
