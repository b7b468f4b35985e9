package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/downset/downset/scenarios"
)

// maxRows is how many verdicts of a grid are printed one by one; of a larger grid only those that
// are not as expected.
const maxRows = 40

// verdicts prints what came of a story: a line a variant, and beneath them what is not as expected.
func (a *app) verdicts(p *performance) {
	fmt.Fprintln(a.out, p.File)
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  variant\texpected\tgot")
	rows := 0
	for i := range p.played {
		q := &p.played[i]
		if q.Case != "" && len(p.played) > maxRows && q.Met() {
			continue
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", label(q), orNothing(q.Expected), q.Got+tally(q),
			p.judgement(i))
		rows++
	}
	w.Flush()
	if rows > 0 {
		fmt.Fprint(a.out, a.painted(text.String()))
	}
	if p.cases > 0 {
		fmt.Fprintf(a.out, "  cases %d void %d, %d verdicts\n", p.cases, p.void, len(p.played))
	}
	a.problemLines(p)
}

// label names what was played: the variant, with its case if the story is a grid.
func label(q *scenarios.Played) string {
	if q.Case == "" {
		return q.Variant
	}
	return q.Variant + " (" + q.Case + ")"
}

func orNothing(expected string) string {
	if expected == "" {
		return "-"
	}
	return expected
}

// tally is how many runs say so, if there was more than one.
func tally(q *scenarios.Played) string {
	if q.Tally.Runs < 2 {
		return ""
	}
	if q.Tally.Broken > 0 {
		return fmt.Sprintf(", %d of %d runs", q.Tally.Broken, q.Tally.Runs)
	}
	return fmt.Sprintf(", %d runs", q.Tally.Runs)
}

const (
	asExpected  = "ok"
	notExpected = "NOT AS EXPECTED"
)

// judgement is whether a verdict is the expected one; if not, with the command that shows it.
func (p *performance) judgement(i int) string {
	q := &p.played[i]
	switch {
	case p.parting(i) != nil:
		return "NOT THE SAME TWICE: " + p.again(q)
	case q.Void:
		return "void"
	case q.Met():
		return asExpected
	}
	return notExpected + ": " + p.again(q)
}

// again is the command that plays one run again.
func (p *performance) again(q *scenarios.Played) string {
	words := []string{"downset", "run", "--variant", q.Variant}
	if q.Run != nil && q.Run.Plan.Seed != 0 && !q.ByAll() {
		words = append(words, "--seed", fmt.Sprint(q.Run.Plan.Seed))
	}
	if q.Case != "" {
		words = append(words, "--case", q.Case)
	}
	words = append(words, p.File)
	for i := range words {
		words[i] = quoted(words[i])
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t'\"$&|;<>()*?[]`\\#~!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// problemLines prints why something is not as expected, with the line of the story that says so.
func (a *app) problemLines(p *performance) {
	for i := range p.played {
		q := &p.played[i]
		for _, r := range q.Problems {
			fmt.Fprintf(a.out, "  %s: %s\n", label(q), located(p.File, r))
		}
		if part := p.parting(i); part != nil && len(q.Of(scenarios.Nondeterminism)) == 0 {
			fmt.Fprintf(a.out, "  %s: two runs of one plan first differ at %s\n", label(q), part)
		}
	}
	for _, r := range p.problems {
		fmt.Fprintf(a.out, "  %s\n", located(p.File, r))
	}
	if p.part {
		fmt.Fprintf(a.out, "  interrupted: %d variants played\n", len(p.played))
	}
}

func located(file string, r scenarios.Problem) string {
	if r.Line == 0 {
		return r.Text
	}
	return fmt.Sprintf("%s:%d: %s", file, r.Line, r.Text)
}

// painted is verdicts with what is good and what is bad in colours, if someone sees them.
func (a *app) painted(text string) string {
	if !a.colour {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasSuffix(line, "  "+asExpected+"\n"):
			line = "\x1b[32m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		case strings.Contains(line, "  "+notExpected) || strings.Contains(line, "  NOT THE SAME"):
			line = "\x1b[31m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
