package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// Parse reads a scenario. It is strict: a word that means nothing is an error, which says where it
// stands and what was wanted. What only the model knows (variants, requests, lines for its set-up,
// properties) is for Check to say. All cases of a grid are read too, so that Expand cannot fail on
// them later.
func Parse(file string, text []byte) (*Scenario, error) {
	src, err := takeApart(file, text)
	if err != nil {
		return nil, err
	}
	s, err := build(file, src)
	if err != nil {
		return nil, err
	}
	return s, s.tryCases()
}

// parser makes a scenario of sections.
type parser struct {
	s     *Scenario
	nodes []string       // all that there are, those that may join included
	used  []bool         // of a grid: which of Vary stands in a line as $NAME
	seen  map[string]int // what stands already in the section that is read, and in which line
	wrong []error        // about lines that are passed over: the others do not depend on them
}

// build is the second half of Parse. It reads the sections in their own order, wherever they stand.
func build(file string, src *source) (*Scenario, error) {
	p := &parser{s: &Scenario{File: file, Doc: src.doc, Tail: src.tail, Ended: src.ended}}
	if err := p.arrange(src); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		read func(*section) error
	}{
		{"vary", p.vary},
		{"scenario", p.scenario},
		{"script", p.script},
		{"load", p.load},
		{"expect", p.expect},
		{"chance", p.chance},
	} {
		sec := src.section(part.name)
		if sec == nil {
			continue
		}
		p.seen = map[string]int{}
		if err := part.read(sec); err != nil {
			return nil, together(append(p.wrong, err))
		}
	}
	if len(p.wrong) > 0 {
		return nil, together(p.wrong)
	}
	return p.s, p.complete(src)
}

// section is the section with this name, nil if there is none.
func (src *source) section(name string) *section {
	for i := range src.sections {
		if src.sections[i].name == name {
			return &src.sections[i]
		}
	}
	return nil
}

// arrange checks which sections there are, puts them in their order, and takes the traces.
func (p *parser) arrange(src *source) error {
	for i := range src.sections {
		sec := &src.sections[i]
		if msg := sec.misnamed(); msg != "" {
			return p.s.fault(sec.line, "%s", msg)
		}
		if first := src.section(sec.name); first != sec {
			return p.s.fault(sec.line, "-- %s -- stands twice, first in line %d", sec.name, first.line)
		}
	}
	if src.section("scenario") == nil {
		return p.s.fault(src.last, `want a section "-- scenario --"`)
	}
	slices.SortStableFunc(src.sections, func(a, b section) int { return a.rank() - b.rank() })
	p.opening(&src.sections[0])
	for _, sec := range src.sections {
		if len(sec.above) > 0 {
			p.s.Heads = append(p.s.Heads, Head{sec.name, sec.above})
		}
		if variant, ok := strings.CutPrefix(sec.name, "trace "); ok {
			p.s.Traces = append(p.s.Traces, Golden{Variant: variant, Lines: sec.raw, Line: sec.line})
		}
	}
	return nil
}

// opening makes a comment above the first section part of the opening comment.
func (p *parser) opening(sec *section) {
	if len(p.s.Doc) > 0 && len(sec.above) > 0 {
		p.s.Doc = append(p.s.Doc, "")
	}
	p.s.Doc = append(p.s.Doc, sec.above...)
	sec.above = nil
}

// misnamed says what is wrong with a section's name, "" if nothing.
func (sec *section) misnamed() string {
	words := strings.Split(sec.name, " ")
	kind := words[0]
	switch {
	case !slices.Contains(sectionNames, kind):
		return fmt.Sprintf("no section %q%s", sec.name, didYouMean(kind, sectionNames))
	case kind == "trace" && len(words) != 2:
		return fmt.Sprintf("want -- trace VARIANT --, got -- %s --", sec.name)
	case kind == "trace":
		return wrongVariant(words[1])
	case len(words) > 1:
		return fmt.Sprintf("want -- %s --, got -- %s --", kind, sec.name)
	}
	return ""
}

// rank is the place of a section among all.
func (sec *section) rank() int {
	kind, _, _ := strings.Cut(sec.name, " ")
	return slices.Index(sectionNames, kind)
}

// complete checks what no single line can tell. Of a grid its cases tell it.
func (p *parser) complete(src *source) error {
	s := p.s
	for i, used := range p.used {
		if !used {
			return s.fault(s.Vary[i].Line, "%[1]s varies, but $%[1]s stands in no line", s.Vary[i].Name)
		}
	}
	switch {
	case len(s.Vary) > 0 && len(s.Traces) > 0:
		return s.fault(s.Traces[0].Line, "a grid is many runs: want no trace")
	case len(s.Vary) > 0:
		return nil
	}
	scripted := src.section("script") != nil || src.section("load") != nil
	if !scripted && s.Ops == 0 && s.Clients == 0 {
		return s.fault(src.last, `want a section "-- script --"`)
	}
	if len(s.Expect.Claims)+len(s.Expect.Verdicts) == 0 {
		return s.fault(src.last, `want a section "-- expect --" with a verdict or a claim`)
	}
	return p.allPlayed()
}

