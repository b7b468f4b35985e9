package register_test

import (
	"testing"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
)

func TestSweepOfTheRightVariants(t *testing.T) {
	scenarios.Sweep(t, register.Protocol, scenarios.SweepOptions{Goals: true,
		Seeds: scenarios.Seeds{From: 1, To: 1000}})
}
