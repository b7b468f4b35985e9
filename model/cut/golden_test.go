package cut_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	scenarios.Hashes(t, cut.Protocol, scenarios.HashOptions{
		Variants: slices.Concat([]string{"unsigned", "markers/channel=datagram"}, right),
		Plan: func(_ *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan {
			return randomPlan(t, v.Name, seed)
		}})
}
