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

// The cluster of these tests: a client, three servers of the baseline, an outsider.
const (
	five = `nodes    N P Q R O
client   N
outsider O
key      x on P
key      y on Q
`
	joining = five + "later J\nclient J\n"
)

// played is a story without expectations, as one variant plays it.
func played(t *testing.T, variant, set, script string) *sim.Run {
	t.Helper()
	text := "-- scenario --\nmodel ignite\n" + set + "-- script --\n" + script +
		"-- expect --\n" + variant + " holds\n"
	story, err := scenarios.Parse("process.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := story.Plan(ignite.Protocol, variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	return settled(t, plan)
}

// reports are what the clients who wanted cuts were told, in order.
func reports(run *sim.Run) string {
	var told []string
	for _, e := range run.Trace {
		if e.Kind == sim.EntryReturned && strings.HasPrefix(sim.Text(e.Body), "cut ") {
			told = append(told, sim.Text(e.Body))
		}
	}
	return strings.Join(told, "; ")
}

// sequence is what stands on the discovery log of the processes, and who came and went.
func sequence(run *sim.Run) string {
	kinds := []string{"start", "start-result", "end", "end-result", "left", "joined"}
	var log []string
	for _, e := range run.Trace[:run.Epilogue] {
		if e.Kind == sim.EntrySequenced && slices.Contains(kinds, e.Body.Kind()) {
			log = append(log, e.Body.Kind()+" "+sim.KeysOf(e.Body)[0])
		}
	}
	return strings.Join(log, ", ")
}

// notes counts the facts of a kind about something, by node.
func notes(run *sim.Run, node, kind, key string) int {
	count := 0
	for _, e := range run.Trace {
		if e.Kind == sim.EntryNoted && run.Name(e.Node) == node && e.Body.Kind() == kind &&
			slices.Contains(sim.KeysOf(e.Body), key) {
			count++
		}
	}
	return count
}

// everyone counts facts on the nodes of a list.
func everyone(run *sim.Run, nodes, kind, key string) string {
	var counts []string
	for _, node := range strings.Fields(nodes) {
		counts = append(counts, fmt.Sprint(node, notes(run, node, kind, key)))
	}
	return strings.Join(counts, " ")
}

// told is a story and what the clients must be told.
type told struct{ name, script, want string }

func compareReports(t *testing.T, variant, set string, cases []told) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := played(t, variant, set, c.script)
			if got := reports(run); got != c.want {
				t.Errorf("told %q, want %q, after\n%s%s", got, c.want, c.script, sequence(run))
			}
		})
	}
}

const all = "start c1, start-result c1, end c1, end-result c1"

func TestACutRunsThroughBothStagesAndIsForgotten(t *testing.T) {
	for _, asker := range []string{"P", "R", "O", "N"} {
		run := played(t, "merged", five, asker+" cut c1\n")
		if got, want := reports(run), "cut c1 done"; got != want {
			t.Errorf("%s cut c1: told %q, want %q", asker, got, want)
		}
		if got := sequence(run); got != all {
			t.Errorf("%s cut c1: %s on the log, want %s", asker, got, all)
		}
		for _, fact := range []string{"entered", "unsigned", "forgot"} {
			if got, want := everyone(run, "N P Q R O", fact, "c1"), "N1 P1 Q1 R1 O1"; got != want {
				t.Errorf("%s cut c1: %s %s, want %s", asker, fact, got, want)
			}
		}
		if got := everyone(run, "N P Q R O", "result", "c1"); got != "N0 P2 Q0 R0 O0" {
			t.Errorf("%s cut c1: results %s, want both of P, the oldest server", asker, got)
		}
	}
}

func TestTheDraftHasOneStageAndForgetsNothing(t *testing.T) {
	run := played(t, "draft", five, "Q cut c1\nQ cut c2\n")
	if got, want := reports(run), "cut c1 done; cut c2 done"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if got, want := sequence(run), "start c1, start-result c1, start c2, start-result c2"; got != want {
		t.Errorf("%s on the log, want %s", got, want)
	}
	if got, want := everyone(run, "N P Q R O", "forgot", "c1"), "N0 P0 Q0 R0 O0"; got != want {
		t.Errorf("forgot %s, want %s", got, want)
	}
}