// allPlayed checks that every variant that the story speaks of is played, as far as the story says
// which are.
func (p *parser) allPlayed() error {
	s := p.s
	known := s.playedHere()
	if len(known) == 0 {
		return nil
	}
	check := func(line int, name string, names []string) error {
		if name == "*" || slices.Contains(names, name) {
			return nil
		}
		hint := didYouMean(name, known)
		if !strings.Contains(hint, "did you mean") {
			hint = ""
		}
		return s.fault(line, "variant %q is not played: the story plays %s%s", name,
			strings.Join(known, ", "), hint)
	}
	either := slices.Clone(known) // a line may leave the rules away
	for _, name := range known {
		either = append(either, base(name))
	}
	for _, st := range slices.Concat(s.Script, s.Load) {
		for _, name := range st.For {
			if err := check(st.Line, name, either); err != nil {
				return err
			}
		}
	}
	for _, v := range s.Expect.Verdicts {
		if err := check(v.Line, v.Variant, known); err != nil {
			return err
		}
	}
	for _, g := range s.Traces {
		if err := check(g.Line, g.Variant, known); err != nil {
			return err
		}
	}
	return nil
}

// playedHere are the variants that are played, none if that is for the model to say.
func (s *Scenario) playedHere() []string {
	if len(s.Played) > 0 {
		return s.Played
	}
	var names []string
	for _, v := range s.Expect.Verdicts {
		if v.Variant == "*" {
			return nil
		}
		names = append(names, v.Variant)
	}
	return names
}

// reader is a reader of one line.
func (p *parser) reader(l Line) *reader { return &reader{words: l.Words, nodes: p.nodes} }

// once notes that something stands in a line, and fails if it stands in one before.
func (p *parser) once(r *reader, what string, line int) {
	if first, stands := p.seen[what]; stands {
		r.failf("%q stands twice, first in line %d", what, first)
	}
	p.seen[what] = line
}

// open says that a word holds a $NAME.
func open(word string) bool { return strings.IndexByte(word, '$') >= 0 }

// open says that a line holds a $NAME, which only the cases of a grid give a meaning.
func (p *parser) open(r *reader) bool {
	found := false
	for _, w := range r.words {
		if !open(w) {
			continue
		}
		found = true
		p.names(r, w)
	}
	return found
}

// names notes the $NAMEs of a word as used.
func (p *parser) names(r *reader, word string) {
	known := make([]string, len(p.s.Vary))
	for i, v := range p.s.Vary {
		known[i] = v.Name
	}
	for _, part := range strings.Split(word, "$")[1:] {
		name := part[:nameLength(part)]
		i := slices.Index(known, name)
		switch {
		case name == "":
			r.failf("want a name after $, got %q", word)
		case len(known) == 0:
			r.failf(`$%s wants a value in a section "-- vary --"`, name)
		case i < 0:
			r.failf("-- vary -- has no name %q%s", name, didYouMean(name, known))
		default:
			p.used[i] = true
		}
	}
}

// mark is the line's error, if r has one.
func (p *parser) mark(r *reader, line int) error {
	if r.msg == "" {
		return nil
	}
	return p.s.fault(line, "%s", r.msg)
}

// wrongVariant says what is wrong with a variant's name as such, "" if nothing.
func wrongVariant(name string) string {
	if name == "*" || strings.ContainsAny(name, ":$") {
		return fmt.Sprintf("want a variant NAME[/rule=value]..., got %q", name)
	}
	return ""
}

// variants checks the names of variants, each once.
func (r *reader) variants(names []string) []string {
	for i, name := range names {
		if msg := wrongVariant(name); msg != "" {
			r.failf("%s", msg)
		}
		if slices.Contains(names[:i], name) {
			r.failf("variant %q stands twice", name)
		}
	}
	return names
}

// node takes the name of a node.
func (r *reader) node() string {
	w := r.next("a node")
	r.known(w)
	return w
}

// known fails if there is no node with this name.
func (r *reader) known(name string) {
	if r.msg == "" && !slices.Contains(r.nodes, name) {
		nodes := slices.DeleteFunc(slices.Clone(r.nodes), open)
		r.failf("no node called %q%s", name, didYouMean(name, nodes))
	}
}
