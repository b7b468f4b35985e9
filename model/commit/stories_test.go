package commit_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, commit.Protocol, os.DirFS("../../scenarios/commit"))
}