func TestOnlyOneCutRunsAtATime(t *testing.T) {
	compareReports(t, "merged", five, []told{
		{"a node in which one is running refuses a request",
			"hold log->N start c1\nP cut c1\nQ cut c2\nrelease log->N start c1\n",
			"cut c2 failed: another cut is running; cut c1 done"},
		{"so does one that has just asked for one",
			"hold P->log start c1\nP cut c1\nP cut c2\nrelease P->log start c1\n",
			"cut c2 failed: another cut is running; cut c1 done"},
		{"of two that are proposed at once, the first on the log wins",
			atOnce, "cut c1 done; cut c2 failed: another cut is running"},
		{"once it has ended, the next may begin", "P cut c1\nQ cut c2\n", "cut c1 done; cut c2 done"},
		{"a name is good for one cut", "P cut c1\nQ cut c1\n",
			"cut c1 done; cut c1 failed: a cut of that name was asked for before"},
	})
}

func TestAClientIsAwaited(t *testing.T) {
	run := played(t, "merged", five, "hold log->N start c1\nP cut c1\nrelease log->N start c1\n")
	if got := sequence(run); got != all || reports(run) != "cut c1 done" {
		t.Errorf("%s on the log, told %q, want %s and success", got, reports(run), all)
	}
	run = played(t, "merged", five, "hold log->N start c1\nP cut c1\ncrash N for good\n")
	if got, want := sequence(run), "start c1, left N, start-result c1, end c1, end-result c1"; got != want ||
		reports(run) != "cut c1 done" {
		t.Errorf("%s on the log, told %q, want %s and success", got, reports(run), want)
	}
}

func TestEndWaitsForWhatWasActiveAtTheResultOfStart(t *testing.T) {
	run := played(t, "merged", five, "N begin T\nP cut c1\nN commit T x=1\n")
	if got := sequence(run); got != all || reports(run) != "cut c1 done" {
		t.Errorf("%s on the log, told %q, want %s and success", got, reports(run), all)
	}
	order := func(e *sim.Entry) string {
		switch {
		case e.Kind == sim.EntrySequenced && e.Body.Kind() == "end-result":
			return "end-result"
		case e.Kind == sim.EntryNoted && run.Name(e.Node) == "N" && e.Body.Kind() == "outcome":
			return "outcome"
		case e.Kind == sim.EntryNoted && run.Name(e.Node) == "N" && e.Body.Kind() == "unsigned":
			return "unsigned"
		}
		return ""
	}
	var got []string
	for i := range run.Trace {
		if what := order(&run.Trace[i]); what != "" {
			got = append(got, what)
		}
	}
	if want := []string{"unsigned", "outcome", "end-result"}; !slices.Equal(got, want) {
		t.Errorf("N begin T; P cut c1; N commit T: %v, want %v", got, want)
	}
}

func TestACutFailsWithWhoeverItNeeds(t *testing.T) {
	compareReports(t, "merged", five, []told{
		{"the reducer in START, of the baseline", "hold log->N start c1\nQ cut c1\ncrash P for good\n" +
			"release log->N start c1\n", "cut c1 failed: baseline node left"},
		{"the reducer between the stages", "hold log->P start-result c1\nQ cut c1\ncrash P for good\n",
			"cut c1 failed: baseline node left"},
		{"the reducer in END", "hold log->R end c1\nQ cut c1\ncrash P for good\nrelease log->R end c1\n",
			"cut c1 failed: baseline node left"},
		{"a listed node before its reply", "hold log->R start c1\nQ cut c1\ncrash R for good\n",
			"cut c1 failed: baseline node left"},
		{"a listed node after its reply", "hold log->N start c1\nQ cut c1\ncrash R for good\n" +
			"release log->N start c1\n", "cut c1 failed: baseline node left"},
		{"a listed node in END", "hold log->R end c1\nQ cut c1\ncrash R for good\n",
			"cut c1 failed: baseline node left"},
		{"the server that a client has asked", "hold log->R start c1\nN cut c1\ncrash P for good\n" +
			"release log->R start c1\n", "cut c1 failed: baseline node left"},
		{"the server that a client has asked, before START", "hold P->log start c1\nN cut c1\n" +
			"crash P\nrestart P\nrelease P->log start c1\n", "cut c1 failed: initiator left"},
		{"a node that is told to refuse", "R refuse c1\nQ cut c1\n", "cut c1 failed: refused on request"},
	})
	run := played(t, "merged", five, "hold log->R start c1\nO cut c1\ncrash O for good\n"+
		"release log->R start c1\nP cut c2\n")
	if got, want := everyone(run, "N P Q R", "forgot", "c1"), "N1 P1 Q1 R1"; got != want ||
		reports(run) != "cut c2 done" {
		t.Errorf("O cut c1; crash O: forgot %s, told %q, want %s and success of c2", got, reports(run), want)
	}
}

