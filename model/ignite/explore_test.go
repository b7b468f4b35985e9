package ignite_test

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// explored plays a story of fixed in every order, without timers and faults, judged by agreement,
// and gives the logs and the answers of each end once, in order. Full is without pruning.
func explored(t *testing.T, file string, full bool) (*scenarios.Explored, []string) {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/ignite/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := scenarios.NewCampaign(ignite.Protocol, "fixed/entry=atomic/commit=atomic", s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Exploring(scenarios.ExploreOptions{Bounds: &scenarios.Bounds{},
		Only: []string{"agreement"}})
	if err != nil {
		t.Fatal(err)
	}
	var lock sync.Mutex
	var ends []string
	judge := x.Search.Judge
	x.Search.Full = full
	x.Search.Judge = func(run *sim.Run) search.Finding {
		lock.Lock()
		defer lock.Unlock()
		ends = append(ends, endOf(run))
		return judge(run)
	}
	r, err := x.Run()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ends)
	return r, slices.Compact(ends)
}

// endOf is what a run has come to: what all logs hold, and what clients were answered.
func endOf(run *sim.Run) (text string) {
	for i, d := range run.Disks {
		text += "\n" + run.Nodes[i] + ":"
		for n := d.First(); n <= d.Last(); n++ {
			text += fmt.Sprintf(" %#v", d.At(n))
		}
		for _, e := range run.Trace {
			if e.Kind == sim.EntryReturned && int(e.Node) == i {
				text += fmt.Sprintf(" %#v", e.Body)
			}
		}
	}
	return text
}

// The numbers are those of results/ignite.md. More states than that tell apart what makes no
// difference, such as which node replied first.
func TestABaseStoryComesToTheSameEndsInFewStatesAsInAll(t *testing.T) {
	few, ends := explored(t, "base-one-phase.txt", false)
	all, want := explored(t, "base-one-phase.txt", true)
	for _, r := range []*scenarios.Explored{few, all} {
		if !r.Complete || len(r.Broken) > 0 || r.Undecided > 0 {
			t.Errorf("complete %t, broken %v, undecided %d, want a whole space in which all holds",
				r.Complete, r.Broken, r.Undecided)
		}
	}
	if few.States != 1_209 || all.States != 5_401 {
		t.Errorf("%d states pruned, %d in all, want 1,209 and 5,401", few.States, all.States)
	}
	if len(want) < 2 || !slices.Equal(ends, want) {
		t.Errorf("%d ends pruned, %d in all, want the same, and several; pruned:%s\nin all:%s",
			len(ends), len(want), ends, want)
	}
}
