package ignite_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/ignite"
)

// Each wrong decision of the process, the least story in which it shows, and what must show it.
var wrongProcesses = []struct{ variant, property, set, script string }{
	{"stale-reply", "restored", spread, "hold R->P single-start c1\nQ cut c1\ncrash R\nrestart R\n" +
		"hold N->R NFQ T\nN commit T x=1 z=1\nP cut c2\nrelease R->P single-start c1\n" +
		"release N->R NFQ T\n"},
	{"clients-unawaited", "one-result", five, "hold log->N\nP cut c1\nrelease log->N\n"},
	{"unguarded", "one-cut", spread, "hold Q->P single-start c1\nP cut c1\nhold N->R NPQ T\n" +
		"N commit T x=1 y=1 z=1\ncrash N for good\nrelease Q->P single-start c1\n" +
		"release N->R NPQ T\n"},
	{"undrained", "one-cut", five, "hold R->P single-start c1\nP cut c1\nhold N->Q NFQ T\n" +
		"N commit T x=1 y=1\nrelease R->P single-start c1\nrelease N->Q NFQ T\n"},
	{"unsigns-early", "agreement", five, "hold log->N start c1\nhold log->Q start c1\nP cut c1\n" +
		"N commit T x=1 y=1\nrelease log->Q start c1\nrelease log->N start c1\n"},
	{"missing-taken", "marks", five, "hold log->R start c1\nQ cut c1\ncrash R for good\n"},
	{"leavers-taken", "alive", five, "hold log->N start c1\nQ cut c1\ncrash R for good\n" +
		"release log->N start c1\n"},
	{"initiator-untied", "alive", five, "hold log->N start c1\nO cut c1\ncrash O for good\n" +
		"release log->N start c1\n"},
	{"one-reply-short", "one-result", five, "hold log->N start c1\nP cut c1\nrelease log->N start c1\n"},
	{"twice-published", "one-result", five, "P cut c1\n"},
	{"accepts-second", "one-cut", five, atOnce},
	{"mute", "finishes", five, atOnce},
	{"joiners-enter", "joiner", joining, "hold log->N start c1\nP cut c1\njoin J\n" +
		"N commit T x=1 y=1\nJ commit U x=1 y=1\nrelease log->N start c1\n"},
	{"strangers", "one-cut", joining, betweenStarts},
	{"counts-doubtful", "failed-marks", "nodes P\nkey x on P\n",
		"hold P->P single-start c1\nP cut c1\ncrash P\nrestart P\nP cut c2\n"},
	{"left-late", "discovery", five, "maybe hold P->P absence\nhold log->P\nQ cut c1\n" +
		"crash R for good\nP cut c2\nrelease log->P\nmaybe release P->P absence\n"},
	{"not-overtaken", "colour", five, "hold log->Q end-result c1\nP cut c1\nhold log->N start c2\n" +
		"P cut c2\nN commit T x=1 y=1\nrelease log->Q end-result c1\nrelease log->N start c2\n"},
}

// spread is the cluster with data on all three servers.
const spread = five + "key z on R\n"

// atOnce proposes two cuts before either has run.
const atOnce = "hold P->log start c1\nhold Q->log start c2\nhold log->N start c1\nP cut c1\nQ cut c2\n" +
	"release P->log start c1\nrelease Q->log start c2\nrelease log->N start c1\n"

func TestWhatIsWrongInTheProcessIsCaught(t *testing.T) {
	for _, c := range wrongProcesses {
		t.Run(c.variant, func(t *testing.T) {
			right := checker.Judge(played(t, "fixed", c.set, c.script), ignite.Protocol.Properties)
			if right.Outcome != checker.Holds {
				t.Errorf("fixed breaks %v, want it to hold, in\n%s", right.Broken(), c.script)
			}
			run := played(t, c.variant, c.set, c.script)
			var broken []string
			for _, f := range checker.Judge(run, ignite.Protocol.Properties).Findings {
				if f.Violation != nil {
					broken = append(broken, f.Property.Name)
				}
			}
			if !slices.Contains(broken, c.property) {
				t.Errorf("%s breaks %v, want %s among them, in\n%s", c.variant, broken, c.property, c.script)
			}
		})
	}
}
