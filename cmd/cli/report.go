package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
	"github.com/downset/downset/sim/spacetime"
)

const (
	maxReport  = 40  // lines of a failure report
	maxStack   = 3   // functions of a panic
	maxPicture = 60  // lines of a picture beside it
	maxWidth   = 110 // columns of a row of events
)

// section begins a part of the output.
func (a *app) section(title string) { fmt.Fprintf(a.out, "\n%s\n", title) }

// picture draws a run, with what shows its violation pointed out.
func (a *app) picture(p *performance, q *scenarios.Played) {
	o := spacetime.Options{Point: p.protocol.Point, Height: maxPicture, Colour: a.colour}
	if low := q.Verdict.Lowest(); len(low) > 0 {
		o.Mark = low[0].Violation.Witness
	}
	a.section(label(q))
	fmt.Fprint(a.out, spacetime.Text(q.Run, o))
}

// parting is where two runs of one plan part, nil if they do not.
func (p *performance) parting(i int) *search.Parting {
	if p.doubles[i] == nil {
		return nil
	}
	return p.doubles[i].Part
}

// failureReport is all that a report of one broken run is made of.
type failureReport struct {
	*performance
	played  *scenarios.Played
	double  *search.Double
	run     *sim.Run
	first   checker.Finding // of the lowest broken layer
	witness []int
	look    *looker
}

