package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// foundWord begins the last comment of a stored run.
const foundWord = "found:"

// Found is what the last comment of a stored run says: "found: cut unsigned 7 0123...".
type Found struct {
	Model, Variant string
	Seed           uint64 // it was found with; 0 if nothing was drawn
	Hash           string // its Fingerprint
}

// String is the comment, without "# ".
func (f Found) String() string {
	return fmt.Sprintf("%s %s %s %d %s", foundWord, f.Model, f.Variant, f.Seed, f.Hash)
}

// Fingerprint is a run in 32 digits: what happened, then with which contents. The run must be one
// with sim.Options.Digest.
func Fingerprint(run *sim.Run) string { return fmt.Sprintf("%016x%016x", run.Hash, run.Digest) }

// Found reads the last comment of a stored run.
func (s *Scenario) Found(p *sim.Protocol) (Found, error) {
	for i, line := range slices.Backward(s.Tail) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == foundWord {
			return s.readFound(p, words[1:], s.Ended-(len(s.Tail)-1-i))
		}
	}
	return Found{}, s.fault(0, "no \"# %s\" at the end: downset run --pin FILE writes a stored run",
		foundWord)
}

func (s *Scenario) readFound(p *sim.Protocol, words []string, line int) (Found, error) {
	if len(words) != 4 {
		return Found{}, s.fault(line, "want \"# %s MODEL VARIANT SEED HASH\", got \"# %s %s\"", foundWord,
			foundWord, strings.Join(words, " "))
	}
	seed, err := strconv.ParseUint(words[2], 10, 64)
	if err != nil {
		return Found{}, s.fault(line, "want a seed, got %q", words[2])
	}
	if words[0] != s.Model {
		return Found{}, s.fault(line, "it is a story of %s, but was found in %s", s.Model, words[0])
	}
	if _, err := p.Variant(words[1]); err != nil {
		return Found{}, s.fault(line, "%v", err)
	}
	if len(words[3]) != 32 || strings.Trim(words[3], "0123456789abcdef") != "" {
		return Found{}, s.fault(line, "want a hash of 32 hexadecimal digits, got %q", words[3])
	}
	return Found{words[0], words[1], seed, words[3]}, nil
}

// Recorded is the plan of a stored run: of the variant that it was found with, and under its seed
// unless the run is pinned and has forgotten it.
func (s *Scenario) Recorded(p *sim.Protocol) (*sim.Plan, Found, error) {
	f, err := s.Found(p)
	if err != nil {
		return nil, f, err
	}
	seed := f.Seed
	if s.Seeds == (Seeds{}) {
		seed = 0
	}
	plan, err := s.Plan(p, f.Variant, seed)
	return plan, f, err
}

// Text is the finding as a file: its story, with the run's hash in the last line. What the file
// plays is the run that was found, which Text has tried.
func (f *Finding) Text(file string) ([]byte, error) {
	plan := f.Run.Plan
	s := *f.Story
	s.File = file
	at := Found{plan.Protocol.Name, plan.Variant.Name, f.Seed, strings.Repeat("0", 32)}
	s.Tail = []string{at.String()}
	read, err := Parse(file, Format(&s))
	if err != nil {
		return nil, fmt.Errorf("the finding makes no story: %w", err)
	}
	again, _, err := read.Recorded(plan.Protocol)
	if err != nil {
		return nil, err
	}
	run, err := new(sim.World).Execute(again, sim.Options{Digest: true})
	if err != nil {
		return nil, err
	}
	verdict := checker.Judge(run, plan.Protocol.Properties)
	if run.Hash != f.Run.Hash || !slices.Equal(verdict.Broken(), f.Verdict.Broken()) {
		return nil, fmt.Errorf("the story plays another run: hash %016x, breaks %q; found was %016x, %q",
			run.Hash, verdict.Broken(), f.Run.Hash, f.Verdict.Broken())
	}
	at.Hash = Fingerprint(run)
	s.Tail = []string{at.String()}
	return Format(&s), nil
}
