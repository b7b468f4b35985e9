package clocks_test

import (
	"testing"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/scenarios"
)

func TestSweepOfTheRightVariants(t *testing.T) {
	scenarios.Sweep(t, clocks.Protocol, scenarios.SweepOptions{Goals: true,
		Seeds: scenarios.Seeds{From: 1, To: 2000}})
}
