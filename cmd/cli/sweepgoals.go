package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What only all variants of a sweep together show.

// unreached are the goals of a model that no right variant reached, if one of them was swept to
// its end: a story need not reach them.
func unreached(done []*swept) []string {
	var missed []string
	reached := map[string]bool{}
	for _, r := range done {
		for i, g := range r.Protocol.Goals {
			name := r.Protocol.Name + " " + g.Name
			if i < len(r.Goals) && r.Goals[i] > 0 {
				reached[name] = reached[name] || r.right()
			}
			if r.whole() && !slices.Contains(missed, name) {
				missed = append(missed, name)
			}
		}
	}
	return slices.DeleteFunc(missed, func(name string) bool { return reached[name] })
}

// whole says that a sweep says something of goals: a right variant of a model, played to its end.
func (r *swept) whole() bool {
	return r.right() && r.Scenario == nil && !r.early() && !r.interrupted
}

// rare are the kinds of message, timer, record and fact that some variants of a model never
// showed and others did, a line a variant. What a sweep that ended early lacks says nothing.
func rare(done []*swept) []string {
	var lines []string
	for _, r := range done {
		if r.early() || r.interrupted {
			continue
		}
		var never []string
		for _, other := range done {
			if other.source == r.source {
				never = append(never, other.Kinds...)
			}
		}
		slices.Sort(never)
		never = slices.DeleteFunc(slices.Compact(never), func(kind string) bool {
			return slices.Contains(r.Kinds, kind)
		})
		if len(never) > 0 {
			lines = append(lines, fmt.Sprintf("%s: no message, timer, record or fact of a kind that"+
				" others have: %s", r.name(), strings.Join(never, ", ")))
		}
	}
	return lines
}

// goalLines say of each goal that some right variant did not reach which others did. If none did
// they name those that were swept, and those that might reach it and were not.
func goalLines(done []*swept) []string {
	var lines []string
	var told []*sim.Protocol
	for _, r := range done {
		if slices.Contains(told, r.Protocol) {
			continue
		}
		told = append(told, r.Protocol)
		for i, g := range r.Protocol.Goals {
			if line := goalLine(done, r.Protocol, i); line != "" {
				lines = append(lines, fmt.Sprintf("goal %s of %s: %s", g.Name, r.Protocol.Name, line))
			}
		}
	}
	return lines
}

func goalLine(done []*swept, p *sim.Protocol, goal int) string {
	var by, not, others []string
	for _, r := range done {
		switch reached := goal < len(r.Goals) && r.Goals[goal] > 0; {
		case r.Protocol != p || !r.right():
		case reached:
			by = append(by, r.Variant.Name)
		case r.whole():
			not = append(not, r.Variant.Name)
		}
	}
	for _, name := range namesOf(p, isRight) {
		if !slices.Contains(by, name) && !slices.Contains(not, name) {
			others = append(others, name)
		}
	}
	switch {
	case len(not) == 0:
		return ""
	case len(by) > 0:
		return "reached by " + strings.Join(by, ", ") + ", not by " + strings.Join(not, ", ")
	}
	line := "NEVER REACHED by " + strings.Join(not, ", ")
	if len(others) > 0 {
		line += "; not swept, and may reach it: " + strings.Join(others, ", ")
	}
	return line
}
