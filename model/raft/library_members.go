package raft

import (
	"slices"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// raftID is a node's name in the library, which has no node 0.
func raftID(id sim.NodeID) uint64 { return uint64(id) + 1 }

// nodeOf is the node of a name in the library.
func nodeOf(id uint64) sim.NodeID {
	if id == 0 {
		return sim.Nobody
	}
	return sim.NodeID(id - 1)
}

func raftIDs(ids []sim.NodeID) []uint64 {
	list := make([]uint64, len(ids))
	for i, id := range ids {
		list[i] = raftID(id)
	}
	return list
}

func nodesOf(ids ...[]uint64) []sim.NodeID {
	var list []sim.NodeID
	for _, part := range ids {
		for _, id := range part {
			list = append(list, nodeOf(id))
		}
	}
	slices.Sort(list)
	return list
}

// confState is a configuration as the library has it: voters that are to be learners once the joint
// one is left have a list of their own.
func (m Members) confState() *raftpb.ConfState {
	var learners, next []sim.NodeID
	for _, id := range m.Learners {
		if slices.Contains(m.Outgoing, id) {
			next = append(next, id)
		} else {
			learners = append(learners, id)
		}
	}
	return &raftpb.ConfState{Voters: raftIDs(m.Voters), VotersOutgoing: raftIDs(m.Outgoing),
		Learners: raftIDs(learners), LearnersNext: raftIDs(next), AutoLeave: new(m.Joint())}
}

// membersOf is the library's configuration as ours.
func membersOf(c *raftpb.ConfState) Members {
	return Members{Voters: nodesOf(c.GetVoters()), Outgoing: nodesOf(c.GetVotersOutgoing()),
		Learners: nodesOf(c.GetLearners(), c.GetLearnersNext())}
}

// change is the library's command that leads from m to a configuration, in one step or into the
// joint one on the way. It is empty if it leaves a joint one.
func (m Members) change(to Members) *raftpb.ConfChangeV2 {
	c := &raftpb.ConfChangeV2{}
	if m.Joint() {
		return c
	}
	add := func(what raftpb.ConfChangeType, id sim.NodeID) {
		c.Changes = append(c.Changes, &raftpb.ConfChangeSingle{Type: what.Enum(),
			NodeId: new(raftID(id))})
	}
	for _, id := range to.Voters {
		if !slices.Contains(m.Voters, id) {
			add(raftpb.ConfChangeAddNode, id)
		}
	}
	for _, id := range to.Learners {
		if !slices.Contains(m.Learners, id) {
			add(raftpb.ConfChangeAddLearnerNode, id)
		}
	}
	for _, id := range sortedNodes(m.Voters, m.Learners) {
		if !slices.Contains(to.Voters, id) && !slices.Contains(to.Learners, id) {
			add(raftpb.ConfChangeRemoveNode, id)
		}
	}
	return c
}

// after is the configuration that such a command makes of m, on the way to another.
func (m Members) after(c *raftpb.ConfChangeV2, to Members) Members {
	if len(c.GetChanges()) > 1 {
		return Members{Voters: to.Voters, Outgoing: m.Voters, Learners: to.Learners}
	}
	return to
}

// left is the configuration after a joint one.
func (m Members) left() Members { return Members{Voters: m.Voters, Learners: m.Learners} }

// sortedNodes are the nodes of some lists, ascending.
func sortedNodes(lists ...[]sim.NodeID) []sim.NodeID {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// ordered is a configuration with each list ascending, and each node in it once.
func (m Members) ordered() Members {
	return Members{Voters: sortedNodes(m.Voters), Outgoing: sortedNodes(m.Outgoing),
		Learners: sortedNodes(m.Learners)}
}

// changeBytes are a change as the library has it in an entry.
func changeBytes(c *raftpb.ConfChangeV2) []byte {
	if len(c.GetChanges()) == 0 {
		return nil // as the library itself leaves a joint configuration
	}
	_, data, err := raftpb.MarshalConfChange(c)
	if err != nil {
		panic(err.Error())
	}
	return data
}
