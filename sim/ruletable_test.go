package sim_test

import (
	"testing"

	"github.com/downset/downset/sim"
)

type switches struct{ Loud, Quick bool }

var table = sim.RuleTable[switches]{
	{Name: "voice", Doc: "how it speaks", Values: []sim.RuleSetting[switches]{
		{Name: "soft", Set: func(s *switches) { s.Loud = false }},
		{Name: "loud", Set: func(s *switches) { s.Loud = true }},
	}},
	{Name: "pace", Doc: "how it walks", Values: []sim.RuleSetting[switches]{
		{Name: "slow", Set: func(s *switches) { s.Quick = false }},
		{Name: "quick", Set: func(s *switches) { s.Quick = true }},
	}},
}

func TestATableOfRulesSaysWhichVariantHasWhichValue(t *testing.T) {
	rules := table.Rules([]sim.RuleHolder[switches]{{"calm", switches{}}, {"brisk", switches{Quick: true}}})
	want := []string{"how it speaks; soft in calm brisk", "how it walks; slow in calm, quick in brisk"}
	for i, r := range rules {
		if r.Doc != want[i] || len(r.Values) != 2 {
			t.Errorf("rule %s: doc %q and values %v, want %q", r.Name, r.Doc, r.Values, want[i])
		}
	}
}

func TestATableOfRulesSaysTheOthersForManyThatHaveTheSame(t *testing.T) {
	var list []sim.RuleHolder[switches]
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		list = append(list, sim.RuleHolder[switches]{Name: name})
	}
	list = append(list, sim.RuleHolder[switches]{Name: "brisk", Rules: switches{Quick: true}})
	want := []string{"how it speaks; soft in all", "how it walks; quick in brisk, slow in the others"}
	for i, r := range table.Rules(list) {
		if r.Doc != want[i] {
			t.Errorf("rule %s: doc %q, want %q", r.Name, r.Doc, want[i])
		}
	}
}

func TestATableOfRulesSetsWhatIsGivenInItsOrder(t *testing.T) {
	var s switches
	table.Set(&s, []sim.RuleValue{{"voice", "loud"}, {"pace", "quick"}, {"voice", "soft"}})
	if s != (switches{Quick: true}) {
		t.Errorf("got %+v, want quick and not loud", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("a rule that is not in the table is set without a word")
		}
	}()
	table.Set(&s, []sim.RuleValue{{"voice", "hoarse"}})
}
