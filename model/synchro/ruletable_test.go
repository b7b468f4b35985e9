package synchro

import "testing"

// profileOf are the rules of a variant.
func profileOf(t *testing.T, name string) rules {
	t.Helper()
	for _, p := range rows() {
		if p.name == name {
			return p.rules
		}
	}
	t.Fatalf("no variant %q", name)
	return rules{}
}

// ruled is some rules with a value of one set.
func ruled(r rules, s setting) rules {
	s.set(&r)
	return r
}

func TestARuleSetsWhatItIsAboutAndNothingElse(t *testing.T) {
	for _, variant := range []string{"P0", "P2", "P4", "I", "III", "triplet"} {
		is := profileOf(t, variant)
		for _, r := range ruleTable() {
			own := false
			for i, one := range r.values {
				got := ruled(is, one)
				own = own || got == is
				for _, other := range r.values[:i] {
					then := ruled(is, other)
					if got == then {
						t.Errorf("%s/%s: %s and %s set the same", variant, r.name, one.name, other.name)
					}
					if then = ruled(then, one); got != then {
						t.Errorf("%s/%s: %s after %s is not %s", variant, r.name, one.name, other.name, one.name)
					}
				}
			}
			if !own || len(r.values) < 2 || r.doc == "" {
				t.Errorf("%s/%s: want two values, one of them that of %s, and a doc", variant, r.name, variant)
			}
		}
	}
}

// Each profile is the one before with some rules set, so that a story can ask of every difference
// what it comes to.
func TestProfilesDifferInRulesThatAStoryCanSet(t *testing.T) {
	for i, p := range profiles()[1:] {
		from := profiles()[i]
		got := from.rules
		for _, r := range ruleTable() {
			for _, v := range r.values {
				if ruled(p.rules, v) == p.rules {
					got = ruled(got, v)
				}
			}
		}
		if got != p.rules {
			t.Errorf("%s with the rules of %s is\n%+v, want\n%+v", from.name, p.name, got, p.rules)
		}
	}
}
