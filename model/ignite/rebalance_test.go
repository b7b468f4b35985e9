package ignite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

func TestAReturnedNodeIsABackupUntilItHasWhatItMissed(t *testing.T) {
	run := played(t, "merged", twins, `
N commit T1 x=1
crash P
N commit T2 x=2
hold B->P supply x
restart P
N commit T3 x+1
check P state T3 backup COMMITTED
release B->P supply x
N commit T4 x+1
`)
	for tx, want := range map[string]string{"T1": "P+B", "T2": "B", "T3": "B+P", "T4": "P+B"} {
		if got := owners(run, tx); got != want {
			t.Errorf("%s mapped to %s, want %s", tx, got, want)
		}
	}
	for _, node := range []string{"P", "B"} {
		if got := holds(run, node, "x"); got != "4" {
			t.Errorf("x on %s is %q, want 4: 2, and T3 and T4 add 1 each", node, got)
		}
	}
	if got, want := caught(run), "P x 1"; got != want {
		t.Errorf("caught up: %q, want %q", got, want)
	}
	agreed(t, run)
}

// caught is who has caught up with what, and how many keys were missing.
func caught(run *sim.Run) string {
	var words []string
	for _, e := range run.Trace {
		if f, ok := e.Body.(ignite.CaughtUp); ok && e.Kind == sim.EntryNoted {
			words = append(words, fmt.Sprint(run.Name(e.Node), " ", f.Part, " ", f.Missed))
		}
	}
	return strings.Join(words, ", ")
}

func TestUpdatesDuringARebalanceAreNotOverwrittenByTheSupply(t *testing.T) {
	script := `
N commit T1 x=1
crash P
N commit T2 x=2
hold B->P supply x
hold P->B demand x
restart P
N commit T3 x=3
release P->B demand x
N commit T4 x=4
release B->P supply x
`
	run := played(t, "merged", twins, script)
	if got := holds(run, "P", "x"); got != "4" {
		t.Errorf("x on P is %q, want 4", got)
	}
}

func TestANodeThatMissedNothingNeedsNoRebalance(t *testing.T) {
	run := played(t, "merged", twins, `
N commit T1 x=1
crash P
restart P
N commit T2 x=2
N cut c1
`)
	if got, want := caught(run), "P x 0"; got != want {
		t.Errorf("caught up: %q, want %q", got, want)
	}
	if got, want := reports(run), "cut c1 done"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestIncrementsAreForbiddenAfterARebalanceUntilAFullSnapshot(t *testing.T) {
	const missed = `
N commit T1 x=1
crash P
N commit T2 x=2
restart P
`
	const no = "cut c1 failed: increments are forbidden: data of x was taken over past the log"
	compareReports(t, "merged", twins, []told{
		{"after the rebalance", missed + "N cut c1\n", no},
		{"after one more restart", missed + "crash P\nrestart P\nN cut c1\n", no},
		{"after a full snapshot", missed + "N cut c1\nN snapshot G\nN cut c2\n", no + "; cut c2 done"},
		{"after a snapshot and a restart", missed + "N snapshot G\ncrash P\nrestart P\nN cut c1\n",
			"cut c1 done"},
	})
	for _, way := range []string{"keeps-quiet", "flag-volatile", "flag-until-join"} {
		run := changed(t, way, twins, missed+"crash P\nrestart P\nN cut c1\n")
		if got, want := reports(run), "cut c1 done"; got != want {
			t.Errorf("%s: told %q, want %q", way, got, want)
		}
	}
	compareReports(t, "merged/rebalance=wal", twins, []told{
		{"wal", missed + "N cut c1\n", "cut c1 done"}})
	compareReports(t, "merged/rebalance=record", twins, []told{
		{"record", missed + "N cut c1\n", "cut c1 done"}})
	compareReports(t, "merged/rebalance=snapshot", twins, []told{
		{"snapshot", missed + "N cut c1\n", "cut c1 done"},
		{"a crash before the snapshot", `
N commit T1 x=1
crash P
N commit T2 x=2
when P syncs pages x crash P
restart P
restart P
N cut c1
`, "cut c1 done"},
	})
}

func TestWhatEachOptionLeavesInTheLog(t *testing.T) {
	for rule, want := range map[string]string{
		"flag":     "meta, pages x",
		"wal":      "data T2 x",
		"snapshot": "meta, pages x, group-base, meta",
		"record":   "rebalanced x",
	} {
		run := played(t, "merged/rebalance="+rule, twins, `
N commit T1 x=1
crash P
N commit T2 x=2
restart P
`)
		var words []string
		back := place(run, "P", "exchanged")
		for _, e := range run.Trace[back:] {
			if e.Kind == sim.EntryAppended && run.Name(e.Node) == "P" {
				word := e.Body.Kind() + " " + strings.Join(sim.KeysOf(e.Body), " ")
				words = append(words, strings.TrimSpace(word))
			}
		}
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("%s: P writes %q, want %q", rule, got, want)
		}
		if got := holds(run, "P", "x"); got != "2" {
			t.Errorf("%s: x on P is %q, want 2", rule, got)
		}
	}
}

