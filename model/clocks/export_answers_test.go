package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Retold is a run in which the last answer that change is about is another.
func Retold(run *sim.Run, change func(sim.Body) sim.Body) *sim.Run {
	again := *run
	again.Memo, again.Trace = nil, slices.Clone(run.Trace)
	for i := len(again.Trace) - 1; i >= 0; i-- {
		e := &again.Trace[i]
		if e.Kind != sim.EntryReturned {
			continue
		}
		if b := change(e.Body); b != nil {
			e.Body = b
			return &again
		}
	}
	return nil
}

// Lies are wrong answers, by what they are about: nil to an answer that is about something else.
func Lies() map[string]func(sim.Body) sim.Body {
	return map[string]func(sim.Body) sim.Body{
		"a value that nobody put": ofValues(func(g *got) {
			g.Values = append([]string{"other"}, g.Values[1:]...)
		}),
		"nothing, where there is something": ofValues(func(g *got) { *g = got{Key: g.Key} }),
		"another number of a record":        ofValues(func(g *got) { g.Number++ }),
		"another's version":                 lie(func(w *wrote) { w.ID++ }),
		"another value of an object":        lie(func(l *looked) { l.Text += "1" }),
		"another number of an event":        lie(func(n *numbered) { n.Number++ }),
		"a stamp that the node never had":   lie(func(s *stampedAt) { s.Stamp.Hybrid.Logical++ }),
	}
}

// lie changes answers of one type.
func lie[R sim.Body](change func(*R)) func(sim.Body) sim.Body {
	return func(b sim.Body) sim.Body {
		r, ok := b.(R)
		if !ok {
			return nil
		}
		change(&r)
		return r
	}
}

// ofValues changes what a get returns, if there is something.
func ofValues(change func(*got)) func(sim.Body) sim.Body {
	return func(b sim.Body) sim.Body {
		if g, ok := b.(got); ok && len(g.Values) > 0 {
			return lie(change)(b)
		}
		return nil
	}
}
