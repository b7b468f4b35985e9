package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mostTried is how many cases a grid may have before skips.
const mostTried = 10_000

// vary reads -- vary --: names with their values, the cases left out, and how many there are.
func (p *parser) vary(sec *section) error {
	for _, l := range sec.lines {
		r := p.reader(l)
		switch word := r.next("a name"); word {
		case "skip", "cases":
		default:
			v := Vary{Name: word, Values: r.rest(), Line: l.Line, Comments: l.Comments}
			p.varied(r, &v)
			p.s.Vary = append(p.s.Vary, v)
		}
		if err := p.mark(r, l.Line); err != nil {
			return err
		}
	}
	if len(p.s.Vary) == 0 {
		return p.s.fault(sec.line, `want a line "NAME VALUE..." in -- vary --`)
	}
	p.s.Vary[0].Apart = false // names come first when printed
	p.used = make([]bool, len(p.s.Vary))
	for _, l := range sec.lines {
		r := &reader{words: l.Words, at: 1}
		switch l.Words[0] {
		case "skip":
			p.s.Skips = append(p.s.Skips, Skip{Where: p.conds(r), Line: l.Line, Comments: l.Comments})
		case "cases":
			p.once(r, "cases", l.Line)
			p.s.Cases = &Cases{Line: l.Line, Comments: l.Comments}
			r.cases(p.s.Cases)
		}
		if err := p.mark(r, l.Line); err != nil {
			return err
		}
	}
	return p.sized(sec)
}

// varied checks a name and its values.
func (p *parser) varied(r *reader, v *Vary) {
	if nameLength(v.Name) < len(v.Name) {
		r.at = 0
		r.want("a name (a letter, then letters, digits or _)")
	}
	p.once(r, v.Name, v.Line)
	if len(v.Values) == 0 {
		r.want("values")
	}
	for i, value := range v.Values {
		switch {
		case open(value):
			r.failf("want a value without $, got %q", value)
		case slices.Contains(v.Values[:i], value):
			r.failf("value %q stands twice", value)
		}
	}
}

// cases takes "52 void 6"; "52" if none is void.
func (r *reader) cases(c *Cases) {
	c.Count = int(r.number(1, mostTried))
	if r.is("void") {
		c.Void = int(r.number(0, int64(c.Count)))
	}
	r.end()
}

// conds takes NAME=VALUE..., to the end of the line.
func (p *parser) conds(r *reader) []Cond {
	var conds []Cond
	if !r.more() {
		r.want("NAME=VALUE")
	}
	for r.more() {
		w := r.next("NAME=VALUE")
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			r.failf("want NAME=VALUE, got %q", w)
		}
		for _, c := range conds {
			if c.Name == name {
				r.failf("%s stands twice", name)
			}
		}
		conds = append(conds, Cond{name, value})
	}
	for _, c := range conds {
		p.known(r, c)
	}
	return conds
}

// known fails if a condition names what does not vary, or a value that is not taken.
func (p *parser) known(r *reader, c Cond) {
	names := make([]string, len(p.s.Vary))
	for i, v := range p.s.Vary {
		names[i] = v.Name
	}
	i := slices.Index(names, c.Name)
	switch {
	case len(names) == 0:
		r.failf(`a condition is for a grid: want a section "-- vary --"`)
	case i < 0:
		r.failf("-- vary -- has no name %q%s", c.Name, didYouMean(c.Name, names))
	case !slices.Contains(p.s.Vary[i].Values, c.Value):
		r.failf("%s has no value %q%s", c.Name, c.Value, didYouMean(c.Value, p.s.Vary[i].Values))
	}
}

