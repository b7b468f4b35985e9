package cli

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

const (
	// cleanSeeds are how many seeds a right variant is swept over.
	cleanSeeds = 1_000_000
	// seedsSampled are how many of them a test plays.
	seedsSampled = 100
	sweepsFile   = "sweeps.md"
)

const sweepsHead = `# Sweeps of the right variants

Written by ` + "`downset results sweeps`" + `: each variant that is not known to be wrong, in drawn
clusters, under drawn workloads, delays and faults, by one seed after another. The bound is 3/N:
with 95 %% confidence fewer of such runs fail. It is about runs drawn as these, and about nothing
else.

Goals are counted in runs that reached them, premises as often as a property had something to hold
of. Times are of %s.
`

// writeSweeps sweeps every right variant over a million seeds.
func (a *app) writeSweeps(f resultFlags) error {
	flags := f.sweepFlags()
	if f.seeds == 0 {
		flags.seeds = fmt.Sprint(cleanSeeds)
	}
	all, err := a.allCampaigns(flags, isRight)
	if err != nil {
		return err
	}
	old := ""
	if f.model != "" {
		if old, err = f.old(sweepsFile); err != nil {
			return err
		}
	}
	var done []*swept
	for _, s := range all {
		if f.model != "" && s.Protocol.Name != f.model {
			continue
		}
		r := a.sweepOne(s, flags, 0)
		if r.interrupted {
			return &failure{exitUndecided, errInterrupted}
		}
		a.summary(r, true)
		a.code = worse(a.code, r.code())
		done = append(done, r)
	}
	lines, err := sweepSample(all)
	if err != nil {
		return err
	}
	text := fmt.Sprintf(sweepsHead, machine(flags.jobs))
	for _, p := range a.protocols {
		if f.model != "" && p.Name != f.model {
			text += tableOf(p, old)
			continue
		}
		text += sweepTable(p, done)
	}
	return a.writeResult(path.Join(f.dir, sweepsFile), text+sampled(sweepSampled, lines))
}

// tableOf is the table of a model as it stands in the file.
func tableOf(p *sim.Protocol, text string) string {
	_, table, found := strings.Cut(text, "\n## "+p.Name+"\n")
	if !found {
		return ""
	}
	for _, next := range []string{"\n## ", "\nSample `"} {
		table, _, _ = strings.Cut(table, next)
	}
	return "\n## " + p.Name + "\n" + table
}

// machine is on what a result was measured.
func machine(jobs int) string { return several(jobs, "core") + ", " + version() }

const sweepSampled = "the runs and verdicts of the first 100 seeds of each variant"

func (a *app) checkSweeps(f resultFlags) (string, error) {
	all, err := a.allCampaigns(f.sweepFlags(), isRight)
	if err != nil {
		return "", err
	}
	lines, err := sweepSample(all)
	if err != nil {
		return "", err
	}
	return f.sampleDiffers(sweepsFile, sweepSampled, lines)
}

// sweepSample is what the first seeds of each campaign come to.
func sweepSample(all []*sweeping) ([]string, error) {
	var lines []string
	world := new(sim.World)
	for _, s := range all {
		for seed := uint64(1); seed <= seedsSampled; seed++ {
			line, err := s.seedLine(world, seed)
			if err != nil {
				return nil, err
			}
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// seedLine is the run of a seed and its verdict.
func (s *sweeping) seedLine(world *sim.World, seed uint64) (string, error) {
	plan, err := s.Plan(seed)
	if err != nil {
		return "", usage("%w", err)
	}
	run, err := world.Execute(plan, sim.Options{Digest: true})
	if err != nil {
		return "", usage("%w", err)
	}
	v := checker.Judge(run, s.Protocol.Properties)
	return fmt.Sprintf("%s %d %s %s %s", s.name(), seed, scenarios.Fingerprint(run), v.Outcome,
		strings.Join(v.Broken(), " ")), nil
}

// sweepTable is the sweeps of one model, a column a variant.
func sweepTable(p *sim.Protocol, all []*swept) string {
	var done []*swept
	for _, r := range all {
		if r.Protocol.Name == p.Name {
			done = append(done, r)
		}
	}
	if len(done) == 0 {
		return ""
	}
	t := &sheet{done: done}
	fmt.Fprintf(&t.text, "\n## %s\n\n", p.Name)
	t.row("", func(r *swept) string { return r.Variant.Name })
	fmt.Fprintf(&t.text, "|---|%s\n", strings.Repeat("---:|", len(done)))
	t.row("seeds", func(r *swept) string { return fmt.Sprint(r.Seeds) })
	t.row("fail", func(r *swept) string { return fmt.Sprint(r.Failing) })
	t.row("undecided", func(r *swept) string { return fmt.Sprint(r.Seeds - r.decided()) })
	t.row("failure rate below", func(r *swept) string { return bound(r.decided()) })
	t.row("events", func(r *swept) string { return fmt.Sprint(r.Events) })
	t.row("played twice", func(r *swept) string { return r.doubled() })
	t.row("time", func(r *swept) string { return r.took.Round(time.Second).String() })
	for i, g := range p.Goals {
		t.row("goal "+g.Name, func(r *swept) string { return countAt(r.Goals, i, "NEVER") })
	}
	for i, q := range p.Properties {
		t.row("premises of "+q.Name, func(r *swept) string { return countAt(r.Premises, i, "NEVER") })
	}
	for _, line := range rare(done) {
		fmt.Fprintf(&t.text, "\n- %s", line)
	}
	for _, g := range unreached(done) {
		fmt.Fprintf(&t.text, "\n- goal NEVER REACHED: %s", g)
	}
	t.text.WriteString("\n")
	return strings.TrimRight(t.text.String(), "\n") + "\n"
}

// sheet is a table in Markdown, a column a sweep.
type sheet struct {
	done []*swept
	text strings.Builder
}

func (t *sheet) row(name string, of func(*swept) string) {
	fmt.Fprintf(&t.text, "| %s |", name)
	for _, r := range t.done {
		fmt.Fprintf(&t.text, " %s |", of(r))
	}
	t.text.WriteString("\n")
}

func countAt(counts []int, i int, never string) string {
	if i >= len(counts) || counts[i] == 0 {
		return never
	}
	return fmt.Sprint(counts[i])
}
