package synchro

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// overtaken says how a node came to hold a transaction that others have undone: it had stored what
// undoes it, and only then the transaction. With the entries at which it stored the two.
func (a *audit) overtaken(id sim.NodeID, x *txnLife) (how string, at []int) {
	l := &a.lives[id]
	own := slices.IndexFunc(l.Log, func(t txn) bool { return txnID{t.Origin, t.LSN} == x.ID })
	if own < 0 {
		return "", nil
	}
	for i := range l.Log[:own] {
		if t := &l.Log[i]; undoes(&t.Rows[0], x.ID) {
			return fmt.Sprintf(": %s has stored %v, and behind it %v", a.name(id), *t, x.Txn),
				[]int{l.LogAt[i], l.LogAt[own]}
		}
	}
	return "", nil
}

// undoes says that a control row undoes a transaction that is in the queue.
func undoes(r *row, x txnID) bool {
	switch {
	case r.Prev != x.Origin:
		return false
	case r.Type == rollbackRow:
		return r.N <= x.LSN && (r.Upto == 0 || x.LSN <= r.Upto)
	}
	return (r.Type == changeRow || claims(r.Type)) && r.N < x.LSN
}

// overtakenKey is that of a synchronous transaction with this key, on one of two nodes.
func (a *audit) overtakenKey(key string, nodes ...sim.NodeID) (how string, at []int) {
	if key == "" {
		return "", nil
	}
	for _, x := range a.txns {
		if !x.sync() || !slices.Contains(x.Txn.Keys(), key) {
			continue
		}
		for _, id := range nodes {
			if mark(x.Committed, id) == 0 {
				continue
			}
			if how, at = a.overtaken(id, x); how != "" {
				return how, at
			}
		}
	}
	return "", nil
}
