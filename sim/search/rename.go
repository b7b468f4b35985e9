package search

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// editable is a plan with slices of its own.
func editable(p *sim.Plan) *sim.Plan {
	q := *p
	q.Nodes, q.Later = slices.Clone(p.Nodes), slices.Clone(p.Later)
	q.Script, q.Load, q.Chance = slices.Clone(p.Script), slices.Clone(p.Load),
		slices.Clone(p.Chance)
	q.Network.Links = slices.Clone(p.Network.Links)
	return &q
}

// renamed is a plan with words replaced wherever they are names: of nodes, in requests, in keys, in
// the set-up. It is the plan itself if its set-up cannot be said in other names.
func renamed(p *sim.Plan, names map[string]string) *sim.Plan {
	one := func(w string) string {
		if n, ok := names[w]; ok {
			return n
		}
		return w
	}
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i, w := range list {
			out[i] = one(w)
		}
		return out
	}
	q := editable(p)
	q.Nodes, q.Later = all(q.Nodes), all(q.Later)
	for i := range actions(q) {
		renameAction(actionAt(q, i), one, all)
	}
	for i := range q.Chance {
		n := &q.Chance[i].Name
		n.At, n.To, n.Keys = one(n.At), one(n.To), within(n.Keys, one)
	}
	for i := range q.Network.Links {
		l := &q.Network.Links[i]
		l.From, l.To = one(l.From), one(l.To)
	}
	if !renameSetup(q, all) {
		return editable(p)
	}
	return q
}

// within renames the words of which a key is made: both of "1.P".
func within(keys string, one func(string) string) string {
	var out strings.Builder
	word := 0
	for i := 0; i <= len(keys); i++ {
		if i < len(keys) && isWord(keys[i]) {
			continue
		}
		out.WriteString(one(keys[word:i]))
		if i < len(keys) {
			out.WriteByte(keys[i])
		}
		word = i + 1
	}
	return out.String()
}

// eachWithin calls f with the words of which a word is made: x and 5 of "x=5".
func eachWithin(w string, f func(string)) {
	within(w, func(part string) string {
		f(part)
		return part
	})
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func renameAction(a *sim.Action, one func(string) string, all func([]string) []string) {
	a.Node, a.Words = one(a.Node), all(a.Words)
	for i, w := range a.Words {
		if strings.ContainsAny(w, "=+-") {
			a.Words[i] = within(w, one)
		}
	}
	a.Pattern.From, a.Pattern.To, a.Pattern.Keys = all(a.Pattern.From), all(a.Pattern.To),
		all(a.Pattern.Keys)
	a.Event.Node, a.Event.Keys = one(a.Event.Node), all(a.Event.Keys)
	groups := make([][]string, len(a.Groups))
	for i, g := range a.Groups {
		groups[i] = all(g)
	}
	a.Groups = groups
	if a.When != nil {
		t := *a.When
		t.Event.Node, t.Event.Keys = one(t.Event.Node), all(t.Event.Keys)
		a.When = &t
	}
}
