package cli

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	variants, only []string
	grid, out      string
	bounds         scenarios.Bounds
	said           *pflag.FlagSet // which bounds were given
	maxStates      int
	jobs           int
	all, full      bool
	stories        int  // at most so many are made of one variant's failures; 0: one, with --all any
	quiet          bool // none is written
	several        bool // stories
}

// explorePatience is how long an exploration may take from one end to the next by the wall clock.
const explorePatience = time.Minute

// aloneStates is how many states one worker visits before the others help: what is no larger comes
// to the same with any number of jobs, and takes a second or two.
const aloneStates = 50_000

func (a *app) exploreCommand() *cobra.Command {
	f := &exploreFlags{}
	cmd := &cobra.Command{
		Use:   "explore FILE or FOLDER...",
		Short: "Plays a small story in every order, with faults at every moment",
		Long: `Plays a small story in every order of requests, messages and timers, with faults at
every moment, up to bounds; time is left out. What breaks is kept as a shortest story
of it. Bounds that are not given are those of the story's line "explore", else 1 timer,
and 1 crash if the model stands crashes.`,
		Args: wants("a story or a folder of stories"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.said = cmd.Flags()
			return a.explore(args, f)
		},
	}
	f.flags(cmd.Flags())
	cmd.Flags().BoolVar(&a.json, "json", false, "one object a line")
	cmd.Flags().DurationVar(&a.patience, "patience", explorePatience,
		"how long the way to an end may take by the wall clock, lest a handler loops")
	return cmd
}

func (f *exploreFlags) flags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.variants, "variant", nil, "explore these variants, or all that are right,"+
		" mutants, all; else those that the story plays")
	flags.StringVar(&f.grid, "case", "", "explore this case of a grid, \"a=1 b=2\"")
	flags.StringSliceVar(&f.only, "only", nil, "judge these properties only: if none of them"+
		" reads how things came about there are fewer states")
	for _, x := range f.numbers() {
		flags.IntVar(x.n, x.name, 0, x.doc)
	}
	flags.BoolVar(&f.bounds.Keep, "keep", false, "a crash may also leave what was not synced")
	flags.IntVar(&f.maxStates, "max-states", search.DefaultMaxStates,
		"give up after so many states, each of which takes some 12 bytes; of several stories after "+
			fmt.Sprint(aloneStates)+" each")
	flags.IntVar(&f.jobs, "jobs", search.Cores(), "so many workers")
	flags.BoolVar(&f.all, "all", false, "go on after a failure, to the end of the space")
	flags.BoolVar(&f.full, "full", false,
		"visit every state, also those that only the order of independent moves tells apart")
	flags.StringVar(&f.out, "out", "", "folder for the stories of what broke; by default"+
		" results/findings if there is a folder results, else findings")
}

// numbered is a bound as a flag.
type numbered struct {
	name, doc string
	n         *int
}

func (f *exploreFlags) numbers() []numbered {
	b := &f.bounds
	return []numbered{
		{"timers", "so many timers fire on one way before its end", &b.Timers},
		{"crashes", "so many crashes on one way, each between any two effects", &b.Crashes},
		{"losses", "so many datagrams are lost on one way", &b.Losses},
		{"duplicates", "so many datagrams are copied on one way", &b.Duplicates},
		{"partitions", "so often on one way a node is cut off from all others", &b.Partitions},
		{"breaks", "so many streams break on one way", &b.Breaks},
	}
}

// check says what is wrong with the flags.
func (f *exploreFlags) check() error {
	if f.maxStates < 1 || f.jobs < 1 {
		return usage("want --max-states and --jobs of at least 1")
	}
	if err := fillable(f.out); err != nil {
		return err
	}
	for _, x := range f.numbers() {
		if *x.n < 0 || *x.n > scenarios.MostBound {
			return usage("--%s wants a number from 0 to %d, got %d", x.name, scenarios.MostBound, *x.n)
		}
	}
	return nil
}

