package ignite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// twins is a cluster with a partition of two owners and one of one; Q is not an owner of x, and R
// of nothing. P is the oldest.
const twins = `nodes    P B Q R N
client   N
key      x on P B
key      y on Q
`

// changed is a story as merged plays it with one rule of topology changes that is wrong.
func changed(t *testing.T, way, set, script string) *sim.Run {
	t.Helper()
	text := "-- scenario --\nmodel ignite\n" + set + "-- script --\n" + script +
		"-- expect --\nmerged holds\n"
	story, err := scenarios.Parse("topology.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(ignite.Protocol, "merged", 0)
	if err != nil {
		t.Fatal(err)
	}
	plan.Variant = ignite.Changed("merged", way)
	return settled(t, plan)
}

// agreed are the topologies that a run came to, each once: an error if two nodes had different ones
// at one event.
func agreed(t *testing.T, run *sim.Run) []ignite.View {
	t.Helper()
	var views []ignite.View
	for _, e := range run.Trace {
		f, ok := e.Body.(ignite.Topology)
		if !ok || e.Kind != sim.EntryNoted {
			continue
		}
		at := slices.IndexFunc(views, func(v ignite.View) bool { return v.Ver == f.View.Ver })
		switch {
		case at < 0:
			views = append(views, f.View)
		case fmt.Sprint(views[at]) != fmt.Sprint(f.View):
			t.Errorf("%s has %v of the event at %d, want %v as others", run.Name(e.Node), f.View, f.View.Ver,
				views[at])
		}
	}
	return views
}

// owners are who a transaction was mapped to: "P+B, Q", the primaries first.
func owners(run *sim.Run, tx string) string {
	for _, e := range run.Trace {
		m, ok := e.Body.(ignite.Mapped)
		if !ok || m.Name != tx {
			continue
		}
		var words []string
		for _, s := range m.Map.Shares {
			word := run.Name(s.Primary)
			for _, b := range s.Backups {
				word += "+" + run.Name(b)
			}
			words = append(words, word)
		}
		return strings.Join(words, ", ")
	}
	return "nobody"
}

// place is where in the trace the first fact, message or answer of a kind about something is; -1 if
// there is none.
func place(run *sim.Run, node, kind string, keys ...string) int {
	return slices.IndexFunc(run.Trace, func(e sim.Entry) bool {
		if e.Body == nil || e.Body.Kind() != kind || node != "*" && run.Name(e.Node) != node {
			return false
		}
		for _, k := range keys {
			if !slices.Contains(sim.KeysOf(e.Body), k) {
				return false
			}
		}
		return true
	})
}

// ends are what clients were told of their transactions: "T1 committed, T2 rolledback".
func ends(run *sim.Run) string {
	var words []string
	for _, e := range run.Trace {
		if m, ok := e.Body.(ignite.Ended); ok && e.Kind == sim.EntryReturned {
			words = append(words, m.Tx+" "+m.Kind())
		}
	}
	return strings.Join(words, ", ")
}

func TestNewTransactionsWaitUntilThoseMappedBeforeAServerLeftAreDone(t *testing.T) {
	run := played(t, "merged", twins, `
hold N->P NFQ T1
N commit T1 x=1 y=1
crash R for good
N commit T2 x=2
check N state T2 near ACTIVE
release N->P NFQ T1
`)
	first, mapped := place(run, "N", "topology"), place(run, "N", "mapped", "T2")
	done := place(run, "B", "committed", "T1")
	if first < done || mapped < first {
		t.Errorf("T1 done on B at %d, topology on N at %d, T2 mapped at %d, want them in this order",
			done, first, mapped)
	}
	if got, want := ends(run), "T1 committed, T2 committed"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if views := agreed(t, run); len(views) != 1 {
		t.Errorf("topologies %v, want one", views)
	}
}

func TestWhoIgnoresTheExchangeMapsOnTheTopologyBefore(t *testing.T) {
	run := changed(t, "maps-on", twins, `
hold N->P NFQ T1
N commit T1 x=1 y=1
crash R for good
N commit T2 y=2
release N->P NFQ T1
`)
	if first, mapped := place(run, "N", "topology"), place(run, "N", "mapped", "T2"); mapped > first {
		t.Errorf("T2 mapped at %d, topology on N at %d, want T2 first", mapped, first)
	}
}

func TestClientsChangeNothing(t *testing.T) {
	run := played(t, "merged", twins+"later J\nclient J\n", `
hold N->P NFQ T1
N commit T1 x=1 y=1
join J
J commit T2 y=2
check J outcome T2 COMMITTED
crash J
restart J
J commit T3 y=3
check J outcome T3 COMMITTED
leave J
release N->P NFQ T1
`)
	for _, e := range run.Trace {
		if e.Body != nil && e.Body.Kind() == "released" {
			t.Errorf("%s: %s, want no release for clients", run.Name(e.Node), sim.Text(e.Body))
		}
	}
	if got, want := ends(run), "T2 committed, T3 committed, T1 committed"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestAnotherServerEndsTheExchangeWhenTheOldestLeaves(t *testing.T) {
	run := played(t, "merged", `nodes    A P B Q N
client   N
key      x on P B
key      y on Q
`, `
hold N->P NFQ T1
N commit T1 x=1 y=1
crash Q for good
N commit T2 x=2
crash A for good
release N->P NFQ T1
`)
	views := agreed(t, run)
	if len(views) != 1 || views[0].Ver != 2 {
		t.Errorf("topologies %v, want one, of the second leaving", views)
	}
	if from := place(run, "P", "exchanged"); from < 0 || run.Trace[from].Kind != sim.EntryPublished {
		t.Errorf("entry %d is where P speaks of the exchange first, want that P publishes it", from)
	}
	if got, want := ends(run), "T1 committed, T2 committed"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestAClientsRequestFromATopologyThatIsOverIsRefused(t *testing.T) {
	script := `
hold N->P NPQ T1
N commit T1 x=1 y=1
crash R for good
release N->P NPQ T1
`
	run := played(t, "merged", twins, strings.Replace(script, "x=1 y=1", "x=1 y=1 optimistic", 1))
	if got, want := ends(run), "T1 rolledback"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// C takes x over and gets no update that was mapped before it was there: T1 must not commit after
// the supply was copied.
func TestAnOldRequestThatIsServedIsMissingOnWhoTookOver(t *testing.T) {
	const set = "nodes P B C N\nclient N\nkey x on P B C\n"
	const script = `
crash C
hold N->P NPQ T1
N commit T1 x=1 optimistic
restart C
release N->P NPQ T1
`
	run := played(t, "merged", set, script)
	if got := ends(run) + unequal(run); got != "T1 rolledback" {
		t.Errorf("merged: %q, want that T1 rolledback", got)
	}
	run = changed(t, "takes-outdated", set, script)
	if got, want := ends(run), "T1 committed"; got != want || unequal(run) == "" {
		t.Errorf("takes-outdated: %q, want %q, and C without it", got, want)
	}
}

// Q releases before T1 comes to it, and C takes y over from Q: nobody may end the exchange before Q
// has T1 done, although near, on P, is done.
func TestWhatComesToAServerAfterItsReleaseIsWaitedForOnceMore(t *testing.T) {
	const set = "nodes P Q C B\nkey x on P B\nkey y on Q C\n"
	const script = `
hold P->Q NPQ T1
hold P->Q NFQ T1
crash C
P commit T1 x=1 y=1 optimistic
restart C
release P->Q NPQ T1
release P->Q NFQ T1
`
	if run := played(t, "merged", set, script); unequal(run) != "" || ends(run) != "T1 committed" {
		t.Errorf("merged: %s, %q, want all equal and T1 committed", unequal(run), ends(run))
	}
	if run := changed(t, "one-wait", set, script); unequal(run) == "" {
		t.Errorf("one-wait: all have the same, want C without T1")
	}
}

func TestAPartitionWithoutAWholeOwnerCannotBeWritten(t *testing.T) {
	run := played(t, "merged", twins, `
N commit T1 y=1
crash Q
N commit T2 y=2
N commit T3 x=3
restart Q
N commit T4 y+1
`)
	want := "T1 committed, T2 rolledback, T3 committed, T4 committed"
	if got := ends(run); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if got, want := holds(run, "Q", "y"), "2"; got != want {
		t.Errorf("y on Q is %q, want %q: 1 survives the crash, and T4 adds 1", got, want)
	}
}

// holds is what a key holds on a node in the end.
func holds(run *sim.Run, node, key string) string {
	id := slices.Index(run.Nodes, node)
	for _, p := range ignite.Owned(run, sim.NodeID(id)) {
		for _, e := range p.Entries {
			if e.Key == key {
				return e.Value
			}
		}
	}
	return ""
}
