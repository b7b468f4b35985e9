package cli

import "fmt"

// bound is the failure rate that n clean runs rule out with 95 % confidence, 3/n rounded up to
// two digits: "3.0e-4".
func bound(n int) string {
	if n < 3 {
		return "1"
	}
	scaled, exponent := int64(30), 0 // 3/n is scaled/n * 10^-(exponent+1)
	for scaled < 10*int64(n) {
		scaled *= 10
		exponent++
	}
	tenths := (scaled + int64(n) - 1) / int64(n)
	return fmt.Sprintf("%d.%de-%d", tenths/10, tenths%10, exponent)
}

// interval is where a rate lies with 95 % confidence that showed in k of n runs, in parts per
// million, rounded outwards: Wilson's, which is honest near 0 and 1. With z = 1.96 it is
//
//	(k + z²/2 ± z √(k(n-k)/n + z²/4)) / (n + z²)
//
// in units of 1/10,000 above the line and below.
func interval(k, n int) (low, high int64) {
	if n == 0 {
		return 0, 1_000_000
	}
	hit, all := uint64(k), uint64(n)
	spread := hit * (all - hit)
	root := squareRoot(spread/all*1e8 + spread%all*1e8/all + 96_040_000)
	middle, half, whole := hit*1e4+19_208, 196*root/100+1, all*1e4+38_416
	if middle > half {
		low = int64((middle - half) * 1e6 / whole)
	}
	return low, min(1_000_000, int64((middle+half)*1e6/whole)+1)
}

// squareRoot is the largest integer whose square is at most n.
func squareRoot(n uint64) uint64 {
	if n < 2 {
		return n
	}
	guess := n
	for {
		next := (guess + n/guess) / 2
		if next >= guess {
			return guess
		}
		guess = next
	}
}

// percent is parts per million as per cent, to a tenth, or exactly if it is less than one: "41.2
// %", "0.0371 %".
func percent(ppm int64) string {
	if ppm >= 10_000 {
		return fmt.Sprintf("%d.%d %%", ppm/10_000, ppm%10_000/1_000)
	}
	return fmt.Sprintf("0.%04d %%", ppm)
}

// share is k of n in parts per million.
func share(k, n int) int64 {
	if n == 0 {
		return 0
	}
	return int64(k) * 1_000_000 / int64(n)
}
