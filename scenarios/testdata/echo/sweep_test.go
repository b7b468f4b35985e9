package main

import (
	"testing"

	"github.com/downset/downset/scenarios"
)

func TestSweep(t *testing.T) { scenarios.Sweep(t, withMutants(), scenarios.SweepOptions{}) }

func TestSweepFindsTheMutant(t *testing.T) {
	scenarios.Sweep(t, withMutants(), scenarios.SweepOptions{Variants: []string{"mumbles"}})
}
