package scenarios

import (
	"fmt"
	"strings"
)

// Failures is what is not as expected, a text for each problem: where, what was wanted, what came
// instead, and in the last line the command that shows it again.
func (r *Report) Failures() []string {
	var all []string
	for _, q := range r.Problems {
		all = append(all, fmt.Sprintf("%s%s\n\tdownset run %s", r.place(q), q.Text, r.Scenario.File))
	}
	for i := range r.Played {
		p := &r.Played[i]
		for _, q := range p.Problems {
			all = append(all, fmt.Sprintf("%s%s: %s\n\t%s", r.place(q), p.who(), q.Text, p.Command()))
		}
	}
	return all
}

// place is where a problem is, as an error begins.
func (r *Report) place(q Problem) string {
	if q.Line == 0 {
		return r.Scenario.File + ": "
	}
	return fmt.Sprintf("%s:%d: ", r.Scenario.File, q.Line)
}

// who is the variant, and the case if there are several.
func (p *Played) who() string {
	if p.Case == "" {
		return p.Variant
	}
	return p.Variant + ", " + p.Case
}

// ByAll says that only all seeds together show what is not as expected: the variant was to break
// under some of them, and broke under none.
func (p *Played) ByAll() bool {
	return p.Tally.Runs > 1 && p.Tally.Broken == 0 && strings.HasPrefix(p.Expected, "breaks")
}

// Command is the command that plays again what is shown of a variant.
func (p *Played) Command() string {
	words := []string{"downset", "run", "--variant", p.Variant}
	if p.Seed != 0 && !p.ByAll() {
		words = append(words, "--seed", fmt.Sprint(p.Seed))
	}
	if p.Case != "" {
		words = append(words, "--case", `"`+p.Case+`"`)
	}
	return strings.Join(append(words, p.Scenario.File), " ")
}
