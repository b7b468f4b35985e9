package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	variant, property, grid, out string
	seed                         uint64
	write                        bool
}

func (a *app) shrinkCommand() *cobra.Command {
	var f shrinkFlags
	cmd := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Reduces a story that breaks a property to what it takes to break it",
		Args:  wantsOne("the file of a story"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.shrink(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.variant, "variant", "",
		"shrink the run of this variant, not the one it was found with, or the first that breaks")
	flags.StringVar(&f.property, "property", "", "keep this property broken, not the first that is")
	flags.Uint64Var(&f.seed, "seed", 0, "shrink the run of this seed, not the first that breaks")
	flags.StringVar(&f.grid, "case", "", "shrink this case of a grid, \"a=1 b=2\"")
	flags.BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	flags.StringVar(&f.out, "out", "", "write the result to another file, or into a folder")
	a.patienceFlag(cmd)
	return cmd
}

// shrinking is a run that is to be reduced.
type shrinking struct {
	*story
	plan     *sim.Plan
	run      *sim.Run
	broken   []string // what it breaks, the property to keep first
	campaign *scenarios.Campaign
}

func (a *app) shrink(file string, f shrinkFlags) error {
	s, err := a.open(file)
	if err != nil {
		return err
	}
	if err := breakable(s.protocol, f.property); err != nil {
		return err
	}
	if err := f.place(file); err != nil {
		return err
	}
	if len(s.Vary) > 0 || f.grid != "" {
		if s.Scenario, err = s.pick(f.grid); err != nil {
			return err
		}
	}
	var x *shrinking
	var result *scenarios.Finding
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		var err error
		if x, err = (&story{s.Scenario, w}).breaking(f); err != nil {
			return err
		}
		result, err = x.campaign.Reduce(x.plan, x.broken)
		return err
	})
	if err != nil {
		return err
	}
	result.Story.Doc = x.doc(result.Story, f.write && f.out == "")
	if found, err := s.Found(s.protocol); err == nil {
		result.Seed = found.Seed // which a pinned story does not play
	}
	return a.shrunk(x, result, f)
}

// breaking is the run of a story to reduce: the first that breaks what is wanted, over the
// variants and seeds that are meant.
func (s *story) breaking(f shrinkFlags) (*shrinking, error) {
	variants, seeds := s.meant(f)
	for _, variant := range variants {
		for seed := seeds.From; seed <= seeds.To; seed++ {
			x, err := s.try(variant, seed, f.property)
			if x != nil || err != nil {
				return x, err
			}
		}
	}
	what := "a property"
	if f.property != "" {
		what = f.property
	}
	return nil, usage("%s: no run of %s breaks %s: nothing to shrink", s.File,
		strings.Join(variants, " "), what)
}