func TestARebalanceIsHistoricalIfTheLogOfTheSupplierGoesBackFarEnough(t *testing.T) {
	const triple = "nodes P B C N\nclient N\nkey x z on P B C\n"
	cases := []struct{ name, script, want string }{
		{"the supplier has all in its log", `
N commit T1 x=1
N commit T2 z=2
crash P
N commit T3 x=3
restart P
`, "historical 1"},
		{"the supplier took it over itself", `
crash P
crash B
N commit T1 x=1
N commit T2 z=2
restart B
crash C
restart P
`, "full 2"},
	}
	for _, c := range cases {
		run := played(t, "merged/rebalance=record", triple, c.script)
		got := ""
		for _, e := range run.Trace {
			r, ok := e.Body.(ignite.RebalanceRecord)
			if ok && e.Kind == sim.EntryAppended && run.Name(e.Node) == "P" {
				got = "historical"
				if r.Full {
					got = "full"
				}
				got += fmt.Sprint(" ", len(r.Part.Entries))
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// After a stop of all servers each owner may have what the other lacks: T1 reached only P's disk,
// T2 only B's. What they have is put together.
func TestAfterAStopOfAllOwnersWhatEachHasIsPutTogether(t *testing.T) {
	run := played(t, "merged", "nodes P B Q N\nclient N\nkey x z on P B\nkey y on Q\n", `
hold P->B DFQ T1
N commit T1 x=1 y=1
hold N->P NFQ T2
N commit T2 z=2 y=2
crash B
crash P
restart B
N commit T3 x=3
restart P
N commit T4 x reads x z
`)
	want := "T1 committed, T3 rolledback, T4 committed"
	if got := ends(run); !strings.Contains(got, "T3 rolledback, T4 committed") {
		t.Errorf("told %q, want %q: no owner is whole before both are back", got, want)
	}
	if p, b := holds(run, "P", "x"), holds(run, "B", "x"); p != b {
		t.Errorf("x is %q on P and %q on B, want the same", p, b)
	}
	agreed(t, run)
}

func TestTheLastWholeOwnerTakesBackWhatOthersGotWhileTheyWereTakingOver(t *testing.T) {
	run := played(t, "merged", "nodes P B Q N\nclient N\nkey x z on P B\nkey y on Q\n", `
crash P
N commit T1 x=1
hold B->P supply x
restart P
hold N->B NFQ T2
hold P->B DPR T2
N commit T2 z=2 y=2
release P->B DPR T2
crash B
check P state T2 backup COMMITTED
restart B
N commit T3 z+1
`)
	for _, node := range []string{"P", "B"} {
		if got := holds(run, node, "x") + holds(run, node, "z"); got != "13" {
			t.Errorf("x z on %s are %q, want 13", node, got)
		}
	}
	agreed(t, run)
}