// sized checks how many cases there are: they are written down, so that none gets lost.
func (p *parser) sized(sec *section) error {
	product := 1
	for _, v := range p.s.Vary {
		if product *= len(v.Values); product > mostTried {
			return p.s.fault(v.Line, "want at most %d cases before skips", mostTried)
		}
	}
	got := len(p.s.combinations())
	switch {
	case got == 0:
		return p.s.fault(sec.line, "every case is skipped")
	case p.s.Cases == nil:
		const form = `want a line "cases %d" in -- vary --, with "void N" if some are void`
		return p.s.fault(sec.line, form, got)
	case p.s.Cases.Count != got:
		return p.s.fault(p.s.Cases.Line, "want cases %d, got %d", got, p.s.Cases.Count)
	}
	return nil
}

// tryCases reads every case of a grid.
func (s *Scenario) tryCases() error {
	if len(s.Vary) == 0 {
		return nil
	}
	for _, where := range s.combinations() {
		if _, err := s.Expand(where); err != nil {
			return err
		}
	}
	return nil
}

// Expand is one case of a grid as a story of its own: each $NAME is replaced by its value, what
// varies is gone, and so are claims that are limited to other cases. Lines keep their numbers. The
// values are one for each of Vary; a scenario that Parse gave expands without error.
func (s *Scenario) Expand(values []Cond) (*Scenario, error) {
	if err := s.chosen(values); err != nil {
		return nil, err
	}
	src := &source{doc: s.Doc, tail: s.Tail, sections: s.sections(), last: 1}
	vary := func(sec section) bool { return sec.name == "vary" }
	src.sections = slices.DeleteFunc(src.sections, vary)
	for i := range src.sections {
		sec := &src.sections[i]
		if sec.name == "expect" {
			sec.lines = s.limited(sec.lines, values)
		}
		for k := range sec.lines {
			l := &sec.lines[k]
			l.Words = substitute(l.Words, values)
			src.last = max(src.last, l.Line)
		}
	}
	c, err := build(s.File, src)
	var e *Error // the first of them: the others may be its like
	if errors.As(err, &e) && len(values) > 0 {
		return nil, &Error{e.File, e.Line, fmt.Sprintf("%s (in case %s)", e.Msg, condsText(values))}
	}
	return c, err
}

// chosen checks that there is one value for each name.
func (s *Scenario) chosen(values []Cond) error {
	fits := len(values) == len(s.Vary)
	for i := 0; fits && i < len(values); i++ {
		v := s.Vary[i]
		fits = v.Name == values[i].Name && slices.Contains(v.Values, values[i].Value)
	}
	if !fits {
		return s.fault(0, "no case %q", condsText(values))
	}
	return nil
}

// limited is the lines of -- expect -- that count in a case, without their conditions.
func (s *Scenario) limited(lines []Line, values []Cond) []Line {
	var kept []Line
	for _, l := range lines {
		i := slices.Index(l.Words, "if")
		if i < 0 {
			kept = append(kept, l)
			continue
		}
		other := func(word string) bool {
			name, value, _ := strings.Cut(word, "=")
			return !slices.Contains(values, Cond{name, value})
		}
		if !slices.ContainsFunc(l.Words[i+1:], other) {
			l.Words = l.Words[:i]
			kept = append(kept, l)
		}
	}
	if len(kept) > 0 {
		kept[0].Apart = false
	}
	return kept
}

// substitute replaces each $NAME in words by its value.
func substitute(words []string, values []Cond) []string {
	if !slices.ContainsFunc(words, open) {
		return words
	}
	replaced := make([]string, len(words))
	for i, w := range words {
		parts := strings.Split(w, "$")
		for k, part := range parts[1:] {
			n := nameLength(part)
			parts[k+1] = valueOf(part[:n], values) + part[n:]
		}
		replaced[i] = strings.Join(parts, "")
	}
	return replaced
}

func valueOf(name string, values []Cond) string {
	for _, c := range values {
		if c.Name == name {
			return c.Value
		}
	}
	return "$" + name
}

// condsText is conditions as they are written: "a=1 b=2".
func condsText(conds []Cond) string {
	words := make([]string, len(conds))
	for i, c := range conds {
		words[i] = c.Name + "=" + c.Value
	}
	return strings.Join(words, " ")
}
