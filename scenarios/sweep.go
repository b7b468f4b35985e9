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
	Variants []string  // names, with rules; default: all variants but mutants
	Seeds    Seeds     // default: 1 to 2,000; with -short a tenth of either
	Scenario *Scenario // what each seed plays; default: Protocol.Draw makes the workload
	Dir      string    // of the stories of what was found; default: testdata/found
	Goals    bool      // that a goal is never reached fails the test, but with -short
}

// Sweep plays a protocol under many seeds, in a test of its own module:
//
//	func TestSweep(t *testing.T) { scenarios.Sweep(t, echo.Protocol, scenarios.SweepOptions{}) }
//
// What breaks is shrunk and left as a story in a folder. The story says that the variant holds,
// since it should: until it does, the next test fails by that story, before any seed is played.
// From then on the story guards it.
//
// Of a mutant the opposite is asked: that some seed breaks the property that must catch it. Its
// story says so, and is written where there is none.
//
// A property whose precondition no run met fails the test too: it would hold of anything.
func Sweep(t testing.TB, p *sim.Protocol, o SweepOptions) {
	t.Helper()
	s := &sweeper{TB: t, protocol: p, SweepOptions: o}
	s.fill()
	if !s.kept() {
		return
	}
	for _, name := range s.Variants {
		s.variant(name)
	}
	s.blind()
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
		if !v.Mutant() {
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
		fine = f.plays(s.TB, s.lookup) && fine
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
	wanted := ""
	if c.Variant.Mutant() {
		wanted = c.Variant.Breaks
	}
	search := c.sweep(wanted, s.Seeds)
	sum := s.swept(name, search)
	switch {
	case len(sum.Groups) > 0:
		g := sum.Groups[0]
		s.found(c, g.Seed, g.Broken)
	case wanted != "":
		s.Errorf("%s breaks %s under none of %d seeds: nothing catches this mutant\n\t%s",
			name, wanted, sum.Seeds, s.again(name, s.Seeds))
	default:
		s.count(sum)
	}
}

// sweep is the search for the first failure, of one property if there is one wanted.
func (c *Campaign) sweep(wanted string, seeds Seeds) search.Campaign {
	all := c.Sweep()
	all.From, all.To, all.Jobs, all.Distinct = seeds.From, seeds.To, search.Cores(), 1
	if wanted == "" {
		return all
	}
	all.Judge = func(run *sim.Run) search.Finding {
		f := c.Judge(run)
		if !slices.Contains(f.Broken, wanted) {
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
	return fmt.Sprintf("downset sweep --variant %s --seeds %d..%d %s", variant, seeds.From, seeds.To, what)
}

// found shrinks a failure and keeps it, and fails the test unless it was a mutant's.
func (s *sweeper) found(c *Campaign, seed uint64, broken []string) {
	s.Helper()
	place := filepath.Join(s.Dir, storyName(c.Variant.Name, c.target(broken)))
	mutant := c.Variant.Mutant()
	if _, err := os.Stat(place); err == nil && mutant {
		s.Logf("%s breaks %s under seed %d, as %s tells", c.Variant.Name, c.target(broken), seed, place)
		return
	}
	f, err := c.Finding(seed, broken)
	if err != nil {
		s.Errorf("%s breaks %s under seed %d, but does not shrink: %v\n\t%s", c.Variant.Name,
			strings.Join(broken, " "), seed, err, s.again(c.Variant.Name, Seeds{seed, seed}))
		return
	}
	if !mutant {
		place = free(place)
		f.Story = f.Story.Wanting(c.Variant.Name)
	}
	if err := f.Save(place); err != nil {
		s.Errorf("%s breaks %s under seed %d: %v", c.Variant.Name, f.Property, seed, err)
		return
	}
	text := fmt.Sprintf("%s breaks %s under seed %d: %s; the story is kept: downset replay %s",
		c.Variant.Name, f.Property, seed, f.reason(), shown(place))
	if mutant {
		s.Log(text)
		return
	}
	s.Error(text)
}

// Wanting is a finding's story made to say that a variant holds, as it should.
func (s *Scenario) Wanting(variant string) *Scenario {
	t := *s
	t.Doc = append(slices.Clone(s.Doc), fmt.Sprintf("It fails for as long as %s does so.", variant))
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

// storyName is the file of a failure: "unsigned-consistent-cut.txt".
func storyName(variant, property string) string {
	plain := strings.NewReplacer("/", "-", "=", "-", " ", "-").Replace(variant + "-" + property)
	return plain + ".txt"
}

// free is a file's name, or one like it that no file has.
func free(file string) string {
	for n := 2; ; n++ {
		if _, err := os.Stat(file); err != nil {
			return file
		}
		file = fmt.Sprintf("%s-%d.txt", strings.TrimSuffix(file, ".txt"), n)
	}
}

// count adds a clean sweep to what all of them met, and reports it.
func (s *sweeper) count(sum search.Summary) {
	s.Helper()
}
