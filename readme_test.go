package downset_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// TestReadmeQuotesItsFilesExactly keeps README.md and what it shows alike.
func TestReadmeQuotesItsFilesExactly(t *testing.T) {
	readme := read(t, "README.md")
	const echo = "scenarios/testdata/echo/"
	for _, file := range []string{
		"scenarios/cut/backwards.txt", echo + "echo.go", echo + "mutants.go", echo + "echo_test.go",
		echo + "workload.go", echo + "sweep_test.go", echo + "prop_test.go", echo + "main.go", echo + "stories/hello.txt", echo + "stories/mumbles.txt",
	} {
		kind := "text"
		if strings.HasSuffix(file, ".go") {
			kind = "go"
		}
		if !strings.Contains(readme, "```"+kind+"\n"+read(t, file)+"```\n") {
			t.Errorf("README.md does not quote %s as it is", file)
		}
	}
}

// TestReadmeOpensWithThePicture compares README's picture with what is drawn.
func TestReadmeOpensWithThePicture(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "README.md"), "```text\n")
	picture, _, _ := strings.Cut(rest, "```\n")
	args := []string{"draw", "scenarios/cut/backwards.txt"}
	if got := output(t, args...); got != picture {
		t.Errorf("downset %s draws\n%s\nREADME.md shows\n%s", strings.Join(args, " "), got, picture)
	}
}

// TestReadmeNamesEveryCommand keeps README.md complete, and free of commands that are not there.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme := read(t, "README.md")
	_, help, _ := strings.Cut(output(t, "--help"), "Available Commands:\n")
	help, _, _ = strings.Cut(help, "\n\n")
	var commands []string
	for line := range strings.Lines(help) {
		if name := strings.Fields(line)[0]; name != "help" {
			commands = append(commands, name)
		}
	}
	var shown []string
	for line := range strings.Lines(readme) {
		if rest, ok := strings.CutPrefix(line, "| `downset "); ok {
			shown = append(shown, strings.Trim(strings.Fields(rest)[0], "`"))
		}
	}
	slices.Sort(shown)
	if !slices.Equal(shown, commands) {
		t.Errorf("README.md lists the commands %q, the tool has %q", shown, commands)
	}
}

// output is what a command prints that must succeed.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Main(model.All, args, &stdout, &stderr); code != 0 {
		t.Fatalf("downset %s exits with %d: %s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.String()
}
