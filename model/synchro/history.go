package synchro

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// probeKey is what the final request writes; hereKey is in a local space.
const (
	probeKey = "probe"
	hereKey  = "here"
)

// histories are H1, lenient and strict, H2 and H4 (6.5). Asynchronous writes (H3) are not judged as
// a history: that they come late is no fault, and C1 sees whether they come everywhere.
func histories() []sim.Property {
	return []sim.Property{
		{Name: "H1", Layer: 4, Class: sim.Silent, Scope: sim.ScopeHistory,
			Check: linearizable(false),
			Doc: "synchronous writes and linearizable reads are linearizable; what was rolled " +
				"back may have " +
				"taken effect"},
		{Name: "H2", Layer: 4, Class: sim.Silent, Scope: sim.ScopeOrder, Check: confirmedReads,
			Doc: "confirmed reads at one node never go back"},
		{Name: "H4", Layer: 4, Class: sim.Silent, Scope: sim.ScopeOrder, Check: writtenReads,
			Doc: "what is read was written by someone"},
		{Name: "H1-strict", Layer: 5, Class: sim.Silent, Scope: sim.ScopeHistory,
			Check: linearizable(true),
			Doc:   "they are, and what was rolled back has not: no client was told a lie"},
	}
}

// book is what keys hold, sorted by key: the state of the registers.
type book []cell

// linearizable is H1. What a client was told is unknown is open; what was rolled back is open too,
// unless strict: then it was never done.
func linearizable(strict bool) func(*sim.Run) (int, *sim.Violation) {
	return func(run *sim.Run) (int, *sim.Violation) {
		all, err := checker.ReadHistory(run)
		if err != nil {
			panic(fmt.Errorf("synchro: %w", err))
		}
		spec := registers(ordered(run, all))
		var h checker.History
		for _, o := range all {
			if !spec.Takes(o.Op) {
				continue
			}
			switch o.Result.(type) {
			case rolledBack:
				if strict {
					continue
				}
				o.Fate, o.Return, o.Result = checker.Unknown, checker.Never, nil
			case mismatch:
				continue // it went by what is pending, or old: it says nothing of any order
			case unknown:
				o.Fate, o.Return, o.Result = checker.Unknown, checker.Never, nil
			}
			h = append(h, o)
		}
		premises, v, err := judgeHistory(spec, h)
		if err != nil {
			panic(fmt.Errorf("synchro: %w", err))
		}
		return premises, v
	}
}

// ordered is the set-up, with the keys that someone has written past the queue as asynchronous
// ones:
// nothing is promised of their order.
func ordered(run *sim.Run, all checker.History) *layout {
	l := layoutOf(run.Plan.Setup, nil)
	for i := range all {
		if op, ok := all[i].Op.(putOp); ok && (op.Async || op.Local) {
			l.Async = append(l.Async, op.Keys()...)
		}
	}
	return l
}

// judgeHistory gives each operation a client of its own, since one whose outcome is unknown is
// still under way as its client goes on.
func judgeHistory(spec checker.Spec, h checker.History) (int, *sim.Violation, error) {
	for i := range h {
		h[i].Client, h[i].ID = sim.ClientID(i+1), sim.CallID(i+1)
	}
	return spec.Check(h)
}

// registers are the keys in synchronous spaces, as registers.
func registers(l *layout) checker.Spec {
	return checker.Spec{
		Init:  func() any { return book(nil) },
		Equal: func(a, b any) bool { return slices.Equal(a.(book), b.(book)) },
		Hash:  func(s any) uint64 { return s.(book).hash() },
		Takes: func(op sim.Op) bool { return takes(l, op) },
		Fits:  fits,
		Reads: func(op sim.Op) bool { _, ok := op.(getOp); return ok },
		Keys:  func(op sim.Op) []string { return op.(sim.Keyed).Keys() },
		Answers: func(_ sim.Op, why sim.Body) bool {
			_, ok := why.(mismatch)
			return ok
		},
		Step: func(state any, op sim.Op, result sim.Body, open bool) (bool, any) {
			return state.(book).step(op, result, open)
		},
	}
}

func (b book) hash() uint64 {
	h := fnv.New64a()
	for _, c := range b {
		fmt.Fprintf(h, "%s=%s;", c.Key, c.Value)
	}
	return h.Sum64()
}

