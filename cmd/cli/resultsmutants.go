package cli

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const (
	mutantsFile    = "mutants.md"
	findingsFolder = "findings"
)

const mutantsHead = `# How soon each wrong variant is found

Written by ` + "`downset results mutants`" + `: a sweep with default settings over each variant
that is wrong, until the property breaks that must catch it. Times are of
%s; median %s, longest %s.

| model | variant | breaks | seed | time |
|---|---|---|---:|---:|
`

// writeMutants sweeps every wrong variant until it is caught.
func (a *app) writeMutants(f resultFlags) error {
	flags := f.sweepFlags()
	all, err := a.wrongVariants(flags)
	if err != nil {
		return err
	}
	var rows []string
	var times []time.Duration
	for _, s := range all {
		r := a.sweepOne(s, flags, 0)
		if r.interrupted {
			return &failure{exitUndecided, errInterrupted}
		}
		a.code = worse(a.code, r.code())
		times = append(times, r.took)
		rows = append(rows, r.mutantRow())
	}
	slices.Sort(times)
	text := fmt.Sprintf(mutantsHead, machine(flags.jobs), short(times[len(times)/2]),
		short(times[len(times)-1]))
	return a.writeResult(path.Join(f.dir, mutantsFile), text+strings.Join(rows, "")+a.byStory())
}

