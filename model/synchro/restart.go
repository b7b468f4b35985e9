package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// reviveTimer starts a process again that has ended by itself.
type reviveTimer struct{}

func (reviveTimer) Kind() string { return "revive" }

// recover rebuilds the state from the snapshot and the rows behind it, in the order of the WAL,
// with nothing validated (1.14).
func (n *node) recover(env *sim.Env) {
	n.recovering = true
	n.blank()
	n.joining = !n.founder && env.Disk.Snapshot() == nil // whatever terms it has written meanwhile
	from := env.Disk.First()
	if s, there := env.Disk.Snapshot().(snapshot); there {
		n.load(&s)
		from = max(from, s.Pos+1)
	}
	var log []txn
	for at := from; at <= env.Disk.Last(); at++ {
		if t, whole := env.Disk.At(at).(txn); whole {
			n.replay(env, t)
			log = append(log, t)
		}
	}
	n.recovering = false
	n.recovered(env, log)
}

// blank is the state of a node that has never run.
func (n *node) blank() {
	n.limbo.Owner = nobody
	n.raft.Vote, n.raft.DurableVote, n.raft.Leader = nobody, nobody, nobody
	n.limbos = nil
	if n.solution.Which == solutionI {
		for id := range n.peers {
			n.limbos = append(n.limbos, limbo{Owner: sim.NodeID(id)})
		}
	}
}

// load takes a snapshot in. The summary of the limbo acts as a PROMOTE of its owner; the terms of
// other origins are lost, which is harmless since only equality with the greatest matters.
func (n *node) load(s *snapshot) {
	n.data, n.settled, n.here = slices.Clone(s.Data), slices.Clone(s.Data), s.Here
	n.wal.Clock, n.wal.Locals = slices.Clone(s.Clock), s.Locals
	n.raft.Term, n.raft.DurableTerm = s.Term, s.Term
	n.raft.Vote, n.raft.DurableVote = s.Vote, s.Vote
	n.table = s.Table.copied()
	for _, id := range s.Expelled {
		n.grow(id)
		n.peers[id].Expelled, n.peers[id].Member = true, false
	}
	for _, id := range s.Members {
		n.grow(id)
		n.peers[id].Member = true
	}
	if !s.Limbo.None {
		n.limbo.loadSummary(&s.Limbo)
	}
}

func (q *limbo) loadSummary(s *summary) {
	q.Owner, q.Confirmed, q.Quorum, q.Term = s.Owner, s.Confirmed, s.Confirmed, s.Term
	q.Former, q.Terms, q.Claims = slices.Clone(s.Former), nil, s.Claims
	if q.Owner != nobody {
		q.Terms = make([]int64, int(q.Owner)+1)
		q.Terms[q.Owner] = s.Term
	}
}

// replay takes in one transaction of the WAL. What the snapshot has already is behind its place.
func (n *node) replay(env *sim.Env, t txn) {
	n.count(&t)
	switch kind := t.kind(); {
	case kind == raftRow:
		r := t.Rows[0]
		n.raft.Term, n.raft.DurableTerm = r.Term, r.Term
		n.raft.Vote, n.raft.DurableVote = r.Vote, r.Vote
	case kind.control() || kind == termRow || kind == claimRow:
		n.takeEffect(env, t)
	case n.log.RowByRow && !t.empty():
		n.replayRows(env, t)
	case !t.empty():
		n.replayData(env, t)
	}
}

// replayData: who waits for whom is said by the flags of the row (#11053). Nobody asks here whose
// the queue is.
func (n *node) replayData(env *sim.Env, t txn) {
	q := n.queueOf(t.Origin)
	if n.log.DerivedFlags {
		t.WaitSync = t.WaitAck || len(q.Queue) > 0
	}
	if !t.WaitSync || !t.WaitAck && len(q.Queue) == 0 {
		n.apply(&t)
		n.settle(env, t, 0)
		return
	}
	n.adopt(q, t.Origin)
	q.NextID++
	q.Queue = append(q.Queue, entry{ID: q.NextID, Txn: t, Sync: t.WaitAck, State: written,
		Undo: n.apply(&t)})
}

