package ignite_test

import (
	"flag"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	scenarios.Hashes(t, ignite.Protocol, scenarios.HashOptions{
		Variants: []string{"draft", "merged", "fixed"}, Seeds: 30})
}
