package main_test

import (
	"os"
	"strings"
	"testing"
)

// TestAnSVGHasStampsIfTheyAreAskedFor reads those of a commit by Lamport's clock: P asks at 2, after
// its start, Q hears at 6 of what P did at 5.
func TestAnSVGHasStampsIfTheyAreAskedFor(t *testing.T) {
	t.Chdir("../..")
	const story = "scenarios/cut/backwards.txt"
	out, errs, code := run("draw", "--svg", "--stamps=lamport", "--to", "13", story)
	for _, want := range []string{">2</text>", ">6</text>", "n lamport: 1 + the greatest before", "answers done (2)</title>"} {
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("exit %d, %q: want %q in\n%s", code, errs, want, out)
		}
	}
	if got := strings.Count(out, "stamp"); got != 2 {
		t.Errorf("got %d stamps, want 2 in\n%s", got, out)
	}
	if out, _, _ := run("draw", "--svg", "--to", "13", story); strings.Contains(out, "stamp") || strings.Contains(out, "lamport") {
		t.Errorf("want no stamps in\n%s", out)
	}
}

// TestReadmeShowsStamps compares the picture in README.md with what is drawn.
func TestReadmeShowsStamps(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"draw", "--stamps", "vector", "scenarios/cut/backwards.txt"}
	out, errs, code := run(args...)
	if code != 0 || errs != "" || !strings.Contains(string(readme), "```text\n"+out+"```\n") {
		t.Errorf("exit %d, %q: README.md does not show what downset %s draws:\n%s", code, errs, strings.Join(args, " "), out)
	}
}
