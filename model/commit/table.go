package commit

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// entry is what a node knows of a transaction.
type entry struct {
	record
	Waits   []sim.NodeID // of the participants: those whose vote is missing, or whose ack
	Pressed bool         // those whose vote is missing were asked again
}

// put makes a record what the node knows. What has ended or was aborted it forgets.
func (n *node) put(r record) *entry {
	i, known := n.find(r.tx)
	if !known {
		n.txs = slices.Insert(n.txs, i, entry{})
	}
	r.Of = slices.Clone(r.Of)
	e := entry{record: r, Waits: slices.Clone(r.Of)}
	if r.Is == ended || r.Is == aborted {
		n.txs = slices.Delete(n.txs, i, i+1)
		return &e
	}
	n.txs[i] = e
	return &n.txs[i]
}

// of is what the node knows of a transaction, unknown if nothing.
func (n *node) of(t tx) *entry {
	if i, known := n.find(t); known {
		return &n.txs[i]
	}
	return &entry{record: record{tx: t}}
}

func (n *node) find(t tx) (i int, known bool) {
	return slices.BinarySearchFunc(n.txs, t, func(e entry, t tx) int {
		return cmp.Compare(e.Call, t.Call)
	})
}

// wait sets the timer of a transaction for which the node waits for others.
func (e *entry) wait(env *sim.Env) {
	if e.Is == voting || e.Is == prepared || e.Is == decided {
		env.Every(patience, again{e.tx})
	} else {
		env.Cancel(again{e.tx})
	}
}

func (e *entry) send(env *sim.Env, m sim.Message) {
	for _, id := range e.Waits {
		env.Send(id, m)
	}
}

// hears takes a participant off those that the coordinator waits for, and says that it was the
// last.
func (e *entry) hears(from sim.NodeID) (last bool) {
	e.Waits = slices.DeleteFunc(e.Waits, func(id sim.NodeID) bool { return id == from })
	return len(e.Waits) == 0
}

// with adds an element to those that are there, if it is not among them.
func with[E comparable](all []E, one E) []E {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
