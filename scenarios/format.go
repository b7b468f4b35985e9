package scenarios

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is the canonical text of a scenario: sections in their order, one blank between words,
// columns aligned. Parse of it gives the scenario again, and it is its own canonical text.
func Format(s *Scenario) []byte {
	var b bytes.Buffer
	comment(&b, s.Doc)
	for _, sec := range s.sections() {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		comment(&b, sec.above)
		b.WriteString("-- " + sec.name + " --\n")
		sec.print(&b)
	}
	if len(s.Tail) > 0 {
		b.WriteByte('\n')
		comment(&b, s.Tail)
	}
	return b.Bytes()
}

// comment writes comment lines.
func comment(b *bytes.Buffer, lines []string) {
	for _, text := range lines {
		b.WriteString(strings.TrimRight("# "+text, " "))
		b.WriteByte('\n')
	}
}

// column says how a line of a table begins: with so many words in a first column that is so wide.
type column struct{ words, width int }

// farthest is how far right the comments of a section may be aligned; those of longer lines follow
// at once.
const farthest = 48

// nearest is the column of comments in a section whose lines are shorter than that.
const nearest = 24

// print writes the lines of a section.
func (sec *section) print(b *bytes.Buffer) {
	for _, text := range sec.raw {
		b.WriteString(text)
		b.WriteByte('\n')
	}
	texts := make([]string, len(sec.lines))
	margin := 0
	for i, l := range sec.lines {
		texts[i] = sec.text(i)
		if n := utf8.RuneCountInString(texts[i]); l.After != "" && n <= farthest {
			margin = max(margin, n)
		}
	}
	if margin += 2; margin <= nearest+1 {
		margin = nearest
	}
	for i, l := range sec.lines {
		if l.Apart && i > 0 {
			b.WriteByte('\n')
		}
		comment(b, l.Above)
		b.WriteString(texts[i])
		if l.After != "" {
			b.WriteString(strings.Repeat(" ", max(1, margin-utf8.RuneCountInString(texts[i]))))
			b.WriteString("# " + l.After)
		}
		b.WriteByte('\n')
	}
}

// text is one line, without its comments.
func (sec *section) text(i int) string {
	words := sec.lines[i].Words
	if sec.table == nil || sec.table[i].words >= len(words) {
		return strings.Join(words, " ")
	}
	c := sec.table[i]
	first := strings.Join(words[:c.words], " ")
	blanks := strings.Repeat(" ", max(1, c.width-utf8.RuneCountInString(first)))
	return first + blanks + strings.Join(words[c.words:], " ")
}

// sections is what Parse makes a scenario of: the other way round.
func (s *Scenario) sections() []section {
	nothing := len(s.Load) == 0 && s.Ops == 0 && s.Clients == 0
	all := []section{
		{name: "scenario", lines: s.headerLines()},
		{name: "vary", lines: s.varyLines()},
		{name: "script", lines: stepLines(s.Script)},
		{name: "load", lines: stepLines(s.Load)},
		s.Expect.section(),
		{name: "chance", lines: chosenLines(s.Chance)},
	}
	align(&all[0])
	align(&all[1])
	for _, g := range s.Traces {
		all = append(all, section{name: "trace " + g.Variant, line: g.Line, raw: g.Lines})
	}
	var kept []section
	for _, sec := range all {
		for _, h := range s.Heads {
			if h.Section == sec.name {
				sec.above = h.Above
			}
		}
		must := sec.name == "script" && nothing || strings.HasPrefix(sec.name, "trace ")
		if must || len(sec.lines)+len(sec.above) > 0 {
			kept = append(kept, sec)
		}
	}
	return kept
}

// align makes the first word of each line a column, two blanks wider than the widest.
func align(sec *section) {
	width := 0
	for _, l := range sec.lines {
		width = max(width, utf8.RuneCountInString(l.Words[0]))
	}
	sec.table = make([]column, len(sec.lines))
	for i := range sec.table {
		sec.table[i] = column{1, width + 2}
	}
}

// varyLines are the names with their values, the cases that are skipped, and how many there are.
func (s *Scenario) varyLines() []Line {
	var lines []Line
	for _, v := range s.Vary {
		lines = append(lines, Line{append([]string{v.Name}, v.Values...), v.Line, v.Comments})
	}
	for _, k := range s.Skips {
		words := append([]string{"skip"}, condWords(k.Where)...)
		lines = append(lines, Line{words, k.Line, k.Comments})
	}
	if c := s.Cases; c != nil {
		lines = append(lines, Line{casesWords(c), c.Line, c.Comments})
	}
	return lines
}

func stepLines(steps []Step) []Line {
	var lines []Line
	for _, st := range steps {
		words, _, _ := split(st.Text)
		if st.Verb != 0 {
			words = actionWords(st.Action)
		}
		lines = append(lines, Line{words, st.Line, st.Comments})
	}
	return lines
}

func chosenLines(chance []Chosen) []Line {
	var lines []Line
	for _, c := range chance {
		words, _, _ := split(c.Text)
		if c.Name.What != 0 {
			words = exceptionWords(c.Exception)
		}
		lines = append(lines, Line{words, c.Line, c.Comments})
	}
	return lines
}

// section is -- expect --: verdicts that follow each other are a table, and so are claims.
func (e *Expect) section() section {
	sec := section{name: "expect"}
	sec.claims(e.Claims)
	for rest := e.Verdicts; len(rest) > 0; {
		n := 1 + slices.IndexFunc(rest, func(v Verdict) bool { return len(v.Claims) > 0 })
		if n == 0 {
			n = len(rest)
		}
		sec.verdicts(rest[:n])
		sec.claims(rest[n-1].Claims)
		rest = rest[n:]
	}
	return sec
}

func (sec *section) verdicts(verdicts []Verdict) {
	width := 0
	for _, v := range verdicts {
		width = max(width, utf8.RuneCountInString(v.Variant)+2)
	}
	for _, v := range verdicts {
		sec.lines = append(sec.lines, Line{v.words(), v.Line, v.Comments})
		sec.table = append(sec.table, column{1, width})
	}
}

func (sec *section) claims(claims []Claim) {
	width := 0
	for _, c := range claims {
		width = max(width, utf8.RuneCountInString(strings.Join(c.Who, " "))+1)
	}
	for _, c := range claims {
		sec.lines = append(sec.lines, Line{c.words(), c.Line, c.Comments})
		sec.table = append(sec.table, column{len(c.Who), width})
	}
}

func (c *Claim) words() []string {
	words := slices.Concat(c.Who, c.Words)
	if len(c.If) > 0 {
		words = append(append(words, "if"), condWords(c.If)...)
	}
	return words
}

func (v *Verdict) words() []string {
	return append([]string{v.Variant}, strings.Fields(v.text())...)
}
