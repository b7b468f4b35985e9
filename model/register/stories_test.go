package register_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
)

const stories = "../../scenarios/register"

func TestStories(t *testing.T) { scenarios.Test(t, register.Protocol, os.DirFS(stories)) }

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
	for _, v := range register.Protocol.Variants {
		if v.Mutant() && !slices.ContainsFunc(all, func(s *scenarios.Scenario) bool {
			return breaks(s, v.Name, v.Breaks) && holds(s, v.Of)
		}) {
			t.Errorf("no story expects %s to break %s, and %s to hold", v.Name, v.Breaks, v.Of)
		}
	}
}

func TestEveryStoryTellsWhyAndOneThatBreaksNothingNamesOneThatDoes(t *testing.T) {
	all := told(t)
	if len(all) < 14 {
		t.Errorf("%d stories, want at least 14", len(all))
	}
	for _, s := range all {
		tale := slices.DeleteFunc(slices.Clone(s.Doc), func(line string) bool {
			return strings.HasPrefix(strings.TrimSpace(line), "twin:")
		})
		if n := len(tale); n == 0 || n > 6 || strings.TrimSpace(tale[0]) == "" {
			t.Errorf("%s opens with %d lines of story, want 1 to 6", s.File, n)
		}
		if breaksSomething(s) {
			continue
		}
		at := slices.IndexFunc(all, func(other *scenarios.Scenario) bool {
			return slices.ContainsFunc(s.Doc, func(line string) bool {
				return strings.TrimSpace(line) == "twin: "+filepath.Base(other.File)
			})
		})
		if at < 0 || !breaksSomething(all[at]) {
			t.Errorf("%s breaks nothing and names no twin that does", s.File)
		}
	}
}

func breaksSomething(s *scenarios.Scenario) bool {
	return slices.ContainsFunc(s.Expect.Verdicts, func(v scenarios.Verdict) bool {
		return v.Outcome == scenarios.Breaks
	})
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
