package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// before is how many entries replay --to shows, up to the one asked for.
const before = 10

func (a *app) replayCommand() *cobra.Command {
	to := -1
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Plays a stored run again, and says whether it is the recorded one",
		Args:  wantsOne("the file of a stored run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("to") && to < 0 {
				return usage("--to wants an entry, from 0, got %d", to)
			}
			return a.replay(args[0], to)
		},
	}
	cmd.Flags().IntVar(&to, "to", -1, "play up to this entry and show the state there")
	cmd.Flags().BoolVar(&a.json, "json", false, "one object a line")
	a.patienceFlag(cmd)
	return cmd
}

// rerun is a stored run, played again.
type rerun struct {
	found scenarios.Found
	plan  *sim.Plan
	run   *sim.Run
}

func (a *app) replay(file string, to int) error {
	s, err := a.open(file)
	if err != nil {
		return err
	}
	var r *rerun
	var p *performance
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		var err error
		r, err = a.rerun(&story{s.Scenario, w}, sim.Options{Digest: true})
		if err != nil || to >= 0 {
			return err
		}
		o := scenarios.PlayOptions{Variants: []string{r.found.Variant}, NoOrders: true}
		if seed := r.plan.Seed; seed != 0 {
			o.Seeds = scenarios.Seeds{From: seed, To: seed}
		}
		p = &performance{story: s}
		return p.add(w, o)
	})
	if err != nil {
		return err
	}
	if to >= 0 {
		return a.state(r, to)
	}
	a.code = worse(a.code, p.code())
	return a.compared(p, r)
}

// rerun plays the run that the last comment of a story tells of.
func (a *app) rerun(s *story, o sim.Options) (*rerun, error) {
	plan, f, err := s.Recorded(s.protocol)
	if err != nil {
		return nil, usage("%w", err)
	}
	run, err := new(sim.World).Execute(plan, o)
	if err != nil {
		return nil, usage("%s: %w", s.File, err)
	}
	return &rerun{f, plan, run}, nil
}

// compared says whether a run is the recorded one, and what came of it.
func (a *app) compared(p *performance, r *rerun) error {
	got := scenarios.Fingerprint(r.run)
	same := got == r.found.Hash
	if !same {
		a.code = worse(a.code, exitDiverged)
	}
	if a.json {
		return a.object(p.replayObject(r, same))
	}
	a.verdicts(p)
	if same {
		fmt.Fprintf(a.out, "replay  the recorded run: hash %s\n", got)
		return nil
	}
	fmt.Fprintf(a.out, "replay  DIVERGED: %s\n", r.difference(got))
	for i := range p.played {
		for _, q := range p.played[i].Of(scenarios.WrongTrace) {
			fmt.Fprintf(a.out, "        first at %s\n", q.Text)
		}
	}
	return nil
}

// difference is how a run's fingerprint differs from the recorded one: the first half is of what
// happened, the second of its contents.
func (r *rerun) difference(got string) string {
	what := "other events"
	if len(r.found.Hash) == len(got) && r.found.Hash[:16] == got[:16] {
		what = "the same events with other contents"
	}
	return fmt.Sprintf("%s: hash %s, recorded %s", what, got, r.found.Hash)
}

// state shows what a run has come to at one of its entries.
func (a *app) state(r *rerun, to int) error {
	if to >= len(r.run.Trace) {
		return usage("the run has the entries 0 to %d, not %d", len(r.run.Trace)-1, to)
	}
	look := &looker{plan: r.plan}
	now := look.at(to + 1)
	diff := changes(look.at(to), now)
	if look.err != nil {
		return usage("%w", look.err)
	}
	if a.json {
		at := r.run.Trace[to].At.String()
		return a.object(stateObject{header{format, "state"}, to, at, observed(now), diff})
	}
	lines := scenarios.TraceText(r.run)
	for _, line := range lines[max(0, to+1-before) : to+1] {
		fmt.Fprintln(a.out, line)
	}
	if len(diff) == 0 {
		diff = []string{"nothing"}
	}
	fmt.Fprintf(a.out, "\nstate at entry %d of %d; the entry changed: %s\n", to, len(lines),
		strings.Join(diff, "; "))
	for _, row := range table(now) {
		fmt.Fprintln(a.out, " ", row)
	}
	return nil
}
