package raft_test

import (
	"flag"
	"testing"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

func TestHashesOfRandomPlansAreTheStoredOnes(t *testing.T) {
	scenarios.Hashes(t, raft.Protocol, scenarios.HashOptions{})
}
