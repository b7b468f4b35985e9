package metastore_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, metastore.Protocol, os.DirFS("../../scenarios/metastore"))
}
