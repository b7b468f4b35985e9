package search

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// shape is a kind of request: its words, with numbers and one-letter names to be given anew.
type shape struct {
	words  []string
	counts string // what its number counts: the prefix of "tx1" is "tx"; "#" for a bare number
	repeat bool   // the same request is made more than once
	times  int    // how often one of the shape is made
}

// mostShapes bounds how many are tried, those of the plan itself not counted.
const mostShapes = 4

// shapesIn are the shapes of some requests, the plainest first. Requests that name nodes are left
// out.
func shapesIn(loads [][]sim.Action, nodes []string) []shape {
	var all []shape
	for _, load := range loads {
		seen := map[string]bool{}
		for i := range load {
			a := &load[i]
			if a.Verb != sim.Request || slices.ContainsFunc(a.Words, func(w string) bool {
				return slices.Contains(nodes, w)
			}) {
				continue
			}
			key := strings.Join(a.Words, " ")
			all = addShape(all, a.Words, seen[key])
			seen[key] = true
		}
	}
	slices.SortStableFunc(all, func(a, b shape) int { return comparePlain(a.words, b.words) })
	return all[:min(len(all), mostShapes)]
}

// addShape adds the shape of a request, or what is new about it.
func addShape(all []shape, words []string, again bool) []shape {
	s := shape{words: numberedAnew(words), repeat: again, times: 1}
	for _, w := range words {
		if prefix, ok := prefixOf(w); ok {
			s.counts = prefix + "#"
		}
	}
	for i := range all {
		if slices.Equal(all[i].words, s.words) {
			all[i].repeat = all[i].repeat || again
			all[i].times++
			return all
		}
	}
	return append(all, s)
}

// merged are some shapes and those of others that are not among them.
func merged(some, others []shape) []shape {
	all := slices.Clone(some)
	for _, o := range others {
		if !slices.ContainsFunc(all, func(s shape) bool { return slices.Equal(s.words, o.words) }) {
			all = append(all, o)
		}
	}
	return all
}

// numberedAnew are the words of a request as if it were the only one.
func numberedAnew(words []string) []string {
	p := renumbered(&sim.Plan{Script: []sim.Action{{Words: words}}})
	return p.Script[0].Words
}

// shapesOf are those of a plan's own requests.
func shapesOf(p *sim.Plan) []shape {
	return shapesIn([][]sim.Action{slices.Concat(p.Script, p.Load)}, slices.Concat(p.Nodes, p.Later))
}

// drawnShapes are those of the loads that a protocol draws, or of the plan's if it draws none.
func drawnShapes(p *sim.Plan) []shape {
	if p.Protocol.Draw == nil {
		return shapesOf(p)
	}
	nodes := namesOf(2)
	var loads [][]sim.Action
	for seed := range uint64(4) {
		loads = append(loads, p.Protocol.Draw(&sim.Draws{Nodes: nodes, Clients: 2, Ops: 12,
			Span: 24 * time.Millisecond, Seed: seed + 1}))
	}
	return shapesIn(loads, nodes)
}

// scripts are all scripts of so many lines: requests of some shapes on the nodes that are there
// from the start, and a join of each that is not; in the order of reading. Numbers count up; of a
// shape that is repeated each may also be that of the one before.
func (c *cast) scripts(shapes []shape, lines int) [][]sim.Action {
	all := [][]sim.Action{nil}
	for range lines {
		var longer [][]sim.Action
		for _, script := range all {
			longer = append(longer, c.extended(script, shapes)...)
		}
		all = longer
	}
	return slices.DeleteFunc(all, func(script []sim.Action) bool {
		return len(c.later) > 0 && !joins(script)
	})
}

func joins(script []sim.Action) bool {
	return slices.ContainsFunc(script, func(a sim.Action) bool { return a.Verb == sim.Join })
}

// extended are a script's continuations by one line.
func (c *cast) extended(script []sim.Action, shapes []shape) [][]sim.Action {
	var all [][]sim.Action
	add := func(a sim.Action) { all = append(all, append(slices.Clone(script), a)) }
	for _, node := range c.nodes {
		for i := range shapes {
			for _, words := range shapes[i].next(script) {
				add(sim.Action{Verb: sim.Request, Node: node, Words: words})
			}
		}
	}
	if len(c.later) > 0 && !joins(script) {
		add(sim.Action{Verb: sim.Join, Node: c.later[0]})
	}
	return all
}

// fits says that a request is of the shape.
func (s *shape) fits(words []string) bool {
	return slices.Equal(s.words, words) || slices.Equal(s.words, numberedAnew(words))
}

// next are the requests of a shape that may follow a script.
func (s *shape) next(script []sim.Action) [][]string {
	if s.counts == "" {
		return [][]string{s.words}
	}
	used := 0
	for i := range script {
		for _, w := range script[i].Words {
			if prefix, ok := prefixOf(w); ok && prefix+"#" == s.counts {
				n, _ := strconv.Atoi(w[len(prefix):])
				used = max(used, n)
			}
		}
	}
	if s.repeat && used > 0 {
		return [][]string{s.numbered(used), s.numbered(used + 1)}
	}
	return [][]string{s.numbered(used + 1)}
}

func (s *shape) numbered(n int) []string {
	words := slices.Clone(s.words)
	for i, w := range words {
		if prefix, ok := prefixOf(w); ok && prefix+"#" == s.counts {
			words[i] = prefix + strconv.Itoa(n)
		}
	}
	return words
}
