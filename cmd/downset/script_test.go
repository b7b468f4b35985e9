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
				t.Errorf("%s\nplays as\n%s\nwant\n%s\nat the first difference:\n%s", filepath.Base(file), got, want,
					difference(got, want))
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

// difference is the first line at which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, at(g, i), at(w, i))
		}
	}
	return "none"
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}
