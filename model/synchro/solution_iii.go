package synchro

import "github.com/downset/downset/sim"

// Solution III: a CONFIRM N and a ROLLBACK N+1 about another node make the author the owner. Rows
// of the former owner above N become NOPs, whoever sends them, until it writes a pair of its own.

// validity is what becomes of a row by the table.
func (n *node) validity(v *view, t *txn) verdict {
	end := at(n.table.MaxValid, t.Origin)
	queued := t.WaitSync || n.solution.NopAsync || t.kind().control()
	if v.dropsSender() || n.ownsPairs(t) || end == 0 || t.LSN < end || !queued || t.empty() {
		return verdict{}
	}
	return verdict{Made: becomesNop}
}

// changeOwner is the effect of a pair, with its second row, or of the one row in its place.
func (n *node) changeOwner(env *sim.Env, t *txn) {
	r := t.Rows[0]
	if !n.ownsPairs(t) {
		return
	}
	switch r.Type {
	case confirmRow:
		n.table.Pairs = put(n.table.Pairs, t.Origin, r)
		return
	case rollbackRow:
		first := at(n.table.Pairs, t.Origin)
		n.table.Pairs = put(n.table.Pairs, t.Origin, row{})
		if first.Type != confirmRow || first.Prev != r.Prev || first.N+1 != r.N {
			return // another row of its author stood between
		}
		r.N--
	}
	if r.Prev != nobody {
		n.table.MaxValid = put(n.table.MaxValid, r.Prev, r.N+1)
	}
	n.table.MaxValid = put(n.table.MaxValid, t.Origin, 0)
	n.transfer(env, t.Origin, n.upTo(&r))
	n.limbo.Fresh = n.limbo.Fresh || !n.recovering
	n.tellOwner(env, t)
}

// upTo is up to where a change of owner confirms what this node has in its queue: what is about
// another than its owner confirms nothing.
func (n *node) upTo(r *row) lsn {
	if r.Prev != n.limbo.Owner {
		return n.limbo.Confirmed
	}
	return r.N
}

// takeOver are the rows that a new owner writes, on an empty queue too.
func (n *node) takeOver(pair []row) []row {
	prev := n.limbo.Owner
	if prev == n.id {
		return nil
	}
	if n.solution.Atomic {
		return []row{{Type: changeRow, Prev: prev, N: pair[0].N}}
	}
	return pair
}