// over are the bounds of a story, but for those that were given.
func (f *exploreFlags) over(b scenarios.Bounds) scenarios.Bounds {
	if f.said == nil {
		return b
	}
	mine := exploreFlags{bounds: b}
	given := f.numbers()
	for i, x := range mine.numbers() {
		if f.said.Changed(x.name) {
			*x.n = *given[i].n
		}
	}
	if f.said.Changed("keep") {
		mine.bounds.Keep = f.bounds.Keep
	}
	return mine.bounds
}

// given says that a bound was.
func (f *exploreFlags) given() bool {
	return f.said != nil && (f.said.Changed("keep") || slices.ContainsFunc(f.numbers(),
		func(x numbered) bool { return f.said.Changed(x.name) }))
}

// explored is a variant of a story, and what exploring it came to.
type explored struct {
	*sweeping
	*scenarios.Explored
	how         *scenarios.Exploring
	story       *story
	whose       string // whose the bounds are
	flags       *exploreFlags
	took        time.Duration
	interrupted bool
	ways        []*wayKept
	untold      []search.Broken // failures that no story repeats
}

func (a *app) explore(args []string, f *exploreFlags) error {
	defer collectSeldom()()
	if err := f.check(); err != nil {
		return err
	}
	files, err := a.find(args)
	if err != nil {
		return err
	}
	f.among(len(files))
	all, err := a.exploringAll(files, f)
	if err != nil {
		return err
	}
	k := newKeeper(a, f.out)
	var done []*explored
	for _, x := range all {
		if a.interrupted() {
			break
		}
		if err := a.exploreOne(x, k); err != nil {
			return err
		}
		done = append(done, x)
		a.code = worse(a.code, x.code())
		if err := a.exploredText(x, len(all) == 1); err != nil {
			return err
		}
	}
	a.exploredAll(done, len(all))
	return nil
}

// among sets the usual bound of states, which is small where there are several stories: one with
// too large a space must not keep the others waiting.
func (f *exploreFlags) among(files int) {
	f.several = files > 1
	if f.several && !f.said.Changed("max-states") {
		f.maxStates = aloneStates
	}
}

// exploringAll are the variants of some stories that are to be explored. Among several stories
// those are passed over that cannot be, which is said in a line.
func (a *app) exploringAll(files []string, f *exploreFlags) (all []*explored, err error) {
	passed := &passedOver{files: map[string][]string{}}
	for _, file := range files {
		some, err := a.exploring(file, f, passed)
		switch {
		case err != nil && !f.several:
			return nil, err
		case err != nil:
			a.complain(err) // the others may be explored
			continue
		}
		all = append(all, some...)
	}
	a.passed(passed)
	if len(all) == 0 && a.code == exitOK {
		return nil, usage("no story is left to explore")
	}
	return all, nil
}

