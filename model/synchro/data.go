package synchro

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// apply writes a transaction to what readers of dirty data see, and gives what was there before.
func (n *node) apply(t *txn) []cell {
	before := n.cellsOf(t)
	for _, r := range t.Rows {
		n.data = withRow(n.data, r)
		if t.Local && !slices.Contains(n.here, r.Key) {
			n.here = append(slices.Clone(n.here), r.Key)
		}
	}
	return before
}

// replicated is data without what is in local spaces.
func (n *node) replicated(data []cell) []cell {
	return slices.DeleteFunc(slices.Clone(data), func(c cell) bool {
		return slices.Contains(n.here, c.Key)
	})
}

// cellsOf is what the keys of a transaction hold now.
func (n *node) cellsOf(t *txn) []cell {
	var cells []cell
	for _, r := range t.Rows {
		if r.Type == dml {
			cells = append(cells, lookUp(n.data, r.Key))
		}
	}
	return cells
}

// restore gives keys back what they held.
func (n *node) restore(before []cell) {
	for _, c := range before {
		do := replace
		if !c.There {
			do = remove
		}
		n.data = withRow(n.data, row{Type: dml, Do: do, Key: c.Key, Value: c.Value})
	}
}

// clashes gives a key that an insert finds there.
func (n *node) clashes(t *txn) (key string, clash bool) {
	for _, r := range t.Rows {
		if r.Type == dml && r.Do == insert && lookUp(n.data, r.Key).There {
			return r.Key, true
		}
	}
	return "", false
}

// lookUp is the cell of a key in data sorted by key.
func lookUp(data []cell, key string) cell {
	at, there := slices.BinarySearchFunc(data, key, func(c cell, key string) int {
		return strings.Compare(c.Key, key)
	})
	if !there {
		return cell{Key: key}
	}
	return data[at]
}

// settle is the commit of a transaction: its final effect. id is that of its entry, 0 if it never
// was in the limbo.
func (n *node) settle(env *sim.Env, t txn, id int64) {
	for _, r := range t.Rows {
		n.settled = withRow(n.settled, r)
	}
	n.say(env, committed{t, id})
	n.moves(&t)
	for _, r := range t.Rows {
		switch r.Type {
		case expelRow:
			n.expel(env, r.Prev)
		case registerRow:
			n.register(env, r.Prev)
		}
	}
}

// moves has a plain commit of the owner move the boundary, if nothing waits for its CONFIRM; then
// a claim that knows less is seen as a split-brain (#10528).
func (n *node) moves(t *txn) {
	q := &n.limbo
	plain := !t.WaitSync && !t.Local && t.Origin == q.Owner
	if n.rules.limbo.AsyncMoves && plain && len(q.Queue) == 0 {
		n.bound(q, t.LSN)
	}
}

// say notes a fact; what a restart finds in its WAL it sums up.
func (n *node) say(env *sim.Env, f sim.Fact) {
	if !n.recovering {
		env.Note(f)
		return
	}
	switch f := f.(type) {
	case committed:
		n.replayed.Commits = append(n.replayed.Commits, f.Txn)
	case undone:
		n.replayed.Undoes = append(n.replayed.Undoes, f.Txn)
	}
}
