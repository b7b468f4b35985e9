package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// reading is a linearizable read under way (1.16).
type reading struct {
	Call  sim.CallID
	Key   string
	Echo  []int64 // by node, the heartbeat that must be answered
	Heard []bool  // by node, it has been
	Until clock   // the greatest clock heard
	Entry int64   // the last synchronous entry that must be resolved, once all is here
	Stage readingStage
}

// readingStage is what a linearizable read waits for.
type readingStage uint8

const (
	awaitsAnswers readingStage = iota
	awaitsRows
	awaitsEntry
)

// get reads a key: what is committed, or what is pending too, or what surely is the newest.
func (n *node) get(env *sim.Env, call sim.CallID, op getOp) {
	switch op.How {
	case dirtyRead:
		n.returnCell(env, call, lookUp(n.data, op.Key))
	case confirmedRead:
		n.returnCell(env, call, lookUp(n.settled, op.Key))
	case linearizableRead:
		n.read(env, call, op.Key)
	}
}

func (n *node) returnCell(env *sim.Env, call sim.CallID, c cell) {
	n.reply(env, call, value(c))
}

// read begins a linearizable read: every subscriber is asked for a fresh sign of life.
func (n *node) read(env *sim.Env, call sim.CallID, key string) {
	r := reading{Call: call, Key: key, Echo: make([]int64, len(n.peers)),
		Heard: make([]bool, len(n.peers)), Until: slices.Clone(n.wal.Clock)}
	for id := range n.peers {
		if p := sim.NodeID(id); p != n.id {
			r.Echo[id] = n.askEcho(env, p)
		}
	}
	if n.id < sim.NodeID(len(r.Heard)) {
		r.Heard[n.id] = true
	}
	n.reads = append(n.reads, r)
	env.After(synchroTimeout, quorumTimer{call})
	n.readsStep(env)
}

// readsHeard is an ACK that answers a heartbeat.
func (n *node) readsHeard(env *sim.Env, from sim.NodeID, a ack) {
	for i := range n.reads {
		r := &n.reads[i]
		at := int(from)
		if at >= len(r.Echo) || r.Echo[at] == 0 || a.Echo < r.Echo[at] || r.Heard[at] ||
			r.Stage != awaitsAnswers {
			continue
		}
		r.Heard[at] = true
		for id, to := range a.Clock {
			r.Until = r.Until.with(sim.NodeID(id), to)
		}
	}
	n.readsStep(env)
}

// readsStep goes on with linearizable reads.
func (n *node) readsStep(env *sim.Env) {
	for i := 0; i < len(n.reads); {
		if r := &n.reads[i]; n.readStep(r) {
			n.returnCell(env, r.Call, lookUp(n.settled, r.Key))
			n.reads = slices.Delete(slices.Clone(n.reads), i, i+1)
			continue
		}
		i++
	}
}

// readStep says that a read has waited for all that it must: answers of so many nodes that one of
// them is in every quorum, then the rows that they have, then the fate of what is in the queue.
func (n *node) readStep(r *reading) bool {
	if r.Stage == awaitsAnswers && n.answersOf(r) >= n.readQuorum() {
		r.Stage = awaitsRows
	}
	if r.Stage == awaitsRows && n.handled(r.Until) {
		r.Stage = awaitsEntry
		for i := range n.limbo.Queue {
			if e := &n.limbo.Queue[i]; e.Sync {
				r.Entry = e.ID
			}
		}
	}
	return r.Stage == awaitsEntry && (r.Entry == 0 || n.limbo.find(r.Entry) < 0)
}

// readQuorum is how many nodes a linearizable read asks, N - Q + 1 (1.16). A row of the log takes a
// member off, which stands behind what was written with its acknowledgement; here it is told at
// once, so N and Q are of those too who have left. No more are asked than there are.
func (n *node) readQuorum() int {
	all := n.members()
	for id := range n.peers {
		if n.peers[id].Left {
			all++
		}
	}
	q := n.synchroQuorum()
	if n.quorum == 0 && n.layout.Quorum == 0 {
		q = all/2 + 1
	}
	return min(all-q+1, n.members())
}

// handled says that the completions of all rows up to a clock are handled.
func (n *node) handled(upto clock) bool {
	return n.wal.Clock.covers(upto) && !slices.ContainsFunc(n.wal.Pending, func(w write) bool {
		return w.Pos != 0 && !w.Txn.Local && w.Txn.first() <= upto.of(w.Txn.Origin)
	})
}

// answersOf is how many registered nodes have answered a read.
func (n *node) answersOf(r *reading) int {
	count := 0
	for id, heard := range r.Heard {
		if heard && n.counts(sim.NodeID(id)) {
			count++
		}
	}
	return count
}

// readOverdue gives a linearizable read up; it has had no effect.
func (n *node) readOverdue(env *sim.Env, call sim.CallID) bool {
	at := slices.IndexFunc(n.reads, func(r reading) bool { return r.Call == call })
	if at < 0 {
		return false
	}
	n.reads = slices.Delete(slices.Clone(n.reads), at, at+1)
	env.Refuse(call, refusal{"not in time"})
	return true
}
