package ignite_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, ignite.Protocol, os.DirFS("../../scenarios/ignite"))
}
