package raft

import "github.com/downset/downset/sim"

// ReferenceRules are the decisions of our own engine.
type ReferenceRules = referenceRules

// Ruled is the protocol with one variant, "changed": our own engine with these rules.
func Ruled(r ReferenceRules) *sim.Protocol {
	p := *Protocol
	p.Variants = []sim.Variant{row{name: "changed", rules: rules{Reference: r}}.variant()}
	p.Rules, p.Apply, p.Final = nil, nil, nil
	return &p
}

// ReferenceMutant is a row of our own engine that is wrong on purpose.
type ReferenceMutant struct {
	Rules  ReferenceRules
	Breaks string
}

// ReferenceMutants are those rows by name.
func ReferenceMutants() map[string]ReferenceMutant {
	rows := map[string]ReferenceMutant{}
	for _, r := range referenceMutants() {
		rows[r.name] = ReferenceMutant{r.rules.Reference, r.breaks}
	}
	return rows
}
