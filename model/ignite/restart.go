package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// The data records of a commit are written one after another (1.7), so what a crash leaves of a log
// may end between two of them. The first one shows that the commit was decided, and the TxRecord of
// PREPARED has what is missing.

// completeLast completes the commit that the log ends in.
func (n *node) completeLast(env *sim.Env) {
	log := ReadLog(env.Disk)
	for len(log) > 0 && log[len(log)-1] == sim.Record(sim.Torn{}) {
		log = log[:len(log)-1]
	}
	if len(log) == 0 {
		return
	}
	last, ok := log[len(log)-1].(dataRecord)
	if !ok {
		return
	}
	for _, u := range n.cutOff(log, last) {
		env.Disk.Append(dataRecord{last.txID, u})
		n.redo(dataRecord{last.txID, u})
	}
	env.Disk.Sync()
}

// cutOff are the updates that are missing of the object which wrote the last record. They are
// written in their order, those of the partitions that this node owns.
func (n *node) cutOff(log Log, last dataRecord) []update {
	for _, r := range log {
		t, ok := r.(txRecord)
		if !ok || t.txID != last.txID {
			continue
		}
		for _, s := range t.Shares {
			all := n.resolved(s)
			if at := slices.Index(all, last.Update); at >= 0 {
				return slices.DeleteFunc(all[at+1:],
					func(u update) bool { return n.owned(u.Part) == nil })
			}
		}
	}
	return nil
}

// resolved are the updates of a share whose writes sharesOf has resolved.
func (n *node) resolved(s share) []update {
	var list []update
	for _, w := range s.Writes {
		list = append(list, update{w.Key, n.layout.of(w.Key).Part(), w.Value, w.Add})
	}
	return list
}

// sharesOf are the shares of a transaction for the TxRecord of an object. If its commit may have to
// be completed from that, its own writes are resolved there, as in DPQ: a backup that takes the
// partition over knows neither what they add to nor which updates came before. No crash leaves a
// part of a single one.
func (n *node) sharesOf(o *object) []share {
	if !n.replay.Completes || len(o.Updates) < 2 {
		return o.Map.Shares
	}
	list := slices.Clone(o.Map.Shares)
	for i := range list {
		if list[i].Primary != o.Own.Primary {
			continue
		}
		list[i].Writes = nil
		for _, u := range o.Updates {
			list[i].Writes = append(list[i].Writes, write{Key: u.Key, Value: u.Value, Add: u.Counter})
		}
	}
	return list
}
