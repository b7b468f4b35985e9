package cli

import (
	"strconv"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// defaultSeeds are the seeds that a sweep plays unless told otherwise.
const defaultSeeds = "1..10000"

// endless is how many seeds a sweep has that is bounded by time alone.
const endless = 1 << 30

// parseSeeds reads A..B, or N for the first N seeds.
func parseSeeds(text string) (scenarios.Seeds, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		from, to = "1", text
	}
	a, errA := strconv.ParseUint(from, 10, 63)
	b, errB := strconv.ParseUint(to, 10, 63)
	if errA != nil || errB != nil || a < 1 || b < a || b-a >= endless {
		return scenarios.Seeds{}, usage(
			"--seeds wants A..B or a number of seeds, from 1 on and at most %d, got %q", endless, text)
	}
	return scenarios.Seeds{From: a, To: b}, nil
}

// parseShard takes the i-th of n equal parts of some seeds, of which the first is 1/n.
func parseShard(text string, seeds scenarios.Seeds) (scenarios.Seeds, error) {
	if text == "" {
		return seeds, nil
	}
	part, of, _ := strings.Cut(text, "/")
	i, errI := strconv.ParseUint(part, 10, 31)
	n, errN := strconv.ParseUint(of, 10, 31)
	count := seeds.To - seeds.From + 1
	if errI != nil || errN != nil || i < 1 || i > n || n > count {
		return seeds, usage("--shard wants I/N, from 1/N to N/N, of at most %d seeds, got %q", count,
			text)
	}
	return scenarios.Seeds{
		From: seeds.From + count*(i-1)/n,
		To:   seeds.From + count*i/n - 1,
	}, nil
}

// stirred says that the seed which was asked for decides nothing in a run: it is the same without
// one.
func (s *story) stirred(run *sim.Run) error {
	if s.Seeds != (scenarios.Seeds{}) || run == nil {
		return nil
	}
	plan, err := s.Plan(s.protocol, run.Plan.Variant.Name, 0)
	if err != nil {
		return usage("%w", err)
	}
	if plain, err := sim.Execute(plan); err != nil || plain.Hash != run.Hash {
		return nil // whatever is wrong with the run without a seed, it is another
	}
	return usage("%s: --seed decides nothing: the story has no seeds, and leaves nothing to chance;"+
		" downset sweep plays it in other orders", s.File)
}

// stirred is the same of all runs of what was played.
func (a *app) stirred(p *performance) error {
	for i := range p.played {
		q := &p.played[i]
		var idle error
		err := a.guard(p.protocol, func(w *sim.Protocol) error {
			idle = (&story{q.Scenario, w}).stirred(q.Run)
			return nil
		})
		if err != nil || idle == nil {
			return err
		}
		if i == len(p.played)-1 {
			return idle
		}
	}
	return nil
}
