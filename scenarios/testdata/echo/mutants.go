package main

import (
	"slices"

	"github.com/downset/downset/sim"
)

// mumbler is a node that answers every word with the same one.
type mumbler struct{ node }

func (m mumbler) Receive(env *sim.Env, from sim.NodeID, body sim.Message) {
	s := body.(say)
	s.Word = "mumble"
	m.node.Receive(env, from, s)
}

// withMutants is Protocol with a workload for sweeps, and a form of it that is wrong on purpose, to
// see that faithful catches it.
func withMutants() *sim.Protocol {
	p := *Protocol
	p.Draw = draw
	p.Variants = append(slices.Clip(p.Variants), sim.Variant{
		Name:   "mumbles",
		Of:     "plain",
		Breaks: "faithful",
		New:    func(sim.NodeID, []sim.NodeID) sim.Machine { return &mumbler{} },
	})
	return &p
}
