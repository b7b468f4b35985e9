package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// PlayOptions say what of a story to play, and how.
type PlayOptions struct {
	Variants []string // instead of those the story plays
	Seeds    Seeds    // instead of the story's own
	Case     string   // of a grid: the one to play, "a=1 b=2"
	NoOrders bool     // leave out the other orders of a still story
	Update   bool     // first make the claims' values and the stored traces what they are
}

// Report is what playing a story came to.
type Report struct {
	Scenario *Scenario // with PlayOptions.Update the rewritten one
	Protocol *sim.Protocol
	Played   []Played  // in order of cases, then of variants
	Cases    int       // of a grid: those played
	Void     int       // of a grid: those with a stale line
	Problems []Problem // of the file as a whole
}

// Played is what came of one variant, in one case of a grid, over all seeds.
type Played struct {
	Case     string    // "a=1 b=2", "" if the file is no grid
	Scenario *Scenario // the case as a story of its own
	Variant  string
	Expected string    // "holds", "breaks A B ..."; "" if the story says nothing of it
	Got      string    // "holds", "breaks A", "undecided: why", "vacuous", "loose"
	Problems []Problem // why that is not as expected; empty if it is
	Void     bool      // a case with a stale line: it is counted, not judged

	Seed    uint64          // of the run that shows best what came of it
	Run     *sim.Run        // that run, which nothing will change
	Verdict checker.Verdict // of that run
	Tally   Tally           // over all seeds
	Loose   *Race           // another order with another outcome, nil if none was found
}

// Tally counts the runs of one variant by outcome.
type Tally struct{ Runs, Broken, Undecided, Vacuous int }

// Problem is one thing that is not as the story says.
type Problem struct {
	What ProblemKind
	Line int // of the file; 0 if no line says it
	Text string
}

// ProblemKind sorts problems.
type ProblemKind uint8

// The kinds of problem.
const (
	WrongVerdict   ProblemKind = iota + 1 // broken, or not, against expectation
	WrongClaim                            // a claim of -- expect -- does not hold
	Astray                                // a check of the script does not hold: the story has drifted
	StaleLine                             // a line came to nothing
	VacuousHolds                          // it holds, but no property met its premise
	OtherOrder                            // another order of deliveries has another outcome
	WrongTrace                            // the run is not the stored trace
	WrongCases                            // the grid has not the cases that it says
	NotDecided                            // undecided against expectation
	Nondeterminism                        // two runs of one plan differ
)

// Met says that everything came as expected.
func (p *Played) Met() bool { return len(p.Problems) == 0 }

// Of are the problems of one kind.
func (p *Played) Of(what ProblemKind) []Problem {
	var some []Problem
	for _, q := range p.Problems {
		if q.What == what {
			some = append(some, q)
		}
	}
	return some
}

// Met says that everything came as expected.
func (r *Report) Met() bool { return r.Exit() == 0 }

// Exit is the exit code of a command that plays the story: 0 as expected; 4 two runs of one plan
// differ, 1 a verdict or claim is not as expected, or the story has gone astray; 3 undecided
// against expectation. Where several apply the earlier of these wins.
func (r *Report) Exit() int {
	code := 0
	worst := func(list []Problem) {
		for _, p := range list {
			if c := p.What.exit(); rank(c) < rank(code) {
				code = c
			}
		}
	}
	worst(r.Problems)
	for i := range r.Played {
		worst(r.Played[i].Problems)
	}
	return code
}

func (k ProblemKind) exit() int {
	switch k {
	case Nondeterminism:
		return 4
	case NotDecided:
		return 3
	}
	return 1
}

// rank orders exit codes by precedence.
func rank(code int) int { return slices.Index([]int{5, 4, 2, 7, 1, 3, 6, 0}, code) }

// Play plays every case of a story under every variant and every seed, judges the runs and compares
// what came with what the story expects. The error is about the story, never about the protocol.
func Play(s *Scenario, p *sim.Protocol, o PlayOptions) (*Report, error) {
	if err := s.Check(p); err != nil {
		return nil, err
	}
	if o.Update {
		var err error
		if s, err = updated(s, p, o); err != nil {
			return nil, err
		}
	}
	cases, err := s.chosenCases(o.Case)
	if err != nil {
		return nil, err
	}
	r := &Report{Scenario: s, Protocol: p}
	pl := &player{protocol: p, options: o, world: new(sim.World)}
	for _, c := range cases {
		played, err := pl.playCase(c)
		if err != nil {
			return nil, err
		}
		r.Played = append(r.Played, played...)
	}
	r.count(len(cases), o)
	return r, nil
}

// chosenCases are the cases of the grid, or the one that is wanted.
func (s *Scenario) chosenCases(name string) ([]Case, error) {
	if name == "" {
		return s.Grid(), nil
	}
	want := strings.Join(strings.Fields(name), " ")
	var names []string
	for _, where := range s.combinations() {
		known := condsText(where)
		if known == want && len(s.Vary) > 0 {
			c, err := s.Expand(where)
			return []Case{{known, c}}, err
		}
		names = append(names, known)
	}
	if len(s.Vary) == 0 {
		return nil, s.fault(0, "no case %q: the story is no grid", name)
	}
	return nil, s.fault(0, "no case %q%s", name, didYouMean(want, names))
}

