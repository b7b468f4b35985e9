package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// Canonical forms. Two failing seeds that shrink to the same story should show it: clients that
// do not matter go, the script takes over from the load, nodes and numbered words are named in
// the order in which they appear. Each step is tried, and kept if the plan still fails.

// canonical tries them all.
func (s *Shrinking) canonical(p *sim.Plan) *sim.Plan {
	for _, step := range []func(*sim.Plan) *sim.Plan{
		withoutClients, inScript, inTurn, oneClient, still, byPosition, firstFirst, renumbered,
		clientsFirst,
	} {
		if q := step(p); q != nil && s.fails(q) {
			p = q
		}
	}
	p = s.sorted(s.retargeted(s.plainWords(p)))
	if q := renumbered(p); s.fails(q) {
		p = q
	}
	return p
}

// plainWords gives requests the words of a plainer request of the original plan, where the plan
// still fails: of two ways to show the same, the same is chosen.
func (s *Shrinking) plainWords(p *sim.Plan) *sim.Plan {
	for i := range actions(p) {
		if actionAt(p, i).Verb == sim.Request {
			p = s.plainerWords(p, i)
		}
	}
	return p
}

func (s *Shrinking) plainerWords(p *sim.Plan, i int) *sim.Plan {
	for _, words := range s.pool {
		if comparePlain(words, actionAt(p, i).Words) >= 0 {
			break
		}
		q := withWords(p, i, words)
		if s.fails(q) {
			return q
		}
	}
	return p
}

// comparePlain orders requests: fewer words first, then fewer letters, then as they read.
func comparePlain(a, b []string) int {
	return cmp.Or(len(a)-len(b), letterCount(a)-letterCount(b), slices.Compare(a, b))
}

func letterCount(words []string) int {
	return len(strings.Join(words, ""))
}

// requests are the different requests of a plan, the plainest first.
func requests(p *sim.Plan) [][]string {
	var pool [][]string
	for i := range actions(p) {
		if a := actionAt(p, i); a.Verb == sim.Request {
			pool = append(pool, a.Words)
		}
	}
	slices.SortStableFunc(pool, comparePlain)
	return slices.CompactFunc(pool, func(a, b []string) bool { return slices.Equal(a, b) })
}

// retargeted gives requests to an earlier node where the plan still fails.
func (s *Shrinking) retargeted(p *sim.Plan) *sim.Plan {
	for i := range actions(p) {
		if actionAt(p, i).Verb == sim.Request {
			p = s.retarget(p, i)
		}
	}
	return p
}

func (s *Shrinking) retarget(p *sim.Plan, i int) *sim.Plan {
	for _, name := range p.Nodes {
		if name >= actionAt(p, i).Node {
			break
		}
		q := editable(p)
		actionAt(q, i).Node = name
		if s.fails(q) {
			return q
		}
	}
	return p
}

// sorted swaps neighbours of the script where the plan still fails and reads smaller.
func (s *Shrinking) sorted(p *sim.Plan) *sim.Plan {
	for range p.Script {
		for i := 0; i+1 < len(p.Script); i++ {
			q := swapped(p, i)
			if slices.Compare(reading(q), reading(p)) < 0 && s.fails(q) {
				p = q
			}
		}
	}
	return p
}

// swapped has two neighbours of the script the other way round, and names what is left to name. If
// both name a time, the times stay where they are.
func swapped(p *sim.Plan, i int) *sim.Plan {
	q := editable(p)
	q.Script[i], q.Script[i+1] = q.Script[i+1], q.Script[i]
	if a, b := &q.Script[i], &q.Script[i+1]; a.Place == sim.At && b.Place == sim.At {
		a.Offset, b.Offset = b.Offset, a.Offset
	}
	if r := firstFirst(q); r != nil {
		q = r
	}
	return renumbered(q)
}

// reading is a plan's script as words, to compare.
func reading(p *sim.Plan) []string {
	var words []string
	for i := range p.Script {
		words = append(append(words, p.Script[i].Node), p.Script[i].Words...)
	}
	return words
}

// withoutClients lets every request have a client of its own.
func withoutClients(p *sim.Plan) *sim.Plan {
	q := editable(p)
	for i := range actions(q) {
		actionAt(q, i).Client = 0
	}
	return q
}

// clientsFirst numbers the clients in the order in which they appear.
func clientsFirst(p *sim.Plan) *sim.Plan {
	q := editable(p)
	numbers := map[int]int{0: 0}
	for i := range actions(q) {
		a := actionAt(q, i)
		if _, seen := numbers[a.Client]; !seen {
			numbers[a.Client] = len(numbers)
		}
		a.Client = numbers[a.Client]
	}
	return q
}