// report prints why a run broke, the most telling first, in at most maxReport lines.
func (a *app) report(p *performance, i int) {
	q := &p.played[i]
	r := &failureReport{
		performance: p, played: q, double: p.doubles[i], run: q.Run,
		first: q.Verdict.Lowest()[0], look: &looker{plan: q.Run.Plan},
	}
	r.witness = r.inTrace(r.first.Violation.Witness)
	head := slices.Concat(r.sentence(), []string{""}, r.origin(), []string{""})
	tail := slices.Concat(r.contradiction(), r.state())
	events := r.events(maxReport - len(head) - len(tail) - 1)
	fmt.Fprintln(a.out)
	for _, line := range slices.Concat(head, events, tail) {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
}

// inTrace is those of some entries that the trace has.
func (r *failureReport) inTrace(entries []int) []int {
	var some []int
	for _, i := range entries {
		if i >= 0 && i < len(r.run.Trace) {
			some = append(some, i)
		}
	}
	return some
}

// last is the entry at which the violation is complete.
func (r *failureReport) last() int {
	if len(r.witness) == 0 {
		return len(r.run.Trace) - 1
	}
	return slices.Max(r.witness)
}

// sentence is the violation in one sentence, and that it is as expected if it is.
func (r *failureReport) sentence() []string {
	v := r.first.Violation
	when := ""
	if len(r.witness) > 0 {
		when = fmt.Sprintf(" (entry %d, %s)", r.last(), r.run.Trace[r.last()].At)
	}
	lines := wrap(fmt.Sprintf("%s: %s%s", r.first.Property.Name, v.Reason, when), maxWidth)
	var more []string
	if v.Count > 1 {
		more = append(more, fmt.Sprintf("%d like it in this run", v.Count))
	}
	if class := r.class(); class != "" {
		more = append(more, class)
	}
	switch {
	case r.double.Part != nil:
		more = append(more, "not the same each time")
	case r.played.Met():
		more = append(more, "as the story expects")
	case r.played.Expected == r.played.Got:
		more = append(more, "as the story expects, but for what is said above")
	default:
		more = append(more, "NOT as the story expects, which is "+orNothing(r.played.Expected))
	}
	lines = append(lines, strings.Join(more, "; "))
	if broken := r.played.Verdict.Broken(); len(broken) > 1 {
		lines = append(lines, "broken of the same layer: "+strings.Join(broken, " "))
	}
	return lines
}

// class is what the run costs: the worst class of its findings, and which one that is of, unless it
// is the one that is reported.
func (r *failureReport) class() string {
	class, by := r.played.Verdict.Worst()
	if class <= r.first.Property.Class {
		return r.first.Property.Class.String()
	}
	return fmt.Sprintf("%s (%s)", class, by)
}

// origin is where the run comes from: how to have it again, whether it is the same each time, what
// was left to chance, what went wrong in the world.
func (r *failureReport) origin() []string {
	plan := r.run.Plan
	setup := []string{"model " + plan.Protocol.Name, "nodes " + strings.Join(r.run.Nodes, " ")}
	if plan.Seed != 0 {
		setup = append(setup, fmt.Sprintf("seed %d", plan.Seed))
	}
	setup = append(setup, version())
	if plan.Seed != 0 {
		setup = append(setup, "--pin FILE keeps it without the seed")
	}
	lines := []string{
		"repro   " + r.again(r.played),
		"        " + strings.Join(setup, ", "),
		"rerun   " + r.determinism(),
		"drawn   " + drawn(r.run, r.double.Run.Chosen),
		"faults  " + faults(r.run, r.last()),
	}
	if p := r.run.Panic; p != nil {
		lines = append(lines, "stack   "+strings.Join(p.Stack[:min(len(p.Stack), maxStack)], ", from "))
	}
	return lines
}

// determinism says whether the run is the same each time.
func (r *failureReport) determinism() string {
	if part := r.double.Part; part != nil {
		return "NOT THE SAME: two runs of one plan first differ at " + part.String()
	}
	return "twice more, the same: hash " + scenarios.Fingerprint(r.double.Run)
}

// effect is what an entry changed in the state.
func (r *failureReport) effect(i int) string {
	return strings.Join(changes(r.look.at(i), r.look.at(i+1)), "; ")
}

// maxShown is how many entries that show a violation a report lists.
const maxShown = 4

// contradiction is the two facts that cannot both be, if two alone are enough, else what shows the
// violation together.
func (r *failureReport) contradiction() []string {
	title, shown := "cannot both be", r.inTrace(r.first.Violation.Clash)
	if len(shown) != 2 {
		title, shown = "shown by", r.witness
	}
	if len(shown) == 0 {
		return nil
	}
	lines := []string{title}
	for k, i := range shown {
		if n := len(shown); n > maxShown && k >= maxShown-2 && k < n-1 {
			if k == maxShown-2 {
				lines = append(lines, fmt.Sprintf("  and %d between", n-maxShown+1))
			}
			continue
		}
		lines = append(lines, cut(fmt.Sprintf("  [%d] %s", i, said(r.run, r.run.Trace[i])), maxWidth))
	}
	return append(lines, "")
}

// said is an entry in words: "Q notes commit tx5".
func said(run *sim.Run, e sim.Entry) string {
	return oneLine(fmt.Sprintf("%s %s %s", run.Name(e.Node), e.Kind, about(run, e)))
}

// about is what an entry is about, as a trace has it, but for what a crash loses.
func about(run *sim.Run, e sim.Entry) string {
	switch {
	case e.Kind != sim.EntryCrashed:
		return scenarios.EntryText(run, e)
	case e.N == 0:
		return "losing no record"
	}
	return "losing " + several(int(e.N), "record")
}

// oneLine is a text with single blanks between its words, and none around them.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// maxState is how many nodes a report shows.
const maxState = 6

// state is what the step of the violation changed, then what every node shows.
func (r *failureReport) state() []string {
	now := r.look.at(r.last() + 1)
	if len(now) == 0 {
		return nil
	}
	from := step(r.run, r.last())
	diff := strings.Join(changes(r.look.at(from), now), "; ")
	if diff == "" {
		diff = "nothing"
	}
	lines := []string{
		fmt.Sprintf("state at entry %d; its step, from entry %d on, changed: %s", r.last(), from, diff),
	}
	rows := table(now)
	for _, row := range rows[:min(len(rows), maxState)] {
		lines = append(lines, cut("  "+row, maxWidth))
	}
	if more := len(rows) - maxState; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return lines
}

// wrap is a text as lines of at most so many columns, unless a word is longer.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, "  "+word)
		}
	}
	return lines
}

// cut is a line of at most so many columns.
func cut(line string, width int) string {
	if r := []rune(line); len(r) > width {
		return string(r[:width-3]) + "..."
	}
	return line
}
