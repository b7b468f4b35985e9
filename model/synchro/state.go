package synchro

import "github.com/downset/downset/sim"

// leads is limbo state leader (1.12): the only one in which a node may take in synchronous
// transactions and write CONFIRM or ROLLBACK.
func (n *node) leads() bool {
	q, l := &n.limbo, &n.rules.limbo
	if n.rules.promote.ActsEarly && n.raft.Role == leader {
		return true
	}
	switch {
	case n.recovering || q.Owner != n.id || q.Changing && !l.NewcomersInClaim:
		return false
	case !q.Fresh && !l.NoFreezeStart:
		return false // restarted, and nothing is heard of its claim (1.14)
	case n.raft.Term != q.Term && !l.NoFreezeTerm:
		return false // frozen until the queue's term catches up
	}
	return n.inRole()
}

// inRole says that the elections do not forbid it: it is the leader, or the machine stands still.
func (n *node) inRole() bool {
	return n.raft.Role == leader || !n.electing() && n.rules.raft.OffIdle || n.rules.limbo.AnyRole
}

// stateName is the limbo state (1.12).
func (n *node) stateName() string {
	switch {
	case n.leads():
		return "leader"
	case n.limbo.Owner == nobody:
		return "inactive"
	}
	return "replica"
}

// readOnlyFor is why the node may not write, "" if it may (1.12).
func (n *node) readOnlyFor() string {
	q, l := &n.limbo, &n.rules.limbo
	switch {
	case n.readOnly || n.joining:
		return "read-only"
	case n.wal.Heard > n.wal.Clock.of(n.id) && !n.log.ReusesLSN:
		return "read-only: rows of its own are lost"
	case n.solution.Which == solutionI:
		return "" // everyone writes
	case n.electing() && n.raft.Role != leader:
		return "read-only: not the leader"
	case n.rules.promote.WritableEarly || n.rules.promote.ActsEarly:
		return ""
	case q.Owner != nobody && !n.leads():
		return "read-only: not in leader state"
	case q.Term > 0 && n.raft.Term > q.Term && !l.OpenInOldTerm:
		return "read-only: a newer term is known"
	case n.electing() && q.Owner != n.id:
		return "read-only: the queue is not claimed"
	}
	return ""
}

// tellState notes the limbo state if it has changed.
func (n *node) tellState(env *sim.Env) {
	if is := n.stateName(); is != n.told && !n.recovering {
		n.told = is
		env.Note(limboState{is})
	}
}
