package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Check tells what of a story that Parse has read the model does not know: variants and their
// rules, lines of the set-up, requests, properties, and what claims are about if the model says
// what it shows.
func (s *Scenario) Check(p *sim.Protocol) error {
	if s.Model != "" && s.Model != p.Name {
		return s.fault(s.headerLine("model"), "model %s, but it is played by %s", s.Model, p.Name)
	}
	if err := s.checkGrid(); err != nil {
		return err
	}
	for _, c := range s.Grid() {
		if err := c.Scenario.check(p); err != nil {
			return err
		}
	}
	return nil
}

// check is Check for one case of a grid.
func (s *Scenario) check(p *sim.Protocol) error {
	if err := s.checkSetup(p); err != nil {
		return err
	}
	var wrong []error
	if err := s.checkLoad(p); err != nil {
		wrong = append(wrong, err)
	}
	for _, part := range []func(*sim.Protocol) []error{
		s.checkPlayed, s.checkSteps, s.checkVerdicts, s.checkClaims, s.checkTraces,
	} {
		wrong = append(wrong, part(p)...)
	}
	return together(wrong)
}

func (s *Scenario) checkSetup(p *sim.Protocol) error {
	for _, word := range p.SetupWords {
		if slices.Contains(engineWords, word) {
			return s.fault(0, "model %s takes the word %q, which is the engine's", p.Name, word)
		}
	}
	_, err := s.setup(p)
	return err
}

func (s *Scenario) checkLoad(p *sim.Protocol) error {
	if s.draws() && p.Draw == nil {
		return s.fault(s.headerLine("clients", "ops"), "model %s draws no load", p.Name)
	}
	return nil
}

// checkPlayed checks the variants that are played, and that each has a verdict.
func (s *Scenario) checkPlayed(p *sim.Protocol) (wrong []error) {
	line := s.headerLine("variants")
	for _, name := range s.Played {
		if _, err := p.Variant(name); err != nil {
			wrong = append(wrong, s.fault(line, "%v", err))
		} else if len(s.Expect.Verdicts) > 0 && s.expected(name) == nil {
			wrong = append(wrong, s.fault(line, "variant %s is played, but nothing is expected of it", name))
		}
	}
	return wrong
}

func (s *Scenario) checkSteps(p *sim.Protocol) (wrong []error) {
	setup, err := s.setup(p)
	if err != nil {
		return []error{err}
	}
	for _, st := range slices.Concat(s.Script, s.Load) {
		for _, name := range st.For {
			if _, err := p.Variant(name); err != nil {
				wrong = append(wrong, s.fault(st.Line, "%v", err))
			}
		}
		if st.Verb != sim.Request {
			continue
		}
		op, err := checkRequest(p, setup, st.Words)
		if err == nil {
			err = checkNodes(p, op, slices.Concat(s.Nodes, s.Later))
		}
		if err != nil {
			wrong = append(wrong, s.fault(st.Line, "%v", err))
		}
	}
	return wrong
}

func checkRequest(p *sim.Protocol, setup []any, words []string) (sim.Op, error) {
	if len(words) == 0 {
		return nil, errors.New("want a request after the node")
	}
	if p.ParseOp == nil {
		return nil, fmt.Errorf("model %s takes no requests", p.Name)
	}
	if len(p.OpWords) > 0 && !slices.Contains(p.OpWords, words[0]) {
		return nil, fmt.Errorf("model %s has no request %q%s", p.Name, words[0],
			didYouMean(words[0], p.OpWords))
	}
	op, err := p.ParseOp(words)
	if err != nil || p.FitOp == nil {
		return op, err
	}
	return op, p.FitOp(op, setup)
}

// checkNodes checks that the nodes are there that a request speaks of.
func checkNodes(p *sim.Protocol, op sim.Op, nodes []string) error {
	if p.OpNodes == nil {
		return nil
	}
	for _, name := range p.OpNodes(op) {
		if !slices.Contains(nodes, name) {
			return fmt.Errorf("no node called %q%s", name, didYouMean(name, nodes))
		}
	}
	return nil
}

