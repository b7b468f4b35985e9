package ignite

import "github.com/downset/downset/sim"

// confirm writes the metadata of an increment once more: now its cut has succeeded. Without that it
// is in doubt, since the node may have fallen before the cut failed.
func (n *node) confirm(env *sim.Env, r incrementRecord) {
	env.Disk.Append(r)
	env.Disk.Sync()
}

// doubt does not count the last increment, unless it is confirmed. If it was made all the same, two
// have one number, and the later one is meant by it.
func (n *node) doubt(env *sim.Env) {
	var last incrementRecord
	sure := true
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		switch r := env.Disk.At(lsn).(type) {
		case baseRecord:
			sure = true
		case incrementRecord:
			if r.Base != n.exchange.Base {
				break
			}
			sure = r.Removed || r == last
			last = r
		}
	}
	if !sure {
		n.exchange.Count = last.Index - 1
	}
}
