package register

import (
	"slices"

	"github.com/downset/downset/sim"
)

// variant is a row of the table.
type variant struct {
	name, doc string
	policy    policy
	// Of a variant that is wrong on purpose: what it is made from, what must catch it, and how a
	// node is tampered with at its door; nil if it is the policy that is spoiled.
	of, breaks string
	wrap       func(*node) sim.Machine
}

var published = []variant{
	{name: "abd", policy: writeBack{},
		doc: "a read stores what it returns at a majority first (Attiya, Bar-Noy, Dolev 1995; many " +
			"writers after Lynch and Shvartsman 1997)"},
	{name: "fast-read", policy: unlessAgreed{},
		doc: "a read returns at once if all of its majority have the same version: then that is " +
			"where it belongs already"},
}

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, v := range slices.Concat(published, sabotaged) {
		list = append(list, v.made())
	}
	return list
}

func (v variant) made() sim.Variant {
	return sim.Variant{Name: v.name, Doc: v.doc, Of: v.of, Breaks: v.breaks,
		New: func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			n := &node{policy: v.policy, id: id, quorum: len(founders)/2 + 1}
			if v.wrap == nil {
				return n
			}
			return v.wrap(n)
		}}
}

// writeBack always stores.
type writeBack struct{}

func (writeBack) back(_ *node, o *operation) (v version, needed bool) { return o.Best, true }

// unlessAgreed stores if somebody of the majority lacks the version.
type unlessAgreed struct{}

func (unlessAgreed) back(_ *node, o *operation) (v version, needed bool) { return o.Best, !o.Agree }
