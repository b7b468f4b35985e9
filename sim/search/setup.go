package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// The values of a set-up speak of nodes by their place in the plan. So where nodes go, or change
// their names or places, the protocol reads the set-up anew, from the lines that its values print.

// setupLines are a plan's set-up as words. It is not ok if there is none, or if the protocol cannot
// say its values: then they are left as they are.
func setupLines(p *sim.Plan) (lines [][]string, ok bool) {
	if len(p.Setup) == 0 || p.Protocol.ParseSetup == nil {
		return nil, false
	}
	for _, value := range p.Setup {
		line, ok := value.(fmt.Stringer)
		if !ok {
			return nil, false
		}
		lines = append(lines, strings.Fields(line.String()))
	}
	return lines, true
}

// setUp gives a plan a set-up. It says whether the protocol can read it; else nothing is changed.
func setUp(p *sim.Plan, lines [][]string) bool {
	nodes := slices.Concat(p.Nodes, p.Later)
	var values []any
	for _, words := range lines {
		if len(words) == 0 {
			return false
		}
		value, err := p.Protocol.ParseSetup(words, nodes)
		if err != nil {
			return false
		}
		values = append(values, value)
	}
	p.Setup = values
	return true
}

// fits says that a story which is written of a plan can be read: that its times are in order, that
// the lines of its set-up go together, and its requests with them.
func fits(p *sim.Plan) bool {
	if !inOrder(p) {
		return false
	}
	if p.Protocol.FitSetup != nil {
		if _, err := p.Protocol.FitSetup(p.Setup, slices.Concat(p.Nodes, p.Later)); err != nil {
			return false
		}
	}
	if p.Protocol.FitOp == nil && p.Protocol.OpNodes == nil {
		return true
	}
	for i := range actions(p) {
		if a := actionAt(p, i); a.Verb == sim.Request && !fitsRequest(p, a.Words) {
			return false
		}
	}
	return true
}

// fitsRequest says that a request goes together with the plan's set-up and speaks of its nodes.
func fitsRequest(p *sim.Plan, words []string) bool {
	op, err := p.Protocol.ParseOp(words)
	if err != nil || p.Protocol.FitOp != nil && p.Protocol.FitOp(op, p.Setup) != nil {
		return false
	}
	if p.Protocol.OpNodes == nil {
		return true
	}
	gone := func(n string) bool { return !slices.Contains(p.Nodes, n) && !slices.Contains(p.Later, n) }
	return !slices.ContainsFunc(p.Protocol.OpNodes(op), gone)
}

// renameSetup replaces words of the set-up. It says whether the protocol can read that.
func renameSetup(p *sim.Plan, all func([]string) []string) bool {
	lines, ok := setupLines(p)
	for i := range lines {
		lines[i] = all(lines[i])
	}
	return !ok || setUp(p, lines)
}

// leaveOut takes a node that has gone out of the set-up: out of the lines that can do without it,
// and the others with it.
func leaveOut(p *sim.Plan, name string) {
	lines, ok := setupLines(p)
	if !ok {
		return
	}
	is := func(w string) bool { return w == name }
	kept := lines[:0]
	for _, words := range lines {
		words = slices.DeleteFunc(words, is)
		if setUp(p, [][]string{words}) {
			kept = append(kept, words)
		}
	}
	setUp(p, kept)
}

// dropSetup drops lines of the set-up, then words of those that are left.
func (s *Shrinking) dropSetup(p *sim.Plan) *sim.Plan {
	lines, _ := setupLines(p)
	for i := len(lines) - 1; i >= 0; i-- {
		p = s.withLine(p, i, nil)
	}
	lines, _ = setupLines(p)
	for i := range lines {
		p = s.dropWordsOfLine(p, i, lines[i])
	}
	return p
}

// dropWordsOfLine drops one word, or two that stand together, as long as the plan still fails.
func (s *Shrinking) dropWordsOfLine(p *sim.Plan, i int, words []string) *sim.Plan {
	for _, size := range []int{2, 1} {
		for k := len(words) - size; k > 0; k-- {
			fewer := slices.Delete(slices.Clone(words), k, k+size)
			if q := s.withLine(p, i, fewer); q != p {
				p, words = q, fewer
				k = min(k, len(words)-size+1)
			}
		}
	}
	return p
}

// withLine is the plan with another line of set-up in the place of the i-th, or with none there, if
// it still fails; else it is p.
func (s *Shrinking) withLine(p *sim.Plan, i int, words []string) *sim.Plan {
	lines, _ := setupLines(p)
	if words == nil {
		lines = slices.Delete(lines, i, i+1)
	} else {
		lines[i] = words
	}
	q := editable(p)
	if setUp(q, lines) && s.fails(q) {
		return q
	}
	return p
}

// handedOver is the plan without a node, which hands its requests and its place in the set-up over
// to another, if it still fails. Only in a set-up are nodes so different that this finds more than
// small plans from below do.
func (s *Shrinking) handedOver(p *sim.Plan, name string) *sim.Plan {
	if len(p.Setup) == 0 {
		return nil
	}
	for _, other := range p.Nodes {
		if other == name {
			continue
		}
		q := editable(p)
		for i := range actions(q) {
			if a := actionAt(q, i); a.Verb == sim.Request && a.Node == name {
				a.Node = other
			}
		}
		renameSetup(q, func(words []string) []string { return inPlace(words, name, other) })
		if q = withoutNode(q, name); s.fails(q) {
			return q
		}
	}
	return nil
}

// inPlace puts another node in the place of one in a line, unless it stands there already.
func inPlace(words []string, name, other string) []string {
	at := slices.Index(words, name)
	if at >= 0 && !slices.Contains(words, other) {
		words[at] = other
	}
	return words
}