// checkVerdicts checks variants and properties in -- expect --.
func (s *Scenario) checkVerdicts(p *sim.Protocol) (wrong []error) {
	known := p.Breakable()
	for _, v := range s.Expect.Verdicts {
		if _, err := p.Variant(v.Variant); err != nil && v.Variant != "*" {
			wrong = append(wrong, s.fault(v.Line, "%v", err))
		}
		for _, name := range v.Breaks {
			if !slices.Contains(known, name) {
				wrong = append(wrong, s.fault(v.Line, "model %s has no property or claim %q%s", p.Name,
					name, didYouMean(name, known)))
			}
		}
	}
	return wrong
}

// checkClaims checks what claims are about, if the model says what it shows.
func (s *Scenario) checkClaims(p *sim.Protocol) (wrong []error) {
	if len(p.Shows) == 0 {
		return nil
	}
	for _, c := range s.allClaims() {
		if len(c.Words) > 0 && !slices.Contains(p.Shows, c.Words[0]) {
			wrong = append(wrong, s.fault(c.Line, "model %s shows nothing called %q%s", p.Name,
				c.Words[0], didYouMean(c.Words[0], p.Shows)))
		}
	}
	return wrong
}

// ClaimsOf is how many claims of the story bind a variant: of its script, and about the end.
func (s *Scenario) ClaimsOf(variant string) int {
	n := len(s.claimsFor(s.expected(variant)))
	for _, st := range s.Script {
		if st.Verb == sim.CheckClaim && (len(st.For) == 0 || slices.Contains(st.For, variant)) {
			n++
		}
	}
	return n
}

// allClaims are the claims of the story: of its script first, then those about the end.
func (s *Scenario) allClaims() []sim.Claim {
	var all []sim.Claim
	for _, st := range slices.Concat(s.Script, s.Load) {
		if st.Verb == sim.CheckClaim || st.Verb == sim.Wake {
			c := st.Claim
			c.Line = st.Line
			all = append(all, c)
		}
	}
	for _, c := range s.Expect.Claims {
		all = append(all, c.Claim)
	}
	for _, v := range s.Expect.Verdicts {
		for _, c := range v.Claims {
			all = append(all, c.Claim)
		}
	}
	return all
}

func (s *Scenario) checkTraces(p *sim.Protocol) (wrong []error) {
	for _, g := range s.Traces {
		if _, err := p.Variant(g.Variant); err != nil {
			wrong = append(wrong, s.fault(g.Line, "%v", err))
		}
	}
	return wrong
}

// Variants are the names of the variants that the story plays: those of its "variants" line; else
// all that -- expect -- names and, if it speaks of "*" or of nothing, all of the model that are not
// wrong on purpose.
func (s *Scenario) Variants(p *sim.Protocol) ([]string, error) {
	names := slices.Clone(s.Played)
	if len(names) == 0 {
		names = s.implied(p)
	}
	for _, name := range names {
		if _, err := p.Variant(name); err != nil {
			return nil, s.fault(s.headerLine("variants"), "%v", err)
		}
	}
	return names, nil
}

func (s *Scenario) implied(p *sim.Protocol) []string {
	var names []string
	others := len(s.Expect.Verdicts) == 0
	for _, v := range s.Expect.Verdicts {
		if v.Variant == "*" {
			others = true
			continue
		}
		names = append(names, v.Variant)
	}
	for _, v := range p.Variants {
		if others && !v.Mutant() && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// headerLine is the number of the first line of -- scenario -- that begins with one of the words, 0
// if there is none.
func (s *Scenario) headerLine(words ...string) int {
	for _, l := range s.Header {
		if len(l.Words) > 0 && slices.Contains(words, l.Words[0]) {
			return l.Line
		}
	}
	return 0
}

// fault is an error in a line of the story.
func (s *Scenario) fault(line int, format string, args ...any) error {
	return &Error{File: s.File, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// wrap puts the file before an error of the engine about a plan.
func (s *Scenario) wrap(err error) error {
	var at *sim.LineError
	if errors.As(err, &at) {
		return s.fault(at.Line, "%v", at.Err)
	}
	return s.fault(0, "%v", err)
}

// base is a variant's name without its rules.
func base(variant string) string {
	name, _, _ := strings.Cut(variant, "/")
	return name
}
