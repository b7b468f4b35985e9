package cli

// Rates and TimesLonger are for tests.
func Rates(failing, seeds int, enough bool) (low, high float64) {
	return rates(weathered{failing, seeds, enough})
}

func TimesLonger(a, b [2]int) (times, least, most float64) {
	return timesLonger(weathered{a[0], a[1], false}, weathered{b[0], b[1], false})
}
