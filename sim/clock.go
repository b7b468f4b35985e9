package sim

import (
	"fmt"
	"time"
)

// Time is nanoseconds since the start of a run, on the world's clock or on a node's.
type Time int64

// String is the time as a duration since the start.
func (t Time) String() string { return time.Duration(t).String() }

// Add is t after d.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub is the duration from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// never is later than anything that happens.
const never = Time(1<<63 - 1)

// clock is a node's clock: what it shows follows the world's time with a rate and an offset.
type clock struct {
	since Time  // the world's time at the last change
	shown Time  // what the clock showed then
	drift int64 // ppm that it runs fast, may be negative
}

// million is the denominator of drift and of probabilities.
const million = 1_000_000

// at is what the clock shows at the world's time t.
func (c *clock) at(t Time) Time {
	passed := int64(t - c.since)
	return c.shown + Time(passed+mulDiv(passed, c.drift, million))
}

// world is the world's duration in which the clock advances by d: what a timer has to wait.
func (c *clock) world(d time.Duration) time.Duration {
	if c.drift == 0 {
		return d
	}
	return time.Duration(mulDiv(int64(d), million, million+c.drift))
}

// jump moves the clock by d at the world's time t.
func (c *clock) jump(t Time, d time.Duration) {
	c.shown, c.since = c.at(t).Add(d), t
}

// skew sets the drift from the world's time t on, in ppm; it must stay above -1,000,000.
func (c *clock) skew(t Time, ppm int64) error {
	if ppm <= -million {
		return fmt.Errorf("a drift of %d ppm would stop the clock", ppm)
	}
	c.shown, c.since, c.drift = c.at(t), t, ppm
	return nil
}

// mulDiv is a*b/c without overflow in between for the sizes that occur here: it splits a.
func mulDiv(a, b, c int64) int64 {
	return a/c*b + a%c*b/c
}