// count counts the cases of a grid and compares with what the file says.
func (r *Report) count(cases int, o PlayOptions) {
	if len(r.Scenario.Vary) == 0 {
		return
	}
	r.Cases = cases
	last := ""
	for _, p := range r.Played {
		if p.Void && p.Case != last {
			r.Void++
			last = p.Case
		}
	}
	want := r.Scenario.Cases
	if want != nil && r.Void == cases && cases > 0 {
		r.Problems = append(r.Problems, problem(WrongCases, want.Line,
			"every case is void: nothing was judged"))
	}
	part := o.Case != "" || len(o.Variants) > 0 // others may have more void cases
	if part || want == nil || want.Count == cases && want.Void == r.Void {
		return
	}
	r.Problems = append(r.Problems, problem(WrongCases, want.Line,
		"want cases %d void %d, got cases %d void %d", want.Count, want.Void, cases, r.Void))
}

// player plays: one world, used for all runs that need not outlast the next.
type player struct {
	protocol *sim.Protocol
	options  PlayOptions
	world    *sim.World

	story   *Scenario // the case
	grid    bool      // it is one of several
	variant string
	want    *Verdict // nil if the story says nothing of it
}

// playCase plays all variants of one case.
func (pl *player) playCase(c Case) ([]Played, error) {
	pl.story, pl.grid = c.Scenario, c.Name != ""
	variants := pl.options.Variants
	if len(variants) == 0 {
		var err error
		if variants, err = pl.story.Variants(pl.protocol); err != nil {
			return nil, err
		}
	}
	var all []Played
	void := false
	for _, v := range variants {
		p, err := pl.playVariant(v)
		if err != nil {
			return nil, err
		}
		p.Case = c.Name
		void = void || pl.grid && len(p.Of(StaleLine)) > 0
		all = append(all, p)
	}
	for i := range all {
		if all[i].Void = void; void {
			all[i].Problems = keepOnly(all[i].Problems, Nondeterminism)
		}
	}
	return all, nil
}

func keepOnly(list []Problem, what ProblemKind) []Problem {
	return slices.DeleteFunc(list, func(p Problem) bool { return p.What != what })
}

// playVariant plays all seeds of one variant.
func (pl *player) playVariant(name string) (Played, error) {
	pl.variant, pl.want = name, pl.story.expected(name)
	p := Played{Variant: name, Scenario: pl.story}
	if pl.want != nil {
		p.Expected = pl.want.text()
	}
	var best trial
	err := pl.eachSeed(func(seed uint64) error {
		t, err := pl.try(seed)
		if err != nil {
			return err
		}
		if p.Tally.Runs == 0 || pl.tells(&t) < pl.tells(&best) {
			best = t
		}
		p.Tally.add(t.verdict.Outcome)
		return nil
	})
	if err != nil {
		return Played{}, err
	}
	p.Seed, p.Verdict, p.Got, p.Problems = best.seed, best.verdict, best.got, best.problems
	p.Tally.addTo(p.Problems)
	if pl.partly() && p.Tally.Broken == 0 {
		p.Expected += fmt.Sprintf(", some of %d seeds", pl.story.Seeds.count())
		p.Problems = slices.DeleteFunc(p.Problems, func(q Problem) bool {
			return q.What == WrongVerdict
		})
	}
	if err := pl.show(&p, &best); err != nil {
		return Played{}, err
	}
	return p, pl.order(&p, &best)
}

func (t *Tally) add(o checker.Outcome) {
	t.Runs++
	switch o {
	case checker.Broken:
		t.Broken++
	case checker.Undecided:
		t.Undecided++
	case checker.Vacuous:
		t.Vacuous++
	case checker.Holds:
	}
}

// addTo says of a wrong verdict how common it is, if there are several runs.
func (t *Tally) addTo(problems []Problem) {
	for i := range problems {
		if q := &problems[i]; q.What == WrongVerdict && t.Runs > 1 {
			q.Text += fmt.Sprintf(" (%d of %d runs broke)", t.Broken, t.Runs)
		}
	}
}

// eachSeed calls f with each seed, 0 alone if there are none.
func (pl *player) eachSeed(f func(uint64) error) error {
	seeds := pl.seeds()
	for seed := seeds.From; ; seed++ {
		if err := f(seed); err != nil || seed >= seeds.To {
			return err
		}
	}
}

// partly says that the variant is to break, and under more seeds than are played: that is expected
// of some of them, not of each.
func (pl *player) partly() bool {
	asked := pl.options.Seeds
	return pl.want != nil && pl.want.Outcome == Breaks && asked != (Seeds{}) &&
		asked.count() < pl.story.Seeds.count()
}

func (pl *player) seeds() Seeds {
	if pl.options.Seeds != (Seeds{}) {
		return pl.options.Seeds
	}
	return pl.story.Seeds
}

// show makes the run that is shown, and with it runs the plan a second time.
func (pl *player) show(p *Played, t *trial) error {
	plan, err := pl.plan(t.seed)
	if err != nil {
		return err
	}
	again, err := pl.world.Execute(plan, sim.Options{Digest: true})
	if err != nil {
		return pl.story.wrap(err)
	}
	if p.Run, err = new(sim.World).Execute(plan, sim.Options{Digest: true}); err != nil {
		return pl.story.wrap(err)
	}
	if first := search.First(again, p.Run); first != nil || p.Run.Hash != t.hash {
		p.Problems = append(p.Problems, problem(Nondeterminism, 0,
			"two runs of one plan differ: hash %016x, then %016x", t.hash, p.Run.Hash))
		if first != nil {
			p.Problems[len(p.Problems)-1].Text = "two runs of one plan differ, first at " + first.String()
		}
	}
	return nil
}

func (pl *player) plan(seed uint64) (*sim.Plan, error) {
	return pl.story.Plan(pl.protocol, pl.variant, seed)
}
