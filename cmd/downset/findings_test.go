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