// exploring are the variants of a story that are to be explored.
func (a *app) exploring(file string, f *exploreFlags, passed *passedOver) ([]*explored, error) {
	s, err := a.open(file)
	if err != nil {
		return nil, err
	}
	if kind := s.Unexplorable(); kind != "" && f.several && f.grid == "" {
		passed.add(kind, s.File)
		return nil, nil
	}
	if len(s.Vary) > 0 || f.grid != "" {
		if s.Scenario, err = s.pick(f.grid); err != nil {
			return nil, err
		}
	}
	named, err := s.Variants(s.protocol)
	if err != nil {
		return nil, usage("%w", err)
	}
	names, err := chosenVariants(s.protocol, f.variants, named)
	if err != nil {
		return nil, err
	}
	var all []*explored
	for _, name := range names {
		x := &explored{story: s, flags: f, whose: "the usual ones"}
		own, said := s.Bounds(s.protocol)
		bounds := f.over(own)
		switch {
		case f.given():
			x.whose = "as asked"
		case said:
			x.whose = "the story's"
		}
		if err := x.prepare(s.protocol, name, bounds); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// prepare makes the exploration of a variant, by machines of a protocol.
func (x *explored) prepare(p *sim.Protocol, variant string, b scenarios.Bounds) error {
	c, err := scenarios.NewCampaign(p, variant, x.story.Scenario)
	if err != nil {
		return usage("%w", err)
	}
	x.sweeping = &sweeping{Campaign: c, source: x.story.File, grid: x.flags.grid}
	x.must, x.free = c.Must()
	// That a wrong variant holds in the order that is written says nothing of the others.
	x.free = x.free || len(x.must) == 0 && c.Variant.Breaks != ""
	x.how, err = c.Exploring(scenarios.ExploreOptions{Bounds: &b, Only: x.flags.only})
	if err != nil {
		return usage("%w", err)
	}
	s := &x.how.Search
	s.Jobs, s.MaxStates, s.All, s.Full = x.flags.jobs, x.flags.maxStates, x.flags.all, x.flags.full
	x.how.Alone = aloneStates
	return nil
}

// exploreOne explores one variant under the watchdog, and keeps what breaks.
func (a *app) exploreOne(x *explored, k *keeper) error {
	b := a.progress(x.name(), x.flags.maxStates)
	var found []*scenarios.Way
	err := a.guardLively(x.story.protocol, func(p *sim.Protocol, alive func()) error {
		lively := *x
		if err := lively.prepare(p, x.Variant.Name, x.how.Bounds); err != nil {
			return err
		}
		s := &lively.how.Search
		judge := s.Judge
		s.Judge = func(run *sim.Run) search.Finding {
			alive()
			return judge(run)
		}
		s.Stop, s.Progress = a.stop.Done(), b.explores
		start := time.Now()
		var err error
		if x.Explored, err = lively.how.Run(); err != nil {
			return usage("%w", err)
		}
		x.took = time.Since(start)
		found, err = x.tell(lively.how)
		return err
	})
	b.clear()
	if err != nil {
		return err
	}
	x.interrupted = a.interrupted() && !x.Complete
	return k.keepWays(x, found)
}

// guardLively is guard for what plays for long without making a machine: it says itself that it is
// alive.
func (a *app) guardLively(p *sim.Protocol, f func(*sim.Protocol, func()) error) error {
	var err error
	stuck := search.Guard(a.patience, func(alive func()) { err = f(watched(p, alive), alive) })
	if stuck != nil {
		return tool(fmt.Errorf("%s: %w", p.Name, stuck))
	}
	return err
}

// tell makes stories of the failures: what is wanted first, and of others as many as were asked
// for.
func (x *explored) tell(e *scenarios.Exploring) ([]*scenarios.Way, error) {
	var ways []*scenarios.Way
	for _, b := range x.telling() {
		w, err := e.Way(b)
		if err != nil {
			return nil, tool(err)
		}
		if w == nil {
			x.untold = append(x.untold, b)
			continue
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// sorted are the failures, those first that are wanted.
func (x *explored) sorted() []search.Broken {
	all := slices.Concat(x.Broken, x.Early)
	slices.SortStableFunc(all, func(a, b search.Broken) int {
		return cmp.Compare(truth(!x.how.Wants(a.Broken)), truth(!x.how.Wants(b.Broken)))
	})
	return all
}

// telling are the failures worth a story: what is wanted; with --all every one.
func (x *explored) telling() []search.Broken {
	all, most := x.sorted(), x.flags.stories
	if most == 0 && !x.flags.all {
		most = 1
	}
	if most > 0 {
		all = all[:min(most, len(all))]
	}
	return all
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// code is the exit code of one variant.
func (x *explored) code() int {
	code := exitOK
	add := func(when bool, c int) {
		if when {
			code = worse(code, c)
		}
	}
	broken := len(x.Broken)+len(x.Early) > 0
	part := !x.Complete && !broken
	add(x.right() && broken, exitViolated)
	add(x.right() && (part || x.Undecided > 0), exitUndecided)
	missed := len(x.must) > 0 && !x.found()
	add(missed && x.Complete, exitViolated)
	add(missed && !x.Complete, exitUndecided)
	add(part, exitUndecided)
	return code
}

// found says that something broke that must.
func (x *explored) found() bool {
	return slices.ContainsFunc(slices.Concat(x.Broken, x.Early), func(b search.Broken) bool {
		return x.catches(b.Broken)
	})
}
