package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/model"
)

// TestAFindingThatStandsIsNotWrittenAgain finds one story twice, by other seeds: what somebody wrote
// beside it stays. If its run is another one it is written anew.
func TestAFindingThatStandsIsNotWrittenAgain(t *testing.T) {
	out := t.TempDir()
	file := filepath.Join(out, "cut-unsigned-consistent-cut.txt")
	swept := func(seeds string) string {
		var stdout, stderr bytes.Buffer
		args := []string{"sweep", "--out", out, "--variant", "unsigned", "--seeds", seeds, "cut"}
		if code := cli.Main(model.All, args, &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := swept("1..200")
	noted := "# Seen in the field.\n" + first
	if err := os.WriteFile(file, []byte(noted), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := swept("201..400"); got != noted {
		t.Errorf("found by other seeds it reads\n%s\nwant it left as it was\n%s", got, noted)
	}
	end := strings.LastIndexByte(first, ' ') + 1
	if err := os.WriteFile(file, []byte(first[:end]+strings.Repeat("0", 32)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := swept("1..200"); got != first {
		t.Errorf("with the hash of another run it reads\n%s\nwant it written anew\n%s", got, first)
	}
}

// TestAStoredFindingIsCheckedByWhatItSays: a story that a sweep kept on its way to what it wanted is
// no fault, one that does not break what it says is, and so is a variant that none is left of.
func TestAStoredFindingIsCheckedByWhatItSays(t *testing.T) {
	const name = "clocks-vector-volatile-vector-grows.txt"
	const says = "breaks vector-exact vector-grows"
	for _, c := range []struct {
		says, file, old, now, want string
	}{
		{"as stored", "", "", "", ""},
		{"another property of the run, in a file beside it", "clocks-vector-volatile-vector-exact.txt",
			says, "breaks vector-exact", ""},
		{"a property that the run does not break", name, says, "breaks converges",
			name + " does not break converges"},
		{"nothing that it breaks", name, says, "holds", name + " says of nothing"},
		{"of no run that is recorded", name, "# found:", "# lost:", name},
		{"no more, the story is gone", name, "", "", "no story of clocks vector-volatile"},
	} {
		t.Run(c.says, func(t *testing.T) {
			out := t.TempDir()
			if err := os.CopyFS(out, os.DirFS("../../results")); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(out, "findings", name))
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), c.old, c.now, 1)
			switch {
			case c.file != "" && c.old == "":
				if err := os.Remove(filepath.Join(out, "findings", name)); err != nil {
					t.Fatal(err)
				}
			case c.file != "":
				if err := os.WriteFile(filepath.Join(out, "findings", c.file), []byte(changed), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			args := []string{"results", "--check", "--out", out, "findings"}
			code := cli.Main(model.All, args, &stdout, &stderr)
			got := stdout.String() + stderr.String()
			if (code == 0) != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("exit %d: %s\nwant %q", code, got, c.want)
			}
		})
	}
}
