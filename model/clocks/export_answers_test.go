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
		"a value that nobody put": func(b sim.Body) sim.Body {
			g, ok := b.(got)
			if !ok || len(g.Values) == 0 {
				return nil
			}
			g.Values = append([]string{"other"}, g.Values[1:]...)
			return g
		},
		"nothing, where there is something": func(b sim.Body) sim.Body {
			g, ok := b.(got)
			if !ok || len(g.Values) == 0 {
				return nil
			}
			return got{Key: g.Key}
		},
		"another number of a record": func(b sim.Body) sim.Body {
			g, ok := b.(got)
			if !ok || len(g.Values) == 0 {
				return nil
			}
			g.Number++
			return g
		},
		"another's version": func(b sim.Body) sim.Body {
			w, ok := b.(wrote)
			if !ok {
				return nil
			}
			w.ID++
			return w
		},
		"another value of an object": func(b sim.Body) sim.Body {
			l, ok := b.(looked)
			if !ok {
				return nil
			}
			l.Text += "1"
			return l
		},
		"another number of an event": func(b sim.Body) sim.Body {
			n, ok := b.(numbered)
			if !ok {
				return nil
			}
			n.Number++
			return n
		},
		"a stamp that the node never had": func(b sim.Body) sim.Body {
			s, ok := b.(stampedAt)
			if !ok {
				return nil
			}
			s.Stamp.Hybrid.Logical++
			return s
		},
	}
}
