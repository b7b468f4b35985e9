package scenarios

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// counterpart plays the variant that a mutant spoils under the mutant's plans. What both break the
// mutant's mistake is not to blame for.
type counterpart struct {
	*Campaign
	property string // that the mutant breaks
	variant  sim.Variant
	none     bool // the campaign's variant spoils none
	world    *sim.World
}

func (c *Campaign) counterpart(property string) *counterpart {
	v, err := c.Protocol.Variant(c.Variant.Of)
	return &counterpart{c, property, v, err != nil, new(sim.World)}
}

// holds says that it breaks nothing.
func (r *counterpart) holds(p *sim.Plan) bool {
	if r.none {
		return true
	}
	run, err := r.play(p)
	return err == nil && checker.Judge(run, r.Protocol.Properties).Outcome != checker.Broken
}

// excuses says that it breaks nothing but what it is itself known to break, which must be something
// else than the mutant does.
func (r *counterpart) excuses(p *sim.Plan) bool {
	known := r.variant.Breaks
	if known == "" || known == r.property {
		return false
	}
	run, err := r.play(p)
	if err != nil || len(checker.Judge(run, r.alone(r.property)).Broken()) > 0 {
		return false
	}
	others := func(broken string) bool { return broken != known }
	return !slices.ContainsFunc(checker.Judge(run, r.Protocol.Properties).Broken(), others)
}

func (r *counterpart) play(p *sim.Plan) (*sim.Run, error) {
	q := *p
	q.Variant = r.variant
	return r.world.Execute(&q, sim.Options{})
}

// alone is one property of the protocol, to be judged without the others.
func (c *Campaign) alone(property string) []sim.Property {
	return slices.DeleteFunc(slices.Clone(c.Protocol.Properties),
		func(p sim.Property) bool { return p.Name != property })
}
