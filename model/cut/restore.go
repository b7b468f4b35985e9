package cut

import (
	"slices"

	"github.com/downset/downset/sim"
)

// restore reads the disk, which says everything: the version is that of the last point, local state
// is what was committed before it, and a cut is open if its point is there and its end is not. The
// last record is said again, for a crash may have come before it was said at all.
func (n *node) restore(env *sim.Env) {
	var last sim.Record
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		r := env.Disk.At(lsn)
		if _, torn := r.(sim.Torn); torn {
			continue // it never became durable, so nothing has come of it
		}
		n.replay(r)
		last = r
	}
	if last != nil {
		n.say(env, last)
	}
}

func (n *node) replay(r sim.Record) {
	switch r := r.(type) {
	case committed:
		n.replayCommit(r)
	case point:
		n.version = r.Cut
		n.open = append(n.open, newShare(r))
	case complete:
		n.shut(r.Cut)
	case abandoned:
		n.shut(r.Cut)
	case adopted:
		n.version = r.Version
		n.guest.waits = !r.Ready
	}
}

func (n *node) replayCommit(c committed) {
	n.known[c.Tx] = true
	if c.Origin == n.id {
		n.own = append(n.own, c)
		return
	}
	n.came[c.Origin] = append(n.came[c.Origin], arrival{c.Tx, c.Version})
}

func (n *node) shut(cut int) {
	n.open = slices.DeleteFunc(n.open, func(s share) bool { return s.Cut == cut })
}

// reopen takes up, after a restart, the cuts that were open before the crash, and lets the others
// know of the version. A cut whose members have left meanwhile is given up, and so is one that
// relies on channels, which a crash empties.
func (n *node) reopen(env *sim.Env) {
	for i := 0; i < len(n.open); {
		if s := &n.open[i]; n.policy.lossless() || gone(s.Of, env.Nodes) {
			n.close(env, i, abandoned{s.Cut})
			continue
		}
		i++
	}
	n.policy.spread(n, env)
}

// gone says that one of those who took part is no member any more.
func gone(of, members []sim.NodeID) bool {
	return slices.ContainsFunc(of, func(id sim.NodeID) bool { return !slices.Contains(members, id) })
}
