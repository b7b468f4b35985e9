package synchro

import (
	"slices"

	"github.com/downset/downset/sim"
)

// snapshot is confirmed data, with the summaries of raft and of the limbo (1.15).
type snapshot struct {
	Pos      sim.LSN // recovery goes on behind this place of the WAL
	Clock    clock
	Locals   lsn
	Data     []cell
	Here     []string // the keys in local spaces
	Term     int64
	Vote     sim.NodeID
	Limbo    summary
	Members  []sim.NodeID
	Expelled []sim.NodeID
	Table    solutionTable
	Final    clock // of the giver, as it was given to a joiner
}

// summary is what of the limbo outlives its rows.
type summary struct {
	None      bool // before P2 there is none
	Owner     sim.NodeID
	Confirmed lsn
	Term      int64
	Former    clock
	Claims    []announcedClaim
}

// Kind of a record on the disk.
func (snapshot) Kind() string { return "snapshot" }

// readView is a snapshot that is waited for: of an operator, or for a peer that joins.
type readView struct {
	Call sim.CallID // of the operator, 0: none
	To   sim.NodeID // that joins, nobody: none
	Conn int64      // its connection
	// What was there at the moment of the view, once it is taken.
	Taken  bool
	Pos    sim.LSN
	Clock  clock
	Locals lsn
	Data   []cell
	Last   int64 // the last entry of the queue then, 0: it was empty
	Spoilt bool  // something in it was undone
	// The summaries, as of the moment at which all that it shows was decided; with BoundaryOld, as of
	// the view.
	Whole bool
	Limbo summary
	Term  int64
	Vote  sim.NodeID
}

// snap begins a snapshot.
func (n *node) snap(env *sim.Env, v readView) {
	n.views = append(slices.Clone(n.views), v)
	if v.Call != 0 {
		env.After(synchroTimeout, quorumTimer{v.Call})
	}
	n.viewsStep(env)
}

// joiner: a node without anything has subscribed, and gets a snapshot first.
func (n *node) joiner(env *sim.Env, from sim.NodeID, conn int64) {
	n.forgetViews(from)
	n.snap(env, readView{To: from, Conn: conn})
}

// forgetViews forgets the snapshot that a peer was to be given.
func (n *node) forgetViews(to sim.NodeID) {
	n.views = slices.DeleteFunc(slices.Clone(n.views), func(v readView) bool { return v.To == to })
}

// viewsStep goes on with snapshots. Each is taken as the queue holds nothing volatile, and
// complete when all that was in it is in the WAL and confirmed (1.15).
func (n *node) viewsStep(env *sim.Env) {
	views := n.views
	n.views = nil
	var left []readView
	for _, v := range views {
		if !v.Taken && !n.volatile() {
			n.takeView(env, &v)
		}
		if !n.viewDone(env, &v) {
			left = append(left, v)
		}
	}
	n.views = append(left, n.views...)
}

// volatile says that the queue holds what is not in the journal.
func (n *node) volatile() bool {
	return slices.ContainsFunc(n.limbo.Queue, func(e entry) bool { return e.State == unsubmitted }) ||
		len(n.wal.Pending) > 0 && n.wal.Pending[len(n.wal.Pending)-1].Pos == 0
}

// takeView opens a read view: it shows what is pending too.
func (n *node) takeView(env *sim.Env, v *readView) {
	v.Taken, v.Spoilt = true, false
	v.Pos, v.Clock, v.Locals = env.Disk.Last(), n.submitted(), n.wal.NextLocal
	v.Data, v.Last, v.Limbo = slices.Clone(n.data), 0, n.summary()
	if at := len(n.limbo.Queue); at > 0 {
		v.Last = n.limbo.Queue[at-1].ID
	}
	n.sumUp(v)
}

// sumUpViews takes the summaries of views that have just become whole: exactly then, since what is
// behind them in the WAL takes effect once more as it is replayed (#11180, #11754).
func (n *node) sumUpViews() {
	for i := range n.views {
		n.sumUp(&n.views[i])
	}
}

func (n *node) sumUp(v *readView) {
	if v.Whole || !v.Taken || v.Spoilt || !n.decided(v) {
		return
	}
	v.Whole, v.Term, v.Vote = true, n.raft.DurableTerm, n.raft.DurableVote
	if !n.log.BoundaryOld {
		v.Limbo = n.summary()
	}
}

// viewOverdue gives a snapshot up whose transactions have no quorum in time.
func (n *node) viewOverdue(env *sim.Env, call sim.CallID) bool {
	at := slices.IndexFunc(n.views, func(v readView) bool { return v.Call == call })
	if at < 0 {
		return false
	}
	n.views = slices.Delete(slices.Clone(n.views), at, at+1)
	env.Refuse(call, refusal{"not in time"})
	return true
}

