package cut_test

import (
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
)

func TestSweepOfTheRightVariants(t *testing.T) {
	scenarios.Sweep(t, cut.Protocol, scenarios.SweepOptions{Variants: right, Goals: true,
		Seeds: scenarios.Seeds{From: 1, To: 600}})
}
