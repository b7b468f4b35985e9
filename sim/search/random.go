package search

import (
	"time"

	"github.com/downset/downset/sim"
)

// roomForFaults is how many actions a tempered plan has beside its load, at most but for joins.
const roomForFaults = 9

// drawnPace is the time in which a drawn workload makes one request, of a protocol that has no
// slower pace of its own.
const drawnPace = 2 * time.Millisecond

// Random is a plan for a seed when there is no story to start from: some nodes, a drawn set-up and
// workload, a tempered network. Size is a function of the seed alone, small ones first.
func Random(p *sim.Protocol, v sim.Variant, seed uint64, t Temperament) *sim.Plan {
	return Adversity{Temperament: t}.Random(p, v, seed)
}

// Random is a plan for a seed under an adversity.
func (a Adversity) Random(p *sim.Protocol, v sim.Variant, seed uint64) *sim.Plan {
	d := drawer{seed}
	most := int64(3)
	if seed > 200 {
		most = 5
	}
	nodes := 2 + d.below(most-1, "nodes")
	plan := &sim.Plan{Protocol: p, Variant: v, Timed: true, Seed: seed}
	for i := range nodes {
		plan.Nodes = append(plan.Nodes, string(rune('P'+i)))
	}
	if p.Joins && d.one(3, "later?") {
		plan.Later = []string{string(rune('P' + nodes))}
	}
	ops := 3 + d.below(6, "ops")
	if seed > 200 {
		ops = 4 + d.below(16, "ops")
	}
	draws := &sim.Draws{Nodes: plan.Nodes, Later: plan.Later,
		Clients: 1 + int(d.below(4, "clients")),
		Ops:     int(ops), Span: max(drawnPace, p.Pace) * time.Duration(ops), Seed: seed}
	if p.Cluster != nil {
		plan.Setup = p.Cluster(draws)
		draws.Setup = plan.Setup
	}
	if p.Draw != nil {
		load := p.Draw(draws)
		plan.Load = append(make([]sim.Action, 0, len(load)+roomForFaults), load...)
	}
	a.Temper(plan)
	return plan
}
