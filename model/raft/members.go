package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// everyone are all nodes of a configuration, in order.
func (m Members) everyone() []sim.NodeID {
	return sortedNodes(m.Voters, m.Outgoing, m.Learners)
}

// wellFormed says that a configuration may be wanted.
func (m Members) wellFormed() bool {
	ascends := func(ids []sim.NodeID) bool {
		return slices.IsSorted(ids) && len(slices.Compact(slices.Clone(ids))) == len(ids)
	}
	return len(m.Voters) > 0 && !m.Joint() && ascends(m.Voters) && ascends(m.Learners) &&
		len(m.everyone()) == len(m.Voters)+len(m.Learners)
}

// toward is the first step to a configuration. If at most one voter changes it is that one (the
// dissertation, 4.1), else the joint one of both (section 6). A learner of the wanted one may be a
// voter of the outgoing half until then.
func (m Members) toward(want Members) Members {
	differ := 0
	for _, id := range slices.Concat(m.Voters, want.Voters) {
		if slices.Contains(m.Voters, id) != slices.Contains(want.Voters, id) {
			differ++
		}
	}
	if differ <= 1 {
		return want
	}
	return Members{Voters: want.Voters, Outgoing: m.Voters, Learners: want.Learners}
}
