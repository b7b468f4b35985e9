package cli

import "math"

// The intervals of results/temperaments.md are computed in floating point: they are printed, to two
// or three digits, and decide nothing.

// tail is what each side of an interval leaves out.
const tail = 0.025

// rates is where the rate of failures lies with 95 % confidence.
//
// The lower bound is the rate at which so many failures in so few seeds would be a matter of 2.5 %,
// the upper that at which so few in so many would. A series that ends with a failure says the
// latter of the seeds before its last only: k-1 failures among n-1 seeds.
func rates(w weathered) (low, high float64) {
	k, n := w.failing, w.seeds
	if k > 0 {
		low = solve(func(p float64) bool { return 1-atMost(k-1, n, p) > tail })
	}
	if w.enough {
		k, n = k-1, n-1
	}
	return low, solve(func(p float64) bool { return atMost(k, n, p) < tail })
}

// timesLonger is how many times as long a takes to fail as b, and where that lies with 95 %
// confidence. Of failures that two Poisson processes count together, each belongs to b with a
// chance that their rates and seeds give, so that bounds of this chance are bounds of the ratio.
func timesLonger(a, b weathered) (times, least, most float64) {
	both := a.failing + b.failing
	seeds := float64(a.seeds) / float64(b.seeds)
	odds := func(p float64) float64 { return p / (1 - p) * seeds }
	low, high := rates(weathered{failing: b.failing, seeds: both})
	return odds(float64(b.failing) / float64(both)), odds(low), odds(high)
}

// solve is the least p in [0, 1] of which beyond is true, which is false below it and true above.
func solve(beyond func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if beyond(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// atMost is the chance that at most k of n seeds fail, if each does so with chance p.
func atMost(k, n int, p float64) float64 {
	switch {
	case k >= n:
		return 1
	case k < 0 || p >= 1:
		return 0
	case p <= 0:
		return 1
	}
	sum, whole := 0.0, logFactorial(n)
	for i := range k + 1 {
		ways := whole - logFactorial(i) - logFactorial(n-i)
		sum += math.Exp(ways + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(sum, 1)
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