// try plays one variant under one seed; nil if it does not break what is wanted.
func (s *story) try(variant string, seed uint64, property string) (*shrinking, error) {
	c, err := scenarios.NewCampaign(s.protocol, variant, s.Scenario)
	if err != nil {
		return nil, usage("%w", err)
	}
	plan, err := s.Plan(s.protocol, variant, seed)
	if err != nil {
		return nil, usage("%w", err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		return nil, usage("%s: %w", s.File, err)
	}
	if seed != 0 {
		if err := s.stirred(run); err != nil {
			return nil, err
		}
	}
	broken := wanted(checker.Judge(run, s.protocol.Properties).Broken(), property)
	if broken == nil {
		return nil, nil
	}
	return &shrinking{s, plan, run, broken, c}, nil
}

// wanted are the broken properties with the one that is wanted alone, all if none is wanted in
// particular, nil if it is not among them.
func wanted(broken []string, property string) []string {
	switch {
	case len(broken) == 0:
		return nil
	case property == "":
		return broken
	case slices.Contains(broken, property):
		return []string{property}
	}
	return nil
}

// meant are the variants and seeds to look at: those asked for, else those that a stored run was
// found with, else the story's own, those first that it says break.
func (s *story) meant(f shrinkFlags) ([]string, scenarios.Seeds) {
	variants, seeds := s.breakers(), s.Seeds
	if found, err := s.Found(s.protocol); err == nil {
		variants = []string{found.Variant}
		if seeds != (scenarios.Seeds{}) {
			seeds = scenarios.Seeds{From: found.Seed, To: found.Seed}
		}
	}
	if f.variant != "" {
		variants = []string{f.variant}
	}
	if f.seed != 0 {
		seeds = scenarios.Seeds{From: f.seed, To: f.seed}
	}
	return variants, seeds
}

// breakers are the variants of a story, those first that it says break.
func (s *story) breakers() []string {
	var first []string
	for _, v := range s.Expect.Verdicts {
		if v.Outcome == scenarios.Breaks && v.Variant != "*" {
			first = append(first, v.Variant)
		}
	}
	others, err := s.Variants(s.protocol)
	if err != nil {
		return first
	}
	for _, name := range others {
		if !slices.Contains(first, name) {
			first = append(first, name)
		}
	}
	return first
}

// place completes --out, before a story is shrunk for long: in a folder the file has the story's
// name with "-shrunk" behind it.
func (f *shrinkFlags) place(story string) error {
	if f.out == "" {
		return nil
	}
	if info, err := os.Stat(f.out); err == nil && info.IsDir() {
		name := strings.TrimSuffix(filepath.Base(story), ".txt") + "-shrunk.txt"
		f.out = path.Join(filepath.ToSlash(f.out), name)
		return nil
	}
	dir := filepath.Dir(f.out)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || strings.HasSuffix(f.out, "/") {
		return usage("--out wants a file in a folder that is there, or such a folder, got %s", f.out)
	}
	return nil
}

// doc is the opening comment of the reduced story. Of a story that was found it is what is left of
// it. Of one that was written it says where it comes from, unless it is put there, and what that
// told if the names in it are still those.
func (x *shrinking) doc(reduced *scenarios.Scenario, put bool) []string {
	if _, err := x.Found(x.protocol); err == nil {
		return reduced.Doc
	}
	var parts [][]string
	if !put {
		parts = append(parts, []string{"Shrunk from " + x.File + "."})
	}
	if x.keepsNames(reduced) && len(x.Doc) > 0 {
		parts = append(parts, x.Doc)
	}
	var doc []string
	for _, part := range parts {
		doc = append(append(doc, part...), "")
	}
	return append(doc, reduced.Doc...)
}

// keepsNames says that the shrinker has renamed nothing: all requests that are left are requests of
// the story too.
func (x *shrinking) keepsNames(reduced *scenarios.Scenario) bool {
	was := requests(x.Scenario)
	other := func(request string) bool { return !slices.Contains(was, request) }
	return !slices.ContainsFunc(requests(reduced), other)
}

// requests are the requests of a story as text.
func requests(s *scenarios.Scenario) []string {
	var all []string
	for _, step := range s.Script {
		if step.Verb == sim.Request {
			all = append(all, strings.Join(append([]string{step.Node}, step.Words...), " "))
		}
	}
	return all
}

// shrunk prints a run before and after, and writes the story where it is wanted.
func (a *app) shrunk(x *shrinking, result *scenarios.Finding, f shrinkFlags) error {
	place := x.File
	if f.out != "" {
		place = f.out
	}
	text, err := result.Text(place)
	if err != nil {
		return tool(err)
	}
	before, err := os.ReadFile(x.File)
	if err != nil {
		return usage("%s: %v", x.File, plain(err))
	}
	s := result.Shrunk
	fmt.Fprintf(a.out, "before  %s: %s breaks %s%s; %s\n\n%s\n", x.File, x.plan.Variant.Name,
		strings.Join(x.broken, " "), ofSeed(x.plan.Seed),
		amount(sizeOf(x.run), s.ActionsWas, s.ExceptionsWas), opening(string(before)))
	fmt.Fprintf(a.out, "after   %s is kept broken; %s; %d runs\n\n%s", result.Property,
		amount(sizeOf(result.Run), s.Actions, s.Exceptions), s.Runs, text)
	if !f.write && f.out == "" {
		return nil
	}
	if err := os.WriteFile(place, text, 0o666); err != nil {
		return usage("%s: %v", place, plain(err))
	}
	fmt.Fprintf(a.out, "\nwritten %s; %s\n", place, command("replay", place))
	return nil
}

// mostBefore is how many lines of the story to reduce are shown: it is there to be looked at.
const mostBefore = 20

// opening is the first lines of a text, with a count of the others.
func opening(text string) string {
	all := lines(text)
	if more := len(all) - mostBefore; more > 1 {
		return fmt.Sprintf("%s... %s lines more ...\n", strings.Join(all[:mostBefore], ""),
			thousands(more))
	}
	return text
}

func ofSeed(seed uint64) string {
	if seed == 0 {
		return ""
	}
	return fmt.Sprintf(" under seed %d", seed)
}
