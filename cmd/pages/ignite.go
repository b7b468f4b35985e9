package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// workers is how many cells are explored at once. It decides nothing.
const workers = 2

const igniteHead = `# Ignite's consistent cut: what breaks where

Written by ` + "`downset results ignite`" + `. Numbers M-01 to M-42 are those of the specification's
list of wrong variants, I-1 to I-31 of its invariants. *draft* is IEP-89, *merged* what Ignite 2.15
shipped, *fixed* is merged with cures.
`

// writeIgnite is the page ignite.md.
func writeIgnite(of *sim.Protocol) (string, error) {
	all, err := stories()
	if err != nil {
		return "", err
	}
	rows, spaces := killCells(), spaceCells()
	if err := exploreAll(of, slices.Concat(rows, spaces), workers); err != nil {
		return "", err
	}
	return igniteHead + killTable(rows) + setupTable(of, all) + propertyTable(of) + gridTable(all) +
		spaceTable(spaces) + findings(all) + searched, nil
}

const killHead = `
## Wrong variants on the three base topologies

One transaction and one cut, in every order of requests and messages, without timers and crashes
(` + "`downset explore --timers 0 --crashes 0 --only agreement`" + `), on the stories
` + "`base-two-primaries`, `base-primary-backup` and `base-one-phase`" + ` of scenarios/ignite.
*Atomic* is /entry=atomic/commit=atomic: entry and commit are one event each. *Split* is the mode
that shipped. A cell is *killed* if some order breaks the property; *eq*, with the number of states,
if none does; *not complete* if none did in the first 700,000 states. In brackets what the
specification says; "–" is that the change is of nothing there, no brackets that it says nothing.
**Bold** is what differs, and is explained below.
Rows that unanimity judges are about the commit alone, and are explored without the cut.

| | variant | mode | judged by | 2PC, two primaries | 2PC with a backup | 1PC with a backup |
|---|---|---|---|---|---|---|
`

// killCells are the cells of the first table, three a row.
func killCells() []*cell {
	var cells []*cell
	for _, k := range kills() {
		cells = append(cells, k.cellsOf()...)
	}
	return cells
}

func killTable(cells []*cell) string {
	text, why := killHead, "\n"
	for i, k := range kills() {
		row, differs := k.row(cells[3*i : 3*i+3])
		text += row
		why += k.reason(differs)
	}
	return text + why
}

// reason is the line below the table that says why a row differs, "" if it does not.
func (k kill) reason(differs bool) string {
	why := k.why
	switch {
	case !differs:
		return ""
	case why == "":
		why = unexplained
	}
	return fmt.Sprintf("- %s, `%s`, %s: %s\n", k.number, k.variant, k.mode(), why)
}

const unexplained = "not explained"

// head is how the row begins.
func (k kill) head() string {
	return fmt.Sprintf("| %s | %s | %s | %s |", k.number, k.variant, k.mode(), k.judge())
}

// row is a row of the table; differs says that a cell is not what the specification says.
func (k kill) row(cells []*cell) (text string, differs bool) {
	text = k.head()
	for i, c := range cells {
		is := c.verdict()
		if c.differs(k.says[i]) {
			is, differs = "**"+is+"**", true
		}
		if k.says[i] != unsaid {
			is += " (" + k.says[i] + ")"
		}
		text += " " + is + " |"
	}
	return text + "\n", differs
}

const spaceHead = `
## How many states fixed has

The base stories in every order, without timers and crashes but that of the client in
base-client-crash, at any moment; and two transactions on one key, of which one node is the only
owner and decides both: agreement has nothing to compare there, so the oracle judges, and if each is
on the side on which it was decided, the order in which they had the lock does the rest (I-20).
"More than 700,000" was not explored to its end, and holds as far as it was.

Replies to a reducer are kept in the order of their senders. As long as they stood in the order in
which they came, there were five to eight times as many states, which differed in nothing else.

| story | mode | judged by | states | complete | verdict |
|---|---|---|---:|---|---|
`

// spaceCells are the cells of the table of states, two a story.
func spaceCells() []*cell {
	var cells []*cell
	both := func(base, by string) {
		cells = append(cells, &cell{base: base, variant: "fixed/entry=atomic/commit=atomic", by: by},
			&cell{base: base, variant: "fixed", by: by})
	}
	for _, b := range bases() {
		both(b, agreement)
	}
	both("base-client-crash.txt", agreement)
	both("explore-two-on-one-key.txt", oracle)
	return cells
}

func spaceTable(cells []*cell) string {
	text := spaceHead
	for i, c := range cells {
		text += c.space([]string{"atomic", "split"}[i%2])
	}
	return text
}

// space is the cell as a row.
func (c *cell) space(mode string) string {
	states, complete, verdict := thousands(c.states), "yes", "holds"
	if !c.complete {
		states, complete = "more than "+thousands(mostStates), "no"
	}
	if c.killed {
		verdict = "breaks " + c.by
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", c.base, mode, c.by, states, complete,
		verdict)
}

// cheap are the cells that a check explores again: one that is killed, one that is not.
func cheap() []kill {
	return slices.DeleteFunc(kills(), func(k kill) bool {
		return k.number != "M-05" && k.number != "M-11"
	})
}

// checkIgnite explores some cells again and looks whether the page names all variants and stories
// that there are.
func checkIgnite(of *sim.Protocol, text string) (string, error) {
	all, err := stories()
	if err != nil {
		return "", err
	}
	for _, part := range []string{killHead, setupTable(of, all), propertyTable(of), gridTable(all),
		spaceHead, findings(all) + searched} {
		if !strings.Contains(text, part) {
			first, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
			return fmt.Sprintf("results/ignite.md would have another part %q", first), nil
		}
	}
	if wrong := inPlace(text); wrong != "" {
		return wrong, nil
	}
	for _, k := range cheap() {
		if wrong, err := k.again(of, text); wrong != "" || err != nil {
			return wrong, err
		}
	}
	return "", nil
}

// again explores the last cell of a row once more.
func (k kill) again(of *sim.Protocol, text string) (wrong string, err error) {
	cells := k.cellsOf()
	if err := exploreAll(of, cells[2:], 1); err != nil {
		return "", err
	}
	row, _ := k.row(cells)
	last := row[strings.LastIndex(strings.TrimSuffix(row, " |\n"), "|"):]
	if got := rowOf(text, k); !strings.HasSuffix(got, last) {
		return fmt.Sprintf("results/ignite.md: %q, want it to end with %q", got, last), nil
	}
	return "", nil
}

// inPlace says what is wrong with the rows of the first table and with the reasons below it.
func inPlace(text string) string {
	for _, k := range kills() {
		if rowOf(text, k) == "" {
			return fmt.Sprintf("results/ignite.md has no row of %s %s", k.number, k.variant)
		}
		if k.why != "" && !strings.Contains(text, k.why+"\n") {
			return fmt.Sprintf("results/ignite.md explains %s in another way", k.variant)
		}
	}
	if strings.Contains(text, "| "+noStory+" |") {
		return "results/ignite.md has a wrong variant that no story breaks"
	}
	if strings.Contains(text, ": "+unexplained+"\n") {
		return "results/ignite.md has a difference that is not explained"
	}
	return ""
}

// rowOf is the row of the page, "" if it has none.
func rowOf(text string, k kill) string {
	head := k.head()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, head) {
			return line
		}
	}
	return ""
}
