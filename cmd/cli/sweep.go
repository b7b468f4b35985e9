package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim/search"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	variants  []string
	grid      string
	seeds     string
	time      time.Duration
	jobs      int
	shard     string
	stopAfter int
	temper    string
	out       string
	seeded    bool // --seeds was given
	tempered  bool // --temper was
	adversity search.Adversity
	span      scenarios.Seeds
}

// sweepPatience is how long one run of a sweep may take by the wall clock. They are small.
const sweepPatience = 10 * time.Second

func (a *app) sweepCommand() *cobra.Command {
	f := &sweepFlags{}
	cmd := &cobra.Command{
		Use:   "sweep FILE or MODEL...",
		Short: "Plays a story or drawn workloads under many seeds; shrinks what breaks",
		Long: `Plays a story, or workloads that it draws, under many seeds. All different failures that
it finds are shrunk and kept as stories; the first --stop-after of them are shown.

A variant's sweep ends with the first failure (--stop-after: with so many different
ones). If it is known what the variant breaks, because it is wrong on purpose or the
story expects it, the sweep goes on past other failures until that breaks too. Else a
failure is news, and the first one ends it. Where a mutant fails under a seed under which
the variant that it spoils fails too, that is not its own failure, and is only counted.`,
		Args: wants("a story or a model: FILE or MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seeded, f.tempered = cmd.Flags().Changed("seeds"), cmd.Flags().Changed("temper")
			if cmd.Flags().Changed("time") && f.time <= 0 {
				return usage("--time wants a duration above 0, got %v", f.time)
			}
			if err := f.parse(); err != nil {
				return err
			}
			return a.sweep(args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.variants, "variant", nil, "sweep these variants, or all that are right,"+
		" mutants, all; else those that the story plays, of a model those that are right")
	flags.StringVar(&f.grid, "case", "", "sweep this case of a grid, \"a=1 b=2\"")
	flags.StringVar(&f.seeds, "seeds", defaultSeeds, "play the seeds A..B, or the first N")
	flags.DurationVar(&f.time, "time", 0,
		"play for so long, all variants together; without --seeds, whatever seeds there is time for")
	flags.IntVar(&f.jobs, "jobs", search.Cores(), "play so many runs at a time")
	flags.StringVar(&f.shard, "shard", "", "play the part I/N of the seeds, from 1/N to N/N")
	flags.IntVar(&f.stopAfter, "stop-after", 1,
		"end a variant's sweep after so many different failures, what it is known to break among"+
			" them; 0 is never")
	flags.StringVar(&f.temper, "temper", search.Mix.String(),
		"delays and faults that the story leaves open: "+strings.Join(search.Temperaments(), ", "))
	flags.StringVar(&f.adversity.Nemesis, "nemesis", "", "the adversary, in place of the mix: "+
		search.ByChance+", "+search.ByFacts+", or one of the model's own (downset list)")
	flags.StringVar(&f.out, "out", "", "folder for the stories of what broke; by default"+
		" results/findings if there is a folder results, else findings")
	flags.BoolVar(&a.json, "json", false, "one object a line")
	flags.DurationVar(&a.patience, "patience", sweepPatience,
		"how long one run may take by the wall clock, lest a handler loops")
	return cmd
}

// defaultSweep are the flags of a sweep that is told nothing.
func defaultSweep() *sweepFlags {
	return &sweepFlags{seeds: defaultSeeds, jobs: search.Cores(), stopAfter: 1,
		temper: search.Mix.String()}
}

// parse reads the flags that are words.
func (f *sweepFlags) parse() error {
	var err error
	if f.adversity.Temperament, err = search.ParseTemperament(f.temper); err != nil {
		return usage("--temper: %w", err)
	}
	if f.jobs < 1 || f.stopAfter < 0 {
		return usage("want --jobs of at least 1, --stop-after of at least 0")
	}
	if err := fillable(f.out); err != nil {
		return err
	}
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return err
	}
	if f.time > 0 && !f.seeded {
		seeds.To = seeds.From + endless - 1
	}
	f.span, err = parseShard(f.shard, seeds)
	return err
}

// sweep sweeps one variant after another.
func (a *app) sweep(args []string, f *sweepFlags) error {
	var all []*sweeping
	for _, arg := range args {
		some, err := a.campaigns(arg, f)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	start, k := time.Now(), newKeeper(a, f.out)
	var done []*swept
	for i, s := range all {
		if a.interrupted() {
			break
		}
		r := a.sweepOne(s, f, left(f.time, time.Since(start), len(all)-i))
		r.among = len(all) > 1
		done = append(done, r)
		if err := a.told(r, k, len(all) == 1); err != nil {
			return err
		}
	}
	return a.closing(done, len(all))
}

// left is the time that one of so many variants still has, 0 if time is no matter.
func left(limit, spent time.Duration, variants int) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(time.Millisecond, limit-spent) / time.Duration(variants)
}

// swept is what came of sweeping one variant.
type swept struct {
	*sweeping
	search.Summary
	seeds       scenarios.Seeds // that were asked for
	jobs        int
	stopAfter   int
	took        time.Duration
	interrupted bool
	among       bool // others: what is said of goals waits for them
	found       []*kept
}

// sweepOne sweeps one variant. If one of some properties must break, it goes on until one does.
func (a *app) sweepOne(s *sweeping, f *sweepFlags, limit time.Duration) *swept {
	defer collectSeldom()()
	stop := a.stop
	if limit > 0 {
		timed, cancel := context.WithTimeout(a.stop, limit)
		defer cancel()
		stop = timed
	}
	r := &swept{sweeping: s, seeds: f.span, jobs: f.jobs, stopAfter: f.stopAfter}
	b := a.progress(s.name(), int(f.span.To-f.span.From)+1)
	b.within(limit)
	c := s.Sweep()
	c.From, c.To, c.Jobs, c.Limit = f.span.From, f.span.To, f.jobs, a.patience
	c.Stop, c.Progress = stop.Done(), b.show
	c.Distinct, c.Enough = f.stopAfter, s.settled
	start := time.Now()
	r.Summary = search.Sweep(c)
	r.took, r.interrupted = time.Since(start), a.interrupted()
	b.clear()
	return r
}

// settled says that a sweep need not go on to a later failure: it has found what it must.
func (s *sweeping) settled(groups []search.Group) bool {
	return len(s.must) == 0 || s.caught(groups)
}

// name is what is swept, as titles have it: "cut signed".
func (s *sweeping) name() string {
	name := s.source + " " + s.Variant.Name
	if s.grid != "" {
		name += " (" + s.grid + ")"
	}
	return name
}

// early says that failures ended a sweep, before all seeds were played.
func (r *swept) early() bool { return !r.Cut && r.Seeds < r.asked() }

func (r *swept) asked() int { return int(r.seeds.To-r.seeds.From) + 1 }

// decided is the number of runs of which there is a verdict.
func (r *swept) decided() int { return r.Seeds - r.Undecided - len(r.Hung) - len(r.Errors) }

// code is the exit code of one variant. Goals are judged over all of them.
func (r *swept) code() int {
	code := exitOK
	add := func(when bool, c int) {
		if when {
			code = worse(code, c)
		}
	}
	add(len(r.Apart) > 0, exitUnsteady)
	add(len(r.Errors) > 0, exitUsage)
	add(r.right() && r.Failing > 0, exitViolated)
	add(r.right() && r.decided() < r.Seeds, exitUndecided)
	missed := len(r.must) > 0 && !r.caught(r.Groups)
	add(missed && !r.interrupted && r.decided() > 0, exitViolated)
	add(missed && r.decided() < r.Seeds, exitUndecided)
	add(r.Seeds > 0 && r.decided() == 0, exitUndecided)
	add(r.interrupted, exitUndecided)
	return code
}

// again is the command that plays one of the seeds again.
func (s *sweeping) again(seed uint64) string {
	words := []string{"--variant", s.Variant.Name, "--seeds", fmt.Sprintf("%d..%d", seed, seed)}
	if s.Temperament != search.Mix {
		words = append(words, "--temper", s.Temperament.String())
	}
	if s.Nemesis != "" {
		words = append(words, "--nemesis", s.Nemesis)
	}
	if s.grid != "" {
		words = append(words, "--case", s.grid)
	}
	return command(append(append([]string{"sweep"}, words...), s.source)...)
}
