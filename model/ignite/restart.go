package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// The data records of a commit are written one after another (1.7), so what a crash leaves of a log
// may end between two of them. The first one shows that the commit was decided, and what is missing
// can be told from the TxRecord of PREPARED: under locks nothing has come between.

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
	for _, u := range n.resolve(n.cutOff(log, last)) {
		env.Disk.Append(dataRecord{last.txID, u})
		n.redo(dataRecord{last.txID, u})
	}
	env.Disk.Sync()
}

// cutOff are the writes that are missing of the object which wrote the last record. They are
// written in their order, so they are those after as many as the log ends with.
func (n *node) cutOff(log Log, last dataRecord) []write {
	all := n.writesWith(log, last)
	there := 0
	for at := len(log) - 1; at >= 0 && there < len(all); at-- {
		d, ok := log[at].(dataRecord)
		if !ok || d.txID != last.txID || !slices.ContainsFunc(all, writes(d.Update.Key)) {
			break
		}
		there++
	}
	return all[there:]
}

// writesWith are all writes of that object: those of the share which has the key, as far as this
// node owns them.
func (n *node) writesWith(log Log, last dataRecord) []write {
	for _, r := range log {
		t, ok := r.(txRecord)
		if !ok || t.txID != last.txID || t.State != prepared {
			continue
		}
		for _, s := range t.Shares {
			adds := slices.ContainsFunc(s.Writes, func(w write) bool { return w.Adds })
			if !adds && slices.ContainsFunc(s.Writes, writes(last.Update.Key)) {
				return slices.DeleteFunc(slices.Clone(s.Writes),
					func(w write) bool { return n.owned(n.layout.of(w.Key).Part()) == nil })
			}
		}
	}
	return nil
}

// sharesOf are the shares of a transaction for the TxRecord of an object. If its commit may have to
// be completed from that, additions are there with what they have come to: a backup that takes the
// partition over does not know what they add to.
func (n *node) sharesOf(o *object) []share {
	if !n.replay.Completes || len(o.Updates) == 0 {
		return o.Map.Shares
	}
	list := slices.Clone(o.Map.Shares)
	for i := range list {
		if list[i].Primary != o.Own.Primary {
			continue
		}
		list[i].Writes = nil
		for _, u := range o.Updates {
			list[i].Writes = append(list[i].Writes, write{Key: u.Key, Value: u.Value})
		}
	}
	return list
}
