package scenarios_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// tale is a story of relay with an opening and expectations.
func tale(opening, expect string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(opening + "\n-- scenario --\nmodel  relay\nnodes  A B\n\n" +
		"-- script --\nA put x\n\n-- expect --\n" + expect + "\n")}
}

func TestStoriesThatLeaveAVariantOutAreNamed(t *testing.T) {
	const both = "plain    holds\nskips-x  breaks everywhere"
	ruled := sim.Variant{Name: "plain/way=log", Breaks: "same-order"}
	for _, c := range []struct {
		name    string
		stories fstest.MapFS
		more    []sim.Variant
		want    string // nothing if it is ""
	}{
		{"all told", fstest.MapFS{"a.txt": tale("# A puts.", both+"\nrows  holds")}, nil, ""},
		{"all others hold", fstest.MapFS{"a.txt": tale("# A puts.", "skips-x  breaks everywhere\n* holds")},
			nil, ""},
		{"a variant that no story has", fstest.MapFS{"a.txt": tale("# A puts.", both)}, nil,
			"no story expects rows to hold"},
		{"a mutant broken by something else", fstest.MapFS{"a.txt": tale("# A puts.",
			"skips-x  breaks same-order\n*  holds")}, nil,
			"no story expects skips-x to break everywhere, and plain to hold"},
		{"a mutant that is not beside what it spoils", fstest.MapFS{
			"a.txt": tale("# A puts.", "skips-x  breaks everywhere"),
			"b.txt": tale("# A puts.\n# twin: a.txt", "*  holds")}, nil,
			"no story expects skips-x to break everywhere, and plain to hold"},
		{"a variant with a rule", fstest.MapFS{"a.txt": tale("# A puts.", both+"\nrows  holds")},
			[]sim.Variant{ruled}, "no story expects plain/way=log to break same-order"},
		{"a story without an opening", fstest.MapFS{"a.txt": tale("", both+"\nrows  holds")}, nil,
			"a.txt: want 1 to 6 lines that tell the story, at its top"},
		{"an opening with what a search has found", fstest.MapFS{"a.txt": tale(strings.Repeat(
			"# And then.\n", 6)+"# invariant: order\n# cured by: a rule\n# blame: the relay", both+
			"\nrows  holds")}, nil, ""},
		{"a long opening", fstest.MapFS{"a.txt": tale(strings.Repeat("# And then.\n", 7),
			both+"\nrows  holds")}, nil, "a.txt: want 1 to 6 lines that tell the story, at its top"},
		{"a twin that breaks nothing", fstest.MapFS{
			"a.txt": tale("# A puts.", both+"\nrows  holds"),
			"b.txt": tale("# A puts.\n# twin: c.txt", "*  holds"),
			"c.txt": tale("# A puts.\n# twin: a.txt", "*  holds")}, nil,
			"b.txt: it breaks nothing and names no story beside it that does: # twin: FILE"},
		{"no twin", fstest.MapFS{
			"a.txt": tale("# A puts.", both+"\nrows  holds"),
			"b.txt": tale("# A puts.", "*  holds")}, nil,
			"b.txt: it breaks nothing and names no story beside it that does: # twin: FILE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := taped(func(t *tape) { scenarios.Covered(t, relaying, c.stories, c.more...) }).errors
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatIsWrongWithADrawnLoadIsSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(load []sim.Action, d *sim.Draws) []sim.Action
		want  string // part of what is said
	}{
		{"one request less", func(load []sim.Action, _ *sim.Draws) []sim.Action { return load[1:] },
			"29 requests, want 30"},
		{"out of order", func(load []sim.Action, _ *sim.Draws) []sim.Action {
			load[3].Offset = time.Millisecond
			load[2].Offset = 2 * time.Millisecond
			return load
		}, `is earlier than the one before it`},
		{"after the span", func(load []sim.Action, d *sim.Draws) []sim.Action {
			load[29].Offset = d.Span + time.Millisecond
			return load
		}, "is at 51ms, want it within 50ms"},
		{"a client of nobody", func(load []sim.Action, _ *sim.Draws) []sim.Action {
			load[0].Client = 4
			return load
		}, "is of a client that there is not"},
		{"a node of nobody", func(load []sim.Action, _ *sim.Draws) []sim.Action {
			load[0].Node = "Z"
			return load
		}, "is for a node that there is not"},
		{"no request of the protocol", func(load []sim.Action, _ *sim.Draws) []sim.Action {
			load[0].Words = []string{"get", "x"}
			return load
		}, `is no request: model relay has no request "get"`},
		{"in its turn", func(load []sim.Action, _ *sim.Draws) []sim.Action {
			load[0].Place = sim.InTurn
			return load
		}, "has no time of its own"},
		{"the same for all seeds", func(load []sim.Action, d *sim.Draws) []sim.Action {
			for i := range load {
				load[i].Node, load[i].Offset = "P", d.Span
			}
			return load
		}, "the loads of seeds 7 and 8 are the same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := *relaying
			p.Draw = func(d *sim.Draws) []sim.Action { return c.spoil(inOrder(d), d) }
			got := taped(func(t *tape) { scenarios.Workload(t, &p) }).errors
			if len(got) != 1 || !strings.Contains(got[0], c.want) {
				t.Errorf("got %q, want one with %q", got, c.want)
			}
		})
	}
	p := *relaying
	p.Draw = inOrder
	if got := taped(func(t *tape) { scenarios.Workload(t, &p) }).errors; len(got) > 0 {
		t.Errorf("of a load in order: got %q, want nothing", got)
	}
	p.OpWords = []string{"put", "get"}
	got := taped(func(t *tape) { scenarios.Workload(t, &p) }).errors
	if want := `no "get" is drawn under 100 seeds`; len(got) != 1 || got[0] != want {
		t.Errorf("of a request that is never drawn: got %q, want %q", got, want)
	}
}

// inOrder is a load of relay, a request every millisecond.
func inOrder(d *sim.Draws) []sim.Action {
	load := relaying.Draw(d)
	for i := range load {
		load[i].Offset = d.Span * time.Duration(i) / time.Duration(len(load))
	}
	return load
}
