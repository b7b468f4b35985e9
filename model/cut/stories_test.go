package cut_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
)

const stories = "../../scenarios/cut"

// told are the stories of this model, parsed.
func told(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	files, err := filepath.Glob(stories + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s: %v", stories, err)
	}
	var all []*scenarios.Scenario
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenarios.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestEveryMutantIsBrokenByAStoryByThePropertyItNames(t *testing.T) {
	all := told(t)
	for _, v := range cut.Protocol.Variants {
		if v.Mutant() && !slices.ContainsFunc(all, func(s *scenarios.Scenario) bool {
			return breaks(s, v.Name, v.Breaks)
		}) {
			t.Errorf("no story expects %s to break %s", v.Name, v.Breaks)
		}
	}
}

func TestEveryPublishedVariantHoldsInOneStoryAndIsPlayedBesideAWrongOne(t *testing.T) {
	all := told(t)
	for _, v := range cut.Protocol.Variants {
		if !v.Mutant() && !slices.ContainsFunc(all, func(s *scenarios.Scenario) bool {
			return holds(s, v.Name)
		}) {
			t.Errorf("no story expects %s to hold", v.Name)
		}
	}
	for name, property := range wrong {
		if !slices.ContainsFunc(all, func(s *scenarios.Scenario) bool {
			return breaks(s, name, property)
		}) {
			t.Errorf("no story expects %s to break %s", name, property)
		}
	}
}

func TestEveryStoryOpensWithAStoryOfAtMostSixLines(t *testing.T) {
	all := told(t)
	if len(all) < 28 {
		t.Errorf("%d stories, want at least 28", len(all))
	}
	for _, s := range all {
		if n := len(s.Doc); n == 0 || n > 6 || strings.TrimSpace(s.Doc[0]) == "" {
			t.Errorf("%s opens with %d lines of story, want 1 to 6", s.File, n)
		}
	}
}

// breaks says that a story expects a variant to break a property.
func breaks(s *scenarios.Scenario, variant, property string) bool {
	return slices.ContainsFunc(s.Expect.Verdicts, func(v scenarios.Verdict) bool {
		return v.Variant == variant && v.Outcome == scenarios.Breaks &&
			slices.Contains(v.Breaks, property)
	})
}

// holds says that a story expects a variant to hold, by name or as one of all others.
func holds(s *scenarios.Scenario, variant string) bool {
	return slices.ContainsFunc(s.Expect.Verdicts, func(v scenarios.Verdict) bool {
		return (v.Variant == variant || v.Variant == "*") && v.Outcome == scenarios.Holds
	})
}
