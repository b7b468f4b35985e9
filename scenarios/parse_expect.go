package scenarios

import (
	"slices"

	"github.com/downset/downset/sim"
)

// outcomes are the words for what a verdict says.
var outcomes = []string{Holds: "holds", Breaks: "breaks", Undecided: "undecided", Loose: "loose"}

// expect reads -- expect --. Claims before the first verdict bind every variant, those after one
// bind that variant.
func (p *parser) expect(sec *section) error {
	e := &p.s.Expect
	for _, l := range sec.lines {
		r := p.reader(l)
		p.open(r)
		if isVerdict(l.Words) {
			v := Verdict{Line: l.Line, Comments: l.Comments}
			r.verdict(&v)
			p.once(r, v.Variant, l.Line)
			e.Verdicts = append(e.Verdicts, v)
		} else {
			c := p.expectedClaim(r, l)
			claims := &e.Claims
			if n := len(e.Verdicts); n > 0 {
				claims = &e.Verdicts[n-1].Claims
			}
			*claims = append(*claims, c)
		}
		if err := p.mark(r, l.Line); err != nil {
			p.wrong = append(p.wrong, err)
		}
	}
	return nil
}

// isVerdict says that a line is a verdict: its second word is an outcome.
func isVerdict(words []string) bool {
	return len(words) > 1 && slices.Contains(outcomes[1:], words[1])
}

// verdict takes VARIANT and what comes of it.
func (r *reader) verdict(v *Verdict) {
	v.Variant = r.next("a variant")
	if v.Variant != "*" && !open(v.Variant) {
		r.variants([]string{v.Variant})
	}
	v.Outcome = Outcome(slices.Index(outcomes, r.next("an outcome")))
	if v.Outcome != Breaks {
		r.end()
		return
	}
	for r.more() && !v.More {
		w := r.next("a property")
		switch {
		case w == "...":
			v.More = true
		case w == "if":
			r.failf(`"if" limits claims, not verdicts`)
		case slices.Contains(v.Breaks, w):
			r.failf("property %q stands twice", w)
		default:
			v.Breaks = append(v.Breaks, w)
		}
	}
	if len(v.Breaks) == 0 {
		r.failf("want the properties that %s breaks", v.Variant)
	}
	r.end()
}

// expectedClaim takes a claim and the cases to which it is limited.
func (p *parser) expectedClaim(r *reader, l Line) Claim {
	c := Claim{Comments: l.Comments}
	if i := slices.Index(l.Words, "if"); i >= 0 {
		conds := &reader{words: l.Words, at: i + 1}
		c.If = p.conds(conds)
		r.words = l.Words[:i]
		r.failIf(conds.msg)
	}
	grid := reader{words: r.words, nodes: slices.Concat(r.nodes, p.standIns()), msg: r.msg}
	if slices.ContainsFunc(r.words[:min(2, len(r.words))], open) {
		c.Claim = grid.vague()
	} else {
		grid.verdictLike()
		c.Claim = grid.claim()
	}
	c.Claim.Line = l.Line
	r.failIf(grid.msg)
	return c
}

// vague takes a line of a grid of which only a case knows whether it is a claim or a verdict.
func (r *reader) vague() sim.Claim {
	what := func(w string) bool { return w != "*" && !slices.Contains(r.nodes, w) }
	n := slices.IndexFunc(r.words, what)
	if n < 0 {
		r.at = len(r.words)
		r.want("what is to be seen")
		return sim.Claim{}
	}
	return sim.Claim{Who: r.words[:n:n], Words: r.words[n:]}
}

// failIf fails with a message, if it is one.
func (r *reader) failIf(msg string) {
	if msg != "" {
		r.failf("%s", msg)
	}
}

// verdictLike fails if a line is no claim and so must be meant as a verdict.
func (r *reader) verdictLike() {
	who, what := r.peek(), listed(outcomes[1:])
	if who == "*" || slices.Contains(r.nodes, who) {
		return
	}
	if len(r.words) < 2 {
		r.failf("want WHO... NAME VALUE..., or VARIANT %s, got %q", what, who)
		return
	}
	hint := near(r.words[1], outcomes[1:])
	if !nodeName(who) || hint != "" {
		r.failf("want %s after %q, got %q%s", what, who, r.words[1], hint)
	}
}

// standIns are the $NAMEs that stand for nodes in every case.
func (p *parser) standIns() []string {
	var names []string
	for _, v := range p.s.Vary {
		other := func(value string) bool { return value != "*" && !slices.Contains(p.nodes, value) }
		if !slices.ContainsFunc(v.Values, other) {
			names = append(names, "$"+v.Name)
		}
	}
	return names
}
