package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
)

// reports prints the failures of a variant that are to be shown in full: alone all of them, else
// those that nobody expects.
func (a *app) reports(r *swept, alone bool) {
	for _, x := range r.found {
		if x.known || !alone && !r.right() {
			continue
		}
		if err := a.findingReport(x); err != nil {
			a.complain(err)
		}
	}
}

// finding is a report of a kept failure.
type findingReport struct {
	*failureReport
	*kept
}

// findingReport prints the picture of a kept failure and, beneath it, all that is known about
// it, the most telling first, in at most maxReport lines. The last line replays it.
func (a *app) findingReport(x *kept) error {
	f, err := a.keptFailure(x.file, x.sweep.Variant.Name, x.Property)
	if err != nil {
		return err
	}
	a.findingLines(&findingReport{f, x})
	return nil
}

// keptFailure plays the story of a failure that was kept, prints its picture, and gives what is
// known about it: of the property that it was kept for, if that is among the lowest that break.
func (a *app) keptFailure(file, variant, property string) (*failureReport, error) {
	s, err := a.open(file)
	if err != nil {
		return nil, err
	}
	p, err := a.play(s, scenarios.PlayOptions{Variants: []string{variant}, NoOrders: true})
	if err != nil {
		return nil, err
	}
	q := &p.played[0]
	low := q.Verdict.Lowest()
	if len(low) == 0 || p.doubles[0] == nil {
		return nil, tool(fmt.Errorf("%s breaks nothing when it is played", file))
	}
	a.picture(p, q)
	f := &failureReport{performance: p, played: q, double: p.doubles[0], run: q.Run, first: low[0],
		look: &looker{plan: q.Run.Plan}}
	for _, one := range low {
		if one.Property.Name == property {
			f.first = one
		}
	}
	f.witness = f.inTrace(f.first.Violation.Witness)
	a.code = worse(a.code, p.unsteady())
	return f, nil
}

// unsteady is the exit code if what was played was not the same twice.
func (p *performance) unsteady() int {
	if p.parting(0) != nil {
		return exitUnsteady
	}
	return exitOK
}

func (a *app) findingLines(r *findingReport) {
	head := slices.Concat(r.opening(), []string{""}, r.provenance(), []string{""})
	state := r.state()
	if len(state) > 0 {
		state = append(state, "")
	}
	tail := slices.Concat(r.contradiction(), r.chain(), state, r.whyLines(), r.needs(),
		r.closing())
	events := r.events(maxReport - len(head) - len(tail) - 1)
	fmt.Fprintln(a.out)
	for _, line := range slices.Concat(head, events, tail) {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
}

// opening is the violation in one sentence, and what it means here.
func (r *findingReport) opening() []string {
	more := r.class()
	if more != "" {
		more += "; "
	}
	if n := r.first.Violation.Count; n > 1 {
		more += fmt.Sprintf("%d like it in this run; ", n)
	}
	return append(r.sentence()[:1], more+r.others()+r.meaning())
}

// others are what breaks beside, of the same layer.
func (r *findingReport) others() string {
	broken := r.played.Verdict.Broken()
	if len(broken) < 2 {
		return ""
	}
	return "broken of the same layer: " + strings.Join(broken, " ") + "; "
}

// meaning is what the failure says of the variant.
func (r *findingReport) meaning() string {
	v := r.sweep.Variant
	switch {
	case r.sweep.right():
		return "NOT AS EXPECTED: nothing may break " + v.Name
	case r.sweep.catches(r.group.Broken):
		return "as expected of " + v.Name
	case len(r.sweep.must) > 0:
		return "but " + v.Name + " must be caught by " + strings.Join(r.sweep.must, " or ")
	}
	return "of " + v.Name + " anything may be expected here"
}

// provenance is how to have the failure again, with and without what was shrunk away, and
// whether it is the same each time.
func (r *findingReport) provenance() []string {
	return []string{
		"repro   " + r.sweep.again(r.Seed),
		fmt.Sprintf("        model %s, nodes %s, seed %d, %s", r.sweep.Protocol.Name,
			strings.Join(r.failureReport.run.Nodes, " "), r.Seed, version()),
		"rerun   " + r.determinism(),
		"shrunk  " + r.reduction(),
	}
}

// reduction is how much of the run was left after shrinking.
func (k *kept) reduction() string {
	s, now := k.Shrunk, sizeOf(k.Run)
	return fmt.Sprintf("%s -> %d, %d, %d, %d, in %d runs",
		amount(k.was, s.ActionsWas, s.ExceptionsWas), now.events, now.faults, s.Actions, s.Exceptions,
		s.Runs)
}

// amount is "412 events, 9 faults, 14 actions, 30 choices".
func amount(s size, actions, choices int) string {
	return strings.Join([]string{several(s.events, "event"), several(s.faults, "fault"),
		several(actions, "action"), several(choices, "choice")}, ", ")
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxChain is how many entries of a causal chain are shown.
const maxChain = 6

// chain is the causal path between the facts that contradict each other.
func (r *findingReport) chain() []string {
	chain := r.inTrace(r.first.Violation.Chain)
	if len(chain) < 2 || slices.Equal(chain, r.witness) {
		return nil // it is what the contradiction says
	}
	lines := []string{"causal chain"}
	for i, at := range chain {
		if n := len(chain); n > maxChain && i >= maxChain/2 && i < n-maxChain/2 {
			if i == maxChain/2 {
				lines = append(lines, fmt.Sprintf("  and %d between", n-maxChain/2*2))
			}
			continue
		}
		e := r.failureReport.run.Trace[at]
		lines = append(lines, cut(fmt.Sprintf("  [%d] %s", at, said(r.failureReport.run, e)), maxWidth))
	}
	return append(lines, "")
}

// maxNeeds is how many of what is left to go wrong a report names, a line each.
const maxNeeds = 5

// needs is what must go wrong, each with what comes of the run without it.
func (r *findingReport) needs() []string {
	needs := r.sweep.Needs(r.Finding)
	if len(needs) == 0 {
		return []string{"needs   nothing but the requests: no fault and no choice is left"}
	}
	var lines []string
	for i, n := range needs {
		name := "        "
		if i == 0 {
			name = "needs   "
		}
		if i == maxNeeds {
			return append(lines, fmt.Sprintf("%sand %d more", name, len(needs)-maxNeeds))
		}
		verdict := "passes without it"
		if !n.Passes {
			verdict = "without it " + n.Without
		}
		lines = append(lines, fmt.Sprintf("%s%s (%s)", name, n.Text, verdict))
	}
	return lines
}

// closing is how common the failure is, what its seed drew, and how to replay it.
func (r *findingReport) closing() []string {
	lines := []string{"common  " + r.sweep.sample(r.group).String()}
	if drawn := r.drawn(); drawn != "" {
		lines = append(lines, "drawn   "+drawn)
	}
	return append(lines, "replay  "+command("replay", r.file))
}

// drawn is all that the seed decided before the run began, in one line, as a story says it.
func (r *findingReport) drawn() string {
	plan, err := r.sweep.Plan(r.Seed)
	if err != nil {
		return ""
	}
	text := string(scenarios.Format(scenarios.Story(plan)))
	_, text, _ = strings.Cut(text, "-- scenario --\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	var options []string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) > 0 && words[0] != "model" && words[0] != "variants" {
			options = append(options, strings.Join(words, " "))
		}
	}
	return strings.Join(options, "; ")
}

// command is a call of the tool, as a shell takes it.
func command(words ...string) string {
	all := []string{"downset"}
	for _, w := range words {
		all = append(all, quoted(w))
	}
	return strings.Join(all, " ")
}
