package main_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// most is how many stories of each model the tests of this package play. Those of package scenarios
// play all of them; here it is what the commands make of them that is looked at, which .ci/run does
// with all.
var most = flag.Int("stories", 30, "play so many stories of each model, evenly spaced; 0 is all")

// stories are stories of all models, with -short a quarter of those, from the top, which becomes the
// working directory.
func stories(t *testing.T) []string {
	t.Helper()
	t.Chdir("../..")
	var some []string
	for _, p := range model.All {
		files, err := filepath.Glob("scenarios/" + p.Name + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		n := len(files)
		if *most > 0 {
			n = min(n, *most)
		}
		if testing.Short() {
			n /= 4
		}
		for i := range n {
			some = append(some, files[i*len(files)/n])
		}
	}
	if len(some) == 0 {
		t.Fatal("no stories")
	}
	return some
}

// run is what a command prints, and its exit code.
func run(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = cli.Main(model.All, args, &out, &err)
	return out.String(), err.String(), code
}

// told is what came of a story: its verdicts, and the exit code.
type told struct {
	file     string
	verdicts []verdictLine
	code     int
	shown    map[string]shown // what was shown and pinned, by repro
}

// shown is what comes of a verdict's repro line with --pin: what is printed, and the file.
type shown struct {
	out, stderr, text string
	code              int
}

// tales are what came of stories, once they have been played.
var tales []told

// played plays stories, once for all tests, with the top as the working directory.
func played(t *testing.T) []told {
	t.Helper()
	files := stories(t)
	if len(tales) == len(files) {
		return tales
	}
	tales = nil
	for _, file := range files {
		out, stderr, code := run("run", "--json", file)
		one := told{file: file, code: code, shown: map[string]shown{}}
		for line := range strings.Lines(out) {
			one.verdicts = append(one.verdicts, verdict(t, line))
		}
		if len(one.verdicts) == 0 {
			t.Fatalf("run --json %s prints no verdict: %s", file, stderr)
		}
		tales = append(tales, one)
	}
	return tales
}

// broken are the verdicts of a story that are of broken runs.
func (s told) broken() []verdictLine {
	return slices.DeleteFunc(slices.Clone(s.verdicts), func(v verdictLine) bool {
		return !strings.HasPrefix(v.Got, "breaks")
	})
}

// show shows and pins the run of a verdict, once for all tests.
func (s told) show(t *testing.T, v verdictLine) shown {
	t.Helper()
	if p, ok := s.shown[v.Repro]; ok {
		return p
	}
	var p shown
	file := filepath.Join(t.TempDir(), "found.txt")
	p.out, p.stderr, p.code = run(append([]string{"run", "--pin", file}, split(v.Repro)[2:]...)...)
	if text, err := os.ReadFile(file); err == nil {
		p.text = string(text)
	}
	s.shown[v.Repro] = p
	return p
}

// TestReportsFitOnAScreen counts the lines of the report of every story in which something breaks:
// at most 40 beside the picture.
func TestReportsFitOnAScreen(t *testing.T) {
	found := 0
	for _, story := range played(t) {
		broken := story.broken()
		if len(broken) == 0 {
			continue
		}
		out, _, _ := strings.Cut(story.show(t, broken[0]).out, "\npinned  ")
		lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "repro   ") })
		if at < 0 {
			t.Errorf("%s brings about no report:\n%s", broken[0].Repro, out)
			continue
		}
		found++
		start := at - 1 // the blank line between the sentence and the repro line
		for start > 0 && lines[start-1] != "" {
			start--
		}
		report := lines[start:]
		if len(report) > 40 {
			t.Errorf("the report of %s has %d lines, want at most 40:\n%s", broken[0].Repro, len(report),
				strings.Join(report, "\n"))
		}
		for _, l := range report {
			if n := utf8.RuneCountInString(l); n > 110 && !mayBeLong(l) {
				t.Errorf("the report of %s has a line of %d columns, want at most 110:\n%s", broken[0].Repro, n, l)
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

// some are the first and the last of a story's verdicts; of a grid's five.
func (s told) some() []verdictLine {
	if strings.Contains(s.verdicts[0].Repro, " --case ") {
		return spaced(s.verdicts, 5)
	}
	return spaced(s.verdicts, 2)
}

// spaced are so many of some verdicts, evenly spaced, the first and the last among them.
func spaced(all []verdictLine, n int) []verdictLine {
	if len(all) <= n {
		return all
	}
	var some []verdictLine
	for i := range n {
		some = append(some, all[i*(len(all)-1)/(n-1)])
	}
	return some
}

// TestTheReproLineReproduces runs the line that a verdict says plays it again: of the first and the
// last verdict of every story, and of five of every grid.
func TestTheReproLineReproduces(t *testing.T) {
	for _, story := range played(t) {
		for _, first := range story.some() {
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

// TestEveryStoryIsAsExpected looks at the exit codes of all stories.
func TestEveryStoryIsAsExpected(t *testing.T) {
	for _, story := range played(t) {
		if story.code != 0 {
			out, stderr, _ := run("run", story.file)
			t.Errorf("downset run %s exits with %d, want 0\n%s%s", story.file, story.code, out, stderr)
		}
	}
}

// TestAModelsNameStandsForItsStories is what a reader does first, of the model with the fewest.
func TestAModelsNameStandsForItsStories(t *testing.T) {
	t.Chdir("../..")
	least, most := "", 0
	for _, p := range model.All {
		files, err := filepath.Glob("scenarios/" + p.Name + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(files); n > 0 && (least == "" || n < most) {
			least, most = p.Name, n
		}
	}
	out, stderr, code := run("run", least)
	if want := fmt.Sprintf("\n%d stories\n", most); code != 0 || !strings.HasSuffix(out, want) {
		t.Errorf("downset run %s exits with %d, want 0 and %q at its end\n%s%s", least, code, want, out, stderr)
	}
}

// TestAFoundRunIsTheSameWhenPinned pins broken runs of the stories, five of each at most, and
// replays them.
func TestAFoundRunIsTheSameWhenPinned(t *testing.T) {
	pinned := 0
	file := filepath.Join(t.TempDir(), "found.txt")
	for _, story := range played(t) {
		for _, v := range spaced(story.broken(), 5) {
			pinned++
			p := story.show(t, v)
			if p.code != 0 {
				t.Errorf("%s --pin exits with %d: %s", v.Repro, p.code, p.stderr)
				continue
			}
			if err := os.WriteFile(file, []byte(p.text), 0o666); err != nil {
				t.Fatal(err)
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
