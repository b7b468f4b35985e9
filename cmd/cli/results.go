package cli

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/sim"
)

// result is a file in the folder of results, or a folder in it, that a command writes. The long
// ones end with a sample, which a test takes anew: what a small part of them comes to.
type result struct {
	name  string
	doc   string
	write func(*app, resultFlags) error
	check func(*app, resultFlags) (wrong string, err error)
}

// resultFlags are the flags of results.
type resultFlags struct {
	check bool
	whole bool // check all of what is sampled otherwise
	seeds int
	dir   string
	model string // of sweeps: the only model that is swept anew
}

func (a *app) allResults() []result {
	all := []result{
		{"matrix", "which story breaks which variant", (*app).writeMatrix, (*app).checkMatrix},
		{"sweeps", "every right variant, under many seeds", (*app).writeSweeps, (*app).checkSweeps},
		{"mutants", "how soon each mutant is found", (*app).writeMutants, (*app).checkMutants},
		{"findings", "one shrunk story a mutant", (*app).writeFindings, (*app).checkFindings},
		{"bench", "the engine's speed, by go test -bench", (*app).writeBench, (*app).checkBench},
		{"shrinking", "ten failing seeds a mutant, shrunk", (*app).writeShrinking, (*app).checkShrinking},
		{"explore", "every order of small stories", (*app).writeExplore, (*app).checkExplore},
		{"why", "whether why names where a mutant does wrong", (*app).writeWhy, (*app).checkWhy},
		{"temperaments", "how soon each mutant is found in which network", (*app).writeTemperaments,
			(*app).checkTemperaments},
		{"nemesis", "how many seeds find each mutant, by adversary", (*app).writeNemesis,
			(*app).checkNemesis},
	}
	for _, p := range a.protocols {
		for _, page := range p.Pages {
			all = append(all, pageResult(p, page))
		}
	}
	return all
}

// pageResult is a page that a protocol writes.
func pageResult(of *sim.Protocol, p sim.Page) result {
	file := p.Name + ".md"
	write := func(a *app, f resultFlags) error {
		text, err := p.Write(of)
		if err != nil {
			return tool(err)
		}
		if err := a.writeResult(path.Join(f.dir, file), text); err != nil || p.Figures == nil {
			return err
		}
		return a.writeFigures(f, p, text)
	}
	check := func(_ *app, f resultFlags) (string, error) {
		was, err := f.old(file)
		if err != nil {
			return "", err
		}
		if wrong, err := checkFigures(f, p, was); wrong != "" || err != nil {
			return wrong, err
		}
		if p.Check != nil {
			wrong, err := p.Check(of, was)
			if err != nil {
				return "", tool(err)
			}
			return wrong, nil
		}
		now, err := p.Write(of)
		if err != nil {
			return "", tool(err)
		}
		if was == now {
			return "", nil
		}
		return path.Join(f.dir, file) + " would be another\n" + brief(diff(file, "now", was, now)), nil
	}
	return result{p.Name, p.Doc, write, check}
}

func (a *app) resultsCommand() *cobra.Command {
	var f resultFlags
	var names, docs []string
	for _, r := range a.allResults() {
		names = append(names, r.name)
		docs = append(docs, fmt.Sprintf("  %-10s %s", r.name, r.doc))
	}
	cmd := &cobra.Command{
		Use:   "results NAME...",
		Short: "Writes what stands in the folder results, or checks that it is what it would be",
		Long: "Writes what stands in the folder results, or checks it; some of it takes minutes:\n\n" +
			strings.Join(docs, "\n"),
		Hidden: true, // of use to this repository, and to few others
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !f.check {
				return usage("results wants a name: %s", strings.Join(names, ", "))
			}
			return a.results(args, f)
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "check, by a sample where all would take long")
	cmd.Flags().BoolVar(&f.whole, "whole", false, "with --check: all of the matrix, no sample")
	cmd.Flags().IntVar(&f.seeds, "seeds", 0, "so many seeds instead of the usual number")
	cmd.Flags().StringVar(&f.dir, "out", "results", "the folder that is written or checked")
	cmd.Flags().StringVar(&f.model, "model", "", "of sweeps: only this model anew")
	return cmd
}

