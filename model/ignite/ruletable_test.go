package ignite

import (
	"reflect"
	"slices"
	"testing"
)

func TestARuleSetsWhatItIsAboutAndNothingElse(t *testing.T) {
	for _, mode := range modes() {
		for _, r := range ruleTable {
			t.Run(mode.name+"/"+r.name, func(t *testing.T) {
				if len(r.values) < 2 || r.doc == "" {
					t.Errorf("%d values, doc %q: want two values or more, and a doc", len(r.values), r.doc)
				}
				oneOfThem := false
				for i, one := range r.values {
					got := mode.rules
					one.set(&got)
					oneOfThem = oneOfThem || reflect.DeepEqual(got, mode.rules)
					for _, other := range r.values[:i] {
						then := mode.rules
						other.set(&then)
						if reflect.DeepEqual(got, then) {
							t.Errorf("%s and %s set the same", one.name, other.name)
						}
						if one.set(&then); !reflect.DeepEqual(got, then) {
							t.Errorf("%s after %s is %+v, want %+v", one.name, other.name, then, got)
						}
					}
				}
				if !oneOfThem {
					t.Errorf("no value is what %s does", mode.name)
				}
			})
		}
	}
}

func TestModesDifferInRulesThatAStoryCanSet(t *testing.T) {
	var names []string
	for _, r := range ruleTable {
		if slices.Contains(names, r.name) {
			t.Errorf("rule %s stands twice", r.name)
		}
		names = append(names, r.name)
	}
	for _, c := range []struct {
		name     string
		from, to rules
	}{{"draft to merged", draft(), merged()}, {"merged to fixed", merged(), fixed()}} {
		for _, r := range ruleTable {
			for _, v := range r.values {
				if standsAlready(v, c.to) {
					v.set(&c.from)
				}
			}
		}
		if !reflect.DeepEqual(c.from, c.to) {
			t.Errorf("%s by rules is\n%+v, want\n%+v", c.name, c.from, c.to)
		}
	}
}

// standsAlready says that some rules have a value already.
func standsAlready(v setting, were rules) bool {
	now := were
	v.set(&now)
	return reflect.DeepEqual(now, were)
}
