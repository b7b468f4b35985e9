package checker_test

import (
	"os"
	"slices"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// judged are the violations of a variant of a story of the cut, by property.
func judged(t *testing.T, file, variant string) map[string]*sim.Violation {
	t.Helper()
	text, err := os.ReadFile("../scenarios/cut/" + file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Grid()[0].Scenario.Plan(cut.Protocol, variant, s.Seeds.From)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*sim.Violation{}
	for _, f := range checker.Judge(run, cut.Protocol.Properties).Findings {
		found[f.Property.Name] = f.Violation
	}
	return found
}

func TestTwoEntriesClashUnlessSomethingElseIsMissing(t *testing.T) {
	for _, c := range []struct {
		name, file, variant, property string
		clash                         bool
	}{
		{"before a cut here and after it there", "duplicate.txt", "copies", "agreement", true},
		{"not in a channel that both ends say it was in", "duplicate.txt", "copies", "channel-state", false},
		{"complete, and then not", "duplicate.txt", "copies", "completeness", true},
		{"a second point", "differs.txt", "differs", "one-point", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judged(t, c.file, c.variant)[c.property]
			if v == nil {
				t.Fatalf("%s holds for %s in %s", c.property, c.variant, c.file)
			}
			if got := slices.Equal(v.Clash, v.Witness); got != c.clash || !c.clash && v.Clash != nil {
				t.Errorf("%s: witness %v, clash %v: want a clash: %t", v.Reason, v.Witness, v.Clash, c.clash)
			}
		})
	}
}

func TestTheWorstClassIsThatOfAnyLayer(t *testing.T) {
	of := func(name string, layer uint8, class sim.Class, reason string) sim.Property {
		p := claim(name, layer, 1, reason)
		p.Class = class
		return p
	}
	low, high := of("low", 1, sim.Stopped, "low"), of("high", 3, sim.Silent, "high")
	for _, c := range []struct {
		name  string
		of    []sim.Property
		class sim.Class
		by    string
	}{
		{"nothing breaks", []sim.Property{of("fine", 1, sim.Silent, "")}, sim.Unclassified, ""},
		{"a higher layer is worse", []sim.Property{low, high}, sim.Silent, "high"},
		{"the order does not matter", []sim.Property{high, low}, sim.Silent, "high"},
		{"of equals it is the first", []sim.Property{low, of("other", 1, sim.Stopped, "other")}, sim.Stopped, "low"},
		{"what holds does not count", []sim.Property{low, of("fine", 1, sim.Silent, "")}, sim.Stopped, "low"},
	} {
		t.Run(c.name, func(t *testing.T) {
			class, by := checker.Judge(&sim.Run{}, c.of).Worst()
			if class != c.class || by != c.by {
				t.Errorf("got %q of %q, want %q of %q", class, by, c.class, c.by)
			}
		})
	}
}
