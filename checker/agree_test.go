package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
)

func TestSearchZonesAndAllOrdersAgreeOnRandomHistories(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	a := checker.CompareLinearizable(n, 1)
	t.Logf("\n%s", a.Table())
	for _, text := range a.First {
		t.Error(text)
	}
	for _, c := range []struct {
		name  string
		v     checker.Verdicts
		least int // of either outcome, in thousandths of the histories compared
	}{
		{"search", a.Search, 150},
		{"zones", a.Zones, 150},
		{"all orders", a.Permutations, 20},
	} {
		if least := c.least * n / 1000; c.v.Legal < least || c.v.Illegal < least {
			t.Errorf("%s: %d histories are legal, %d are not, want %d of both at least", c.name, c.v.Legal,
				c.v.Illegal, least)
		}
	}
	if a.Search.None > 0 || a.Zones.Legal+a.Zones.Illegal < n {
		t.Errorf("%d searches gave up, want none; zones decided %d, want %d", a.Search.None,
			a.Zones.Legal+a.Zones.Illegal, n)
	}
	if a.Open < n/10 || a.Explained < n/50 {
		t.Errorf("%d operations were open and %d wrong returns confirmed, want more", a.Open, a.Explained)
	}
}
