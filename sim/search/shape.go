package search

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// shape is a kind of request: its words, with numbers, one-letter names and nodes to be given anew.
type shape struct {
	words  []string
	counts string // what its number counts: "tx#" if that of "tx1", "#" if a bare number
	again  bool   // its number may be one that was used before
	self   bool   // it may name the node that it is made to
	times  int    // how often one of the shape is made
}

// mostShapes bounds how many are tried, those of the plan itself not counted.
const mostShapes = 4

// slot stands for a node in the words of a shape.
const slot = "*"

// shapesIn are the shapes of the requests of some loads, the plainest first. Where a request may
// name nodes and need not, the shape that names none will do.
func shapesIn(loads [][]sim.Action, nodes []string) []shape {
	var all []shape
	for _, load := range loads {
		seen := map[string]bool{}
		for i := range load {
			if a := &load[i]; a.Verb == sim.Request {
				all = addShape(all, a, nodes, seen)
			}
		}
	}
	plain := slices.Clone(all)
	all = slices.DeleteFunc(all, func(s shape) bool {
		bare := slices.DeleteFunc(slices.Clone(s.words), isSlot)
		return len(bare) < len(s.words) && slices.ContainsFunc(plain, hasWords(bare))
	})
	slices.SortStableFunc(all, func(a, b shape) int { return comparePlain(a.words, b.words) })
	return all[:min(len(all), mostShapes)]
}

func isSlot(w string) bool { return w == slot }

func hasWords(words []string) func(shape) bool {
	return func(s shape) bool { return slices.Equal(s.words, words) }
}

// addShape adds the shape of a request, or what is new about it. Seen are the numbered words before
// it.
func addShape(all []shape, a *sim.Action, nodes []string, seen map[string]bool) []shape {
	s := shape{words: shaped(a.Words, nodes), self: slices.Contains(a.Words, a.Node), times: 1}
	for _, w := range a.Words {
		if prefix, ok := prefixOf(w); ok {
			s.counts, s.again = prefix+"#", seen[w]
			seen[w] = true
		}
	}
	if i := slices.IndexFunc(all, hasWords(s.words)); i >= 0 {
		all[i].again, all[i].self = all[i].again || s.again, all[i].self || s.self
		all[i].times++
		return all
	}
	return append(all, s)
}

// shaped are the words of a request as if it were the only one, with slots for nodes.
func shaped(words, nodes []string) []string {
	list := slices.Clone(words)
	for i, w := range list {
		if slices.Contains(nodes, w) {
			list[i] = slot
		}
	}
	p := renumbered(&sim.Plan{Script: []sim.Action{{Words: list}}})
	return p.Script[0].Words
}

// merged are some shapes and those of others that are not among them.
func merged(some, others []shape) []shape {
	all := slices.Clone(some)
	for _, o := range others {
		if !slices.ContainsFunc(all, hasWords(o.words)) {
			all = append(all, o)
		}
	}
	return all
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
	nodes := namesOf(3)
	if len(p.Setup) > 0 {
		nodes = p.Nodes
	}
	var loads [][]sim.Action
	for seed := range uint64(4) {
		loads = append(loads, p.Protocol.Draw(&sim.Draws{Nodes: nodes, Setup: p.Setup, Clients: 2,
			Ops: 12, Span: 24 * time.Millisecond, Seed: seed + 1}))
	}
	return shapesIn(loads, nodes)
}

// drawnAs are some shapes with what the drawn ones know of them.
func drawnAs(some, drawn []shape) []shape {
	for i := range some {
		if k := slices.IndexFunc(drawn, hasWords(some[i].words)); k >= 0 {
			some[i].again, some[i].self = drawn[k].again, drawn[k].self
		}
	}
	return some
}

// writer writes all scripts of so many lines: requests of some shapes on the nodes that are there
// from the start, and a join of each that is not. Numbers count up; of a shape that comes again,
// each may also be that of the one before.
type writer struct {
	cast
	shapes []shape
	lines  int
	capped bool // no more requests of a shape than it has times

	left  []int // by shape: how many more there may be
	asked int   // of how many nodes something is asked
	yield func([]sim.Action) bool
}

// scripts are in the order of how many nodes they ask, then in the order of reading.
func (w *writer) scripts() iter.Seq[[]sim.Action] {
	return func(yield func([]sim.Action) bool) {
		w.yield, w.left = yield, nil
		for i := range w.shapes {
			most := w.lines
			if w.capped {
				most = w.shapes[i].times
			}
			w.left = append(w.left, most)
		}
		for w.asked = range min(w.lines, len(w.nodes)) + 1 {
			if !w.write(nil) {
				return
			}
		}
	}
}

// whole says that a script is one of those that are wanted.
func (w *writer) whole(script []sim.Action) bool {
	return askedBy(script) == w.asked && (len(w.later) == 0 || joins(script))
}

// askedBy is of how many nodes a script asks something.
func askedBy(script []sim.Action) int {
	var nodes []string
	for i := range script {
		if a := &script[i]; a.Verb == sim.Request && !slices.Contains(nodes, a.Node) {
			nodes = append(nodes, a.Node)
		}
	}
	return len(nodes)
}

// write yields the scripts that begin with these lines. It says whether to go on.
func (w *writer) write(script []sim.Action) bool {
	if len(script) == w.lines {
		return !w.whole(script) || w.yield(script)
	}
	for _, node := range w.nodes {
		for i := range w.shapes {
			if w.left[i] > 0 && !w.request(script, node, i) {
				return false
			}
		}
	}
	if len(w.later) > 0 && !joins(script) {
		return w.write(append(slices.Clone(script), sim.Action{Verb: sim.Join, Node: w.later[0]}))
	}
	return true
}

// request goes on with a request of a shape.
func (w *writer) request(script []sim.Action, node string, shape int) bool {
	w.left[shape]--
	defer func() { w.left[shape]++ }()
	for _, words := range w.shapes[shape].next(script, node, w.nodes) {
		a := sim.Action{Verb: sim.Request, Node: node, Words: words}
		if !w.write(append(slices.Clone(script), a)) {
			return false
		}
	}
	return true
}

func joins(script []sim.Action) bool {
	return slices.ContainsFunc(script, func(a sim.Action) bool { return a.Verb == sim.Join })
}

// next are the requests of a shape to a node that may follow a script.
func (s *shape) next(script []sim.Action, node string, nodes []string) [][]string {
	if !s.self {
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(n string) bool { return n == node })
	}
	used := s.used(script)
	all := filled(s.numbered(used+1), nodes)
	if s.again && used > 0 {
		all = slices.Concat(filled(s.numbered(used), nodes), all)
	}
	return all
}

// used is the greatest number of a script that the shape's number counts with.
func (s *shape) used(script []sim.Action) int {
	most := 0
	for i := range script {
		for _, w := range script[i].Words {
			if prefix, ok := prefixOf(w); ok && prefix+"#" == s.counts {
				n, _ := strconv.Atoi(w[len(prefix):])
				most = max(most, n)
			}
		}
	}
	return most
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

// filled are the requests that words with slots stand for: nodes fill them in their order, each
// once.
func filled(words, nodes []string) [][]string {
	at := slices.Index(words, slot)
	if at < 0 {
		return [][]string{words}
	}
	var all [][]string
	for i, n := range nodes {
		one := slices.Clone(words)
		one[at] = n
		all = append(all, filled(one, nodes[i+1:])...)
	}
	return all
}
