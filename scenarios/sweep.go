package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// SweepOptions say what Sweep plays. The zero value is every right variant, in drawn clusters under
// drawn workloads and faults, for 2,000 seeds each.
type SweepOptions struct {
	Variants []string  // names, with rules; default: all that name nothing they break
	Seeds    Seeds     // default: 1 to 2,000; with -short a tenth of either
	Scenario *Scenario // what each seed plays; default: Protocol.Draw makes the workload
	Dir      string    // of the stories of what was found; default: testdata/found
	Goals    bool      // that a goal is never reached fails the test
}

// Sweep plays a protocol under many seeds, in a test of its own module:
//
//	func TestSweep(t *testing.T) { scenarios.Sweep(t, echo.Protocol, scenarios.SweepOptions{}) }
//
// What breaks is shrunk and left as a story in a folder. The story says that the variant holds,
// since it should: until it does, the next test fails by that story, before any seed is played.
// From then on the story guards it.
//
// Of a variant that names what it breaks, such as a mutant, the opposite is asked: that some seed
// breaks that. Its story says so, and is written where there is none.
//
// Without a Scenario the protocol must have a Draw, else the test fails: there is nothing to play.
// A property whose precondition no run met fails the test too: it would hold of anything. With
// -short there are a tenth of the seeds, and neither this nor a goal is asked for.
func Sweep(t testing.TB, p *sim.Protocol, o SweepOptions) {
	t.Helper()
	s := &sweeper{TB: t, protocol: p, SweepOptions: o}
	if o.Scenario == nil && p.Draw == nil {
		t.Fatal(undrawn(p) + " (SweepOptions.Scenario), or set Protocol.Draw")
	}
	s.fill()
	if !s.kept() {
		return
	}
	for _, name := range s.Variants {
		s.variant(name)
	}
	s.blind()
}

// undrawn says that a search has nothing to ask of a protocol.
func undrawn(p *sim.Protocol) string {
	return p.Name + " draws no workloads: want a story of it"
}

// sweeper is one call of Sweep.
type sweeper struct {
	testing.TB
	SweepOptions
	protocol *sim.Protocol
	clean    bool  // some right variant was swept to its end
	premises []int // by property, over all of these
	goals    []int // by goal
}

// fill sets what the options leave open.
func (s *sweeper) fill() {
	s.Helper()
	if s.Dir == "" {
		s.Dir = filepath.Join("testdata", "found")
	}
	if len(s.Variants) == 0 {
		s.Variants = rightVariants(s.protocol)
	}
	if s.Seeds == (Seeds{}) {
		s.Seeds = Seeds{1, 2000}
	}
	if testing.Short() {
		all := s.Seeds.To - s.Seeds.From + 1
		s.Seeds.To = s.Seeds.From + max(all/10, 1) - 1
		s.Logf("-short: %d seeds instead of %d", max(all/10, 1), all)
	}
}

func rightVariants(p *sim.Protocol) []string {
	var names []string
	for _, v := range p.Variants {
		if v.Breaks == "" {
			names = append(names, v.Name)
		}
	}
	return names
}

// kept plays the stories that were found earlier. It says that they come out as they should.
func (s *sweeper) kept() bool {
	s.Helper()
	if _, err := os.Stat(s.Dir); err != nil {
		return true
	}
	files, err := storiesOf(os.DirFS(s.Dir))
	if err != nil {
		s.Fatal(err)
	}
	fine := true
	for _, f := range files {
		fine = f.test(s.TB, s.lookup) && fine
	}
	if len(files) > 0 {
		s.Logf("played first: %d stories in %s", len(files), s.Dir)
	}
	return fine
}

func (s *sweeper) lookup(name string) *sim.Protocol {
	if name == s.protocol.Name {
		return s.protocol
	}
	return nil
}

