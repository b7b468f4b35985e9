package cli

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// sweeping is one variant to sweep, and what must come of it.
type sweeping struct {
	*scenarios.Campaign
	source string   // FILE or MODEL, as it was named
	grid   string   // the case of a grid, "" if it is none
	must   []string // properties of which one must break; empty: none may
	free   bool     // unless anything may
}

// right says that nothing may break.
func (s *sweeping) right() bool { return len(s.must) == 0 && !s.free }

// caught says that something broke that must, if something must.
func (s *sweeping) caught(groups []search.Group) bool {
	return slices.ContainsFunc(groups, s.shows)
}

// shows says that failures show what is wrong with the variant: they break what must break, and are
// its own.
func (s *sweeping) shows(g search.Group) bool { return !g.Shared && s.catches(g.Broken) }

// catches says that one of the properties is among those broken which must break.
func (s *sweeping) catches(broken []string) bool {
	return slices.ContainsFunc(broken, func(b string) bool { return slices.Contains(s.must, b) })
}

// The words that --variant takes beside names.
const (
	rightVariants = "right"
	mutants       = "mutants"
	allVariants   = "all"
)

// campaigns are the variants to sweep of what an argument names: a story, or a model, whose
// clusters and workloads are drawn.
func (a *app) campaigns(arg string, f *sweepFlags) ([]*sweeping, error) {
	info, err := os.Stat(arg)
	p, unknown := a.protocol(arg)
	switch {
	case unknown == nil && !strings.HasSuffix(arg, ".txt"): // whatever else is called so
		return a.ofModel(p, f)
	case err == nil && !info.IsDir():
		return a.ofStory(arg, f)
	case err == nil:
		return nil, usage("%s is a folder: want a story or a model", arg)
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, `/\.`):
		return nil, usage("no file and no model called %q%s", arg, sim.DidYouMean(arg, a.models()))
	}
	return nil, usage("%s: %v%s", arg, plain(err), near(arg))
}

func (a *app) ofModel(p *sim.Protocol, f *sweepFlags) ([]*sweeping, error) {
	if p.Draw == nil {
		return nil, usage("%s draws no workloads: want a story of it", p.Name)
	}
	if f.grid != "" {
		return nil, usage("--case wants a story that is a grid, not a model")
	}
	names, err := chosenVariants(p, f.variants, namesOf(p, isRight))
	if err != nil {
		return nil, err
	}
	return f.each(p, names, &sweeping{source: p.Name}, nil)
}

func (a *app) ofStory(file string, f *sweepFlags) ([]*sweeping, error) {
	s, err := a.open(file)
	if err != nil {
		return nil, err
	}
	if len(s.Vary) > 0 || f.grid != "" {
		if s.Scenario, err = s.pick(f.grid); err != nil {
			return nil, err
		}
	}
	if f.tempered && !s.Timed {
		return nil, usage("%s: time stands still in it: --temper is of no use", file)
	}
	if f.adversity.Nemesis != "" && !s.Timed {
		return nil, usage("%s: time stands still in it: --nemesis is of no use", file)
	}
	named, err := s.Variants(s.protocol)
	if err != nil {
		return nil, usage("%w", err)
	}
	names, err := chosenVariants(s.protocol, f.variants, named)
	if err != nil {
		return nil, err
	}
	return f.each(s.protocol, names, &sweeping{source: file, grid: f.grid}, s.Scenario)
}

// each makes a campaign of each variant.
func (f *sweepFlags) each(p *sim.Protocol, names []string, like *sweeping, s *scenarios.Scenario) (
	[]*sweeping, error) {
	var all []*sweeping
	if err := f.adversity.Fits(p); err != nil {
		return nil, usage("--nemesis: %w", err)
	}
	for _, name := range names {
		c, err := scenarios.NewCampaign(p, name, s)
		if err != nil {
			return nil, usage("%w", err)
		}
		c.Adversity = f.adversity
		one := *like
		one.Campaign = c
		one.must, one.free = c.Must()
		all = append(all, &one)
	}
	return all, nil
}

// chosenVariants are the variants that --variant names, else the usual ones.
func chosenVariants(p *sim.Protocol, wanted, usual []string) ([]string, error) {
	if len(wanted) == 0 {
		return usual, nil
	}
	var all []string
	for _, name := range wanted {
		switch name {
		case rightVariants:
			all = append(all, namesOf(p, isRight)...)
		case mutants:
			all = append(all, namesOf(p, sim.Variant.Mutant)...)
		case allVariants:
			all = append(all, p.VariantNames()...)
		default:
			if err := known(p, name); err != nil {
				return nil, err
			}
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil, usage("%s has no variants that are %s", p.Name, strings.Join(wanted, " or "))
	}
	return all, nil
}

// known says what is wrong with the name of a variant, if anything is.
func known(p *sim.Protocol, name string) error {
	base, _, _ := strings.Cut(name, "/")
	if names := p.VariantNames(); !slices.Contains(names, base) {
		words := append([]string{rightVariants, mutants, allVariants}, names...)
		return usage("%s has no variant %q%s", p.Name, base, sim.DidYouMean(base, words))
	}
	if _, err := p.Variant(name); err != nil {
		return usage("%w", err)
	}
	return nil
}

// isRight says that a variant is not known to be wrong.
func isRight(v sim.Variant) bool { return !v.Mutant() && v.Breaks == "" }

func namesOf(p *sim.Protocol, is func(sim.Variant) bool) []string {
	var names []string
	for _, v := range p.Variants {
		if is(v) {
			names = append(names, v.Name)
		}
	}
	return names
}