func TestWithoutAServerClientsForgetTheCut(t *testing.T) {
	run := played(t, "merged", "nodes N M P\nclient N M\nkey x on P\n",
		"hold log->M start c1\nN cut c1\ncrash P for good\nrelease log->M start c1\n")
	if got, want := everyone(run, "N M", "forgot", "c1"), "N1 M1"; got != want {
		t.Errorf("forgot %s, want %s", got, want)
	}
	if got, want := reports(run), "cut c1 failed: no server is left"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestWhoJoinsDoesNotTakePart(t *testing.T) {
	run := played(t, "merged", joining, "hold log->N\nP cut c1\njoin J\nrelease log->N\nP cut c2\n")
	if got, want := reports(run), "cut c1 done; cut c2 done"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if c1, c2 := notes(run, "J", "entered", "c1"), notes(run, "J", "entered", "c2"); c1 != 0 || c2 != 1 {
		t.Errorf("J entered c1 %d times and c2 %d times, want 0 and 1", c1, c2)
	}
}

// betweenStarts proposes c2 while c1 runs, and J joins between their STARTs: all others refuse c2.
const betweenStarts = "hold Q->log start c2\nhold log->N start c1\nQ cut c2\nP cut c1\njoin J\n" +
	"release Q->log start c2\nrelease log->N start c1\nP cut c3\n"

func TestWhoJoinsBetweenTwoStartsEntersTheSecondUnlessItIsToldOfTheFirst(t *testing.T) {
	const want = "cut c1 done; cut c2 failed: another cut is running; cut c3 done"
	for _, c := range []struct {
		variant string
		entered int
	}{{"merged", 1}, {"fixed", 0}} {
		run := played(t, c.variant, joining, betweenStarts)
		if got := notes(run, "J", "entered", "c2"); got != c.entered {
			t.Errorf("%s: J entered c2 %d times, want %d", c.variant, got, c.entered)
		}
		if got := notes(run, "J", "forgot", "c2"); got != c.entered {
			t.Errorf("%s: J forgot c2 %d times, want %d", c.variant, got, c.entered)
		}
		if got := reports(run); got != want {
			t.Errorf("%s: told %q, want %q", c.variant, got, want)
		}
	}
}

// The oldest server greets; if it leaves before it does, the next one greets.
func TestWhoJoinsIsGreetedByTheOldestServerThatIsLeft(t *testing.T) {
	compareReports(t, "fixed", joining, []told{
		{"by the oldest", "join J\nP cut c1\n", "cut c1 done"},
		{"it waits for that", "hold P->log greeting\njoin J\nQ cut c1\nrelease P->log greeting\nQ cut c2\n",
			"cut c1 failed: a node has just joined; cut c2 done"},
		{"a server that has just joined asks in vain",
			"hold P->log greeting\ncrash R\nrestart R\nR cut c1\nrelease P->log greeting\nR cut c2\n",
			"cut c1 failed: a node has just joined; cut c2 done"},
		{"the oldest server knows all", "crash P\ncrash Q\ncrash O\ncrash R\nrestart R\nrestart Q\n" +
			"restart P\nR cut c1\nQ cut c2\n", "cut c1 done; cut c2 done"},
	})
}

func TestWhoJoinsIsGreetedByTheNextServerIfTheOldestLeaves(t *testing.T) {
	const set = "nodes O N P Q\nlater J\nclient N J\noutsider O\nkey x on P\nkey y on Q\n"
	compareReports(t, "fixed", set, []told{
		{"before it greets", "hold log->O joined J\njoin J\nQ cut c1\ncrash O for good\nQ cut c2\n",
			"cut c1 failed: a node has just joined; cut c2 done"},
		{"before the next knows of the joining", "hold log->P joined J\nhold log->O joined J\njoin J\n" +
			"crash O for good\nrelease log->P joined J\nQ cut c2\n", "cut c2 done"},
	})
}

const pair = `nodes  P Q R
later  S
key    x on P
key    y on Q
`

// crossed is a cut that waits for T.
const crossed = "hold P->Q NFQ T\nP commit T x=1 y=1\nR cut c1\n"

func TestInTheDraftAServerThatComesOrGoesStopsTheCut(t *testing.T) {
	stops := []told{
		{"a server that joins", crossed + "join S\nrelease P->Q NFQ T\nR cut c2\n",
			"cut c1 failed: inconsistent: a server joined; cut c2 done"},
	}
	compareReports(t, "draft", pair+"outsider S\n", stops)
	goes := "nodes P Q R S\noutsider S\nkey x on P\nkey y on Q\n"
	compareReports(t, "draft", goes, []told{{"a server that leaves", crossed + "leave S\n" +
		"release P->Q NFQ T\nR cut c2\n", "cut c1 failed: inconsistent: a server left; cut c2 done"}})
	client := strings.Replace(goes, "outsider S", "client S", 1)
	compareReports(t, "draft", client, []told{{"not a client", crossed + "leave S\n" +
		"release P->Q NFQ T\nR cut c2\n", "cut c1 done; cut c2 done"}})
	for _, variant := range []string{"merged", "fixed"} {
		compareReports(t, variant, goes, []told{{"only in the draft, " + variant, crossed + "leave S\n" +
			"release P->Q NFQ T\nR cut c2\n", "cut c1 done; cut c2 done"}})
		compareReports(t, variant, pair+"outsider S\n", []told{{"only in the draft, joins, " + variant,
			crossed + "join S\nrelease P->Q NFQ T\nR cut c2\n", "cut c1 done; cut c2 done"}})
	}
}

// R alone has heard of c1, which is version 1. P and Q have lost what they would have consumed.
func TestInTheDraftAServerThatJoinsBringsItsVersion(t *testing.T) {
	const lost = "hold log->P start c1\nhold log->Q start c1\nR cut c1\ncrash P\ncrash Q\n" +
		"restart P\nrestart Q\nP cut c2\n"
	compareReports(t, "draft", pair+"outsider S\n", []told{
		{"and is refused, if its own is too low", lost,
			"cut c1 failed: baseline node left; cut c2 failed: the version is not newer"},
		{"and the others go on from there", lost + "crash R\nrestart R\nP cut c3\n",
			"cut c1 failed: baseline node left; cut c2 failed: the version is not newer; cut c3 done"},
	})
}

// N's request reaches R after c1 has ended (IGNITE-18599).
func TestALateMessageBringsAForgottenCutBackUnlessItsIdIsRemembered(t *testing.T) {
	const script = "hold Q->P single-start c1\nP cut c1\nhold N->R NPQ T\n" +
		"N commit T x=1 y=1 z=1\ncrash N for good\nrelease Q->P single-start c1\n" +
		"release N->R NPQ T\n"
	for _, c := range []struct {
		variant string
		want    int
	}{{"merged", 2}, {"fixed", 1}} {
		run := played(t, c.variant, five+"key z on R\n", script)
		if got := notes(run, "R", "entered", "c1"); got != c.want {
			t.Errorf("%s: R entered c1 %d times, want %d", c.variant, got, c.want)
		}
	}
}

// settled is the run of a plan that comes to rest, and none of whose lines comes to nothing.
func settled(t testing.TB, plan *sim.Plan) *sim.Run {
	t.Helper()
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	if run.End != sim.Settled || len(run.Stale) > 0 {
		t.Fatalf("ended %v %s, stale %+v, want a settled run without stale lines", run.End, run.Why,
			run.Stale)
	}
	return run
}