// byStory names the wrong variants that a sweep does not look for.
func (a *app) byStory() string {
	var rows []string
	for _, p := range a.protocols {
		for _, v := range p.Variants {
			if v.Story != "" {
				rows = append(rows, fmt.Sprintf("| %s | %s | %s | `%s` |\n", p.Name, v.Name, v.Breaks, v.Story))
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return byStoryHead + strings.Join(rows, "")
}

const byStoryHead = `
Drawn workloads hardly ever bring about what these need. A story does.

| model | variant | breaks | story |
|---|---|---|---|
`

func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

// mutantRow is a variant's row of the table.
func (r *swept) mutantRow() string {
	breaks, seed := "NOT CAUGHT", "-"
	if g := r.catching(); g != nil {
		breaks, seed = strings.Join(g.Broken, " "), fmt.Sprint(g.Seed)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", r.Protocol.Name, r.Variant.Name, breaks, seed,
		short(r.took))
}

// catching are the first failures that show what is wrong, nil if there are none.
func (r *swept) catching() *search.Group {
	for i := range r.Groups {
		if r.shows(r.Groups[i]) {
			return &r.Groups[i]
		}
	}
	return nil
}

// checkMutants plays the seed of each row: it must break what the row says, and be one that a sweep
// with default settings plays. Every wrong variant has a row.
func (a *app) checkMutants(f resultFlags) (string, error) {
	flags := f.sweepFlags()
	all, err := a.wrongVariants(flags)
	if err != nil {
		return "", err
	}
	text, err := f.old(mutantsFile)
	if err != nil {
		return "", err
	}
	rows := mutantRows(text)
	for _, s := range all {
		name := s.Protocol.Name + " " + s.Variant.Name
		row, ok := rows[name]
		if !ok {
			return name + " is not in " + mutantsFile, nil
		}
		if wrong, err := s.replays(row, flags.span); wrong != "" || err != nil {
			return wrong, err
		}
		delete(rows, name)
	}
	if left := slices.Sorted(maps.Keys(rows)); len(left) > 0 {
		return strings.Join(left, ", ") + ": in " + mutantsFile + ", but no wrong variant", nil
	}
	return "", nil
}

// mutantRows are the columns of the rows, by model and variant.
func mutantRows(text string) map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(text) {
		columns := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(columns) != 5 {
			continue
		}
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		if _, err := strconv.Atoi(columns[3]); err == nil || columns[3] == "-" {
			rows[columns[0]+" "+columns[1]] = columns
		}
	}
	return rows
}

// replays plays the seed of a row, one of some seeds.
func (s *sweeping) replays(row []string, of scenarios.Seeds) (wrong string, err error) {
	seed, err := strconv.ParseUint(row[3], 10, 64)
	if err != nil || seed < of.From || seed > of.To {
		return fmt.Sprintf("%s: %s says seed %s, want one of %d..%d, which a sweep plays", s.name(),
			mutantsFile, row[3], of.From, of.To), nil
	}
	plan, err := s.Plan(seed)
	if err != nil {
		return "", usage("%w", err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		return "", usage("%w", err)
	}
	f := s.Sweep().Judge(run)
	if got := strings.Join(f.Broken, " "); got != row[2] {
		return fmt.Sprintf("%s breaks %q under seed %d, %s says %q", s.name(), got, seed, mutantsFile,
			row[2]), nil
	}
	if f.Shared {
		return fmt.Sprintf("%s breaks under seed %d, where %s finds %s", s.Variant.Of, seed, mutantsFile,
			s.name()), nil
	}
	return "", nil
}

// writeFindings keeps one shrunk story of each wrong variant, and nothing else in the folder.
func (a *app) writeFindings(f resultFlags) error {
	flags := f.sweepFlags()
	all, err := a.wrongVariants(flags)
	if err != nil {
		return err
	}
	k := newKeeper(a, path.Join(f.dir, findingsFolder))
	old, err := filepath.Glob(path.Join(k.dir, "*.txt"))
	if err != nil {
		return tool(err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return usage("%s: %v", file, plain(err))
		}
	}
	for _, s := range all {
		r := a.sweepOne(s, flags, 0)
		a.code = worse(a.code, r.code())
		g := r.catching()
		if g == nil {
			fmt.Fprintf(a.out, "%s: %s\n", r.name(), r.headline())
			continue
		}
		k.told = map[string]string{} // each has a story of its own, though it may read like another's
		x, err := k.keep(r, *g)
		if err != nil {
			a.complain(err)
			continue
		}
		fmt.Fprintln(a.out, "written", x.file)
	}
	return nil
}

// checkFindings replays each story. Every wrong variant that a sweep finds has one.
func (a *app) checkFindings(f resultFlags) (string, error) {
	files, err := filepath.Glob(path.Join(f.dir, findingsFolder, "*.txt"))
	if err != nil {
		return "", tool(err)
	}
	told := map[string]bool{}
	for _, file := range files {
		s, err := a.open(file)
		if err != nil {
			return "", err
		}
		r, err := a.rerun(s, sim.Options{Digest: true})
		if err != nil {
			return "", err
		}
		broken := checker.Judge(r.run, r.plan.Protocol.Properties).Broken()
		if wrong := r.wrong(s, broken); wrong != "" {
			return filepath.ToSlash(file) + " " + wrong, nil
		}
		if slices.Contains(broken, r.plan.Variant.Breaks) {
			told[s.Model+" "+r.found.Variant] = true
		}
	}
	return a.untold(f, told)
}

// wrong is why a stored run is not the recorded one, or does not break what its story says, "" if
// all is well. A sweep that was led past other failures has kept stories of these as well.
func (r *rerun) wrong(s *story, broken []string) string {
	if scenarios.Fingerprint(r.run) != r.found.Hash {
		return "plays another run than was recorded"
	}
	for _, v := range s.Expect.Verdicts {
		if v.Variant != r.found.Variant {
			continue
		}
		if v.Outcome != scenarios.Breaks || len(v.Breaks) == 0 {
			return "says of nothing that it breaks"
		}
		for _, name := range v.Breaks {
			if !slices.Contains(broken, name) {
				return "does not break " + name
			}
		}
		return ""
	}
	return "expects nothing of " + r.found.Variant
}

// untold says which of the variants that the table says are caught have no story.
func (a *app) untold(f resultFlags, told map[string]bool) (string, error) {
	text, err := f.old(mutantsFile)
	if err != nil {
		return "", err
	}
	var missing []string
	rows := mutantRows(text)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if rows[name][3] != "-" && !told[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "no story of " + strings.Join(missing, ", "), nil
	}
	return "", nil
}
