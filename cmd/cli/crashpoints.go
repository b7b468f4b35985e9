package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// crashFlags are the flags of crashpoints.
type crashFlags struct {
	variants               []string
	grid, out              string
	seed                   uint64
	crashes, maxRuns, jobs int
}

// mostRuns is how many runs are played before a sample is.
const mostRuns = 10_000

func (a *app) crashpointsCommand() *cobra.Command {
	var f crashFlags
	cmd := &cobra.Command{
		Use:   "crashpoints FILE or FOLDER...",
		Short: "Plays a story with a crash between any two effects of any node; which phases break",
		Args:  wants("a story or a folder of stories"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.crashpoints(args, f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.variants, "variant", nil, "crash these variants, or all that are right,"+
		" mutants, all; else those that the story plays")
	flags.StringVar(&f.grid, "case", "", "crash this case of a grid, \"a=1 b=2\"; else every one")
	flags.Uint64Var(&f.seed, "seed", 0, "of a story with seeds play this one, not its first")
	flags.IntVar(&f.crashes, "crashes", 1, "so many crashes in one run at most: 1 or 2")
	flags.IntVar(&f.maxRuns, "max-runs", mostRuns,
		"play so many runs of a variant; if there are more, a sample of them")
	flags.IntVar(&f.jobs, "jobs", search.Cores(), "play so many runs at a time")
	flags.StringVar(&f.out, "out", "", "folder for the stories of what broke; else only their crashes"+
		" are shown")
	a.patienceFlag(cmd)
	return cmd
}

// crashed is a variant of a story with what crashes came to.
type crashed struct {
	*story
	*scenarios.Campaign
	*search.CrashPoints
	search *search.Crashing
	flags  crashFlags
	grid   string // the case of a grid, "" if it is none
	must   []string
	free   bool
	groups []*crashGroup
}

func (a *app) crashpoints(args []string, f crashFlags) error {
	if f.crashes < 1 || f.crashes > 2 || f.maxRuns < 2 || f.jobs < 1 {
		return usage("want --crashes of 1 or 2, --max-runs of at least 2, --jobs of at least 1")
	}
	if err := fillable(f.out); err != nil {
		return err
	}
	files, err := a.find(args)
	if err != nil {
		return err
	}
	all, err := a.crashingAll(files, f)
	if err != nil {
		return err
	}
	w := &crashWriter{app: a, dir: f.out, tables: len(files) == 1, used: map[string]bool{}}
	return a.crashAll(all, w)
}

func (a *app) crashingAll(files []string, f crashFlags) (all []*crashed, err error) {
	for _, file := range files {
		some, err := a.crashing(file, f)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// crashAll crashes one variant after another.
func (a *app) crashAll(all []*crashed, w *crashWriter) error {
	for i, c := range all {
		if a.interrupted() {
			fmt.Fprintf(a.out, "INTERRUPTED, after %d of %d\n", i, len(all))
			a.code = worse(a.code, exitUndecided)
			break
		}
		if err := a.crash(c); err != nil {
			return err
		}
		if err := w.write(c); err != nil {
			return err
		}
		a.code = worse(a.code, c.code())
	}
	w.close(len(all))
	return nil
}

// crashing are the variants of a story that are to crash, of a grid in each of its cases.
func (a *app) crashing(file string, f crashFlags) ([]*crashed, error) {
	s, err := a.open(file)
	if err != nil {
		return nil, err
	}
	cases := s.Grid()
	if f.grid != "" {
		one, err := s.pick(f.grid)
		if err != nil {
			return nil, err
		}
		cases = []scenarios.Case{{Name: f.grid, Scenario: one}}
	}
	var all []*crashed
	for _, c := range cases {
		some, err := (&crashed{story: &story{c.Scenario, s.protocol}, flags: f, grid: c.Name}).each()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// each is c for each variant that is to crash.
func (c *crashed) each() ([]*crashed, error) {
	named, err := c.Variants(c.protocol)
	if err != nil {
		return nil, usage("%w", err)
	}
	names, err := chosenVariants(c.protocol, c.flags.variants, named)
	if err != nil {
		return nil, err
	}
	var all []*crashed
	for _, v := range names {
		x := *c
		if x.Campaign, err = scenarios.NewCampaign(c.protocol, v, c.story.Scenario); err != nil {
			return nil, usage("%w", err)
		}
		x.must, x.free = x.Must()
		// That a wrong variant holds without the crashes says nothing of the runs with them.
		x.free = x.free || len(x.must) == 0 && x.Variant.Breaks != ""
		all = append(all, &x)
	}
	return all, nil
}

// name is "FILE VARIANT (a=1 b=2)".
func (c *crashed) name() string {
	if c.grid == "" {
		return c.File + " " + c.Variant.Name
	}
	return c.File + " " + c.Variant.Name + " (" + c.grid + ")"
}

// crash searches under the watchdog, and gathers what breaks.
func (a *app) crash(c *crashed) error {
	return a.guard(c.protocol, func(w *sim.Protocol) error {
		lively := *c.Campaign
		var err error
		lively.Protocol = w
		if lively.Variant, err = w.Variant(c.Variant.Name); err != nil {
			return err
		}
		if c.search, err = lively.Crashing(c.seed()); err != nil {
			return usage("%w", err)
		}
		f := c.flags
		c.search.Crashes, c.search.Most, c.search.Jobs = f.crashes, f.maxRuns, f.jobs
		c.search.Stop = a.stop.Done()
		if c.CrashPoints, err = c.search.CrashPoints(); err != nil {
			return usage("%s: %w", c.File, err)
		}
		c.groups, err = gather(&lively, c.search, c.CrashPoints)
		return err
	})
}

// seed is the one to play, 0 if the story has none.
func (c *crashed) seed() uint64 {
	if c.flags.seed != 0 {
		return c.flags.seed
	}
	return c.Seeds.From
}

// crashGroup is runs that break the same after crashes at the same places.
type crashGroup struct {
	search.Struck // the first
	*scenarios.Finding
	alike int
	file  string
}

// gather groups what breaks because of the crashes. Of runs with two crashes those count that break
// what neither crash alone does.
func gather(c *scenarios.Campaign, x *search.Crashing, r *search.CrashPoints) (
	[]*crashGroup, error) {
	at := map[string]*crashGroup{}
	var all []*crashGroup
	for _, s := range slices.Concat(r.Singles, r.Pairs) {
		if len(s.New) == 0 {
			continue
		}
		key := likeness(&s)
		if g := at[key]; g != nil {
			g.alike++
			continue
		}
		g := &crashGroup{Struck: s, alike: 1}
		var err error
		if g.Finding, err = c.Struck(x, &s); err != nil {
			return nil, tool(err)
		}
		at[key] = g
		all = append(all, g)
	}
	return all, nil
}

// likeness is what runs of a group have in common.
func likeness(s *search.Struck) string {
	key := fmt.Sprint(s.New)
	for _, h := range s.Hits {
		key += "|" + h.Node + " " + h.Phase
	}
	return key
}

// broken counts the runs that break anything, that without a crash included.
func (c *crashed) broken() int {
	n := 0
	for _, s := range c.runs() {
		if len(s.Broken) > 0 {
			n++
		}
	}
	return n
}

func (c *crashed) runs() []search.Struck {
	return slices.Concat([]search.Struck{c.Base}, c.Singles, c.Pairs)
}

// caught says that something broke that must.
func (c *crashed) caught() bool {
	return slices.ContainsFunc(c.runs(), func(s search.Struck) bool {
		return slices.ContainsFunc(s.Broken, func(b string) bool { return slices.Contains(c.must, b) })
	})
}

// right says that nothing may break.
func (c *crashed) right() bool { return len(c.must) == 0 && !c.free }

// code is the exit code of one variant.
func (c *crashed) code() int {
	code := exitOK
	add := func(when bool, x int) {
		if when {
			code = worse(code, x)
		}
	}
	for _, s := range c.runs() {
		add(s.Apart != nil, exitUnsteady)
		add(s.Error != "", exitUsage)
		add(s.Undecided != "" && len(s.Broken) == 0 && c.right(), exitUndecided)
	}
	add(c.right() && c.broken() > 0, exitViolated)
	add(len(c.must) > 0 && !c.caught(), exitViolated)
	add(c.Cut, exitUndecided)
	return code
}
