package ignite_test

import (
	"reflect"
	"testing"

	"github.com/downset/downset/model/ignite"
)

// with is some rules with a value of one set.
func with(r ignite.Rules, rule, value string) ignite.Rules {
	ignite.SetRule(rule, value)(&r)
	return r
}

func TestARuleSetsWhatItIsAboutAndNothingElse(t *testing.T) {
	for _, mode := range []string{"draft", "merged", "fixed"} {
		is := ignite.ModeRules(mode)
		for _, r := range ignite.Protocol.Rules {
			t.Run(mode+"/"+r.Name, func(t *testing.T) {
				if len(r.Values) < 2 || r.Doc == "" {
					t.Errorf("%d values, doc %q: want two values or more, and a doc", len(r.Values), r.Doc)
				}
				own := false
				for i, one := range r.Values {
					got := with(is, r.Name, one)
					own = own || reflect.DeepEqual(got, is)
					for _, other := range r.Values[:i] {
						then := with(is, r.Name, other)
						if reflect.DeepEqual(got, then) {
							t.Errorf("%s and %s set the same", one, other)
						}
						if then = with(then, r.Name, one); !reflect.DeepEqual(got, then) {
							t.Errorf("%s after %s is %+v, want %+v", one, other, then, got)
						}
					}
				}
				if !own {
					t.Errorf("no value is what %s does", mode)
				}
			})
		}
	}
}

func TestModesDifferInRulesThatAStoryCanSet(t *testing.T) {
	for _, c := range []struct{ from, to string }{{"draft", "merged"}, {"merged", "fixed"}} {
		got, want := ignite.ModeRules(c.from), ignite.ModeRules(c.to)
		for _, r := range ignite.Protocol.Rules {
			for _, v := range r.Values {
				if reflect.DeepEqual(with(want, r.Name, v), want) {
					got = with(got, r.Name, v)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s with the rules of %s is\n%+v, want\n%+v", c.from, c.to, got, want)
		}
	}
}

func TestRulesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range ignite.Protocol.Rules {
		if seen[r.Name] {
			t.Errorf("rule %s stands twice", r.Name)
		}
		seen[r.Name] = true
	}
}
