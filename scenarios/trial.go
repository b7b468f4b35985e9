package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// trial is what one run came to. It holds nothing of the world that played it.
type trial struct {
	seed     uint64
	hash     uint64
	verdict  checker.Verdict
	got      string    // the verdict in words
	problems []Problem // what is not as expected
	outcome  string    // verdict, claims and checks, to compare orders by
}

func problem(what ProblemKind, line int, format string, args ...any) Problem {
	return Problem{what, line, fmt.Sprintf(format, args...)}
}

// try plays one seed.
func (pl *player) try(seed uint64) (trial, error) {
	plan, err := pl.plan(seed)
	if err != nil {
		return trial{}, err
	}
	run, err := pl.world.Execute(plan, sim.Options{})
	if err != nil {
		return trial{}, pl.story.wrap(err)
	}
	return pl.judge(run, seed), nil
}

// judge compares a run with what the story expects.
func (pl *player) judge(run *sim.Run, seed uint64) trial {
	t := trial{seed: seed, hash: run.Hash, verdict: checker.Judge(run, pl.protocol.Properties)}
	t.got = verdictText(t.verdict)
	claims := pl.claims(run)
	t.outcome = outcomeText(t.verdict, claims, run.Checks)
	if p, wrong := pl.verdict(&t); wrong {
		t.problems = append(t.problems, p)
	}
	if t.verdict.Outcome != checker.Undecided || pl.wants(Undecided) {
		t.problems = append(t.problems, claims...)
	}
	t.problems = append(t.problems, checks(run.Checks)...)
	t.problems = append(t.problems, pl.story.stales(run)...)
	t.problems = append(t.problems, pl.trace(run)...)
	return t
}

// wants says that the story expects this outcome.
func (pl *player) wants(o Outcome) bool { return pl.want != nil && pl.want.Outcome == o }

// verdict compares the verdict with the expected one.
func (pl *player) verdict(t *trial) (Problem, bool) {
	line, text := 0, "holds"
	if pl.want != nil {
		line, text = pl.want.Line, pl.want.text()
	}
	got := t.verdict.Outcome
	switch {
	case pl.fits(t.verdict):
		return Problem{}, false
	case got == checker.Undecided:
		return problem(NotDecided, line, "want %s, got %s", text, t.got), true
	case got == checker.Vacuous && pl.wants(Holds):
		return problem(VacuousHolds, line, "want %s, but no property met its premise", text), true
	}
	return problem(WrongVerdict, line, "want %s, got %s", text, t.got+because(t.verdict)), true
}

// fits says that a verdict is the expected one.
func (pl *player) fits(v checker.Verdict) bool {
	if pl.want == nil {
		return v.Outcome == checker.Holds || v.Outcome == checker.Vacuous
	}
	switch pl.want.Outcome {
	case Holds:
		return v.Outcome == checker.Holds
	case Undecided:
		return v.Outcome == checker.Undecided
	case Breaks:
		return v.Outcome == checker.Broken && pl.want.names(v.Broken())
	case Loose:
		return true // which is for the orders to say
	}
	panic(fmt.Sprintf("scenarios: outcome %d", uint8(pl.want.Outcome)))
}

// names says that the broken properties are those that the verdict names.
func (v *Verdict) names(broken []string) bool {
	want := slices.Sorted(slices.Values(v.Breaks))
	if !v.More {
		return slices.Equal(want, broken)
	}
	for _, name := range want {
		if !slices.Contains(broken, name) {
			return false
		}
	}
	return true
}

// because is the reason of the first violation.
func because(v checker.Verdict) string {
	if low := v.Lowest(); v.Outcome == checker.Broken && len(low) > 0 {
		return ": " + low[0].Violation.Reason
	}
	return ""
}

// tells orders trials: the one with the least number shows best what came of the variant. Where all
// seeds must hold that is one that does not, else it is one that does as expected.
func (pl *player) tells(t *trial) int {
	if pl.wants(Breaks) || pl.wants(Undecided) {
		switch {
		case len(t.problems) == 0:
			return 0
		case pl.fits(t.verdict):
			return 1
		case t.verdict.Outcome == checker.Broken:
			return 2
		}
		return 3
	}
	worst := 3
	for _, p := range t.problems {
		switch p.What {
		case VacuousHolds:
			worst = max(worst, 4) // counts only if it is so under all seeds
		case NotDecided:
			worst = min(worst, 1)
		default:
			return 0
		}
	}
	return worst
}

// claims are the claims about the end that do not hold.
func (pl *player) claims(run *sim.Run) []Problem {
	all := pl.story.claimsFor(pl.want)
	if len(all) == 0 {
		return nil
	}
	seen := run.Observe()
	var wrong []Problem
	for _, c := range all {
		if got := c.Test(seen); got != "" {
			wrong = append(wrong, problem(WrongClaim, c.Line, "want %q, saw %q", c.String(), got))
		}
	}
	return wrong
}

// claimsFor are the claims that bind a variant with this verdict.
func (s *Scenario) claimsFor(v *Verdict) []Claim {
	if v == nil {
		return s.Expect.Claims
	}
	return slices.Concat(s.Expect.Claims, v.Claims)
}

func checks(list []sim.Check) []Problem {
	var wrong []Problem
	for _, c := range list {
		if c.Fails != "" {
			wrong = append(wrong, problem(Astray, c.Line,
				"astray: want %q, saw %q", c.Claim.String(), c.Fails))
		}
	}
	return wrong
}

// verdictText is a verdict as a story says it, and why it is undecided if it is.
func verdictText(v checker.Verdict) string {
	switch v.Outcome {
	case checker.Holds, checker.Vacuous:
		return v.Outcome.String()
	case checker.Broken:
		return "breaks " + strings.Join(v.Broken(), " ")
	case checker.Undecided:
		for _, f := range v.Findings {
			if f.Undecided != "" {
				return "undecided: " + f.Undecided
			}
		}
		return "undecided"
	}
	panic(fmt.Sprintf("scenarios: outcome %d", uint8(v.Outcome)))
}

// outcomeText is verdict, claims and checks in one text: two orders of a story come to the same if
// their texts are equal.
func outcomeText(v checker.Verdict, claims []Problem, checks []sim.Check) string {
	verdict, _, _ := strings.Cut(verdictText(v), ":")
	lines := []string{verdict}
	for _, c := range claims {
		lines = append(lines, c.Text)
	}
	for _, c := range checks {
		if c.Fails != "" {
			lines = append(lines, fmt.Sprintf("want %q, saw %q", c.Claim.String(), c.Fails))
		}
	}
	return strings.Join(lines, "\n")
}

// expected is what the story expects of a variant: its own line, else that of all others.
func (s *Scenario) expected(variant string) *Verdict {
	var others *Verdict
	for i := range s.Expect.Verdicts {
		v := &s.Expect.Verdicts[i]
		switch v.Variant {
		case variant:
			return v
		case "*":
			others = v
		}
	}
	return others
}

// text is the verdict as the story says it, without the variant.
func (v *Verdict) text() string {
	switch v.Outcome {
	case Holds:
		return "holds"
	case Undecided:
		return "undecided"
	case Loose:
		return "loose"
	case Breaks:
		words := append([]string{"breaks"}, v.Breaks...)
		if v.More {
			words = append(words, "...")
		}
		return strings.Join(words, " ")
	}
	panic(fmt.Sprintf("scenarios: outcome %d", uint8(v.Outcome)))
}
