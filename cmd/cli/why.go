package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// whyFlags are the flags of why.
type whyFlags struct {
	shrinkFlags
	chance  uint64
	futures int
}

func (a *app) whyCommand() *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why FILE",
		Short: "Says which event a failure hangs on, what led to it, and what it needs",
		Args:  wantsOne("the file of a story"),
		RunE:  func(_ *cobra.Command, args []string) error { return a.why(args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.variant, "variant", "",
		"the run of this variant, not the one it was found with, or the first that breaks")
	flags.StringVar(&f.property, "property", "", "why this property breaks, not the first that does")
	flags.Uint64Var(&f.seed, "seed", 0, "the run of this seed, not the first that breaks")
	flags.StringVar(&f.grid, "case", "", "this case of a grid, \"a=1 b=2\"")
	flags.Uint64Var(&f.chance, "chance", 0, "the seed from which the futures are drawn")
	flags.IntVar(&f.futures, "futures", 0,
		"play so many futures at each moment; 0 is 64, and fewer for long runs")
	flags.BoolVar(&a.json, "json", false, "one object")
	a.patienceFlag(cmd)
	return cmd
}

func (a *app) why(file string, f whyFlags) error {
	if f.futures < 0 || f.futures > mostFutures {
		return usage("--futures wants a number from 0 to %d, got %d", mostFutures, f.futures)
	}
	q, err := a.asks(file, f)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.object(q.object(file))
	}
	q.print(a, file)
	return nil
}

// asks finds the run that is meant, under the watchdog, and asks about it.
func (a *app) asks(file string, f whyFlags) (q *inquiry, err error) {
	s, err := a.open(file)
	if err != nil {
		return nil, err
	}
	if err := breakable(s.protocol, f.property); err != nil {
		return nil, err
	}
	if len(s.Vary) > 0 || f.grid != "" {
		if s.Scenario, err = s.pick(f.grid); err != nil {
			return nil, err
		}
	}
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		x, err := (&story{s.Scenario, w}).failing(f.shrinkFlags)
		if err != nil {
			return err
		}
		q, err = inquire(x.plan, x.target(), f)
		return err
	})
	return q, err
}

// mostFutures is more than tells anything new.
const mostFutures = 10_000

// failing is the run to ask about: the first that breaks what is wanted.
func (s *story) failing(f shrinkFlags) (*shrinking, error) {
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
	return nil, usage("%s: nothing broke: no run of %s breaks %s, so there is no why", s.File,
		strings.Join(variants, " "), what)
}

// target is the property to ask about: the one that must catch the variant, if it broke.
func (x *shrinking) target() string {
	if slices.Contains(x.broken, x.plan.Variant.Breaks) {
		return x.plan.Variant.Breaks
	}
	return x.broken[0]
}

// inquiry is what came of asking why.
type inquiry struct {
	*search.Answer
	property  string
	violation *sim.Violation
}

// inquire asks why a plan breaks a property.
func inquire(p *sim.Plan, property string, f whyFlags) (*inquiry, error) {
	q := &inquiry{property: property}
	alone := slices.DeleteFunc(slices.Clone(p.Protocol.Properties), func(one sim.Property) bool {
		return one.Name != property
	})
	y := search.Why{Plan: p, Seed: f.chance, Futures: f.futures,
		Fails: func(run *sim.Run) bool {
			return slices.Contains(checker.Judge(run, alone).Broken(), property)
		},
		Says: func(run *sim.Run) string {
			return strings.Join(checker.Judge(run, p.Protocol.Properties).Broken(), " ")
		},
	}
	var err error
	q.Answer, err = y.Ask(func(run *sim.Run) []int { return q.witness(checker.Judge(run, alone)) })
	switch {
	case errors.Is(err, search.ErrHolds):
		return nil, usage("%w: %s holds", err, property)
	case err != nil:
		return nil, usage("%w", err)
	}
	return q, nil
}

// witness keeps the violation, and gives the entries that show it.
func (q *inquiry) witness(v checker.Verdict) []int {
	for _, x := range v.Lowest() {
		if x.Property.Name == q.property {
			q.violation = x.Violation
			return x.Violation.Witness
		}
	}
	return nil
}

// whyLines are the lines of a failure report that say why, at most four.
func (k *kept) whyLines() []string {
	q, err := inquire(k.Shrunk.Plan, k.Property, whyFlags{})
	if err != nil {
		return []string{"guilty  not found: " + err.Error()}
	}
	return append(q.guilty(), q.passes())
}

// guilty is the guilty event, if one stands out, how many futures hang on it, and the event that
// leaves no hope if that is a later one.
func (q *inquiry) guilty() []string {
	if q.Curve.Fresh == search.Nothing && q.Guilty == len(q.Steps)-1 {
		return []string{"guilty  no event: it fails whatever chance does and whatever is asked"}
	}
	n, anew := q.Curve.Futures, drawnAnew(q.Curve.Fresh)
	if !q.Clear() {
		return []string{
			"guilty  no single event: no jump of the share of failing futures is more than noise,",
			fmt.Sprintf("        the greatest is from %d to %d of %d: %s", q.Before, q.After, n, anew),
		}
	}
	lines := []string{cut("guilty  "+q.event(q.Guilty), maxWidth)}
	if q.After == n {
		return append(lines, fmt.Sprintf("        of %d futures %s that begin before it, "+
			"and %d after it: %s", n, failing(q.Before), n, anew))
	}
	lines = append(lines, fmt.Sprintf(
		"        failing futures jump most here, from %d to %d of %d: %s",
		q.Before, q.After, n, anew))
	return append(lines, q.doom()...)
}

// doom is the event after which all futures fail, if many do not before it.
func (q *inquiry) doom() []string {
	if q.Doomed <= q.Guilty || (q.Curve.Futures-q.After)*leastStep < q.Curve.Futures {
		return nil
	}
	return []string{cut(fmt.Sprintf("        all fail after %s", q.event(q.Doomed)), maxWidth)}
}

func failing(n int) string {
	if n == 1 {
		return "1 fails"
	}
	return fmt.Sprintf("%d fail", n)
}

// drawnAnew is what the futures do not have from the run.
func drawnAnew(f search.Freshness) string {
	return [...]string{
		search.Order:   "the order drawn anew, faults as they were",
		search.Chance:  "order and faults drawn anew",
		search.Request: "the order drawn anew, nothing more asked",
		search.Nothing: "the run ends there",
	}[f]
}

// event is a step in words: what begins it, and what goes wrong in it.
func (q *inquiry) event(step int) string {
	s := q.Steps[step]
	text := fmt.Sprintf("[%d] %s", s.From, said(q.Run, q.Run.Trace[s.From]))
	for i := s.From + 1; i < s.To; i++ {
		if e := q.Run.Trace[i]; misfortune(e.Kind) {
			text += "; " + said(q.Run, e)
		}
	}
	return text
}

// passes is the nearest passing run.
func (q *inquiry) passes() string {
	if q.Near == nil {
		return "passes  no run that differs in one decision"
	}
	word := "without"
	if q.Near.Added {
		word = "with"
	}
	return cut(fmt.Sprintf("passes  %s \"%s\": the same up to entry %d", word, changeText(q.Near),
		q.Near.Parts), maxWidth)
}

// changeText is what was added or taken away, as a story says it.
func changeText(c *search.Change) string {
	if c.Told != nil {
		return scenarios.ExceptionText(*c.Told)
	}
	return scenarios.ActionText(*c.Action)
}
