package main_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

var speedRows = regexp.MustCompile(`(?m)^  speed .*$`)

// TestExplorePrintsTheSameWithOneJobAndWithTwo takes variants of which most break, some of them in
// several ways, so that which is found first could depend on who is faster.
func TestExplorePrintsTheSameWithOneJobAndWithTwo(t *testing.T) {
	t.Chdir("../..")
	out := t.TempDir()
	printed := func(jobs string) string {
		var stdout, stderr bytes.Buffer
		args := []string{"explore", "--out", out, "--jobs", jobs, "--variant", "mutants", "scenarios/commit/small.txt"}
		if code := cli.Main(model.All, args, &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr.String())
		}
		return speedRows.ReplaceAllString(stdout.String(), "  speed")
	}
	if one, two := printed("1"), printed("2"); one != two {
		t.Errorf("with two jobs\n%s\nwant what one prints; the first difference: %s", two, difference(two, one))
	}
}
