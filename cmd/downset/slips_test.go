package main_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestWhatASweepFindsOnTheWayIsKept sweeps a mutant that breaks something else before what it is
// known to break. One failure was asked for, and is shown.
func TestWhatASweepFindsOnTheWayIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	out, stderr, code := run("sweep", "--variant", "deaf", "--seeds", "100", "cut")
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	for _, file := range []string{"cut-deaf-termination.txt", "cut-deaf-consistent-cut.txt"} {
		if _, err := os.Stat("findings/" + file); err != nil || !strings.Contains(out, "findings/"+file) {
			t.Errorf("%s is not kept, or not named: %v\n%s", file, err, out)
		}
	}
	if strings.Contains(out, "not kept") {
		t.Errorf("a failure is not kept:\n%s", out)
	}
	if n := strings.Count(out, "\nrepro "); n != 1 {
		t.Errorf("%d failures are shown, want the one that was asked for:\n%s", n, out)
	}
}

func TestASweptStoryNeedReachNoGoal(t *testing.T) {
	t.Chdir("../..")
	out, stderr, code := run("sweep", "--seeds", "20", "--variant", "signed", "scenarios/cut/backwards.txt")
	if code != 0 || strings.Contains(out, "NEVER REACHED") || !strings.Contains(out, "not reached: ") {
		t.Errorf("exit %d, want 0 and goals that are not reached, none of them NEVER: %s%s", code, out, stderr)
	}
}

// TestListHasTheFormsOfRequestsAndSetUp looks for lines as list prints them.
func TestListHasTheFormsOfRequestsAndSetUp(t *testing.T) {
	t.Chdir(t.TempDir()) // where there are no stories
	for _, c := range []struct{ model, line string }{
		{"cut", "requests commit TX [NODE...]"},
		{"cut", "cut NUMBER"},
		{"commit", "requests commit TX NODE..."},
		{"ignite", "key KEY... on PRIMARY [BACKUP...] [in GROUP] [holds VALUE] [cached]"},
		{"ignite", "rollback TX"},
		{"synchro", "cas KEY OLD NEW"},
		{"synchro", "limit N"},
		{"clocks", "set-up max-offset DURATION"},
		{"clocks", "tick"},
		{"clocks", "lease [at NODE]"},
	} {
		out, _, _ := run("list", c.model)
		var lines []string
		for line := range strings.Lines(out) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		if !slices.Contains(lines, c.line) {
			t.Errorf("list %s has no line %q:\n%s", c.model, c.line, out)
		}
	}
}

func TestAFolderOrAModelIsNoStory(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct{ command, arg, want string }{
		{"draw", "scenarios/cut", "scenarios/cut is a folder, of "},
		{"replay", "scenarios", "scenarios is a folder: want the file of a story"},
		{"why", "cut", "cut is a model, with "},
		{"shrink", "scenarios/cut/", "scenarios/cut/ is a folder, of "},
	} {
		_, stderr, code := run(c.command, c.arg)
		if code != 2 || !strings.HasPrefix(stderr, c.want) {
			t.Errorf("%s %s: exit %d, %q, want 2 and %q", c.command, c.arg, code, stderr, c.want)
		}
	}
}
