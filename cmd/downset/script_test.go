package main_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// TestScripts plays testdata/*.txtar. Each has files, and a transcript: commands after "$ ", what
// they print, on standard error after "! ", and their exit code if it is not 0. The commands are
// downset and cat. The stories of the repository lie in scenarios/cut. Lines of files and of output
// that look like the headings of a file, "-- script --", are written with a backslash before.
func TestScripts(t *testing.T) {
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range scripts {
		file := filepath.Join(top, "cmd", "downset", file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			at := unpack(t, top, archive)
			want := string(archive.Files[at].Data)
			got := transcript(t, want)
			if *update {
				archive.Files[at].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("%s plays otherwise, from %s\nthe rest: go test ./cmd/downset -run '%s' -update; git diff",
					filepath.Base(file), difference(got, want), scriptPattern(t.Name()))
			}
		})
	}
}

// unpack writes a script's files into a folder of its own, which becomes the working directory, and
// gives the place of the transcript among them.
func unpack(t *testing.T, top string, archive *txtar.Archive) int {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("scenarios", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(top, "scenarios", "cut"), "scenarios/cut"); err != nil {
		t.Fatal(err)
	}
	at := -1
	for i, f := range archive.Files {
		if f.Name == "transcript" {
			at = i
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, unescape(f.Data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if at < 0 {
		t.Fatal("no transcript")
	}
	return at
}

var (
	escaped = regexp.MustCompile(`(?m)^\\(-- .* --)$`)
	marker  = regexp.MustCompile(`(?m)^(-- .* --)$`)
)

func unescape(text []byte) []byte { return escaped.ReplaceAll(text, []byte("$1")) }

// transcript runs the commands of a transcript and gives the transcript that comes of it.
func transcript(t *testing.T, want string) string {
	t.Helper()
	protocols := append(planted(t), model.All...)
	var out strings.Builder
	for line := range strings.Lines(want) {
		command, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !is {
			continue
		}
		fmt.Fprintf(&out, "$ %s\n", command)
		words := split(command)
		switch words[0] {
		case "cat":
			text, err := os.ReadFile(words[1])
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(printed(string(text), ""))
		case "downset":
			var stdout, stderr bytes.Buffer
			code := cli.Main(protocols, words[1:], &stdout, &stderr)
			out.WriteString(printed(stdout.String(), ""))
			out.WriteString(printed(stderr.String(), "! "))
			if code != 0 {
				fmt.Fprintf(&out, "[exit %d]\n", code)
			}
		default:
			t.Fatalf("no command %q: want downset or cat", words[0])
		}
	}
	return out.String()
}

var (
	builds = regexp.MustCompile(`downset \S+, go[\w.\-:]+`)
	stacks = regexp.MustCompile(`(?s)goroutine \d+ \[.*`)
	sums   = regexp.MustCompile(`\b([0-9a-f]{32}|[0-9a-f]{16})\b`)
	speeds = regexp.MustCompile(`[\d,]+ states a second, \S+,`)
	took   = regexp.MustCompile(`"took_ms":\d+`)
)

// printed is output as a transcript has it: without versions, stacks, speeds, hashes (which are
// compared by golden_test.go) and blanks at line ends.
func printed(text, prefix string) string {
	text = builds.ReplaceAllString(text, "downset VERSION, GO")
	text = stacks.ReplaceAllString(text, "STACK\n")
	// where a loop that only asks for a flag happens to be as it is looked at
	text = strings.ReplaceAll(text, "in atomic.(*Bool).Load, called by ", "in ")
	text = strings.ReplaceAll(text, "in runtime.Gosched, called by ", "in ")
	text = speeds.ReplaceAllString(text, "N states a second, TIME,")
	text = took.ReplaceAllString(text, `"took_ms":0`)
	text = sums.ReplaceAllStringFunc(text, func(sum string) string {
		if strings.Trim(sum, "0") == "" {
			return sum
		}
		return "HASH"
	})
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		out.WriteString(strings.TrimRight(prefix+marker.ReplaceAllString(line, `\$1`), " ") + "\n")
	}
	return out.String()
}

// split is a command's words; single quotes keep blanks in one word.
func split(command string) []string {
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// mostShown is how many lines of either text a failure shows.
const mostShown = 20

// difference is where two texts part, and how each goes on from there.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(g), len(w)) && g[i] == w[i] {
		i++
	}
	if i == len(g) && i == len(w) {
		return "none"
	}
	return fmt.Sprintf("line %d on: got\n%swant\n%s", i+1, some(g[i:]), some(w[i:]))
}

// some are the first of some lines, with a count of the others.
func some(lines []string) string {
	if len(lines) == 0 {
		return "\tthe end\n"
	}
	var out strings.Builder
	for _, line := range lines[:min(len(lines), mostShown)] {
		out.WriteString("\t" + line + "\n")
	}
	if more := len(lines) - mostShown; more > 0 {
		fmt.Fprintf(&out, "\t... and %d lines more\n", more)
	}
	return out.String()
}

// scriptPattern is the pattern that plays one script again.
func scriptPattern(name string) string {
	return "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
}

func TestAFailureOfATranscriptShowsItsFirstLinesOnly(t *testing.T) {
	long := strings.Repeat("line\n", 5000)
	got := difference("same\nthis\n"+long, "same\nthat\n"+long)
	if n := strings.Count(got, "\n"); n > 50 {
		t.Errorf("a difference of 5,000 lines shows %d, want at most 50", n)
	}
	for _, want := range []string{"line 2 on: got\n\tthis\n", "want\n\tthat\n", "... and 4982 lines more"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
}
