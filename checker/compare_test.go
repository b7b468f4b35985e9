package checker_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/cut"
)

func TestTheScanAgreesWithTheEnumerationOnEveryVariantOfTheModel(t *testing.T) {
	var all []checker.Comparison
	var sum checker.Comparison
	runs := 60
	if testing.Short() {
		runs = 20
	}
	for _, v := range cut.Protocol.Variants {
		c, err := cut.Cuts.CompareVariant(cut.Protocol, v.Name, runs, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.First {
			t.Errorf("%s: %s", c.Name, text)
		}
		all = append(all, c)
		sum.Runs, sum.Consistent = sum.Runs+c.Runs, sum.Consistent+c.Consistent
		sum.Inconsistent += c.Inconsistent
	}
	t.Logf("\n%s", checker.Table(all...))
	if sum.Runs < 15*runs || sum.Consistent < 10*runs || sum.Inconsistent < runs/2 {
		t.Errorf("%d runs, %d cuts consistent, %d not: too few to test anything", sum.Runs,
			sum.Consistent, sum.Inconsistent)
	}
}

func TestTheReportOfAComparisonCountsItsRuns(t *testing.T) {
	all, err := cut.Cuts.CompareAll(cut.Protocol, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, c := range all {
		runs += c.Runs
	}
	if runs != 200 || len(all) != 1+len(cut.Protocol.Variants) {
		t.Errorf("got %d runs in %d rows, want 200 in %d", runs, len(all), 1+len(cut.Protocol.Variants))
	}
	for _, want := range []string{"random computations", "cut signed", "They disagree about 0 cuts"} {
		if !strings.Contains(checker.Report(all), want) {
			t.Errorf("the report lacks %q:\n%s", want, checker.Report(all))
		}
	}
}

func TestCompareVariantWantsAVariant(t *testing.T) {
	_, err := cut.Cuts.CompareVariant(cut.Protocol, "sined", 1, 1)
	if err == nil || !strings.Contains(err.Error(), "signed") {
		t.Errorf("got %v, want an error that names the nearest variant", err)
	}
}
