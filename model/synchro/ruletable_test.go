package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// profileOf are the rules of a variant.
func profileOf(t *testing.T, name string) synchro.Rules {
	t.Helper()
	r, known := synchro.RulesOf(name)
	if !known {
		t.Fatalf("no variant %q", name)
	}
	return r
}

func TestARuleSetsWhatItIsAboutAndNothingElse(t *testing.T) {
	for _, variant := range []string{"P0", "P2", "P4", "I", "III", "triplet"} {
		is := profileOf(t, variant)
		for _, r := range synchro.Protocol.Rules {
			aloneOn(t, variant, is, r)
		}
	}
}

// aloneOn says that the values of a rule differ, that each undoes what the others have set, and that
// one of them is that of the variant.
func aloneOn(t *testing.T, variant string, is synchro.Rules, r sim.Rule) {
	t.Helper()
	own := false
	for i, one := range r.Values {
		got := synchro.With(is, sim.RuleValue{Rule: r.Name, Value: one})
		own = own || got == is
		for _, other := range r.Values[:i] {
			then := synchro.With(is, sim.RuleValue{Rule: r.Name, Value: other})
			if got == then {
				t.Errorf("%s/%s: %s and %s set the same", variant, r.Name, one, other)
			}
			if then = synchro.With(then, sim.RuleValue{Rule: r.Name, Value: one}); got != then {
				t.Errorf("%s/%s: %s after %s is not %s", variant, r.Name, one, other, one)
			}
		}
	}
	if !own || len(r.Values) < 2 || r.Doc == "" {
		t.Errorf("%s/%s: want two values, one of them that of %s, and a doc", variant, r.Name, variant)
	}
}

// Each profile is the one before with some rules set, so that a story can ask of every difference
// what it comes to.
func TestProfilesDifferInRulesThatAStoryCanSet(t *testing.T) {
	names := synchro.Profiles()
	for i, name := range names[1:] {
		want, got := profileOf(t, name), profileOf(t, names[i])
		for _, r := range synchro.Protocol.Rules {
			for _, v := range r.Values {
				set := sim.RuleValue{Rule: r.Name, Value: v}
				if synchro.With(want, set) == want {
					got = synchro.With(got, set)
				}
			}
		}
		if got != want {
			t.Errorf("%s with the rules of %s is\n%+v, want\n%+v", names[i], name, got, want)
		}
	}
}
