package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// pin writes the run that was shown to a file, as a story without chance that plays the same.
func (a *app) pin(p *performance, i int, file string) error {
	q := &p.played[i]
	plan, err := q.Scenario.Plan(p.protocol, q.Variant, q.Seed)
	if err != nil {
		return usage("%w", err)
	}
	run, err := new(sim.World).Execute(plan, sim.Options{Record: true, Digest: true})
	if err != nil {
		return usage("%s: %w", p.File, err)
	}
	s := q.Scenario.Pinned(scenarios.Pin(plan, run))
	s.File = file
	s.Fixed = !s.Timed // one run is one order
	s.Expect = expectation(q)
	f := scenarios.Found{Model: p.Model, Variant: q.Variant, Seed: q.Seed,
		Hash: scenarios.Fingerprint(run)}
	s.Tail = []string{f.String()}
	text := scenarios.Format(s)
	if err := a.verified(file, text, p.protocol); err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return usage("%s: %v", file, plain(err))
	}
	if !a.json {
		fmt.Fprintf(a.out, "\npinned  %s; downset replay %s\n", file, quoted(file))
	}
	return nil
}

// verified makes sure that what is written down is the run.
func (a *app) verified(file string, text []byte, p *sim.Protocol) error {
	s, err := scenarios.Parse(file, text)
	if err != nil {
		return tool(fmt.Errorf("the pinned run makes no story: %w", err))
	}
	r, err := a.rerun(&story{s, p}, sim.Options{Digest: true})
	if err != nil {
		return tool(err)
	}
	if got := scenarios.Fingerprint(r.run); got != r.found.Hash {
		return tool(fmt.Errorf("%s plays another run, hash %s, not %s", file, got, r.found.Hash))
	}
	return nil
}

// expectation is what came of a run, as a story expects it.
func expectation(q *scenarios.Played) scenarios.Expect {
	v := scenarios.Verdict{Variant: q.Variant, Outcome: scenarios.Holds}
	switch {
	case len(q.Verdict.Broken()) > 0:
		v.Outcome, v.Breaks = scenarios.Breaks, q.Verdict.Broken()
	case strings.HasPrefix(q.Got, "undecided"):
		v.Outcome = scenarios.Undecided
	}
	return scenarios.Expect{Verdicts: []scenarios.Verdict{v}}
}