func (a *app) results(names []string, f resultFlags) error {
	a.patience = defaultPatience
	all := a.allResults()
	if len(names) == 0 {
		for _, r := range all {
			names = append(names, r.name)
		}
	}
	for _, name := range names {
		r, err := resultNamed(name, all)
		if err != nil {
			return err
		}
		wrong, err := a.result(r, f)
		if err != nil {
			return err
		}
		if wrong != "" {
			a.code = worse(a.code, exitViolated)
			fmt.Fprintf(a.out, "%s: %s; downset results %s writes it anew, git diff shows all of it\n", name,
				wrong, name)
		}
	}
	return nil
}

// result writes a result, or checks it; either may take minutes.
func (a *app) result(r result, f resultFlags) (wrong string, err error) {
	if f.check {
		defer a.clock("checking " + path.Join(f.dir, r.name))()
		return r.check(a, f)
	}
	defer a.clock("writing " + path.Join(f.dir, r.name))()
	return "", r.write(a, f)
}

func resultNamed(name string, all []result) (result, error) {
	var names []string
	for _, r := range all {
		if r.name == name {
			return r, nil
		}
		names = append(names, r.name)
	}
	return result{}, usage("no result %q%s", name, sim.DidYouMean(name, names))
}

// old is a file as it stands.
func (f resultFlags) old(name string) (string, error) {
	text, err := os.ReadFile(path.Join(f.dir, name))
	if err != nil {
		return "", usage("%s: %v", path.Join(f.dir, name), plain(err))
	}
	return string(text), nil
}

// digest is a short name for some lines.
func digest(lines []string) string {
	h := fnv.New64a()
	for _, line := range lines {
		fmt.Fprintln(h, line)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// sampled ends a file of results: what it was made of, as far as a test can see.
func sampled(what string, lines []string) string {
	return fmt.Sprintf("\nSample `%s`: %s. A test takes it again.\n", digest(lines), what)
}

// sampleDiffers says that a file does not end with the sample that is taken now.
func (f resultFlags) sampleDiffers(name, what string, lines []string) (string, error) {
	text, err := f.old(name)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(text, sampled(what, lines)) {
		return fmt.Sprintf("%s is of another time: what is played, or what comes of it, has changed",
			path.Join(f.dir, name)), nil
	}
	return "", nil
}

// wrongVariants are the campaigns of all variants of all models that are wrong.
func (a *app) wrongVariants(f *sweepFlags) ([]*sweeping, error) {
	return a.allCampaigns(f, isWrong)
}

// isWrong says that a sweep with default settings shall find a variant.
func isWrong(v sim.Variant) bool { return v.Breaks != "" && v.Story == "" }

func (a *app) allCampaigns(f *sweepFlags, is func(sim.Variant) bool) ([]*sweeping, error) {
	if err := f.parse(); err != nil {
		return nil, err
	}
	var all []*sweeping
	for _, p := range a.protocols {
		if p.Draw == nil {
			continue
		}
		some, err := f.each(p, namesOf(p, is), &sweeping{source: p.Name}, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return nil, tool(errors.New("no model has such variants"))
	}
	return all, nil
}

// manyWrong is how many wrong variants a model has at most that a page tells of which plays each of
// them for long; it leaves the others out, and says so.
const manyWrong = 28

// fewWrong are the wrong variants of the models that have not many.
func (a *app) fewWrong(f *sweepFlags) ([]*sweeping, error) {
	all, err := a.wrongVariants(f)
	count := countOf(all)
	return slices.DeleteFunc(all, func(s *sweeping) bool {
		return count[s.Protocol.Name] > manyWrong
	}), err
}

// countOf counts the variants of each model.
func countOf(all []*sweeping) map[string]int {
	count := map[string]int{}
	for _, s := range all {
		count[s.Protocol.Name]++
	}
	return count
}

// sweepFlags are those of a sweep with default settings.
func (f resultFlags) sweepFlags() *sweepFlags {
	s := defaultSweep()
	if f.seeds > 0 {
		s.seeds = fmt.Sprint(f.seeds)
	}
	return s
}
