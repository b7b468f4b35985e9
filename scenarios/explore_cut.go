package scenarios

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// A way as the engine tells it has a line for each of its moves. A reader wants those that matter:
// what is delivered anyhow, once the story is over, need not be said.

// cutDown takes out of a told way what it does not take to break a property. It gives nil if the
// told way does not break it.
func (x *Exploring) cutDown(told *sim.Plan, property string) *search.Shrunk {
	k := &cutter{world: new(sim.World), same: x.same(told, property)}
	if !k.fails(told) { // as it may be if the variant that a mutant spoils does not hold either
		k.same = func(_ *sim.Plan, run *sim.Run) bool {
			return slices.Contains(checker.Judge(run, x.Protocol.Properties).Broken(), property)
		}
	}
	if !k.fails(told) {
		return nil
	}
	out := &search.Shrunk{ActionsWas: len(told.Script), ExceptionsWas: len(told.Chance)}
	p := k.certain(k.without(k.flowing(told)))
	out.Plan, out.Runs = p, k.runs
	out.Actions, out.Exceptions = len(p.Script), len(p.Chance)
	return out
}

// cutter tries smaller plans.
type cutter struct {
	world *sim.World
	same  func(*sim.Plan, *sim.Run) bool
	runs  int
}

func (k *cutter) fails(p *sim.Plan) bool {
	k.runs++
	run, err := k.world.Execute(p, sim.Options{})
	return err == nil && k.same(p, run)
}

// flowing is the plan without a hold on all links and without deliveries, if it breaks the same:
// then it takes no order of messages but the plain one.
func (k *cutter) flowing(p *sim.Plan) *sim.Plan {
	q := *p
	q.Network.Manual = false
	q.Script = slices.DeleteFunc(slices.Clone(p.Script), func(a sim.Action) bool {
		delivers := a.Verb == sim.Deliver || a.Verb == sim.DeliverUpto
		return a.Verb == sim.Hold || delivers && !slices.Contains(a.Pattern.From, "clock")
	})
	if k.fails(&q) {
		return &q
	}
	return p
}

// without takes out line by line, the last first, and choice by choice, until all are needed.
func (k *cutter) without(p *sim.Plan) *sim.Plan {
	for again := true; again; {
		again = false
		for i := len(p.Script) - 1; i >= 0; i-- {
			q := *p
			q.Script = slices.Delete(slices.Clone(p.Script), i, i+1)
			if k.fails(&q) {
				p, again = &q, true
			}
		}
		for i := len(p.Chance) - 1; i >= 0; i-- {
			q := *p
			q.Chance = slices.Delete(slices.Clone(p.Chance), i, i+1)
			if k.fails(&q) {
				p, again = &q, true
			}
		}
	}
	return p
}

// certain drops the maybe of lines that do come to something.
func (k *cutter) certain(p *sim.Plan) *sim.Plan {
	for i := range p.Script {
		if !p.Script[i].Maybe {
			continue
		}
		q := *p
		q.Script = slices.Clone(p.Script)
		q.Script[i].Maybe = false
		k.runs++
		run, err := k.world.Execute(&q, sim.Options{})
		if err == nil && len(run.Stale) == 0 && k.same(&q, run) {
			p = &q
		}
	}
	return p
}
