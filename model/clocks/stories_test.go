package clocks_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, clocks.Protocol, os.DirFS("../../scenarios/clocks"))
}
