package raft_test

import (
	"os"
	"testing"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
)

func TestStoriesTellOfEveryVariant(t *testing.T) {
	scenarios.Covered(t, raft.Protocol, os.DirFS("../../scenarios/raft"))
}
