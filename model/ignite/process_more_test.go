package ignite_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/sim"
)

// What decides a cut on one node, where others would go on.

// metadata are the records of increments of a node, taken back ones among them.
func metadata(run *sim.Run, node string) int {
	count := 0
	for _, e := range run.Trace {
		if e.Kind == sim.EntryAppended && run.Name(e.Node) == node && e.Body.Kind() == "increment" {
			count++
		}
	}
	return count
}

func TestACutThatFailsTakesItsIncrementsBack(t *testing.T) {
	for _, variant := range []string{"merged", "draft"} {
		run := played(t, variant, five, "R refuse c1\nQ cut c1\n")
		if got, want := reports(run), "cut c1 failed: refused on request"; got != want {
			t.Errorf("%s: told %q, want %q", variant, got, want)
		}
		if p, r := metadata(run, "P"), metadata(run, "R"); p != 2 || r != 0 {
			t.Errorf("%s: P wrote %d records of increments, R %d, want one and its taking back, and none",
				variant, p, r)
		}
	}
}

func TestInTheDraftAMessageMayBringTheVersionBeforeStartDoes(t *testing.T) {
	run := played(t, "draft", five, "hold log->Q start c1\nP cut c1\nN commit T x=1 y=1\n"+
		"release log->Q start c1\n")
	if got, want := reports(run), "cut c1 done"; got != want || notes(run, "Q", "refused", "c1") != 0 {
		t.Errorf("told %q, want %q, and Q not to refuse what it is in already", got, want)
	}
}

func TestACutAndAFullSnapshotExcludeEachOther(t *testing.T) {
	compareReports(t, "merged", five, []told{
		{"who makes a full snapshot asks for no cut", "hold P->log exchanged\nP snapshot F1\nQ cut c1\n" +
			"release P->log exchanged\nQ cut c2\n",
			"cut c1 failed: a full snapshot is being made; cut c2 done"},
		{"a START behind it on the log is refused", "hold Q->log start c1\nhold P->log exchanged\n" +
			"Q cut c1\nP snapshot F1\nrelease Q->log start c1\nrelease P->log exchanged\n",
			"cut c1 failed: a full snapshot is being made"},
	})
}

// P's START comes after P has left and joined again: nobody waits for it any more.
func TestACutWhoseInitiatorCameBackFails(t *testing.T) {
	run := played(t, "merged", five, "hold P->log start c1\nN cut c1\ncrash P\nrestart P\n"+
		"release P->log start c1\nQ cut c2\n")
	if got, want := reports(run), "cut c1 failed: initiator left; cut c2 done"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	for _, e := range run.Trace {
		if e.Kind == sim.EntrySequenced && e.Body.Kind() == "end-result" &&
			strings.Contains(sim.Text(e.Body), "c1") {
			if got, want := sim.Text(e.Body), "end-result c1, failed: initiator left"; got != want {
				t.Errorf("%q on the log, want %q", got, want)
			}
		}
	}
}

// P's results come late, after Q, which is the reducer now, has published its own.
func TestOfTwoResultsTheFirstOnTheLogCounts(t *testing.T) {
	for _, kind := range []string{"start-result", "end", "end-result"} {
		script := "hold P->log " + kind + " c1\nQ cut c1\nhold log->R end-result c1\ncrash P for good\n" +
			"release P->log " + kind + " c1\nrelease log->R end-result c1\n"
		run := played(t, "merged", five, script)
		if got, want := reports(run), "cut c1 failed: baseline node left"; got != want {
			t.Errorf("%s: told %q, want %q, after %s", kind, got, want, sequence(run))
		}
		if got, want := everyone(run, "N Q R O", "forgot", "c1"), "N1 Q1 R1 O1"; got != want {
			t.Errorf("%s: forgot %s, want %s", kind, got, want)
		}
	}
}
