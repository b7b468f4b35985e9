package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// TestStoredBenchmarksAreRead changes the file of benchmarks, and wants to be told what is wrong.
func TestStoredBenchmarksAreRead(t *testing.T) {
	t.Chdir("../..")
	stored, err := os.ReadFile("results/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	row := rowOf(t, string(stored), "sim.TenMillion")
	_, table, _ := strings.Cut(string(stored), "| reached |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	last := table[strings.LastIndex(table, "\n")+1:]
	cells := strings.Split(row, " | ")
	with := func(cell int, text string) string {
		changed := append([]string(nil), cells...)
		changed[cell] = text
		return strings.Join(changed, " | ")
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"as it is stored it is right", "", "", ""},
		{"a row is missing", row + "\n", "", `want a row for "10 M events on 10,000 nodes"`},
		{"a row is of no benchmark", last, last + "\n| more |", "a row is of no benchmark: | more |"},
		{"another line is to be reached", row, with(6, "9 s"), "must reach 8 s"},
		{"a better line is to be reached", row, with(7, "1 s"), "better 2 s"},
		{"a figure does not reach what the row says", row, with(5, "9.99 s"), "comes to 9.99 s, which reaches \"no\""},
		{"a row says what its figure does not reach", row, with(8, "twice |"), "the row says twice"},
		{"a line is missed and nothing says why", "\n## Where", "\n- x, 1x: why is not known.\n\n## Where",
			"nothing says why"},
		{"the table has another head", "| reached |", "| met |", "no table with this head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			text := strings.Replace(string(stored), c.old, c.new, 1)
			if c.old != "" && text == string(stored) {
				t.Fatalf("%q does not occur in results/bench.md", c.old)
			}
			if err := os.WriteFile(filepath.Join(folder, "bench.md"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, complaint bytes.Buffer
			code := cli.Main(model.All, []string{"results", "--check", "--out", folder, "bench"}, &out, &complaint)
			if want := min(1, len(c.says)); code != want || !strings.Contains(out.String(), c.says) {
				t.Errorf("exits with %d and says %q %q, want %d and %q", code, out.String(), complaint.String(),
					want, c.says)
			}
		})
	}
}

// TestASweepLeavesTheCollectorAsItWas sweeps, and looks at the collector after.
func TestASweepLeavesTheCollectorAsItWas(t *testing.T) {
	const set = 77
	t.Setenv("GOGC", "")
	was := debug.SetGCPercent(set)
	var out, complaint bytes.Buffer
	code := cli.Main(model.All, []string{"sweep", "--seeds", "1000", "--variant", "signed", "cut"}, &out, &complaint)
	if left := debug.SetGCPercent(was); left != set || code != 0 {
		t.Errorf("a sweep that exits with %d leaves GOGC at %d, want 0 and %d\n%s", code, left, set,
			complaint.String())
	}
}

// rowOf is the row of a benchmark.
func rowOf(t *testing.T, text, benchmark string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(line, "| "+benchmark+" |") {
			return strings.TrimSuffix(line, "\n")
		}
	}
	t.Fatalf("results/bench.md has no row for %s", benchmark)
	return ""
}
