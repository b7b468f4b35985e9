package ignite_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

func TestAChangeOfTheBaselineForbidsIncrementsUntilAFullSnapshot(t *testing.T) {
	const offline = "cut c1 failed: "
	run := played(t, "merged", twins, `
N commit T1 x=1
crash R for good
N cut c1
Q baseline P B Q
N cut c2
N snapshot G
N cut c3
`)
	got := strings.Split(reports(run), "; ")
	want := []string{offline, "cut c2 failed: increments are forbidden: the baseline has changed",
		"cut c3 done"}
	if len(got) != 3 || !strings.HasPrefix(got[0], want[0]) || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("told %q, want %q: R is offline, then no node of the baseline any more", got, want)
	}
}

func TestAnOwnerThatComesIntoTheBaselineTakesItsDataOver(t *testing.T) {
	run := played(t, "merged", "nodes P B O N\nclient N\noutsider O\nkey x on P B O\n", `
N commit T1 x=1
hold P->O supply x
N baseline P B O
N commit T2 x+1
release P->O supply x
N commit T3 x+1
N snapshot G
N cut c1
`)
	for tx, want := range map[string]string{"T1": "P+B", "T2": "P+B+O", "T3": "P+B+O"} {
		if got := owners(run, tx); got != want {
			t.Errorf("%s mapped to %s, want %s", tx, got, want)
		}
	}
	if got := holds(run, "O", "x"); got != "3" {
		t.Errorf("x on O is %q, want 3", got)
	}
	if got, want := reports(run), "cut c1 done"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	agreed(t, run)
}

func TestAnOwnerThatWasTakenOutIsNoneWhenItReturns(t *testing.T) {
	run := played(t, "merged", twins, `
N commit T1 x=1
crash P
N baseline B Q R
N commit T2 x=2
restart P
N commit T3 x+1
N baseline P B Q R
N commit T4 x+1
N commit T5 x+1
`)
	for tx, want := range map[string]string{"T2": "B", "T3": "B", "T5": "P+B"} {
		if got := owners(run, tx); got != want {
			t.Errorf("%s mapped to %s, want %s", tx, got, want)
		}
	}
	if got := holds(run, "P", "x"); got != "5" {
		t.Errorf("x on P is %q, want 5", got)
	}
}

func TestABaselineThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"N baseline P B R", "no new baseline: Q owns data"},
		{"N baseline P B Q N", "no new baseline: not all that are named are living servers"},
		{"N baseline P B Q Z", "no new baseline: not all that are named are living servers"},
	} {
		run := played(t, "merged", twins, c.line+"\n")
		got := ""
		for _, e := range run.Trace {
			if e.Kind == sim.EntryRefused {
				got = sim.Text(e.Body)
			}
		}
		if got != c.want {
			t.Errorf("%s: refused %q, want %q", c.line, got, c.want)
		}
	}
}
