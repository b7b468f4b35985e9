package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// marked is a table of marks, each of one character.
type marked struct {
	rows, columns []string
	marks         [][]string // by row
	turn          bool       // rows are variants, columns are stories
}

// table is the matrix as a table, with those as rows of which there are more: stories or variants,
// unless the variants fit.
func (m *matrix) table(properties []string) *marked {
	t := &marked{columns: m.variants}
	for _, row := range m.rows {
		t.rows = append(t.rows, row.file)
		var marks []string
		for i, c := range row.cells {
			marks = append(marks, m.mark(c, m.protocol.Variants[i], properties))
		}
		t.marks = append(t.marks, marks)
	}
	if t.wide() && len(t.columns) > len(t.rows) {
		return t.turned()
	}
	return t
}

// turned is the table with its rows as columns.
func (t *marked) turned() *marked {
	u := &marked{rows: t.columns, columns: t.rows, turn: !t.turn}
	for i := range u.rows {
		var marks []string
		for _, row := range t.marks {
			marks = append(marks, row[i])
		}
		u.marks = append(u.marks, marks)
	}
	return u
}

// width is the length of the longest name of a row.
func (t *marked) width() int {
	width := 0
	for _, name := range t.rows {
		width = max(width, utf8.RuneCountInString(name))
	}
	return width
}

// wide says that named columns do not fit on a screen.
func (t *marked) wide() bool {
	for i, name := range t.columns {
		if 2+t.width()+2+2*i+utf8.RuneCountInString(name) > maxWidth {
			return true
		}
	}
	return false
}

// named is the table with a name above each column.
func (t *marked) named() []string {
	var lines []string
	width := t.width()
	for i, name := range t.columns {
		lines = append(lines, fmt.Sprintf("  %-*s  %s%s", width, "", strings.Repeat("| ", i), name))
	}
	left := 0
	for i, name := range t.rows {
		marks := strings.Join(t.marks[i], " ")
		if t.turn && silent(marks) {
			left++
			continue
		}
		lines = append(lines, fmt.Sprintf("  %-*s  %s", width, name, marks))
	}
	return append(lines, t.others(left)...)
}

// silent says that nothing breaks.
func silent(marks string) bool { return strings.Trim(marks, ". "+nothing) == "" }

// groupOf is how many columns stand together; each such group has its number above it.
const groupOf = 5

// blocks is the table in parts that fit on a screen, with numbered columns. Rows in which nothing
// breaks are left out.
func (t *marked) blocks() []string {
	var lines []string
	groups := max(1, (maxWidth-t.width()-4+1)/(groupOf+1))
	for from := 0; from < len(t.columns); from += groups * groupOf {
		if from > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, t.block(from, min(from+groups*groupOf, len(t.columns)))...)
	}
	return lines
}

func (t *marked) block(from, to int) []string {
	var names []string
	for i := from; i < to; i++ {
		names = append(names, fmt.Sprintf("%d %s", i+1, t.columns[i]))
	}
	lines := flowed(names)
	width := t.width()
	head := ""
	for i := from; i < to; i += groupOf {
		head += fmt.Sprintf("%-*d", groupOf+1, i+1)
	}
	lines = append(lines, "", fmt.Sprintf("  %-*s  %s", width, "", head))
	left := 0
	for i, name := range t.rows {
		marks := strings.Join(t.marks[i][from:to], "")
		if silent(marks) {
			left++
			continue
		}
		lines = append(lines, fmt.Sprintf("  %-*s  %s", width, name, grouped(marks)))
	}
	return append(lines, t.others(left)...)
}

// others counts the rows that are left out.
func (t *marked) others(n int) []string {
	switch {
	case n == 0:
		return nil
	case t.turn:
		return []string{fmt.Sprintf("  and %s of which nothing breaks here", several(n, "variant"))}
	}
	return []string{fmt.Sprintf("  and %s in which none of these breaks", stories(n))}
}

// flowed are words side by side, in lines of a screen's width.
func flowed(words []string) []string {
	var lines []string
	line := " "
	for i, word := range words {
		if i+1 < len(words) {
			word += ","
		}
		if utf8.RuneCountInString(line+" "+word) > maxWidth {
			lines, line = append(lines, line), " "
		}
		line += " " + word
	}
	return append(lines, line)
}

// grouped is a row's marks with a blank after each group.
func grouped(marks string) string {
	text := ""
	for i, r := range []rune(marks) {
		if i > 0 && i%groupOf == 0 {
			text += " "
		}
		text += string(r)
	}
	return text
}
