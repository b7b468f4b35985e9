package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/ebnf"
)

// accept says from where on the grammar does not take a text, -1 if it takes all of it.
func accept(g ebnf.Grammar, text string) int {
	m := &matcher{grammar: g, text: text, known: map[place][]int{}}
	if slices.Contains(m.match(&ebnf.Name{String: "File"}, 0, false), len(text)) {
		return -1
	}
	return min(m.farthest, len(text)-1)
}

// matcher finds all ways in which a grammar takes the beginning of a text.
type matcher struct {
	grammar  ebnf.Grammar
	text     string
	known    map[place][]int
	farthest int
}

type place struct {
	name string
	at   int
}

// match gives every position at which an expression that begins at a position can end.
func (m *matcher) match(x ebnf.Expression, at int, tight bool) []int {
	switch x := x.(type) {
	case nil:
		return []int{at}
	case ebnf.Alternative:
		var all []int
		for _, choice := range x {
			all = append(all, m.match(choice, at, tight)...)
		}
		return set(all)
	case ebnf.Sequence:
		here := []int{at}
		for _, part := range x {
			var next []int
			for _, p := range here {
				next = append(next, m.match(part, p, tight)...)
			}
			here = set(next)
		}
		return here
	case *ebnf.Name:
		return m.name(x.String, at, tight)
	case *ebnf.Token:
		return m.token(at, tight, func(s string) int {
			if strings.HasPrefix(s, x.String) {
				return len(x.String)
			}
			return -1
		})
	case *ebnf.Range:
		return m.token(at, tight, func(s string) int {
			r, n := utf8.DecodeRuneInString(s)
			if s != "" && string(r) >= x.Begin.String && string(r) <= x.End.String {
				return n
			}
			return -1
		})
	case *ebnf.Group:
		return m.match(x.Body, at, tight)
	case *ebnf.Option:
		return set(append(m.match(x.Body, at, tight), at))
	case *ebnf.Repetition:
		all, fresh := []int{at}, []int{at}
		for len(fresh) > 0 {
			var next []int
			for _, p := range fresh {
				next = append(next, m.match(x.Body, p, tight)...)
			}
			fresh = slices.DeleteFunc(set(next), func(p int) bool { return slices.Contains(all, p) })
			all = append(all, fresh...)
		}
		return set(all)
	}
	panic(fmt.Sprintf("no expression %T", x))
}

// name matches a production, once at each position. Words end where a blank or the line ends.
func (m *matcher) name(name string, at int, tight bool) []int {
	if !tight && lexical(name) {
		at = m.blanks(at)
	}
	key := place{name, at}
	if tight {
		key.name += " in a word"
	}
	if ends, ok := m.known[key]; ok {
		return ends
	}
	ends := m.match(m.grammar[name].Expr, at, lexical(name))
	if !tight && lexical(name) && name != "newline" {
		ends = slices.DeleteFunc(ends, func(p int) bool { return !m.wordEnds(p) })
	}
	m.known[key] = ends
	return ends
}

func (m *matcher) token(at int, tight bool, length func(string) int) []int {
	if !tight {
		at = m.blanks(at)
	}
	n := length(m.text[at:])
	if n < 0 {
		return nil
	}
	at += n
	m.farthest = max(m.farthest, at)
	if !tight && !m.wordEnds(at) {
		return nil
	}
	return []int{at}
}

// wordEnds says that a word can end at a position. A colon stands close to it.
func (m *matcher) wordEnds(at int) bool {
	return at == len(m.text) || strings.IndexByte(" \t\n:", m.text[at]) >= 0
}

func (m *matcher) blanks(at int) int {
	for at < len(m.text) && (m.text[at] == ' ' || m.text[at] == '\t') {
		at++
	}
	return at
}

func set(positions []int) []int {
	slices.Sort(positions)
	return slices.Compact(positions)
}
