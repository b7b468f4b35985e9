package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// synchroTable is some columns of the table of schedules.
type synchroTable struct {
	title   string
	columns []column
}

// column is a variant with the name that the table gives it.
type column struct{ variant, head string }

// synchroTables are the columns, in two tables: what shipped, and the draft's solutions.
func synchroTables() []synchroTable {
	return []synchroTable{
		{"What shipped", []column{
			{"P0", "P0"}, {writes, "P0, writes"}, {"P1", "P1"}, {"P2", "P2"}, {"P3", "P3"},
			{"P3a", "P3a"}, {"P3b", "P3b"}, {"P4", "P4"}, {"triplet", "triplet"},
			{"cured", "cured"},
		}},
		{"The draft's solutions I to III", []column{
			{"I", "I"}, {"II", "II, owner"}, {"II/bounded=closed", "II, owner, closed"},
			{"II/dup-by=every", "II, every"}, {"II/dup-by=every/bounded=closed", "II, every, closed"},
			{"II/dup-by=every/dedupe=off", "II, every, no dedupe"}, {"III", "III, pair"},
			{"III/pair=one", "III, one row"}, {"III/table=wal", "III, table in the WAL"},
		}},
		{"The draft's solutions IV and V", []column{
			{"IV", "IV, raft term"}, {"IV/compare=leader-log", "IV, leader's log"},
			{"IV/filter-async=on", "IV, raft term, asynchronous too"}, {"V", "V, all, own, restart"},
			{"V/evidence=first", "V, first evidence"}, {"V/hold=any", "V, any pending"},
			{"V/trigger=reconnect", "V, each reconnect"},
		}},
	}
}

// synchroVariants are those of all columns.
func synchroVariants() []string {
	var all []string
	for _, t := range synchroTables() {
		for _, c := range t.columns {
			all = append(all, c.variant)
		}
	}
	return all
}

func (t synchroTable) text(rows []schedule) string {
	text := "\n## " + t.title + "\n\n| | story |"
	line := "|---|---|"
	for _, c := range t.columns {
		text += " " + c.head + " |"
		line += "---|"
	}
	text += "\n" + line + "\n"
	for i := range rows {
		text += t.row(&rows[i])
	}
	return text
}

func (t synchroTable) row(s *schedule) string {
	text := fmt.Sprintf("| %s | [%s](../%s/%s.txt) |", s.number, s.name, synchroFolder, s.name)
	for _, c := range t.columns {
		text += " " + s.cell(c.variant) + " |"
	}
	return text + "\n"
}

// of is what came of a variant.
func (s *schedule) of(variant string) outcome {
	return s.came[slices.Index(synchroVariants(), variant)]
}

// cell is the cell of a variant.
func (s *schedule) cell(variant string) string {
	o, says := s.of(variant), s.says[variant]
	text := classWord(o.class)
	if o.class == sim.Unclassified && len(o.broken) > 0 {
		text += " " + strings.Join(o.broken, " ")
	}
	if s.differs(variant) {
		text = "**" + text + "**"
	}
	if says != "" {
		text += " (" + says + ")"
	}
	return text
}

func classWord(c sim.Class) string {
	switch c {
	case sim.Stopped:
		return "stopped"
	case sim.DetectedLoss:
		return "loss"
	case sim.Silent:
		return "silent"
	}
	return "ok"
}

// differs says that section 2 says something else.
func (s *schedule) differs(variant string) bool {
	says := s.says[variant]
	return says != "" && (says == fixes) != (s.of(variant).class == sim.Unclassified)
}

const differenceHead = `
## Where this differs from section 2

Where section 2 says that something fails, every class but ok agrees. Two come to more or to less
than it names: S7 without elections under the plan, a stop by section 2, has k committed on one side
and undone on the other; S9 under III with its table in the WAL, which accepts stale rows by section
2, refuses them and stops, since the owner of the queue is in the snapshot.

`

// differences gives the reason of each bold cell.
func differences(rows []schedule) string {
	text := differenceHead
	for _, s := range rows {
		variants := slices.DeleteFunc(synchroVariants(), func(v string) bool { return !s.differs(v) })
		for why, all := range grouped(s.name, variants) {
			text += fmt.Sprintf("- %s, %s: %s\n", s.number, strings.Join(all, ", "), why)
		}
	}
	return text
}

