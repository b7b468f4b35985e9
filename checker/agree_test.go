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
}
