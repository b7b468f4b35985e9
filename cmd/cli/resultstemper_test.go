package cli_test

import (
	"math"
	"testing"

	"github.com/downset/downset/cmd/cli"
)

func TestIntervalsOfRatesAreThoseOfClopperAndPearson(t *testing.T) {
	for _, c := range []struct {
		failing, seeds int
		low, high      float64 // as tables have them
	}{
		{0, 10, 0, 0.3085},
		{1, 20, 0.0013, 0.2487},
		{5, 10, 0.1871, 0.8129},
		{10, 10, 0.6915, 1},
		{50, 1000, 0.03734, 0.06539},
		{0, 20_000, 0, 0.000184},
	} {
		low, high := cli.Rates(c.failing, c.seeds, false)
		if math.Abs(low-c.low) > 6e-5 || math.Abs(high-c.high) > 6e-5 {
			t.Errorf("%d of %d: got %.5f..%.5f, want %.5f..%.5f", c.failing, c.seeds, low, high, c.low, c.high)
		}
	}
}

// A series of seeds that ends with its 20th failure takes n seeds with a known chance; an interval
// of 95 % has to hold the true rate in as large a share of such series.
func TestIntervalsOfSeriesThatEndWithAFailureHoldTheTrueRate(t *testing.T) {
	const failures = 20
	for _, rate := range []float64{0.9, 0.5, 0.1, 0.03} {
		held := 0.0
		for n := failures; n < 4000; n++ {
			chance := lasting(n, failures, rate)
			if chance < 1e-9 {
				continue
			}
			if low, high := cli.Rates(failures, n, true); low <= rate && rate <= high {
				held += chance
			}
		}
		if held < 0.95 || held > 0.99 {
			t.Errorf("rate %.2f: held by %.4f of the intervals, want 0.95 or little more", rate, held)
		}
	}
}

// Of two such series the interval of the ratio has to hold the true one.
func TestIntervalsOfRatiosHoldTheTrueRatio(t *testing.T) {
	const failures = 20
	_, least, most := cli.TimesLonger([2]int{failures, 1000}, [2]int{failures, 1000})
	for _, c := range [][2]float64{{0.05, 0.1}, {0.1, 0.1}, {0.05, 0.5}} {
		held, want := 0.0, c[1]/c[0]
		for a := failures; a < 2000; a++ {
			chance := lasting(a, failures, c[0])
			for b := failures; b < 1000 && chance > 1e-9; b++ {
				if x := float64(a) / float64(b); x*least <= want && want <= x*most {
					held += chance * lasting(b, failures, c[1])
				}
			}
		}
		if held < 0.95 || held > 0.995 {
			t.Errorf("rates %v: held by %.4f of the intervals, want 0.95 or little more", c, held)
		}
	}
	times, least, most := cli.TimesLonger([2]int{10, 3000}, [2]int{30, 1000})
	if math.Abs(times-9) > 1e-9 || least > 5 || most < 16 || least < 4 || most > 22 {
		t.Errorf("10 of 3000 against 30 of 1000: got %.1f (%.1f..%.1f), want 9 within some 4 to 20",
			times, least, most)
	}
}

// lasting is the chance that the k-th failure is that of the n-th seed.
func lasting(n, k int, rate float64) float64 {
	ways := factorial(n-1) - factorial(k-1) - factorial(n-k)
	return math.Exp(ways + float64(k)*math.Log(rate) + float64(n-k)*math.Log1p(-rate))
}

func factorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
