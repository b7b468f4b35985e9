package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// The data records of a commit are written one after another (1.7), so what a crash leaves of a log
// may end between two of them. The first one shows that the commit was decided, and what is missing
// can be told from the TxRecord of PREPARED, since the locks were held.

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
			if slices.ContainsFunc(s.Writes, writes(last.Update.Key)) {
				return slices.DeleteFunc(slices.Clone(s.Writes),
					func(w write) bool { return n.owned(n.layout.of(w.Key).Part()) == nil })
			}
		}
	}
	return nil
}