// variant sweeps one variant.
func (s *sweeper) variant(name string) {
	s.Helper()
	c, err := NewCampaign(s.protocol, name, s.Scenario)
	if err != nil {
		s.Fatal(err)
	}
	wanted := c.Variant.Breaks
	sum := s.swept(name, c.sweep(wanted, s.Seeds))
	switch {
	case len(sum.Groups) > 0:
		g := sum.Groups[0]
		s.found(c, g.Seed, g.Broken)
	case wanted != "":
		s.Errorf("%s breaks %s under none of %d seeds: nothing catches what is wrong with it\n\t%s",
			name, wanted, sum.Seeds, s.again(name, s.Seeds))
	default:
		s.count(name, sum)
	}
}

// sweep is the search for the first failure, of one property if there is one wanted, and then for
// one that the variant shares with no right one.
func (c *Campaign) sweep(wanted string, seeds Seeds) search.Campaign {
	all := c.Sweep()
	all.From, all.To, all.Jobs, all.Distinct = seeds.From, seeds.To, search.Cores(), 1
	if wanted == "" {
		return all
	}
	judge := all.Judge
	all.Judge = func(run *sim.Run) search.Finding {
		f := judge(run)
		if f.Shared || !slices.Contains(f.Broken, wanted) {
			f.Broken = nil
		}
		return f
	}
	return all
}

// swept plays the seeds, and says what went wrong beside the protocol.
func (s *sweeper) swept(name string, c search.Campaign) search.Summary {
	s.Helper()
	sum := search.Sweep(c)
	for _, text := range sum.Errors {
		s.Errorf("%s: %s\n\t%s", name, text, s.again(name, s.Seeds))
	}
	for _, d := range sum.Apart {
		s.Errorf("%s, seed %d: two runs of one plan differ at %v\n\t%s", name, d.Seed, d.Parting,
			s.again(name, Seeds{d.Seed, d.Seed}))
	}
	for _, seed := range sum.Hung {
		s.Errorf("%s, seed %d: the run did not come back\n\t%s", name, seed,
			s.again(name, Seeds{seed, seed}))
	}
	if sum.Undecided > 0 {
		s.Errorf("%s: %d of %d runs are undecided, the first for this: %s\n\t%s", name, sum.Undecided,
			sum.Seeds, sum.Why, s.again(name, s.Seeds))
	}
	return sum
}

// again is the command that plays seeds once more.
func (s *sweeper) again(variant string, seeds Seeds) string {
	what := s.protocol.Name
	if s.Scenario != nil {
		what = s.Scenario.File
	}
	return again(s.TB, fmt.Sprintf("downset sweep --variant %s --seeds %d..%d %s", variant, seeds.From,
		seeds.To, what))
}

// found shrinks a failure and keeps it, and fails the test unless it was wanted.
func (s *sweeper) found(c *Campaign, seed uint64, broken []string) {
	s.Helper()
	place := filepath.Join(s.Dir, storyName(s.protocol.Name, c.Variant.Name, c.target(broken)))
	known := c.Variant.Breaks != ""
	if _, err := os.Stat(place); err == nil && known {
		s.Logf("%s breaks %s under seed %d, as %s tells", c.Variant.Name, c.target(broken), seed,
			place)
		return
	}
	f, err := c.Finding(seed, broken)
	if err != nil {
		s.Errorf("%s breaks %s under seed %d, but does not shrink: %v\n\t%s", c.Variant.Name,
			strings.Join(broken, " "), seed, err, s.again(c.Variant.Name, Seeds{seed, seed}))
		return
	}
	if !known {
		place = free(place)
		f.Story = f.Story.Wanting(c.Variant.Name)
	}
	if err := f.Save(place); err != nil {
		s.Errorf("%s breaks %s under seed %d: %v", c.Variant.Name, f.Property, seed, err)
		return
	}
	text := fmt.Sprintf("%s breaks %s under seed %d: %s; the story is kept: %s", c.Variant.Name,
		f.Property, seed, f.reason(), s.replay(place))
	if known {
		s.Log(text)
		return
	}
	s.Error(text)
}