// grouped gives the reasons for some variants, in the order of the variants.
func grouped(name string, variants []string) func(func(string, []string) bool) {
	by := map[string][]string{}
	var order []string
	for _, v := range variants {
		why := unexplained
		for _, r := range reasons() {
			if r.story == name && slices.Contains(strings.Fields(r.variants), v) {
				why = r.why
			}
		}
		if by[why] == nil {
			order = append(order, why)
		}
		by[why] = append(by[why], v)
	}
	return func(yield func(string, []string) bool) {
		for _, why := range order {
			if !yield(why, by[why]) {
				return
			}
		}
	}
}

const priceHead = `
## The price

What each costs. S0 with elections and S2 without, up to the end of the script, three nodes: rows
stored on all nodes together, without local ones; of these control rows; messages sent, of any kind.
*done* is what all schedules above together could do for clients before the epilogue heals
everything: writes answered well, of those asked. The last four are how many schedules came to what.

| | S0: rows | control | sent | S2: rows | control | sent | done | ok | stopped | loss | silent |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

// priced are the stories whose runs are counted.
var priced = [2]string{"s00-base-bug", "s02-without-elections"}

func priceTable(rows []schedule) string {
	text := priceHead
	for _, t := range synchroTables() {
		for _, c := range t.columns {
			text += "| " + c.head + " |" + price(rows, c.variant)
		}
	}
	return text
}

// price is the row of a variant, without its name.
func price(rows []schedule, variant string) string {
	text, asked, done := "", 0, 0
	var classes [sim.Silent + 1]int
	for _, s := range rows {
		o := s.of(variant)
		asked, done = asked+o.asked, done+o.done
		classes[o.class]++
		if slices.Contains(priced[:], s.name) {
			text += fmt.Sprintf(" %d | %d | %d |", o.rows, o.control, o.messages)
		}
	}
	text += fmt.Sprintf(" %d of %d |", done, asked)
	for _, n := range classes {
		text += fmt.Sprintf(" %d |", n)
	}
	return text + "\n"
}

const othersHead = `
## The original bug, in other forms, and what some of the solutions add

Stories of the specification's sections 2 and 3 that not all columns play, with what they expect.
` + "`downset draw --only k,z,ROLLBACK scenarios/synchro/rollback-overtakes.txt`" + ` draws the bug,
` + "`downset run`" + ` names the ROLLBACK and the row that came behind it.

`

// otherStories are those that not all variants play.
func otherStories(all []*scenarios.Scenario) string {
	text := othersHead
	for _, s := range all {
		if isOther(title(s)) {
			text += fmt.Sprintf("- [%s](../%s): %s\n", title(s), s.File, strings.Join(verdicts(s), "; "))
		}
	}
	return text
}

// isOther says that a story, by its name, is of these sections and is no row of the tables.
func isOther(name string) bool {
	number := strings.HasPrefix(name, "3.") || strings.HasPrefix(name, "s0") ||
		strings.HasPrefix(name, "s1") || name == "rollback-overtakes"
	return number && !slices.ContainsFunc(schedules(), func(s schedule) bool { return s.name == name })
}

// foundPrefix begins the names of stories of what was found.
const foundPrefix = "found-"

const synchroFoundHead = `
## What was found in the rules that shipped

Each is a story in ` + synchroFolder + `, of what it takes and no more.
`

// synchroFindings are the stories of what was found.
func synchroFindings(all []*scenarios.Scenario) string {
	text, n := "", 0
	for _, s := range all {
		if name, is := strings.CutPrefix(title(s), foundPrefix); is {
			n++
			text += fmt.Sprintf("\n### %d. %s\n\n%s", n, strings.ReplaceAll(name, "-", " "), finding(s))
		}
	}
	if n == 0 {
		return ""
	}
	return synchroFoundHead + text + synchroSearched
}

// both joins what section 2 says of some variants with what it says of others.
func both(parts ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// say gives some variants, in words, what section 2 says of them.
func say(what, variants string) map[string]string {
	all := map[string]string{}
	for _, v := range strings.Fields(variants) {
		all[v] = what
	}
	return all
}
