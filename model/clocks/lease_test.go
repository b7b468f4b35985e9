package clocks_test

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/clocks"
)

// trueTime is how much true time goes by while a clock that is off by so many parts per million
// counts a duration, in nanoseconds.
func trueTime(counted time.Duration, ppm int64) *big.Rat {
	t := new(big.Rat).SetInt64(int64(counted))
	return t.Mul(t, big.NewRat(1_000_000, 1_000_000+ppm))
}

func TestAGranterWaitsForLongerThanAHolderActs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term := time.Duration(rapid.Int64Range(1, int64(366*24*time.Hour)).Draw(t, "term"))
		granter := rapid.Int64Range(-200, 200).Draw(t, "granter's drift")
		holder := rapid.Int64Range(-200, 200).Draw(t, "holder's drift")
		acts, waits := trueTime(term, holder), trueTime(term+clocks.Margin(term), granter)
		if acts.Cmp(waits) >= 0 {
			t.Errorf("a lease of %v, clocks off by %d and %d ppm: the holder acts for %v ns and "+
				"the granter waits for %v", term, holder, granter, acts.FloatString(3),
				waits.FloatString(3))
		}
	})
}

func TestTheMarginIsNoGreaterThanItMustBe(t *testing.T) {
	const term = time.Hour
	if got := clocks.Margin(term); got > term/1000 {
		t.Errorf("the margin of %v is %v, want at most a thousandth", term, got)
	}
	worst := new(big.Rat).Sub(trueTime(term, -200), trueTime(term, 200))
	if margin := new(big.Rat).SetInt64(int64(clocks.Margin(term))); margin.Cmp(worst) <= 0 {
		t.Errorf("the margin of %v is %v, want more than %s ns", term, clocks.Margin(term),
			worst.FloatString(0))
	}
}
