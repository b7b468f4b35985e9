// Package results_test compares the files of this folder with what they would be now.
package results_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/cmd/pages"
	"github.com/downset/downset/model"
	"github.com/downset/downset/model/cut"
)

var (
	update = flag.Bool("update", false, "write the pages of twins and of restores anew")
	runs   = flag.Int("runs", 100_000, "how many runs or histories, with -update")
)

// TestResultsAreCurrent checks what the command results writes: the findings as a whole, the long
// ones by a sample.
func TestResultsAreCurrent(t *testing.T) {
	t.Chdir("..")
	for _, name := range []string{"matrix", "mutants", "findings", "sweeps", "shrinking", "bench", "explore", "why", "recovery", "ignite", "synchro", "clocks"} {
		t.Run(name, func(t *testing.T) {
			var out, err bytes.Buffer
			if code := cli.Main(pages.With(model.All), []string{"results", "--check", name}, &out, &err); code != 0 {
				t.Errorf("downset results --check %s exits with %d:\n%s%s", name, code, out.String(), err.String())
			}
		})
	}
}

// TestNoMutantSurvives reads the matrix: some story breaks each mutant by the property that must
// catch it.
func TestNoMutantSurvives(t *testing.T) {
	text, err := os.ReadFile("matrix.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "SURVIVES") {
			t.Errorf("want a story in scenarios that breaks it: %s", line)
		}
		rows++
	}
	if rows < 100 {
		t.Errorf("the matrix has %d lines, want all stories of all models", rows)
	}
}

// twin is a page that sums up a judge and its twin, which share no code. It ends with a digest of
// what the first few come to, since all would take too long for a test.
type twin struct {
	file   string
	sample int
	page   func(n int) (text string, disagreements int, err error)
}

var twins = []twin{
	{"cut-twin.md", 500, func(n int) (text string, disagreements int, err error) {
		all, err := cut.Cuts.CompareAll(cut.Protocol, n, 1)
		for _, c := range all {
			disagreements += c.Disagreements
		}
		return checker.Report(all), disagreements, err
	}},
	{"linearizable-twin.md", 2000, func(n int) (text string, disagreements int, err error) {
		a := checker.CompareLinearizable(n, 1)
		text = "# The judges of linearizability\n\n" + a.Table()
		for _, first := range a.First {
			text += "\n- " + first
		}
		return text, a.Disagreements, nil
	}},
	{"restores.md", 500, restorePage},
}

// TestTwinsAgree compares the first few, and whether they come to what the page was made of.
func TestTwinsAgree(t *testing.T) {
	for _, c := range twins {
		t.Run(strings.TrimSuffix(c.file, ".md"), func(t *testing.T) {
			some, different, err := c.page(c.sample)
			if err != nil {
				t.Fatal(err)
			}
			if different > 0 {
				t.Errorf("of the first %d they disagree about %d:\n%s", c.sample, different, some)
			}
			end := c.end(some)
			if *update {
				c.write(t, end)
			}
			text, err := os.ReadFile(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(string(text), end) {
				t.Errorf("%s is of another time; %s writes it anew", c.file, command)
			}
		})
	}
}

const command = "go test ./results -run Twins -timeout 2h -update"

// end is the last paragraph of a page.
func (c twin) end(some string) string {
	h := fnv.New64a()
	h.Write([]byte(some))
	return fmt.Sprintf("\nWritten by `%s`. Sample `%016x`: what the first %d come to. A test takes it again.\n",
		command, h.Sum64(), c.sample)
}

func (c twin) write(t *testing.T, end string) {
	t.Helper()
	began := time.Now()
	text, different, err := c.page(*runs)
	if err != nil {
		t.Fatal(err)
	}
	text += fmt.Sprintf("\nThat took %.0f seconds.\n", time.Since(began).Seconds())
	if different > 0 {
		t.Errorf("they disagree about %d:\n%s", different, text)
	}
	if err := os.WriteFile(c.file, []byte(text+end), 0o666); err != nil {
		t.Fatal(err)
	}
}