// replayRows takes each row for itself (#5874): what goes to an asynchronous space is committed at
// once, whatever becomes of the rest.
func (n *node) replayRows(env *sim.Env, t txn) {
	var waits []row
	for _, r := range t.Rows {
		if one := t; t.WaitAck && r.Type == dml && !n.layout.sync(r.Key) {
			one.Rows, one.WaitSync, one.WaitAck = []row{r}, false, false
			n.replayData(env, one)
			continue
		}
		waits = append(waits, r)
	}
	if t.Rows = waits; len(waits) > 0 {
		n.replayData(env, t)
	}
}

// recovered: what has been read counts as written, ACKed by this node alone; the rest of the
// state is not kept over restarts. A claim must be heard anew before anything is finalized
// (1.14).
func (n *node) recovered(env *sim.Env, log []txn) {
	w := &n.wal
	w.Accepted, w.Next, w.NextLocal = slices.Clone(w.Clock), w.Clock.of(n.id), w.Locals
	if n.log.EarlyApplied {
		w.Accepted = nil
	}
	n.startOver(&n.limbo)
	for i := range n.limbos {
		n.startOver(&n.limbos[i])
	}
	if len(log) > 0 || env.Disk.Snapshot() != nil {
		f := recovered{Clock: slices.Clone(w.Clock), Data: slices.Clone(n.settled), Log: log,
			Owner: n.limbo.Owner, Term: n.limbo.Term, Confirmed: n.limbo.Confirmed}
		f.Commits, f.Undoes = n.replayed.Commits, n.replayed.Undoes
		env.Note(f)
	}
	n.replayed = recovered{}
	n.noteQueue(env, &n.limbo)
	for i := range n.limbos {
		n.noteQueue(env, &n.limbos[i])
	}
}

func (n *node) startOver(q *limbo) {
	q.Fresh, q.Changing, q.RollingBack, q.Latched, q.Confirming = false, false, false, false, 0
	q.Acks, q.Again = nil, nil
	if q.Owner != nobody {
		q.Acks = q.Acks.with(n.id, n.wal.Clock.of(q.Owner))
	}
}

func (n *node) noteQueue(env *sim.Env, q *limbo) {
	for i := range q.Queue {
		env.Note(entered{q.Queue[i].ID, q.Queue[i].Txn, 0})
	}
}

// joinFrom installs the snapshot that a joiner was given, then it subscribes like everyone (1.15).
func (n *node) joinFrom(env *sim.Env, s snapshot) {
	if !n.joining {
		return
	}
	s.Pos, s.Locals = env.Disk.Last(), n.wal.NextLocal
	own := n.raft
	n.joining = false
	n.load(&s)
	n.forget(env)
	if own.Term > s.Term || own.DurableTerm > s.Term {
		n.raft = own
		s.Term, s.Vote = own.DurableTerm, own.DurableVote
	}
	n.wal.Final = s.Final
	env.Disk.Replace(s, env.Disk.Last())
	env.Disk.Sync()
	if n.raft.Term > own.Term {
		n.raft.Leader, n.raft.Seen, n.raft.Votes = nobody, false, nil // of the term before
		env.Note(rises{n.raft.Term, "heard"})
	}
	n.recovered(env, nil)
	n.dropUnserved(env)
	if !n.finalJoin() {
		n.wal.Final = nil
	}
	for p := range n.peers {
		if p := sim.NodeID(p); p != n.wal.Giver && p != n.id {
			n.hangUp(env, p) // it may have been asked for a snapshot too
		}
	}
	n.subscribeToAll(env)
	n.goOn(env)
}

// finalJoin says that rows of the join are still to come: its giver sends those that it had as it
// gave its snapshot, and only then are others subscribed to (1.15). A giver that is no member any
// more sends none.
func (n *node) finalJoin() bool {
	w := &n.wal
	if w.Clock.covers(w.Final) {
		return false
	}
	p := &n.peers[w.Giver]
	return !p.Gone && !p.Expelled
}

