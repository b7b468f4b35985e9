package cut_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	var ruled []sim.Variant
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		ruled = append(ruled, sim.Variant{Name: name, Breaks: wrong[name]})
	}
	scenarios.Covered(t, cut.Protocol, os.DirFS("../../scenarios/cut"), ruled...)
}
