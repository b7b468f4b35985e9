package synchro

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// harmlessRules are other ways to do what the rules leave open. Nothing may break by them (5): a
// checker that objects to one of them objects to more than it should.
type harmlessRules struct {
	RaftTwice  bool // each raft message is sent twice
	RowsTwice  bool // each transaction is sent twice on a connection
	AcksTwice  bool // each ACK is sent twice
	AcksJoined bool // several ACKs that are due are sent as one
	LateWorker bool // the worker that writes CONFIRM takes its time
	// two transactions of different origins that have nothing to do with each other are sent the
	// other way round
	OriginsSwapped bool
}

// workerDelay is the time that a slow worker takes before it writes CONFIRM.
const workerDelay = 10 * time.Millisecond

// Own work and timers of these rules.
type (
	// acksDue has the appliers send what is durable by then.
	acksDue struct{}
	// workerTimer fires when a slow worker begins.
	workerTimer struct{}
)

func (acksDue) Kind() string     { return "acks" }
func (workerTimer) Kind() string { return "worker" }

// acksAreDue has the appliers acknowledge what has become durable.
func (n *node) acksAreDue(env *sim.Env) {
	if n.harmless.AcksJoined {
		env.Later(acksDue{}) // those that are due by then go as one
		return
	}
	n.sendAcks(env)
}

// sendSwapped sends the next two transactions the other way round, if neither has to do with the
// other: their origins differ and their keys, and neither acts on the queue. It says whether it
// did.
func (n *node) sendSwapped(env *sim.Env, to sim.NodeID) bool {
	r := &n.peers[to].relay
	if r.Pos+2 > env.Disk.Durable() {
		return false
	}
	first, is := env.Disk.At(r.Pos + 1).(txn)
	second, too := env.Disk.At(r.Pos + 2).(txn)
	if !is || !too || !n.relays(to, &first) || !n.relays(to, &second) || !apartFrom(&first, &second) {
		return false
	}
	n.sendRow(env, to, second)
	n.sendRow(env, to, first)
	r.Pos += 2
	return true
}

// apartFrom says that two transactions have nothing to do with each other.
func apartFrom(a, b *txn) bool {
	plain := func(t *txn) bool { return t.kind() == dml || t.kind() == nop }
	return a.Origin != b.Origin && plain(a) && plain(b) &&
		!slices.ContainsFunc(a.Rows, func(r row) bool {
			return slices.ContainsFunc(b.Rows, func(o row) bool { return r.Key != "" && r.Key == o.Key })
		})
}

// wakeWorker wakes the worker that writes CONFIRM.
func (n *node) wakeWorker(env *sim.Env) {
	if n.harmless.LateWorker {
		env.After(workerDelay, workerTimer{})
		return
	}
	env.Later(confirmWork{})
}

// harmlessRows are the rules that tell these ways apart. The first value is that of all profiles.
func harmlessRows() []rule {
	return []rule{
		sim.Flag("raft-messages", "whether each raft message is sent once, or twice",
			"once|twice", func(r *rules) *bool { return &r.harmless.RaftTwice }),
		sim.Flag("rows", "whether each transaction is sent once on a connection, or twice",
			"once|twice", func(r *rules) *bool { return &r.harmless.RowsTwice }),
		sim.Flag("acks", "whether each ACK is sent once, or twice",
			"once|twice", func(r *rules) *bool { return &r.harmless.AcksTwice }),
		sim.Flag("acks-due", "whether ACKs are sent at once, or several that are due as one",
			"at-once|joined", func(r *rules) *bool { return &r.harmless.AcksJoined }),
		sim.Flag("worker", "whether the worker that writes CONFIRM begins at once, or later",
			"at-once|later", func(r *rules) *bool { return &r.harmless.LateWorker }),
		sim.Flag("origins",
			"whether relays keep the order of two transactions of different origins that have "+
				"nothing to do with each other, or swap them",
			"in-order|swapped", func(r *rules) *bool { return &r.harmless.OriginsSwapped }),
	}
}
