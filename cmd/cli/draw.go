package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

// drawFlags are the flags of draw.
type drawFlags struct {
	variant  string
	seed     uint64
	grid     string
	svg      string
	from, to int
	only     []string
	ascii    bool
	stamps   []string // kinds of logical times
}

// standard is the file that --svg writes to if it names none.
const standard = "-"

func (a *app) drawCommand() *cobra.Command {
	var f drawFlags
	cmd := &cobra.Command{
		Use:   "draw FILE [--svg [OUT.svg]]",
		Short: "Draws the space-time diagram of a story, as text or SVG",
		RunE: func(cmd *cobra.Command, args []string) error {
			f.stamps, args = spacedStamps(f.stamps, args)
			var err error
			if f.stamps, err = stampsAsked(cmd, f.stamps); err != nil {
				return err
			}
			args = f.output(args)
			if len(args) != 1 {
				return usage("draw wants one story, got %d%s", len(args), f.unclear(args))
			}
			if err := f.check(); err != nil {
				return err
			}
			return a.draw(args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.variant, "variant", "", "draw this variant, not the first that the story plays")
	flags.Uint64Var(&f.seed, "seed", 0, "draw this seed")
	flags.StringVar(&f.grid, "case", "", "draw this case of a grid, \"a=1 b=2\"")
	flags.StringVar(&f.svg, "svg", "", "draw as SVG, to a file or to standard output")
	flags.Lookup("svg").NoOptDefVal = standard
	flags.IntVar(&f.from, "from", 0, "draw from this entry on")
	flags.IntVar(&f.to, "to", 0, "draw up to this entry, and without it; 0 is the end")
	flags.StringSliceVar(&f.only, "only", nil,
		"draw only what has one of these kinds or keys: NFQ,committed; points of cuts and faults stay")
	stampsFlag(cmd, &f.stamps)
	flags.BoolVar(&f.ascii, "ascii", false, "draw text from ASCII only")
	a.patienceFlag(cmd)
	return cmd
}

// output takes the file that --svg writes to from the arguments, on whichever side of the story it
// stands: it ends in .svg.
func (f *drawFlags) output(args []string) []string {
	if len(args) != 2 || f.svg != standard {
		return args
	}
	for i, arg := range args {
		if strings.HasSuffix(arg, ".svg") {
			f.svg = arg
			return []string{args[1-i]}
		}
	}
	return args
}

// check says what is wrong with the flags.
func (f *drawFlags) check() error {
	if f.from < 0 || f.to < 0 || f.to > 0 && f.to <= f.from {
		return usage("want --from of at least 0 and --to beyond it, or 0 for the end, got %d and %d",
			f.from, f.to)
	}
	if f.svg == standard {
		return nil
	}
	return writable("svg", f.svg)
}

// unclear says how to name a file that does not look like one to write to.
func (f *drawFlags) unclear(args []string) string {
	if len(args) != 2 || f.svg != standard {
		return ""
	}
	return "; a file for --svg ends in .svg, or is written --svg=FILE"
}

func (a *app) draw(file string, f drawFlags) error {
	s, err := a.open(file)
	if err != nil {
		return err
	}
	var run *sim.Run
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		plan, err := (&story{s.Scenario, w}).drawn(f)
		if err != nil {
			return err
		}
		if run, err = sim.Execute(plan); err != nil || f.seed == 0 {
			return err
		}
		one, err := s.pick(f.grid)
		if err != nil {
			return err
		}
		return (&story{one, w}).stirred(run)
	})
	if err != nil {
		return err
	}
	if f.from >= len(run.Trace) && f.from > 0 {
		return usage("--from wants an entry of the run, 0 to %d, got %d", len(run.Trace)-1, f.from)
	}
	o := spacetime.Options{
		Point: s.protocol.Point, From: f.from, To: f.to, ASCII: f.ascii, Colour: a.colour,
	}
	if times := newStamped(run, f.stamps); times != nil {
		o.Stamp, o.StampKeys = times.words, times.legend()
	}
	if len(f.only) > 0 {
		if wrong := strangers(run, f.only); wrong != "" {
			return usage("--only: nothing in this run has the kind or key %s", wrong)
		}
		o.Hide = only(run, f.only, s.protocol.Point)
	}
	if low := checker.Judge(run, s.protocol.Properties).Lowest(); len(low) > 0 {
		o.Mark = low[0].Violation.Witness
	}
	switch f.svg {
	case "":
		fmt.Fprint(a.out, spacetime.Text(run, o))
	case standard:
		_, err = a.out.Write(spacetime.SVG(run, o))
	default:
		err = os.WriteFile(f.svg, spacetime.SVG(run, o), 0o666)
	}
	if err != nil {
		return usage("%s: %v", f.svg, plain(err))
	}
	return nil
}

// strangers is the first of some words that no entry of a run has, with the nearest that one has,
// else all kinds; "" if there are none.
func strangers(run *sim.Run, words []string) string {
	var kinds, keys []string
	for _, e := range run.Trace {
		if e.Body != nil {
			kinds = append(kinds, e.Body.Kind())
			keys = append(keys, sim.KeysOf(e.Body)...)
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	known := slices.Concat(kinds, keys)
	for _, w := range words {
		if slices.Contains(known, w) {
			continue
		}
		if hint := sim.DidYouMean(w, known); strings.HasPrefix(hint, "; did") {
			return fmt.Sprintf("%q%s", w, hint)
		}
		return fmt.Sprintf("%q%s", w, sim.DidYouMean(w, kinds))
	}
	return ""
}

// drawn is the plan to draw: of the variant, case and seed asked for, else of the first.
func (s *story) drawn(f drawFlags) (*sim.Plan, error) {
	var wanted []string
	if f.variant != "" {
		wanted = []string{f.variant}
	}
	picked, err := s.pick(f.grid)
	if err != nil {
		return nil, err
	}
	variants, err := (&story{picked, s.protocol}).variants(wanted)
	if err != nil {
		return nil, err
	}
	if len(variants) == 0 {
		return nil, usage("%s: it plays no variant: want --variant", s.File)
	}
	seed := f.seed
	if seed == 0 && s.Seeds != (scenarios.Seeds{}) {
		seed = s.Seeds.From
	}
	plan, err := picked.Plan(s.protocol, variants[0], seed)
	if err != nil {
		return nil, usage("%w", err)
	}
	return plan, nil
}
