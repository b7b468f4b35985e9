package spacetime

import (
	"strings"
	"unicode/utf8"
)

// keys are the marks that a legend explains.
type keys struct{ fact, mail, request, point, crash, lost string }

// keys are the entries of a legend: the marks that are used and do not speak for themselves.
func (s *scene) keys(mark keys) []string {
	var parts []string
	add := func(used bool, mark, meaning string) {
		if used {
			parts = append(parts, mark+" "+meaning)
		}
	}
	add(s.fact != "", mark.fact, s.fact)
	add(s.unnamed(), mark.mail, s.mail)
	add(s.any(func(e *event) bool { return e.request || e.what == asked }), mark.request, "request")
	add(s.any(func(e *event) bool { return e.what == point }), mark.point, "point of a cut")
	add(s.any(func(e *event) bool { return e.what == crash }), mark.crash, "crash")
	for i := range s.arrows {
		if s.arrows[i].fate == lost {
			add(true, mark.lost, "lost")
			break
		}
	}
	return parts
}

// unnamed says that some arrow has a label without its kind.
func (s *scene) unnamed() bool {
	for i := range s.arrows {
		if a := &s.arrows[i]; s.mailLabel(a) != nameOf(s.run.Trace[a.sent].Body) {
			return true
		}
	}
	return false
}

// any says that some event is so.
func (s *scene) any(is func(e *event) bool) bool {
	for k := range s.events {
		if is(&s.events[k]) {
			return true
		}
	}
	return false
}

// rowsOf sets parts side by side in lines of the picture's width.
func (s *scene) rowsOf(parts []string) []string {
	var lines []string
	line := ""
	for _, part := range parts {
		part = s.shorten(part, s.o.Width)
		if line != "" && utf8.RuneCountInString(line+part)+3 > s.o.Width {
			lines, line = append(lines, line+"\n"), ""
		}
		if line != "" {
			line += "   "
		}
		line += part
	}
	if line == "" {
		return lines
	}
	return append(lines, line+"\n")
}

// shorten cuts a text to n characters.
func (s *scene) shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	dots := []rune("…")
	if s.o.ASCII {
		dots = []rune("...")
	}
	dots = dots[:min(len(dots), n)]
	return string(runes[:n-len(dots)]) + string(dots)
}

// wrap breaks notes into lines of the picture's width.
func (s *scene) wrap(notes []string) []string {
	var lines []string
	for _, note := range notes {
		line := ""
		for _, word := range strings.Fields(note) {
			word = s.shorten(word, s.o.Width)
			if line != "" && utf8.RuneCountInString(line+" "+word) > s.o.Width {
				lines, line = append(lines, line+"\n"), "  "
			}
			line = together(line, word)
		}
		lines = append(lines, line+"\n")
	}
	return lines
}

// together puts a word after a line, with a blank between unless the line is blank itself.
func together(line, word string) string {
	if strings.TrimSpace(line) == "" {
		return line + word
	}
	return line + " " + word
}
