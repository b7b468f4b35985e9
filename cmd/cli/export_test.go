package cli

import (
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Rates and TimesLonger are for tests.
func Rates(failing, seeds int, enough bool) (low, high float64) {
	return rates(weathered{failing, seeds, enough})
}

func TimesLonger(a, b [2]int) (times, least, most float64) {
	return timesLonger(weathered{a[0], a[1], false}, weathered{b[0], b[1], false})
}

// Ticking is the clock of what takes long.
var Ticking = ticking

// Guilty and Brief are what why says of an answer, and what a failing test shows of a diff.
func Guilty(a *search.Answer) []string { return (&inquiry{Answer: a}).guilty() }

func Brief(was, now string) string { return brief(diff("was", "now", was, now)) }

// SharedRows is what is printed of an exploration by several workers, of 200,000 states at most, but
// for the speed.
func SharedRows(way search.Explored, past []string, p *sim.Protocol) string {
	x := &explored{Explored: &scenarios.Explored{Explored: way}, how: &scenarios.Exploring{Past: past},
		sweeping: &sweeping{Campaign: &scenarios.Campaign{Protocol: p}}, flags: &exploreFlags{maxStates: 200_000}}
	var text strings.Builder
	for _, row := range x.rows(true) {
		if row[0] != "speed" {
			text.WriteString(strings.Join(row, " ") + "\n")
		}
	}
	return text.String()
}