// spoilViews: an entry is undone (0: a plain transaction), so views that show it are worth
// nothing.
func (n *node) spoilViews(id int64) {
	for i := range n.views {
		if v := &n.views[i]; v.Taken && id <= v.Last {
			v.Spoilt = true
		}
	}
}

// viewDone completes a snapshot, if it can be.
func (n *node) viewDone(env *sim.Env, v *readView) bool {
	switch {
	case !v.Taken:
		return false
	case v.Spoilt && v.To != nobody:
		n.snap(env, readView{To: v.To, Conn: v.Conn}) // a joiner begins anew
		return true
	case v.Spoilt:
		n.reply(env, v.Call, rolledBack{})
		return true
	case !v.Whole:
		return false
	case v.To != nobody && n.cure.JoinsMajority && !n.majorityHas(v.Clock):
		return false
	case v.To != nobody:
		n.feed(env, v)
	default:
		n.keep(env, v)
	}
	return true
}

// decided says that the completions of all writes in a view are handled, and the last entry that it
// shows has left the queue.
func (n *node) decided(v *readView) bool {
	if n.log.ViewAtOnce {
		return true
	}
	if n.cure.SummaryOfRow && n.wal.Handling > 0 && n.wal.Handling <= v.Pos {
		return false // the row that is taking effect is one of those that it covers
	}
	return (len(n.wal.Pending) == 0 || n.wal.Pending[0].Pos == 0 || n.wal.Pending[0].Pos > v.Pos) &&
		!slices.ContainsFunc(n.limbo.Queue, func(e entry) bool { return e.ID <= v.Last })
}

// summary is that of the limbo now.
func (n *node) summary() summary {
	q := &n.limbo
	if n.log.NoSummary {
		return summary{None: true, Owner: nobody}
	}
	s := summary{Owner: q.Owner, Confirmed: q.Confirmed, Term: q.Term, Claims: q.Claims}
	if n.log.NoBoundary {
		s.Confirmed = 0
		return s
	}
	if !n.rules.limbo.ForgetsFormer && !n.log.SummaryOwner {
		s.Former = slices.Clone(q.Former)
	}
	return s
}

// snapshotOf is a view made whole.
func (n *node) snapshotOf(v *readView) snapshot {
	s := snapshot{Pos: v.Pos, Clock: v.Clock, Locals: v.Locals, Data: v.Data, Here: n.here,
		Term: v.Term, Vote: v.Vote, Limbo: v.Limbo}
	for id := range n.peers {
		if n.peers[id].Member {
			s.Members = append(s.Members, sim.NodeID(id))
		}
		if n.peers[id].Expelled {
			s.Expelled = append(s.Expelled, sim.NodeID(id))
		}
	}
	if !n.solution.NoTableInSnapshot {
		s.Table = n.table.copied()
	}
	return s
}

// keep puts a snapshot on the disk. Recovery begins from it from now on; the rows before it that
// some registered peer may still want stay for the relays.
func (n *node) keep(env *sim.Env, v *readView) {
	s := n.snapshotOf(v)
	env.Disk.Replace(s, n.unwanted(env, v.Pos))
	env.Disk.Sync()
	env.Note(snapped{s.Clock, s.Data})
	n.reply(env, v.Call, done{})
}

// unwanted is the place up to which all registered peers have the WAL.
func (n *node) unwanted(env *sim.Env, upto sim.LSN) sim.LSN {
	at := env.Disk.First() - 1
	for ; at < upto; at++ {
		t, whole := env.Disk.At(at + 1).(txn)
		if whole && !t.Local && !n.allHave(&t) {
			break
		}
	}
	return at
}

// allHave says that all registered peers have said that a transaction is in their WAL.
func (n *node) allHave(t *txn) bool {
	for id := range n.peers {
		p := &n.peers[id]
		if sim.NodeID(id) != n.id && p.Member && p.relay.Acked.Clock.of(t.Origin) < t.LSN {
			return false
		}
	}
	return true
}

// feed sends a snapshot to a node that joins, and the rows behind it from then on.
func (n *node) feed(env *sim.Env, v *readView) {
	s := n.snapshotOf(v)
	s.Data, s.Here = n.replicated(s.Data), nil
	if n.log.NoAnonymous && !n.peers[v.To].Member && n.anonymous(v.To) {
		s.Limbo = summary{None: true, Owner: nobody}
	}
	if n.log.NoRaftInJoin {
		s.Term, s.Vote = 0, nobody
	}
	s.Final = slices.Clone(n.wal.Clock)
	env.Stream(v.To, relayLane).Send(joinData{v.Conn, s})
	n.relayFrom(env, v.To, ack{Conn: v.Conn, Clock: s.Clock})
	n.peers[v.To].relay.Join = true
}
