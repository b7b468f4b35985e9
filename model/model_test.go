package model_test

import (
	"slices"
	"testing"

	"github.com/downset/downset/model"
)

func TestLookupFindsEveryProtocolByItsName(t *testing.T) {
	for _, p := range model.All {
		if got := model.Lookup(p.Name); got != p {
			t.Errorf("Lookup(%q) = %v, want the protocol of that name", p.Name, got)
		}
	}
	if got := model.Lookup("no such model"); got != nil {
		t.Errorf("Lookup of an unknown name = %s, want nil", got.Name)
	}
}

func TestEveryMutantNamesWhatItSpoilsAndWhatCatchesIt(t *testing.T) {
	for _, p := range model.All {
		for _, v := range p.Variants {
			if v.Doc == "" {
				t.Errorf("%s/%s has no doc", p.Name, v.Name)
			}
			if !v.Mutant() {
				continue
			}
			base, err := p.Variant(v.Of)
			if err != nil || base.Mutant() {
				t.Errorf("%s/%s spoils %q, which is no right variant: %v", p.Name, v.Name, v.Of, err)
			}
			if !slices.Contains(p.Breakable(), v.Breaks) {
				t.Errorf("%s/%s is caught by %q, which is no property or claim", p.Name, v.Name, v.Breaks)
			}
		}
	}
}
