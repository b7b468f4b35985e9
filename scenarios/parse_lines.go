package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// source is a file taken apart into sections, lines and words. What it means is not yet asked.
type source struct {
	doc, tail []string
	ended     int // number of tail's last line
	sections  []section
	last      int // number of the last line
}

// section is a section of a file, or of a scenario that is to be printed.
type section struct {
	name  string // "script"; of a trace "trace VARIANT"
	line  int
	above []string
	lines []Line
	raw   []string // the lines of a trace
	table []column // for printing: of each line, none if nothing is aligned
}

// sectionNames are the sections, in the order in which they are read and printed.
var sectionNames = []string{"scenario", "vary", "script", "load", "expect", "chance", "trace"}

// takeApart is the first half of Parse.
func takeApart(file string, text []byte) (*source, error) {
	text = trimmed(text)
	if line, msg := illegible(text); msg != "" {
		return nil, &Error{file, line, msg}
	}
	archive := txtar.Parse(text)
	src := &source{last: max(1, bytes.Count(text, []byte("\n")))}
	l := &liner{file: file, number: 1}
	doc := l.lines(archive.Comment)
	if l.err == nil && len(doc) > 0 {
		l.fail(doc[0].Line, `want "-- scenario --", got %q`, strings.Join(doc[0].Words, " "))
	}
	src.doc = l.pending.take()
	for _, f := range archive.Files {
		src.sections = append(src.sections, l.section(f))
	}
	src.ended = l.pending.line
	src.tail = l.pending.take()
	if l.err != nil {
		return nil, l.err
	}
	return src, nil
}

// trimmed is the text with bare line ends, without blanks before them and without the mark that
// some editors put first.
func trimmed(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	out := make([]byte, 0, len(text)+1)
	for line := range bytes.Lines(text) {
		out = append(out, bytes.TrimRight(line, " \t\r\n")...)
		out = append(out, '\n')
	}
	return out
}

// illegible says which line holds what no text holds.
func illegible(text []byte) (line int, msg string) {
	line = 1
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		switch {
		case r == utf8.RuneError && n == 1:
			return line, "want UTF-8 text"
		case r == '\n':
			line++
		case r != '\t' && unicode.IsControl(r):
			return line, fmt.Sprintf("want text, got the control character %U", r)
		}
		i += n
	}
	return 0, ""
}

// liner numbers lines, splits them into words, and keeps comments until their line comes.
type liner struct {
	file    string
	number  int // of the next line
	pending remarks
	err     error
}

func (l *liner) fail(line int, format string, args ...any) {
	if l.err == nil {
		l.err = &Error{l.file, line, fmt.Sprintf(format, args...)}
	}
}

// section reads one section. Comments at its end are left pending, for the section below.
func (l *liner) section(f txtar.File) section {
	words := strings.FieldsFunc(f.Name, func(r rune) bool { return r == ' ' || r == '\t' })
	s := section{name: strings.Join(words, " "), line: l.number, above: l.pending.take()}
	l.number++
	if words[0] == "trace" {
		s.raw = l.rawLines(f.Data)
		return s
	}
	s.lines = l.lines(f.Data)
	return s
}

// lines reads the lines of a section.
func (l *liner) lines(data []byte) []Line {
	var lines []Line
	apart := false
	for text := range strings.Lines(string(data)) {
		number := l.number
		l.number++
		words, comment, has := split(strings.TrimSuffix(text, "\n"))
		switch {
		case len(words) > 0:
			l.legal(words, number)
			lines = append(lines, Line{Words: words, Line: number, Comments: Comments{
				Apart: apart && len(lines) > 0, Above: l.pending.take(), After: strings.Trim(comment, " \t"),
			}})
			apart = false
		case has:
			l.pending.add(strings.TrimPrefix(comment, " "), number)
		case !l.pending.blank():
			apart = true
		}
	}
	return lines
}

// legal refuses what looks like a section or a blank and is none.
func (l *liner) legal(words []string, number int) {
	if strings.HasPrefix(words[0], "--") {
		l.fail(number, `want "-- NAME --" alone at the line's start, got %q`, strings.Join(words, " "))
	}
	for _, w := range words {
		if i := strings.IndexFunc(w, unicode.IsSpace); i >= 0 {
			r, _ := utf8.DecodeRuneInString(w[i:])
			l.fail(number, "want plain blanks between words, got %U in %q", r, w)
		}
	}
}

// rawLines are the lines of a trace, as they are. Comments at its end are not part of it.
func (l *liner) rawLines(data []byte) []string {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	end := len(lines)
	for end > 0 && (lines[end-1] == "" || lines[end-1][0] == '#') {
		end--
	}
	for i, text := range lines[end:] {
		if text == "" {
			l.pending.blank()
			continue
		}
		l.pending.add(strings.TrimPrefix(text[1:], " "), l.number+end+i)
	}
	l.number += bytes.Count(data, []byte("\n"))
	lines = slices.Clip(lines[:end])
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return nil
	}
	return lines
}

// split takes a line apart: words between blanks, and the comment that begins with # at the start
// or after a blank.
func split(line string) (words []string, comment string, has bool) {
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' {
			at++
			continue
		}
		if line[at] == '#' {
			return words, line[at+1:], true
		}
		end := at
		for end < len(line) && line[end] != ' ' && line[end] != '\t' {
			end++
		}
		words = append(words, line[at:end])
		at = end
	}
	return words, "", false
}

// remarks are comment lines that wait for their line. A blank line between them becomes "".
type remarks struct {
	lines []string
	line  int // number of the last of them
	gap   bool
}

func (r *remarks) add(text string, line int) {
	r.line = line
	if r.gap {
		r.lines = append(r.lines, "")
	}
	r.lines, r.gap = append(r.lines, text), false
}

// blank notes a blank line, if it is one between comments.
func (r *remarks) blank() bool {
	r.gap = len(r.lines) > 0
	return r.gap
}

func (r *remarks) take() []string {
	lines := r.lines
	r.lines, r.gap = nil, false
	return lines
}
