package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const (
	temperFile = "temperaments.md"
	// temperFrom is the first seed that is played: those before it are of small clusters.
	temperFrom = 201
	// temperEnough is after how many failures a temperament has been tried enough.
	temperEnough = 100
	// temperMost bounds the seeds until then.
	temperMost = 20_000
)

// weathered is what playing a wrong variant under one temperament came to.
type weathered struct {
	failing, seeds int
	enough         bool // the last seed played is the last of as many failures as were wanted
}

// wait is the mean number of seeds to a failure, and where it lies with 95 % confidence. Without a
// failure only the least is known, and the others are 0.
func (w weathered) wait() (mean, least, most float64) {
	low, high := rates(w)
	if w.failing == 0 {
		return 0, 1 / high, 0
	}
	return float64(w.seeds) / float64(w.failing), 1 / high, 1 / low
}

// blind says that nothing was found.
func (w weathered) blind() bool { return w.failing == 0 }

// temperaments are what is measured: the parts of the mix, and the mix as the last.
func temperaments() []search.Temperament {
	var all []search.Temperament
	for i := range search.Temperaments() {
		if t := search.Temperament(i); t != search.Mix {
			all = append(all, t)
		}
	}
	return append(all, search.Mix)
}

// climate is what came of a wrong variant, by temperament.
type climate struct {
	*sweeping
	under []weathered
}

// climateOf plays a wrong variant under each temperament.
func climateOf(s *sweeping, most int) (*climate, error) {
	c := &climate{sweeping: s}
	for _, t := range temperaments() {
		w, err := weather(s, search.Adversity{Temperament: t}, trial{most: most, enough: temperEnough})
		if err != nil {
			return nil, err
		}
		c.under = append(c.under, w)
	}
	return c, nil
}

// trial is how long a wrong variant is tried: so many seeds at most, or until so many have failed,
// 0 being no limit. each, if there is one, is shown every run.
type trial struct {
	most, enough int
	each         func(*sim.Run)
}

// weather plays one seed after another, each as it would come under the adversity.
func weather(s *sweeping, under search.Adversity, t trial) (w weathered, err error) {
	campaign := *s.Campaign
	campaign.Adversity = under
	world := new(sim.World)
	for ; w.seeds < t.most && !w.enough; w.seeds++ {
		plan, err := campaign.Plan(temperFrom + uint64(w.seeds))
		if err != nil {
			return w, usage("%w", err)
		}
		run, err := world.Execute(plan, sim.Options{})
		if err != nil {
			return w, usage("%w", err)
		}
		if t.each != nil {
			t.each(run)
		}
		if breaks(&campaign, run) {
			w.failing++
			w.enough = w.failing == t.enough
		}
	}
	return w, nil
}

// breaks says that a run breaks what the variant says it breaks. That is judged alone first: most
// runs do not break it.
func breaks(c *scenarios.Campaign, run *sim.Run) bool {
	var wanted []sim.Property
	for _, p := range c.Protocol.Properties {
		if p.Name == c.Variant.Breaks {
			wanted = append(wanted, p)
		}
	}
	for _, properties := range [][]sim.Property{wanted, c.Protocol.Properties} {
		if !slices.Contains(checker.Judge(run, properties).Broken(), c.Variant.Breaks) {
			return false
		}
	}
	return true
}

// writeTemperaments measures every wrong variant under every temperament.
func (a *app) writeTemperaments(f resultFlags) error {
	flags := f.sweepFlags()
	all, err := a.fewWrong(flags)
	if err != nil {
		return err
	}
	climates, err := shared(a, all, flags.jobs, func(s *sweeping) (*climate, error) {
		return climateOf(s, f.temperMost())
	})
	if err != nil {
		return err
	}
	lines, err := temperSample(all, f.temperMost())
	if err != nil {
		return err
	}
	return a.writeResult(path.Join(f.dir, temperFile),
		temperPage(climates, f.temperMost())+sampled(temperSampled, lines))
}

func (f resultFlags) temperMost() int {
	if f.seeds > 0 {
		return f.seeds
	}
	return temperMost
}

// shared shares the variants among jobs. What comes of one depends on nothing else.
func shared[T any](a *app, all []*sweeping, jobs int, of func(*sweeping) (*T, error)) (
	[]*T, error) {
	defer collectSeldom()()
	rows, errs := make([]*T, len(all)), make([]error, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)) && !a.interrupted(); i = next.Add(1) - 1 {
				rows[i], errs[i] = of(all[i])
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	if slices.Contains(rows, nil) {
		return nil, &failure{exitUndecided, errInterrupted}
	}
	return rows, nil
}

const temperSampled = "the names of the wrong variants, and the first mutant measured again"

func (a *app) checkTemperaments(f resultFlags) (string, error) {
	all, err := a.fewWrong(f.sweepFlags())
	if err != nil {
		return "", err
	}
	lines, err := temperSample(all, f.temperMost())
	if err != nil {
		return "", err
	}
	return f.sampleOrRowDiffers(temperFile, lines)
}

// sampleOrRowDiffers says that a page does not end with the sample that is taken now, or has
// another row of the first mutant, which the sample ends with.
func (f resultFlags) sampleOrRowDiffers(file string, lines []string) (string, error) {
	wrong, err := f.sampleDiffers(file, temperSampled, lines)
	if err != nil || wrong != "" {
		return wrong, err
	}
	text, err := f.old(file)
	if err != nil {
		return "", err
	}
	for row := range strings.Lines(lines[len(lines)-1]) {
		if !strings.Contains(text, row) {
			return "measured again, a row reads " + strings.TrimSpace(row), nil
		}
	}
	return "", nil
}

// temperSample ends with the row of the first mutant.
func temperSample(all []*sweeping, most int) ([]string, error) {
	return rowSample(all, func(s *sweeping) (string, error) {
		c, err := climateOf(s, most)
		if err != nil {
			return "", err
		}
		return c.row(), nil
	})
}

// rowSample is the names of the wrong variants, and the row of the first mutant.
func rowSample(all []*sweeping, row func(*sweeping) (string, error)) ([]string, error) {
	var lines []string
	for _, s := range all {
		lines = append(lines, s.name()+" "+s.Variant.Breaks)
	}
	first := slices.IndexFunc(all, func(s *sweeping) bool { return s.Variant.Mutant() })
	if first < 0 {
		return lines, nil
	}
	text, err := row(all[first])
	if err != nil {
		return nil, err
	}
	return append(lines, fmt.Sprintf("seeds from %d", temperFrom), text), nil
}
