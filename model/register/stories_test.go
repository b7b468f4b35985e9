package register_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/register"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, register.Protocol, os.DirFS("../../scenarios/register"))
}