// replay is the command that plays a kept story again, and in another module also says which it is.
func (s *sweeper) replay(place string) string {
	command := "downset replay " + shown(place)
	if test := again(s.TB, command); test != command {
		return shown(place) + "; " + test
	}
	return command
}

// Wanting is a finding's story made to say that a variant holds, as it should.
func (s *Scenario) Wanting(variant string) *Scenario {
	t := *s
	t.Doc = append(slices.Clone(s.Doc), fmt.Sprintf("This story fails until %s holds here.", variant))
	t.Expect = Expect{Verdicts: []Verdict{{Variant: variant, Outcome: Holds}}}
	return &t
}

// reason is why the property that was kept broken is.
func (f *Finding) reason() string {
	for _, x := range f.Verdict.Findings {
		if x.Property.Name == f.Property && x.Violation != nil {
			return x.Violation.Reason
		}
	}
	return "no reason given"
}

// Save writes the finding to a file, in a folder that is made if it is not there.
func (f *Finding) Save(file string) error {
	text, err := f.Text(shown(file))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("%w; it would have been:\n%s", err, text)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return fmt.Errorf("%w; it would have been:\n%s", err, text)
	}
	return nil
}

// storyName is the file of a failure: "cut-unsigned-consistent-cut.txt".
func storyName(words ...string) string {
	plain := strings.NewReplacer("/", "-", `\`, "-", "=", "-", ":", "-", " ", "-")
	return plain.Replace(strings.Join(words, "-")) + ".txt"
}

// free is a file's name, or one like it that no file has.
func free(file string) string {
	name := file
	for n := 2; ; n++ {
		if _, err := os.Stat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d.txt", strings.TrimSuffix(file, ".txt"), n)
	}
}

// count reports a clean sweep, and adds it to what all of them met.
func (s *sweeper) count(name string, sum search.Summary) {
	s.Helper()
	s.clean = true
	s.premises, s.goals = added(s.premises, sum.Premises), added(s.goals, sum.Goals)
	s.Logf("%s holds under %d seeds from %d on, %d events: with 95 %% confidence it breaks in less "+
		"than %s of such runs (3/N)", name, sum.Seeds, s.Seeds.From, sum.Events, percent(sum.Bound()))
	s.Logf("%s met premises: %s", name, tallied(sum.Premises, s.property))
	if len(s.protocol.Goals) > 0 {
		s.Logf("%s reached goals, in runs: %s", name, tallied(sum.Goals, s.goal))
	}
}

func (s *sweeper) property(i int) string { return s.protocol.Properties[i].Name }

func (s *sweeper) goal(i int) string { return s.protocol.Goals[i].Name }

// blind fails the test if all these runs said nothing of a property, or never came to a situation
// that they had to come to.
func (s *sweeper) blind() {
	s.Helper()
	if !s.clean || testing.Short() {
		return // a few seeds come to a few things
	}
	for i, n := range s.premises {
		if n == 0 {
			s.Errorf("%s holds, but no run met its premise", s.property(i))
		}
	}
	for i, n := range s.goals {
		if n == 0 && s.Goals {
			s.Errorf("no run reached %s: %s", s.goal(i), s.protocol.Goals[i].Doc)
		}
	}
}

// tallied is counts with their names: "durable 120, one-tag 7".
func tallied(counts []int, name func(int) string) string {
	var parts []string
	for i, n := range counts {
		parts = append(parts, fmt.Sprintf("%s %d", name(i), n))
	}
	return strings.Join(parts, ", ")
}

// percent is a rate in parts per billion, as a percentage.
func percent(ppb int64) string {
	const one = 10_000_000
	text := fmt.Sprintf("%d.%07d", ppb/one, ppb%one)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " %"
}

func added(sum, more []int) []int {
	for len(sum) < len(more) {
		sum = append(sum, 0)
	}
	for i, n := range more {
		sum[i] += n
	}
	return sum
}
