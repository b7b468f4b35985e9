package scenarios_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestTraceTextIsOneLineAnEntryInColumns(t *testing.T) {
	r := play(t, story("P put a", "plain holds"), scenarios.PlayOptions{})
	got := strings.Join(scenarios.TraceText(r.Played[0].Run), "\n")
	want := strings.Trim(traceOfPut, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// traceOfPut is the run in which P puts a.
const traceOfPut = `
 0  0s  P  starts
 1  0s  Q  starts
 2  0s  P  invokes   put a (call 1)
 3  0s  P  arrives   put a (call 1)  <  2
 4  0s  P  writes    put a @1        <  3
 5  0s  P  syncs     up to 1         <  3
 6  0s  P  notes     has a           <  3
 7  0s  P  sends     item a to Q     <  3
 8  0s  P  returns   has a (call 1)  <  3
 9  0s  Q  receives  item a from P   <  7
10  0s  Q  queues    work a          <  9
11  0s  Q  works     work a          < 10
12  0s  Q  writes    put a @1        < 11
13  0s  Q  syncs     up to 1         < 11
14  0s  Q  notes     has a           < 11
15  0s     epilogue
`

func TestAStoredTraceIsCompared(t *testing.T) {
	text := story("P put a", "plain holds")
	good := text + "-- trace plain --\n" + strings.Trim(traceOfPut, "\n") + "\n"
	if r := play(t, good, scenarios.PlayOptions{}); r.Exit() != 0 {
		t.Errorf("got %v, want none", r.Failures())
	}
	bad := strings.Replace(good, "sends", "spends", 1)
	r := play(t, bad, scenarios.PlayOptions{})
	if got := r.Played[0].Of(scenarios.WrongTrace); len(got) != 1 || !strings.Contains(got[0].Text, "spends") {
		t.Errorf("got %v, want the line that differs", got)
	}
}

func TestUpdateRewritesValuesAndTracesButNoVerdicts(t *testing.T) {
	text := "-- scenario --\nmodel relay\nnodes P Q\n\n-- script --\nP put a\ncheck Q items z\nP put b\n\n" +
		"-- expect --\nP items b a # P's own\nplain breaks everywhere\nQ items\n\n-- trace plain --\nnothing yet\n"
	s := parse(t, text)
	got, err := scenarios.Update(s, relaying, scenarios.PlayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"check Q items a\n", "P items a b", "# P's own", "Q items a b\n", "breaks everywhere"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("got\n%s\nwant it to hold %q", got, want)
		}
	}
	r := play(t, string(got), scenarios.PlayOptions{})
	problems := r.Played[0].Problems
	if len(problems) != 1 || problems[0].What != scenarios.WrongVerdict {
		t.Errorf("after the update: got %v, want the wrong verdict alone", problems)
	}
}

func TestUpdateRefusesWhatNoSingleValueMakesTrue(t *testing.T) {
	for _, c := range []struct{ name, script, expect, want string }{
		{"nodes differ", "when P sends item a drop P->Q item a\nP put a", "* items b\nplain holds",
			`relay.txt:8: "* items b" cannot be updated: it is "a" and ""; want a claim for each node`},
		{"variants differ", "for plain: P put a\nP put b", "P items c\nplain holds\nrows holds",
			`relay.txt:8: "P items c" cannot be updated: it is "items a b" in one run and "items b" in another`},
		{"a claim of a grid", "P put a", "P items $WHAT\nplain holds\n-- vary --\nWHAT b c\ncases 2",
			`relay.txt:7: "P items $WHAT" cannot be updated: it stands for several; change it by hand`},
		{"a check of a grid", "P put a\ncheck P items $WHAT", "plain holds\n-- vary --\nWHAT b c\ncases 2",
			`relay.txt:6: this check cannot be updated: it stands for several; change it by hand`},
		{"nothing is called so", "P put a", "plain holds\nP itms b",
			`relay.txt:8: "P itms b" cannot be updated: nothing like it is seen`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenarios.Update(parse(t, story(c.script, c.expect)), relaying, scenarios.PlayOptions{})
			if err == nil || err.Error() != c.want {
				t.Errorf("Update() = %v, want %s", err, c.want)
			}
		})
	}
}

// folder is a folder with stories and other files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTestPlaysEveryStoryOfAFolder(t *testing.T) {
	played := 0
	p := *relaying
	p.Properties = []sim.Property{{Name: "everywhere", Check: func(run *sim.Run) (int, *sim.Violation) {
		played++
		return everywhere(run)
	}}}
	dir := folder(t, map[string]string{
		"a.txt":          storyWith("order fixed\n", "P put a", "plain holds"),
		"deep/b.txt":     storyWith("order fixed\n", "P put x", "skips-x breaks everywhere"),
		"notes.md":       "no story",
		"testdata/c.txt": "no story either",
	})
	scenarios.Test(t, &p, os.DirFS(dir))
	if played != 2 {
		t.Errorf("%d runs were judged, want one of a.txt and one of deep/b.txt", played)
	}
}

func TestTestRewritesClaimsAndTracesWithTheUpdateFlag(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.txt": story("P put a", "plain holds\nQ items z") + "-- trace plain --\nnothing yet\n",
	})
	if err := flag.Set("update", "true"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := flag.Set("update", "false"); err != nil {
			t.Error(err)
		}
	}()
	scenarios.Test(t, relaying, os.DirFS(dir))
	got, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := "Q items a\n\n-- trace plain --" + traceOfPut
	if !strings.HasSuffix(string(got), want) {
		t.Errorf("got\n%s\nwant it to end in\n%s", got, want)
	}
}
