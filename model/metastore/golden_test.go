package metastore_test

import (
	"flag"
	"testing"

	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	scenarios.Hashes(t, metastore.Protocol, scenarios.HashOptions{})
}