// joinEnds is the last row of a join being in the WAL, or its giver being gone: everyone is
// subscribed to.
func (n *node) joinEnds(env *sim.Env) {
	if n.wal.Final != nil && !n.finalJoin() {
		n.wal.Final = nil
		for p := range n.peers {
			if sim.NodeID(p) != n.wal.Giver {
				n.subscribeTo(env, sim.NodeID(p))
			}
		}
	}
}

// dropUnserved ends relays that began while there was nothing to send: what has come by a
// snapshot is not in the WAL.
func (n *node) dropUnserved(env *sim.Env) {
	for id := range n.peers {
		if r := &n.peers[id].relay; r.Conn != 0 && !n.serves(env, r.Has) {
			n.disconnect(env, sim.NodeID(id))
		}
	}
}

// trusts says that a transaction belongs to a join: the giver sends it, and had it as it gave its
// snapshot. It is taken in as a restart would, with nothing validated (1.11).
func (n *node) trusts(from sim.NodeID, t *txn) bool {
	return from == n.wal.Giver && t.LSN <= n.wal.Final.of(t.Origin)
}

// halt ends the process, which a supervisor starts again later (8.8).
func (n *node) halt(env *sim.Env) {
	n.halted = true
	env.Note(ends{})
	for _, call := range n.calls() {
		env.Return(call, unknown{"the process has ended"})
	}
	n.closeAll(env)
	env.Cancel(beatTimer{})
	env.Cancel(electionTimer{})
	env.Cancel(deathTimer{})
	env.After(disconnectBeats*replicationTimeout, reviveTimer{})
}

// hang is a main thread that does nothing any more. Relays are threads of their own, and send no
// heartbeats while nobody feeds them (#7512).
func (n *node) hang(env *sim.Env, call sim.CallID) {
	env.Return(call, done{})
	for _, open := range n.calls() {
		env.Return(open, unknown{"no answer"})
		env.Cancel(quorumTimer{open})
	}
	n.hung = true
	env.Cancel(electionTimer{})
	env.Cancel(deathTimer{})
	if !n.rules.raft.HungBeats {
		env.Cancel(beatTimer{})
	}
}

// closeAll ends all connections.
func (n *node) closeAll(env *sim.Env) {
	for id := range n.peers {
		if p := sim.NodeID(id); p != n.id {
			env.Stream(p, relayLane).Close()
			env.Stream(p, raftLane).Close()
			env.Stream(p, applierLane).Close()
		}
	}
}

// calls are all that wait for an answer.
func (n *node) calls() []sim.CallID {
	list := []sim.CallID{n.raft.Call}
	for _, w := range n.wal.Pending {
		list = append(list, w.Call)
	}
	for _, q := range append(slices.Clone(n.limbos), n.limbo) {
		for _, e := range q.Queue {
			list = append(list, e.Call)
		}
	}
	for _, v := range n.views {
		list = append(list, v.Call)
	}
	for _, r := range n.reads {
		list = append(list, r.Call)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(c sim.CallID) bool { return c == 0 })
}

// revive is a new start of the process: the machine did not fail, so the file has all that was
// written to it. Who has tried to connect meanwhile has to do so again.
func (n *node) revive(env *sim.Env) {
	for _, id := range env.Nodes {
		n.grow(id) // who has joined meanwhile
	}
	n.closeAll(env)
	*n = node{rules: n.rules, id: n.id, founder: n.founder, founders: n.founders}
	env.Disk.Sync()
	n.Start(env)
}

// sawClock is a vclock that a peer has told. If it has more rows of this node than its own WAL,
// they were lost, and until they are back this node may not write (#10592).
func (n *node) sawClock(env *sim.Env, c clock) {
	if c.of(n.id) > n.wal.Heard {
		n.wal.Heard = c.of(n.id)
		n.tellState(env)
	}
}
