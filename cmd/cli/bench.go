package cli

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	rounds int
	time   time.Duration
	jobs   int
}

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [MODEL...]",
		Short: "Measures events, runs and checked runs a second, as JSON, an object a line",
		RunE: func(_ *cobra.Command, args []string) error {
			if f.rounds < 1 || f.time <= 0 || f.jobs < 1 {
				return usage("want --rounds and --jobs of at least 1, and a --time")
			}
			return a.bench(args, f)
		},
	}
	cmd.Flags().IntVar(&f.rounds, "rounds", 5, "measure so often, and take the median")
	cmd.Flags().DurationVar(&f.time, "time", 200*time.Millisecond, "how long a measurement takes")
	cmd.Flags().IntVar(&f.jobs, "jobs", search.Cores(), "sweep with so many jobs")
	return cmd
}

// contender is one thing to measure.
type contender struct {
	name, unit string
	against    string          // name of the contender that it is a ratio to, "" if it is none
	round      func() (n int)  // does some of it, and says how many
	rates      []time.Duration // a thousand of it took so long, by round
	allocs     float64         // of one of it
}

// benchObject is one measurement. Ratio is how many times as long one of it takes as one of
// Against.
type benchObject struct {
	header
	Name    string  `json:"name"`
	Value   int64   `json:"value"`
	Unit    string  `json:"unit"`
	Allocs  float64 `json:"allocs"`
	Against string  `json:"against,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Rounds  int     `json:"rounds"`
	Version string  `json:"version"`
}

// bench measures all contenders in turns, so that what else the machine does befalls them alike.
func (a *app) bench(models []string, f benchFlags) error {
	if len(models) == 0 {
		models = a.models()
	}
	all := engineContenders()
	for _, name := range models {
		p, err := a.protocol(name)
		if err != nil {
			return usage("%w", err)
		}
		some, err := modelContenders(p, f.jobs)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	for _, c := range all {
		c.countAllocs()
	}
	for range f.rounds {
		for _, c := range all {
			if a.interrupted() {
				return &failure{exitUndecided, errInterrupted}
			}
			c.measure(f.time)
		}
	}
	return a.measured(all)
}

func (a *app) measured(all []*contender) error {
	for _, c := range all {
		o := benchObject{header: header{format, "bench"}, Name: c.name, Unit: c.unit + "/s",
			Value: int64(1000 * time.Second / max(1, c.median())), Allocs: c.allocs, Rounds: len(c.rates),
			Version: version()}
		for _, other := range all {
			if other.name == c.against {
				o.Against = other.name
				o.Ratio = float64(int64(c.median())*100/max(1, int64(other.median()))) / 100
			}
		}
		if err := a.object(o); err != nil {
			return err
		}
	}
	return nil
}

// measure repeats rounds until some time has passed.
func (c *contender) measure(limit time.Duration) {
	done, start := 0, time.Now()
	for time.Since(start) < limit {
		done += c.round()
	}
	c.rates = append(c.rates, time.Since(start)*1000/time.Duration(max(1, done)))
}

func (c *contender) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.rates))
	return sorted[len(sorted)/2]
}

// countAllocs counts what one round allocates once everything is warm.
func (c *contender) countAllocs() {
	c.round()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := c.round()
	runtime.ReadMemStats(&after)
	// To a hundredth: what the runtime allocates on the side is not of interest.
	c.allocs = float64(int64(after.Mallocs-before.Mallocs)*100/int64(max(1, n))) / 100
}

// benchSeeds are how many seeds a round plays.
const benchSeeds = 100

// modelContenders are runs of a model's first right variant, as a sweep draws them: played,
// played and judged, and swept on all cores.
func modelContenders(p *sim.Protocol, jobs int) ([]*contender, error) {
	names := namesOf(p, isRight)
	if len(names) == 0 {
		return nil, nil
	}
	c, err := scenarios.NewCampaign(p, names[0], nil)
	if err != nil {
		return nil, usage("%w", err)
	}
	title := p.Name + "/" + names[0]
	run := &contender{name: "run/" + title, unit: "runs", round: played(c, false)}
	checked := &contender{name: "checked/" + title, unit: "runs", against: run.name,
		round: played(c, true)}
	alone := &contender{name: "sweep/" + title + "/jobs=1", unit: "runs", against: checked.name,
		round: sweeper(c, 1)}
	all := []*contender{run, checked, alone}
	if jobs > 1 {
		all = append(all, &contender{name: fmt.Sprintf("sweep/%s/jobs=%d", title, jobs), unit: "runs",
			against: alone.name, round: sweeper(c, jobs)})
	}
	return all, nil
}

// sweeper sweeps some seeds with some jobs.
func sweeper(c *scenarios.Campaign, jobs int) func() int {
	s := c.Sweep()
	s.From, s.To, s.Jobs = 1, 4*benchSeeds, jobs
	return func() int {
		defer collectSeldom()()
		return search.Sweep(s).Seeds
	}
}

// played plays some seeds one after another in one world, and judges them if that is wanted.
func played(c *scenarios.Campaign, judged bool) func() int {
	world := new(sim.World)
	return func() int {
		for seed := uint64(1); seed <= benchSeeds; seed++ {
			plan, err := c.Plan(seed)
			if err != nil {
				panic(err)
			}
			run, err := world.Execute(plan, sim.Options{})
			if err != nil {
				panic(err)
			}
			if judged {
				c.Judge(run)
			}
		}
		return benchSeeds
	}
}
