package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// showMatrix prints a matrix for a screen: a letter for each property.
func (a *app) showMatrix(m *matrix) error {
	if a.json {
		return a.object(m.object())
	}
	for _, line := range m.screen() {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	return nil
}

func (m *matrix) headline() string {
	text := fmt.Sprintf("%s: %s, %s; ", m.protocol.Name, stories(len(m.rows)),
		several(len(m.variants), "variant"))
	wrong, left := 0, m.survivors()
	for _, v := range m.protocol.Variants {
		if v.Breaks != "" {
			wrong++
		}
	}
	text += fmt.Sprintf("%d of %d wrong ones are broken as they must be", wrong-len(left), wrong)
	if m.some {
		left = nil // other stories may break them
	}
	for i, v := range left {
		if i == 0 {
			text += "; SURVIVE:"
		}
		text += fmt.Sprintf(" %s (%s)", v.Name, v.Breaks)
	}
	return text
}

// screen is a table of letters: a column a variant, if they fit, else a column a number.
func (m *matrix) screen() []string {
	lines := []string{m.headline(), ""}
	properties := m.broken()
	lines = append(append(lines, m.legend(properties)...), "")
	t := m.table(properties)
	if t.wide() {
		return append(lines, t.blocks()...)
	}
	return append(lines, t.named()...)
}

// letters is how many properties have a letter each.
const letters = 26

// legend explains the marks, those that occur: small and capital ones.
func (m *matrix) legend(properties []string) []string {
	occur := ""
	for _, row := range m.rows {
		occur += m.marks(row, properties)
	}
	var lines []string
	rest := []string{"  .    holds", "  -    the story says nothing of this variant"}
	if len(properties) > letters {
		return append([]string{"  X    breaks by the property that must catch the variant",
			"  x    breaks by another"}, rest...)
	}
	for i, p := range properties {
		both := ""
		for _, mark := range []string{letter(i), strings.ToUpper(letter(i))} {
			if strings.Contains(occur, mark) {
				both += " " + mark
			}
		}
		lines = append(lines, fmt.Sprintf(" %-4s  breaks %s", both, p))
	}
	if occur != strings.ToLower(occur) {
		lines = append(lines, "       a capital: the property that must catch the variant; small:"+
			" another, the first that breaks")
	}
	return append(lines, rest...)
}

func (m *matrix) marks(row matrixRow, properties []string) string {
	marks := ""
	for i, c := range row.cells {
		marks += m.mark(c, m.protocol.Variants[i], properties) + " "
	}
	return marks
}

func (m *matrix) mark(c cell, v sim.Variant, properties []string) string {
	name := c.property(v)
	switch {
	case name == "" && c.mute != "":
		return nothing
	case name == "":
		return "."
	}
	mark := "x"
	if len(properties) <= letters {
		mark = letter(slices.Index(properties, name))
	}
	if name == v.Breaks {
		return strings.ToUpper(mark)
	}
	return mark
}

// property is what a cell's mark tells of: the property that must catch the variant if it breaks,
// else the first that does, "" if none does.
func (c cell) property(v sim.Variant) string {
	switch {
	case len(c.broken) == 0:
		return ""
	case slices.Contains(c.broken, v.Breaks):
		return v.Breaks
	}
	return c.broken[0]
}

func letter(i int) string { return string(rune('a' + i)) }

// broken are the properties that marks tell of, in the order of the protocol.
func (m *matrix) broken() []string {
	var all []string
	for _, row := range m.rows {
		for i, c := range row.cells {
			if name := c.property(m.protocol.Variants[i]); name != "" {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	names := m.protocol.Breakable()
	place := func(name string) int { return slices.Index(names, name) }
	slices.SortStableFunc(all, func(a, b string) int { return place(a) - place(b) })
	return all
}
