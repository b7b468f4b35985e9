package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
)

func TestTheScanAgreesWithTheEnumerationOnRandomComputations(t *testing.T) {
	c := checker.CompareSketches(2000, 1)
	t.Logf("\n%s", checker.Table(c))
	for _, text := range c.First {
		t.Error(text)
	}
}
