package cli

import "github.com/downset/downset/sim/search"

// Rates and TimesLonger are for tests.
func Rates(failing, seeds int, enough bool) (low, high float64) {
	return rates(weathered{failing, seeds, enough})
}

func TimesLonger(a, b [2]int) (times, least, most float64) {
	return timesLonger(weathered{a[0], a[1], false}, weathered{b[0], b[1], false})
}

// Guilty and Brief are what why says of an answer, and what a failing test shows of a diff.
func Guilty(a *search.Answer) []string { return (&inquiry{Answer: a}).guilty() }

func Brief(was, now string) string { return brief(diff("was", "now", was, now)) }
