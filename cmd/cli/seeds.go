package cli

import (
	"strconv"
	"strings"

	"github.com/downset/downset/scenarios"
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
