package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// playFlags say what of a story to play.
type playFlags struct {
	variants []string
	seed     uint64
	grid     string
	seeded   bool // --seed was given
}

// runFlags are the flags of run.
type runFlags struct {
	playFlags
	trace   bool
	entries int      // of the trace, at most; 0 is all
	stamps  []string // kinds of logical times; any wants the trace
	pin     string
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE or MODEL...",
		Short: "Plays stories under each of their variants: verdicts, picture, report",
		Args:  wants("a story: FILE or MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seeded = cmd.Flags().Changed("seed")
			f.stamps, args = spacedStamps(f.stamps, args)
			var err error
			if f.stamps, err = stampsAsked(cmd, f.stamps); err != nil {
				return err
			}
			if len(args) == 0 {
				return usage("run wants a story: FILE or MODEL")
			}
			files, err := a.find(args)
			if err != nil {
				return err
			}
			if f.entries < 0 {
				return usage("--entries wants a number, 0 for all, got %d", f.entries)
			}
			if cmd.Flags().Changed("entries") && !f.trace && len(f.stamps) == 0 {
				return usage("--entries wants --trace or --stamps")
			}
			if f.pin != "" && len(files) > 1 {
				return usage("--pin wants one story, got %d", len(files))
			}
			if err := writable("pin", f.pin); err != nil {
				return err
			}
			return a.run(files, f)
		},
	}
	a.playFlags(cmd, &f.playFlags)
	cmd.Flags().BoolVar(&f.trace, "trace", false, "print the entries of the run that is shown")
	cmd.Flags().IntVar(&f.entries, "entries", 400,
		"print so many entries of a trace at most, the first and the last; 0 is all")
	stampsFlag(cmd, &f.stamps)
	cmd.Flags().StringVar(&f.pin, "pin", "",
		"write the run that is shown to a file, as a story without chance")
	cmd.Flags().BoolVar(&a.json, "json", false, "one object a line")
	return cmd
}

// playFlags adds the flags that all commands have which play stories.
func (a *app) playFlags(cmd *cobra.Command, f *playFlags) {
	cmd.Flags().StringSliceVar(&f.variants, "variant", nil, "play these variants only, or all that"+
		" are right, mutants, all")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "play this seed only, of a story that leaves something"+
		" to chance")
	cmd.Flags().StringVar(&f.grid, "case", "", "play this case of a grid only, \"a=1 b=2\"")
	a.patienceFlag(cmd)
}

func (a *app) patienceFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&a.patience, "patience", defaultPatience,
		"how long one run may take by the wall clock, lest a handler loops")
}

// options are the flags as package scenarios takes them.
func (f *playFlags) options() scenarios.PlayOptions {
	o := scenarios.PlayOptions{Variants: f.variants, Case: f.grid}
	if f.seeded {
		o.Seeds = scenarios.Seeds{From: f.seed, To: f.seed}
	}
	return o
}

// run plays files one after another. A file that is no story does not keep the others from being
// played.
func (a *app) run(files []string, f runFlags) error {
	for i, file := range files {
		if a.interrupted() {
			return a.covered(i, len(files))
		}
		if err := a.runFile(file, f, len(files) == 1); err != nil {
			if len(files) == 1 || codeOf(err) != exitUsage {
				return err
			}
			a.complain(err)
		}
	}
	if len(files) > 1 && !a.json {
		fmt.Fprintf(a.out, "%d stories\n", len(files))
	}
	return nil
}

// covered is said when an interrupt ends a command early: so far all was as printed, of the rest
// nothing is known.
func (a *app) covered(done, of int) error {
	return &failure{exitUndecided, fmt.Errorf("interrupted: %d of %d stories played", done, of)}
}

// runFile plays one story. Alone it is shown in full; among others only what is not as expected.
func (a *app) runFile(file string, f runFlags, alone bool) error {
	s, err := a.open(file)
	if err != nil {
		return err
	}
	if f.grid != "" {
		if _, err := s.pick(f.grid); err != nil {
			return err
		}
	}
	if len(f.variants) > 0 {
		if f.variants, err = chosenVariants(s.protocol, f.variants, nil); err != nil {
			return err
		}
	}
	p, err := a.play(s, f.options())
	if err != nil {
		return err
	}
	if alone && f.seeded {
		if err := a.stirred(p); err != nil {
			return err
		}
	}
	a.code = worse(a.code, p.code())
	if a.json {
		return a.playedObjects(p, f)
	}
	a.verdicts(p)
	i := p.telling(alone)
	if i < 0 {
		return nil
	}
	return a.show(p, i, f)
}

// show shows one run of what was played: the picture, the report if something broke, and what else
// was asked for.
func (a *app) show(p *performance, i int, f runFlags) error {
	played := &p.played[i]
	if f.trace || len(f.stamps) > 0 {
		a.section("trace of " + played.Variant)
		a.entries(played.Run, f)
	}
	a.picture(p, played)
	if len(played.Verdict.Broken()) > 0 {
		a.report(p, i)
	}
	if f.pin != "" {
		return a.pin(p, i, f.pin)
	}
	return nil
}

// entries prints a trace, with the stamps that are asked for and what they are.
func (a *app) entries(run *sim.Run, f runFlags) {
	stamps := newStamped(run, f.stamps)
	if stamps == nil {
		for _, line := range ends(scenarios.TraceText(run), f.entries) {
			fmt.Fprintln(a.out, line)
		}
		return
	}
	for _, line := range ends(stamps.trace(), f.entries) {
		fmt.Fprintln(a.out, line)
	}
	fmt.Fprintln(a.out)
	for _, line := range wrap(strings.Join(stamps.legend(), "; "), maxWidth) {
		fmt.Fprintln(a.out, line)
	}
}

// ends are the first and the last of the lines of a trace, most of them at most, with a count of
// those between; all of them if most is 0.
func ends(lines []string, most int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	first := (most + 1) / 2
	last := len(lines) - most/2
	gap := fmt.Sprintf("... %s entries more; --entries 0 or --json prints them all ...",
		thousands(last-first))
	return slices.Concat(lines[:first], []string{gap}, lines[last:])
}

// telling is the run that is shown: the first that is not as expected, else, if the story is alone,
// the first that broke, else the first of all; -1 is none.
func (p *performance) telling(alone bool) int {
	i := p.first(p.amiss)
	if i < 0 && alone {
		i = p.first(p.broke)
	}
	if i < 0 && alone {
		i = p.first(func(int) bool { return true })
	}
	return i
}

// first is the first of what was played that is like, -1 if none is.
func (p *performance) first(like func(i int) bool) int {
	for i := range p.played {
		if like(i) {
			return i
		}
	}
	return -1
}

func (p *performance) amiss(i int) bool { return !p.played[i].Met() || p.parting(i) != nil }

func (p *performance) broke(i int) bool { return len(p.played[i].Verdict.Broken()) > 0 }
