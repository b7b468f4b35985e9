package synchro_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, synchro.Protocol, os.DirFS("../../scenarios/synchro"))
}
