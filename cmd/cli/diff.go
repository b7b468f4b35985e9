package cli

import (
	"fmt"
	"strings"
)

// around is how many equal lines a diff shows before and after what changed.
const around = 3

// edit is a line of a diff: ' ' in both texts, '-' only in the first, '+' only in the second.
type edit struct {
	sign byte
	line string
}

// diff is the unified diff of two texts, "" if they are equal.
func diff(from, to, a, b string) string {
	edits := compare(lines(a), lines(b))
	var out strings.Builder
	for _, h := range hunks(edits) {
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
		}
		h.print(&out, edits)
	}
	return out.String()
}

// mostDiff is how many lines of a diff a failing test shows.
const mostDiff = 40

// brief is the first lines of a diff, wide ones cut, with a count of the others.
func brief(diff string) string {
	var out strings.Builder
	all := lines(diff)
	for _, line := range all[:min(len(all), mostDiff)] {
		fmt.Fprintln(&out, cut(strings.TrimSuffix(line, "\n"), 2*maxWidth))
	}
	if more := len(all) - mostDiff; more > 0 {
		fmt.Fprintf(&out, "... %s lines more of the diff ...\n", thousands(more))
	}
	return out.String()
}

func lines(text string) []string {
	split := strings.SplitAfter(text, "\n")
	if last := len(split) - 1; split[last] == "" {
		return split[:last]
	}
	return split
}

// compare is the shortest list of edits from a to b, by the longest common subsequence: stories are
// short.
func compare(a, b []string) []edit {
	common := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var edits []edit
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return edits
}

// hunk is a part of the edits, with what is equal around it.
type hunk struct{ start, end int }

func hunks(edits []edit) []hunk {
	var all []hunk
	for i, e := range edits {
		if e.sign == ' ' {
			continue
		}
		h := hunk{max(0, i-around), min(len(edits), i+around+1)}
		if last := len(all) - 1; last >= 0 && all[last].end >= h.start {
			all[last].end = h.end
			continue
		}
		all = append(all, h)
	}
	return all
}

func (h hunk) print(out *strings.Builder, edits []edit) {
	fromLine, fromN := span(edits, h, '+')
	toLine, toN := span(edits, h, '-')
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", fromLine, fromN, toLine, toN)
	for _, e := range edits[h.start:h.end] {
		line, ended := strings.CutSuffix(e.line, "\n")
		fmt.Fprintf(out, "%c%s\n", e.sign, line)
		if !ended {
			fmt.Fprintln(out, `\ No newline at end of file`)
		}
	}
}

// span is where a hunk begins in one of the texts, and how many of its lines it has: those that are
// not of the other text alone.
func span(edits []edit, h hunk, other byte) (line, n int) {
	for i, e := range edits[:h.end] {
		if e.sign == other {
			continue
		}
		if i < h.start {
			line++
		} else {
			n++
		}
	}
	if n > 0 {
		line++
	}
	return line, n
}
