package metastore

import (
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// specOf is the store as an object that is used by one client at a time. What is asked of one
// server is not of it, nor what takes several questions.
func specOf(d Dialect) checker.Spec {
	return checker.Spec{
		Init: func() any {
			s := newState(storeRules{Dialect: d})
			return &s
		},
		Step:  stepOf,
		Equal: func(a, b any) bool { return same(a.(*State), b.(*State)) },
		Hash:  func(s any) uint64 { return s.(*State).digest() },
		Reads: func(op sim.Op) bool {
			_, is := op.(read)
			return is
		},
		Shows: func(s any) string {
			return s.(*State).Read(Query{}).String()
		},
		Steps: 200_000,
	}
}

// atOnce says that a question is to the whole store.
func atOnce(what sim.Body) bool {
	switch w := what.(type) {
	case read:
		return !w.Local
	case Put, Delete, Txn, Compact, Grant, Revoke:
		return true
	}
	return false
}

// stepOf does a request, and compares the answers.
func stepOf(state any, op sim.Op, result sim.Body, open bool) (ok bool, next any) {
	was := state.(*State)
	if r, is := op.(read); is {
		return open || result.(Answer).alike(was.Read(r.Query)), state
	}
	if d := op.(Deed); d.fits(&was.rules.Dialect) != "" {
		return open || result.(Answer).Why != "", state
	}
	s, term := was.Copy(), int64(0)
	switch d := op.(type) {
	case Evict:
		s.Rev = result.(Answer).Rev
		return s.Rev == was.Rev || s.Rev == was.Rev+1, &s
	case Revoke:
		term = d.By
	}
	a := s.Apply(0, term, Command{Deed: op.(Deed)})
	return open || result.(Answer).alike(a), &s
}

// alike says that two answers are the same but for the index of the log.
func (a Answer) alike(b Answer) bool {
	a.Index, b.Index = 0, 0
	if len(a.Steps) > 0 {
		a.Steps, b.Steps = bareSteps(a.Steps), bareSteps(b.Steps)
	}
	return a.Equal(b)
}

func bareSteps(steps []Answer) []Answer {
	list := slices.Clone(steps)
	for i := range list {
		list[i].Index = 0
	}
	return list
}

// same says that two states answer everything alike.
func same(a, b *State) bool {
	return a.Rev == b.Rev && a.Compacted == b.Compacted &&
		slices.EqualFunc(a.Keys, b.Keys, func(x, y history) bool {
			return x.Key == y.Key && slices.Equal(x.Versions, y.Versions)
		}) &&
		slices.EqualFunc(a.Leases, b.Leases, func(x, y Lease) bool {
			return x.ID == y.ID && x.TTL == y.TTL && slices.Equal(x.Keys, y.Keys)
		})
}

// resolved is the history of all questions, in which nothing is open that the log knows of: what
// was done has the answer that it would have had, after all others, and what was not is left out.
// What no question has told of is in it as well, at the moment when a server applied it first.
func (l *ledger) resolved() checker.History {
	b := resolving{ledger: l, end: 4 * len(l.run.Trace), ids: map[[2]int64]int{},
		twice: make([]bool, len(l.asks))}
	for k := range l.asks {
		if q := &l.asks[k]; atOnce(q.What) {
			b.ids[[2]int64{q.Session, q.Seq}] = k
		}
	}
	for i := range l.entries {
		if n := &l.entries[i]; n.Does && !n.Again && n.Answer.Why != Moved {
			b.entry(n)
		}
	}
	for k := range l.asks {
		if q := &l.asks[k]; q.At >= 0 && atOnce(q.What) {
			b.add(q.What, q.Got, 4*q.From, 4*q.At+2)
		}
	}
	slices.SortStableFunc(b.h, func(x, y checker.Operation) int { return x.Call - y.Call })
	for i := range b.h {
		b.h[i].ID, b.h[i].Client = sim.CallID(i+1), sim.ClientID(i+1)
	}
	return b.h
}

// resolving is a history under way. Its places are four times those of the trace.
type resolving struct {
	*ledger
	h     checker.History
	end   int
	ids   map[[2]int64]int // questions by whose and which
	twice []bool           // by question: it is in the history, without an answer of its own
}

// entry adds what an entry of the log did, unless its question has been answered with it.
func (b *resolving) entry(n *line) {
	k, asked := b.ids[[2]int64{n.Command.Session, n.Command.Seq}]
	switch {
	case !asked || n.Command.Session == 0 || b.twice[k]:
		b.add(n.Command.Deed, n.Answer, 4*n.At-1, 4*n.At+1)
	case b.asks[k].At < 0:
		b.twice[k] = true
		b.end++
		b.add(n.Command.Deed, n.Answer, 4*b.asks[k].From, b.end)
	case b.asks[k].Got.Index != n.Index:
		b.add(n.Command.Deed, n.Answer, 4*n.At-1, 4*n.At+1)
	}
}

func (b *resolving) add(op sim.Op, result Answer, call, end int) {
	b.h = append(b.h, checker.Operation{Op: op, Result: result, Call: call, Return: end,
		Fate: checker.Returned})
}
