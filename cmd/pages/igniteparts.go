package pages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

const setupHead = `
## The other wrong variants

Those that want another set-up: failures, two cuts, joins, a rebalance, a restore. Each with the
property that catches it and stories that expect it to; a story in brackets breaks something else
first. Each of them but those marked * is also found by a sweep of drawn runs (results/mutants.md);
the others are hardly ever drawn, and their story is the proof.

| | variant | what it does wrong | caught by | stories |
|---|---|---|---|---|
`

// setupTable are the wrong variants that are not in the first table.
func setupTable(of *sim.Protocol, all []*scenarios.Scenario) string {
	text := setupHead
	for _, v := range of.Variants {
		if v.Mutant() && !inKills(v.Name) {
			number, doc := numbered(v.Doc)
			mark := ""
			if v.Story != "" {
				mark = "*"
			}
			text += fmt.Sprintf("| %s | %s%s | %s | %s | %s |\n", number, v.Name, mark, doc, v.Breaks,
				breaking(v, all))
		}
	}
	return text
}

func inKills(variant string) bool {
	return slices.ContainsFunc(kills(), func(k kill) bool { return k.variant == variant })
}

// numbered parts a variant's doc into its number in section 6, "" if it has none, and the rest.
func numbered(doc string) (number, rest string) {
	number, rest, found := strings.Cut(doc, ": ")
	if !found || !strings.HasPrefix(number, "M-") {
		return "", doc
	}
	return number, rest
}

// mostStories is how many stories a row names.
const mostStories = 3

// noStory stands where stories should.
const noStory = "none"

// breaking are the stories that expect a variant to break what it names; if there are none, in
// brackets those that expect it to break something.
func breaking(v sim.Variant, all []*scenarios.Scenario) string {
	var named, others []string
	for _, s := range all {
		broken := brokenBy(v.Name, s)
		switch {
		case len(broken) == 0:
		case slices.Contains(broken, v.Breaks) && path.Base(s.File) == v.Story:
			named = slices.Insert(named, 0, title(s))
		case slices.Contains(broken, v.Breaks):
			named = append(named, title(s))
		default:
			others = append(others, "("+title(s)+")")
		}
	}
	return some(slices.Concat(named, others))
}

// brokenBy is what a story expects a variant to break.
func brokenBy(variant string, s *scenarios.Scenario) []string {
	for _, w := range s.Expect.Verdicts {
		if w.Variant == variant && w.Outcome == scenarios.Breaks {
			return w.Breaks
		}
	}
	return nil
}

// some are the first of some names.
func some(named []string) string {
	if len(named) == 0 {
		return noStory
	}
	more := ""
	if n := len(named) - mostStories; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(named[:min(len(named), mostStories)], ", ") + more
}

const propertyHead = `
## Which variants each property catches

The wrong variants that name the property as the one that must catch them.

| property | variants |
|---|---|
`

const propertyTail = `
Two properties are named by none, because others imply them. *nesting*: what is before one cut and
after a later one has either two decisions (oracle) or a mark in the wrong place (sets, marks).
*sum*: where the sum of a restored state is wrong one of its keys is (restored). They are kept, as
they are what a user sees.
`

func propertyTable(of *sim.Protocol) string {
	text := propertyHead
	for _, p := range of.Properties {
		var names []string
		for _, v := range of.Variants {
			if v.Mutant() && v.Breaks == p.Name {
				names = append(names, v.Name)
			}
		}
		text += fmt.Sprintf("| %s | %s |\n", p.Name, strings.Join(names, ", "))
	}
	return text + propertyTail
}

const gridHead = `
## Grids

Crossings of one message, or of one record, with one cut, each with the side that the closed form
1.13 predicts.

| file | cases |
|---|---:|
`

func gridTable(all []*scenarios.Scenario) string {
	text, total := gridHead, 0
	for _, s := range all {
		if len(s.Vary) > 0 {
			n := len(s.Grid())
			total += n
			text += fmt.Sprintf("| %s | %s |\n", title(s), thousands(int64(n)))
		}
	}
	return text + fmt.Sprintf("| all | %s |\n", thousands(int64(total)))
}

const findingHead = `
## What was found in draft and merged

Each is a story in scenarios/ignite, of what it takes and no more; ` + "`downset why`" + ` and
` + "`downset draw`" + ` show it.
`

// findings are the stories of what was found.
func findings(all []*scenarios.Scenario) string {
	text, n := "", 0
	for _, s := range all {
		if name, is := strings.CutPrefix(title(s), "found-"); is {
			n++
			text += fmt.Sprintf("\n### %d. %s\n\n%s", n, strings.ReplaceAll(name, "-", " "), finding(s))
		}
	}
	return findingHead + fmt.Sprintf("There are %d of them.\n", n) + text
}

// finding is the block of one.
func finding(s *scenarios.Scenario) string {
	var tale, facts []string
	for _, line := range s.Doc {
		switch {
		case isFact(line):
			facts = append(facts, line)
		case len(facts) > 0 && line != "":
			facts[len(facts)-1] += " " + line
		case line != "":
			tale = append(tale, line)
		}
	}
	text := strings.Join(tale, "\n") + "\n\n"
	for _, f := range facts {
		text += "- " + f + "\n"
	}
	text += "- verdicts: " + strings.Join(verdicts(s), "; ") + "\n"
	return text + fmt.Sprintf("- story: [%s](../%s)\n", path.Base(s.File), s.File)
}

// isFact says that a line of a comment begins one of the things that each finding says.
func isFact(line string) bool {
	for _, word := range []string{"invariant:", "cured by:", "blame:"} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// verdicts are what a story expects, variant by variant.
func verdicts(s *scenarios.Scenario) []string {
	var all []string
	for _, v := range s.Expect.Verdicts {
		is := "holds"
		switch v.Outcome {
		case scenarios.Breaks:
			is = "breaks " + strings.Join(v.Breaks, ", ")
			if v.More {
				is += " and more"
			}
		case scenarios.Undecided:
			is = "is undecided"
		case scenarios.Loose:
			is = "depends on the order"
		}
		all = append(all, v.Variant+" "+is)
	}
	return all
}
