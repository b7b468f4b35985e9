package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// rows is the table: what is right, and what is wrong on purpose.
func rows() []row {
	return slices.Concat(rightRows(), referenceMutants(), libraryMutants(), nodeMutants())
}

// rightRows are the forms that keep every promise.
func rightRows() []row {
	return []row{
		{name: "raft", doc: "our own engine, after the paper and the dissertation: pre-vote, " +
			"check-quorum, joint configurations, reads by index"},
		{name: "etcd", doc: "go.etcd.io/raft/v3, driven synchronously: records are durable before " +
			"messages leave", rules: rules{Library: true}},
		{name: "etcd-async", doc: "the same with asynchronous storage writes: disk and state machine " +
			"have queues, and what rests on them waits for them",
			rules: rules{Library: true, Harness: libraryRules{Async: true}}},
	}
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, r := range rows() {
		list = append(list, r.variant())
	}
	return list
}

func (r row) variant() sim.Variant {
	return sim.Variant{Name: r.name, Doc: r.doc, Of: r.of, Breaks: r.breaks, Story: r.story,
		New: func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
			return &node{rules: r.rules, id: id}
		}}
}