// takes says that an operation is about synchronous keys.
func takes(l *layout, op sim.Op) bool {
	switch op := op.(type) {
	case putOp:
		if op.Async || op.Local {
			return false
		}
		// One synchronous key makes all of it synchronous (1.8).
		return op.Sync || slices.ContainsFunc(op.Writes, func(r row) bool { return l.sync(r.Key) })
	case casOp:
		return l.sync(op.Key)
	case getOp:
		return op.How == linearizableRead && l.sync(op.Key)
	}
	return false
}

func fits(op sim.Op, result sim.Body) bool {
	switch op.(type) {
	case getOp:
		_, ok := result.(value)
		return ok
	}
	switch result.(type) {
	case done, mismatch:
		return true
	}
	return false
}

// step is what an operation does to the registers.
func (b book) step(op sim.Op, result sim.Body, open bool) (bool, any) {
	_, missed := result.(mismatch)
	switch op := op.(type) {
	case getOp:
		if open {
			return true, b
		}
		v := result.(value)
		has, there := valueOf(b, op.Key)
		return there == v.There && has == v.Value, b
	case casOp:
		has, there := valueOf(b, op.Key)
		fine := there && has == op.Old
		if open && !fine {
			return true, b
		}
		if missed || !fine {
			return missed && !fine, b
		}
		return true, b.with(row{Type: dml, Key: op.Key, Value: op.Value})
	case putOp:
		if op.Writes[0].Do == insert {
			_, there := valueOf(b, op.Writes[0].Key)
			if open && there {
				return true, b
			}
			if missed || there {
				return missed && there, b
			}
		}
		next := b
		for _, r := range op.Writes {
			next = next.with(r)
		}
		return true, next
	}
	return false, b
}

// with is the book after a row.
func (b book) with(r row) book { return withRow(slices.Clone(b), r) }

// confirmedReads is H2: by node and key, the transactions that confirmed reads show follow each
// other in the order in which the node committed them. Reads that a restart lies between are not
// compared.
func confirmedReads(run *sim.Run) (premises int, v *sim.Violation) {
	a := audited(run)
	type seen struct{ at, life, commit int }
	last := map[string]seen{}
	starts := make([]int, len(run.Nodes))
	for i := range run.Trace {
		e := &run.Trace[i]
		if e.Kind == sim.EntryStarted {
			starts[e.Node]++
		}
		r, ok := e.Body.(value)
		if !ok || e.Kind != sim.EntryReturned {
			continue
		}
		op, ok := a.call(e.N).Op.(getOp)
		if !ok || op.How != confirmedRead || r.Value == "" {
			continue
		}
		premises++
		at := a.committedAt(e.Node, r, i)
		key := fmt.Sprint(e.Node, " ", r.Key)
		was := last[key]
		if was.life == starts[e.Node] && at > 0 && at < was.commit {
			return premises, &sim.Violation{Witness: []int{was.at, i},
				Reason: fmt.Sprintf("%s shows %s=%s again, after what was committed later",
					run.Name(e.Node), r.Key,
					r.Value)}
		}
		if at > 0 {
			last[key] = seen{i, starts[e.Node], at}
		}
	}
	return premises, nil
}

// committedAt is the entry at which a node committed what a read shows, the last one before it.
func (a *audit) committedAt(id sim.NodeID, r value, before int) int {
	at := 0
	for _, x := range a.txns {
		c := mark(x.Committed, id)
		if c > 0 && c < before && slices.ContainsFunc(x.Txn.Rows, func(w row) bool {
			return w.Key == r.Key && w.Value == r.Value
		}) {
			at = cmp.Or(max(at, c), at)
		}
	}
	return at
}

// writtenReads is H4.
func writtenReads(run *sim.Run) (premises int, v *sim.Violation) {
	written := map[cell]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case putOp:
			for _, r := range b.Writes {
				written[cell{Key: r.Key, Value: r.Value}] = true
			}
		case casOp:
			written[cell{Key: b.Key, Value: b.Value}] = true
		case value:
			if e.Kind != sim.EntryReturned || !b.There {
				continue
			}
			premises++
			if !written[cell{Key: b.Key, Value: b.Value}] && v == nil {
				v = &sim.Violation{Witness: []int{i},
					Reason: fmt.Sprintf("%s shows %s=%s, which nobody wrote",
						run.Name(e.Node), b.Key, b.Value)}
			}
		}
	}
	return premises, v
}