// inScript makes the load part of the script, if the script has nothing that waits.
func inScript(p *sim.Plan) *sim.Plan {
	for i := range p.Script {
		if p.Script[i].When == nil {
			return nil
		}
	}
	if len(p.Load) == 0 {
		return nil
	}
	q := editable(p)
	q.Script = append(q.Script, q.Load...)
	q.Load = nil
	for i := range q.Script {
		if a := &q.Script[i]; a.Offset == 0 {
			a.Place = sim.InTurn
		}
	}
	return q
}

// sayable makes a plan one that a story can say: its times do not decrease. In still time its lines
// take no time, which a shuffled plan's do.
func (s *Shrinking) sayable(p *sim.Plan) *sim.Plan {
	var ways []*sim.Plan
	switch {
	case !p.Timed:
		bare := inTurn(p)
		bare.Chance = nil
		ways = []*sim.Plan{bare, inTurn(p)}
	case !inOrder(p):
		ways = []*sim.Plan{ordered(p)}
	}
	for _, q := range ways {
		if s.fails(q) {
			return q
		}
	}
	return p
}

// inTurn drops all times from the script.
func inTurn(p *sim.Plan) *sim.Plan {
	q := editable(p)
	for i := range q.Script {
		q.Script[i].Place, q.Script[i].Offset = sim.InTurn, 0
	}
	return q
}

// oneClient lets one client make all requests, each when the one before has returned.
func oneClient(p *sim.Plan) *sim.Plan {
	timed := false
	q := editable(p)
	for i := range q.Script {
		a := &q.Script[i]
		if a.Verb != sim.Request || a.When != nil {
			return nil
		}
		timed = timed || a.Place != sim.InTurn
		a.Client, a.Place, a.Offset = 1, sim.InTurn, 0
	}
	if !timed || len(p.Load) > 0 {
		return nil
	}
	return q
}

// still makes a story in still time of it.
func still(p *sim.Plan) *sim.Plan {
	if len(p.Load) > 0 || len(p.Chance) > 0 {
		return nil
	}
	q := editable(p)
	for i := range q.Script {
		if q.Script[i].Verb == sim.Wait || q.Script[i].Verb == sim.Until {
			return nil // which takes time
		}
		q.Script[i].Place, q.Script[i].Offset = sim.InTurn, 0
	}
	q.Timed = false
	q.Network = sim.Network{Manual: p.Network.Manual, DiskSlow: p.Network.DiskSlow,
		InFlight: p.Network.InFlight}
	return q
}

// byPosition names the nodes P, Q, R ... in their order.
func byPosition(p *sim.Plan) *sim.Plan {
	names := map[string]string{}
	for i, n := range slices.Concat(p.Nodes, p.Later) {
		names[n] = string(rune('P' + i))
	}
	return renamed(p, names)
}

// firstFirst puts the nodes into the order in which the actions mention them.
func firstFirst(p *sim.Plan) *sim.Plan {
	order := slices.Clone(p.Nodes)
	first := func(name string) int {
		for i := range actions(p) {
			if mentions(actionAt(p, i), name) {
				return i
			}
		}
		return actions(p)
	}
	slices.SortStableFunc(order, func(a, b string) int { return first(a) - first(b) })
	if slices.Equal(order, p.Nodes) {
		return nil
	}
	q := editable(p)
	names := map[string]string{}
	for i, n := range order {
		names[n] = p.Nodes[i]
	}
	q = renamed(q, names)
	q.Nodes = slices.Clone(p.Nodes)
	if lines, ok := setupLines(q); ok && !setUp(q, lines) {
		return nil
	}
	return q
}

// renumbered numbers words such as tx17 or 5 from 1, a count for each prefix, and names single
// letters x, y, z ..., in order of appearance.
func renumbered(p *sim.Plan) *sim.Plan {
	names, count := map[string]string{}, map[string]int{}
	letter := func(w string) {
		if len(w) == 1 && w[0] >= 'a' && w[0] <= 'z' && count["letter"] < 26 && names[w] == "" {
			names[w] = letters[count["letter"]:][:1]
			count["letter"]++
		}
	}
	for i := range actions(p) {
		for _, w := range actionAt(p, i).Words {
			if prefix, ok := prefixOf(w); ok && names[w] == "" {
				count[prefix]++
				names[w] = prefix + strconv.Itoa(count[prefix])
			}
			eachWithin(w, letter)
		}
	}
	lines, _ := setupLines(p)
	for _, words := range lines {
		for _, w := range words {
			letter(w)
		}
	}
	return renamed(p, names)
}

// letters are the names of things that are called by one letter, such as keys.
const letters = "xyzuvwabcdefghijklmnopqrst"

// prefixOf splits a word into lower-case letters and a number, and gives the letters.
func prefixOf(w string) (prefix string, ok bool) {
	prefix = strings.TrimRight(w, "0123456789")
	if prefix == w {
		return "", false
	}
	for _, r := range prefix {
		if r < 'a' || r > 'z' {
			return "", false
		}
	}
	return prefix, true
}
