package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// A restore begins the history of every key anew: what its transactions did is undone, and the
// update counters go on from those that were restored. No transaction is under way while data is
// put in place, so each is of one epoch: that of the first data, or of some restore.

// renewal is a restore that put data in place.
type renewal struct {
	call  sim.CallID
	entry int32   // the first record of it
	facts []int32 // of the nodes that have done it
}

// renewed takes in that a node begins its log anew; what led to that says which restore it is.
func (t *tales) renewed(i int32, e *sim.Entry) {
	t.epochs[e.Node]++
	switch m := t.trace[e.Cause].Body.(type) {
	case restoreStage:
		t.renewal(m.Call, i)
	case restoreAsked:
		t.renewal(m.Call, i)
	}
}

// renewal is that of a request, a new one if need be.
func (t *tales) renewal(call sim.CallID, i int32) *renewal {
	at := slices.IndexFunc(t.renewals, func(r renewal) bool { return r.call == call })
	if at < 0 {
		at = len(t.renewals)
		t.renewals = append(t.renewals, renewal{call: call, entry: i})
	}
	return &t.renewals[at]
}

// readEpochs finds the epoch of every transaction: how many restores had begun to put data in place
// when it was mapped.
func (t *tales) readEpochs() {
	for k := range t.list {
		x := &t.list[k]
		for x.epoch < len(t.renewals) && t.renewals[x.epoch].entry < x.mapped {
			x.epoch++
		}
	}
}

// basis is what a key holds at the beginning of an epoch. There is none if no owner is known to
// have put it in place.
func (t *tales) basis(pl *place, k string, epoch int) (e entry, ok bool) {
	if epoch == 0 {
		return entry{Key: k, Value: pl.Holds}, true
	}
	for _, i := range t.renewals[epoch-1].facts {
		parts := t.trace[i].Body.(restoredCut).Parts
		at := slices.IndexFunc(parts, func(p partition) bool { return p.Name == pl.Part() })
		if at >= 0 && slices.Contains(pl.Owners, t.trace[i].Node) {
			return parts[at].get(k), true
		}
	}
	return entry{}, false
}
