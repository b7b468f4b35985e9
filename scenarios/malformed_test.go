package scenarios_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// cutModel knows just enough to be asked about a story.
var cutModel = &sim.Protocol{
	Name: "cut",
	Variants: []sim.Variant{
		{Name: "unsigned", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }},
		{Name: "signed", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return sim.Idle{} }},
	},
	Rules:      []sim.Rule{{Name: "channel", Values: []string{"kept", "lost"}}},
	Properties: []sim.Property{{Name: "consistent-cut"}, {Name: "complete-cut"}},
	Apply:      func(v sim.Variant, _ []sim.RuleValue) (sim.Variant, error) { return v, nil },
	Shows:      []string{"data", "version", "cut", "learned", "side", "channel"},
	SetupWords: []string{"key"},
	ParseSetup: func(words, nodes []string) (any, error) {
		if len(words) != 4 || words[2] != "on" || !slices.Contains(nodes, words[3]) {
			return nil, fmt.Errorf("want key NAME on NODE, got %q", strings.Join(words, " "))
		}
		return words, nil
	},
	OpWords: []string{"commit", "cut"},
	ParseOp: func(words []string) (sim.Op, error) {
		if len(words) != 2 {
			return nil, fmt.Errorf("want %s and one name, got %q", words[0], strings.Join(words, " "))
		}
		return put{Item: words[1]}, nil
	},
}

func TestEveryMalformedStoryIsRefusedWithItsError(t *testing.T) {
	count := 0
	for _, pattern := range []string{"testdata/malformed/*.txt", "testdata/malformed/model/*.txt"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			count++
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { malformed(t, name) })
		}
	}
	if count < 45 {
		t.Errorf("%d malformed stories, want 45 at least", count)
	}
}

// updating says that golden files are to be rewritten: go test ./scenarios -update.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func malformed(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(filepath.Base(name), text)
	if strings.Contains(filepath.ToSlash(name), "/model/") {
		if err != nil {
			t.Fatalf("want Parse to take it and Check to refuse it, got %v", err)
		}
		err = s.Check(cutModel)
	}
	if err == nil {
		t.Fatal("want an error, got none")
	}
	var at *scenarios.Error
	if !errors.As(err, &at) || at.Line == 0 {
		t.Errorf("got %v, want an error with file and line", err)
	}
	golden := strings.TrimSuffix(name, ".txt") + ".err"
	got := err.Error() + "\n"
	if updating() {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got  %swant %s", got, want)
	}
}
