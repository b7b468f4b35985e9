package sim

import (
	"fmt"
	"math/bits"
	"time"
)

// Time is nanoseconds since the start of a run, on the world's clock or on a node's.
type Time int64

// String is the time as a duration since the start.
func (t Time) String() string { return time.Duration(t).String() }

// Add is t after d, but never past the end of time.
func (t Time) Add(d time.Duration) Time {
	sum := t + Time(d)
	if d > 0 && sum < t {
		return never
	}
	return sum
}

// Sub is the duration from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// never is later than anything that happens.
const never = Time(1<<63 - 1)

// clock is a node's clock: what it shows follows the world's time with a rate and an offset.
type clock struct {
	since Time  // the world's time at the last change
	shown Time  // what the clock showed then
	drift int64 // ppm that it runs fast, may be negative
	// how far jumps have moved it in all
	jumped time.Duration
}

// million is the denominator of drift and of probabilities.
const million = 1_000_000

// fastest is the greatest drift: a thousand times as fast as the world.
const fastest = 999 * million

// at is what the clock shows at the world's time t.
func (c *clock) at(t Time) Time {
	passed := t.Sub(c.since)
	if c.drift != 0 {
		passed = time.Duration(mulDiv(int64(passed), million+c.drift, million))
	}
	return c.shown.Add(passed)
}

// world is the world's duration in which the clock advances by about d.
func (c *clock) world(d time.Duration) time.Duration {
	if c.drift == 0 {
		return d
	}
	return time.Duration(mulDiv(int64(d), million, million+c.drift))
}

// due is a world's time from now on at which the clock has advanced by d; the first but for
// rounding, and never an earlier one.
func (c *clock) due(now Time, d time.Duration) Time {
	if c.drift == 0 || d <= 0 {
		return now.Add(d)
	}
	want := c.at(now).Add(d)
	t := now.Add(c.world(d))
	for t < never && c.at(t) < want {
		t = t.Add(max(1, c.world(want.Sub(c.at(t)))))
	}
	return t
}

// jump moves the clock by d at the world's time t.
func (c *clock) jump(t Time, d time.Duration) {
	c.shown, c.since = c.at(t).Add(d), t
	c.jumped += d
}

// steady is what the clock would show at the world's time t had it never jumped.
func (c *clock) steady(t Time) Time { return c.at(t) - Time(c.jumped) }

// skew sets the drift from the world's time t on, in ppm.
func (c *clock) skew(t Time, ppm int64) error {
	if ppm <= -million || ppm > fastest {
		return fmt.Errorf("a drift is between %d and %d ppm, got %d", -million+1, fastest, ppm)
	}
	c.shown, c.since, c.drift = c.at(t), t, ppm
	return nil
}

// mulDiv is a*b/c towards zero, b >= 0 and c > 0; at most the greatest int64, as far from zero.
func mulDiv(a, b, c int64) int64 {
	if a < 0 {
		return -mulDiv(-a, b, c)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return int64(never)
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, uint64(never)))
}
