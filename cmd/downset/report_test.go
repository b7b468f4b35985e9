package main_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
)

// stories are all stories of the repository, with -short every fourth, from its top, which becomes
// the working directory.
func stories(t *testing.T) []string {
	t.Helper()
	t.Chdir("../..")
	files, err := filepath.Glob("scenarios/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	if testing.Short() {
		for i := range files[:len(files)/4] {
			files[i] = files[4*i]
		}
		files = files[:len(files)/4]
	}
	return files
}

// run is what a command prints, and its exit code.
func run(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = cli.Main(model.All, args, &out, &err)
	return out.String(), err.String(), code
}

// reports says that a story may bring about a report: a variant breaks in it, or claims are checked
// that may fail.
func reports(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, expect, _ := strings.Cut(string(text), "-- expect --")
	return strings.Contains(expect, " breaks ") || !strings.Contains(expect, " holds")
}

// TestReportsFitOnAScreen counts the lines of every report that the stories bring about: at most 40
// beside the picture.
func TestReportsFitOnAScreen(t *testing.T) {
	found := 0
	for _, file := range stories(t) {
		if !reports(t, file) {
			continue
		}
		out, _, _ := run("run", file)
		lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "repro   ") })
		if at < 0 {
			continue
		}
		found++
		start := at - 1 // the blank line between the sentence and the repro line
		for start > 0 && lines[start-1] != "" {
			start--
		}
		report := lines[start:]
		if len(report) > 40 {
			t.Errorf("the report of %s has %d lines, want at most 40:\n%s", file, len(report), strings.Join(report, "\n"))
		}
		for _, l := range report {
			if n := utf8.RuneCountInString(l); n > 110 && !mayBeLong(l) {
				t.Errorf("the report of %s has a line of %d columns, want at most 110:\n%s", file, n, l)
			}
		}
	}
	if found == 0 {
		t.Error("no story brings about a report")
	}
}

// mayBeLong says that a line is to be pasted, or must be complete.
func mayBeLong(line string) bool {
	for _, start := range []string{"repro", "drawn", "faults", "stack", "state"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// someCases are the first, the middle and the last case of a grid, as arguments; of a story that is
// no grid it is one list without arguments.
func someCases(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	all := s.Grid()
	if len(s.Vary) == 0 {
		return [][]string{nil}
	}
	var some [][]string
	for _, at := range []int{0, len(all) / 2, len(all) - 1} {
		some = append(some, []string{"--case", all[at].Name})
	}
	return some
}

// TestTheReproLineReproduces runs the line that a verdict says plays it again: of the first and the
// last verdict of every story, and of three cases of every grid.
func TestTheReproLineReproduces(t *testing.T) {
	for _, file := range stories(t) {
		for _, one := range someCases(t, file) {
			reproduces(t, slices.Concat([]string{"run", "--json"}, one, []string{file}))
		}
	}
}

// reproduces runs a command, and then the line of the first and of the last verdict that it prints.
func reproduces(t *testing.T, command []string) {
	t.Helper()
	out, _, _ := run(command...)
	lines := slices.Collect(strings.Lines(out))
	if len(lines) == 0 {
		t.Fatalf("%q prints no verdict", command)
	}
	for _, line := range slices.Compact([]string{lines[0], lines[len(lines)-1]}) {
		first := verdict(t, line)
		words := split(first.Repro)
		again, stderr, _ := run(append([]string{"run", "--json"}, words[2:]...)...)
		if words[0] != "downset" || words[1] != "run" || strings.Count(again, "\n") != 1 {
			t.Errorf("%s\nprints %q, %q, want one verdict", first.Repro, again, stderr)
			continue
		}
		if second := verdict(t, again); second.Hash != first.Hash || second.Got != first.Got {
			t.Errorf("%s\ngives %s with hash %s, want %s with hash %s",
				first.Repro, second.Got, second.Hash, first.Got, first.Hash)
		}
	}
}

// verdictLine is what of a verdict's object the tests read.
type verdictLine struct {
	Format           int
	Object           string
	Got, Hash, Repro string
}

func verdict(t *testing.T, line string) verdictLine {
	t.Helper()
	var v verdictLine
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if v.Format != 1 || v.Object != "verdict" {
		t.Fatalf("format %d of %q, want 1 of a verdict: %s", v.Format, v.Object, line)
	}
	return v
}

// TestEveryStoryIsAsExpected is what a reader does first: all stories of a model at once.
func TestEveryStoryIsAsExpected(t *testing.T) {
	t.Chdir("../..")
	for _, p := range model.All {
		if out, stderr, code := run("run", p.Name); code != 0 {
			t.Errorf("downset run %s exits with %d\n%s%s", p.Name, code, out, stderr)
		}
	}
}

// TestAFoundRunIsTheSameWhenPinned pins every broken run of the stories and replays it.
func TestAFoundRunIsTheSameWhenPinned(t *testing.T) {
	pinned := 0
	file := filepath.Join(t.TempDir(), "found.txt")
	for _, story := range stories(t) {
		if !reports(t, story) {
			continue
		}
		out, _, _ := run("run", "--json", story)
		for line := range strings.Lines(out) {
			v := verdict(t, line)
			if !strings.HasPrefix(v.Got, "breaks") {
				continue
			}
			pinned++
			if _, stderr, code := run(append([]string{"run", "--pin", file}, split(v.Repro)[2:]...)...); code != 0 {
				t.Errorf("%s --pin exits with %d: %s", v.Repro, code, stderr)
				continue
			}
			if out, stderr, code := run("replay", file); code != 0 {
				t.Errorf("%s, pinned and replayed, exits with %d: %s%s", v.Repro, code, out, stderr)
			}
		}
	}
	if pinned == 0 {
		t.Error("no story breaks")
	}
}

// TestAnSVGIsAFileOfItsOwn draws to standard output and to a file, and reads what was drawn.
func TestAnSVGIsAFileOfItsOwn(t *testing.T) {
	t.Chdir("../..")
	const story = "scenarios/cut/backwards.txt"
	file := filepath.Join(t.TempDir(), "cut.svg")
	drawn, _, code := run("draw", story, "--svg")
	if _, stderr, c := run("draw", story, "--svg", file); c != 0 || code != 0 {
		t.Fatalf("draw --svg exits with %d, to a file with %d: %s", code, c, stderr)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != drawn {
		t.Error("what is written to a file is not what is printed")
	}
	elements := 0
	for d := xml.NewDecoder(strings.NewReader(drawn)); ; elements++ {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
	}
	if elements < 50 || !strings.HasPrefix(drawn, "<svg") || !strings.Contains(drawn, "tx5") {
		t.Errorf("it has %d elements, want a picture with tx5:\n%s", elements, drawn)
	}
}
