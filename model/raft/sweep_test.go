package raft_test

import (
	"testing"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
)

func TestSweepOfTheRightVariants(t *testing.T) {
	for _, s := range []struct {
		variant string
		seeds   uint64
		goals   bool
	}{{"raft", 1000, true}, {"etcd", 600, false}, {"etcd-async", 600, false}} {
		t.Run(s.variant, func(t *testing.T) {
			scenarios.Sweep(t, raft.Protocol, scenarios.SweepOptions{Goals: s.goals,
				Variants: []string{s.variant}, Seeds: scenarios.Seeds{From: 1, To: s.seeds}})
		})
	}
}
