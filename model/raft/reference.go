package raft

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// role is a state of Figure 4. A precandidate asks whether an election could be won (the
// dissertation, 9.6).
type role uint8

const (
	follower role = iota
	precandidate
	candidate
	leader
)

// reference is one node's Raft as the paper has it: "State" of Figure 2, and what the later
// sections and the dissertation add to it. reference_vote.go is elections, reference_append.go
// replication, reference_members.go configurations and the transfer of the lead, reference_read.go
// reads, reference_snapshot.go compaction.
type reference struct {
	rules    referenceRules
	id       sim.NodeID
	founders []sim.NodeID

	// Persistent state: on the disk before anything leaves that rests on it.
	term    int64
	vote    sim.NodeID // Nobody: none in this term
	log     entryLog
	snap    Snapshot  // what the log begins with, if Index > 0
	written HardState // the last record of term and vote

	// Volatile state on all servers.
	commit, applied int64
	role            role
	lead            sim.NodeID    // the leader of the term, Nobody: not known
	heard           sim.Time      // when a leader was heard last, by the monotonic clock
	patience        time.Duration // the election timeout
	configs         []config      // those of the log and the snapshot's, the last one governs
	pledged         Pledged       // the last one said
	waiting         []Readable    // reads that have an index which is not applied yet

	votes []sim.NodeID // of candidates: who has granted

	// Volatile state on leaders.
	peers []peer
	round int64 // how often it has sent to all
	look  int64 // the round when it looked last whether it is followed
	reads []reading
	heir  sim.NodeID // to whom the lead is being handed, Nobody: to none
	spent bool       // a timeout-now has left in this term: there is no lease any more

	// What one call brings about, in the order in which it leaves: records first, then facts, then
	// messages.
	dirty  bool // there are records to sync
	notes  []sim.Fact
	outbox []letter
	events []Event
}

// letter is a message that is to leave.
type letter struct {
	to sim.NodeID
	m  sim.Message
}

// NewReference is the engine of our own: Raft as the paper and the dissertation have it. A node
// that is not among the founders waits until a leader brings it the log.
func NewReference(id sim.NodeID, founders []sim.NodeID) Engine {
	return newReference(id, founders, referenceRules{})
}

func newReference(id sim.NodeID, founders []sim.NodeID, rules referenceRules) *reference {
	return &reference{rules: rules, id: id, founders: founders}
}

// Start begins as a follower (5.2), with what the disk has.
func (r *reference) Start(env *sim.Env) {
	r.vote, r.lead, r.heir = sim.Nobody, sim.Nobody, sim.Nobody
	r.recover(env)
	r.heard = -sim.Time(election)
	if r.term > 0 {
		r.heard = r.clock(env) // it may have heard one just before it went down
	}
	r.wait(env)
	r.flush(env)
}

// recover reads snapshot and records. A record that a crash tore is the last one of its life, and
// as good as none.
func (r *reference) recover(env *sim.Env) {
	r.written = HardState{To: sim.Nobody}
	if slices.Contains(r.founders, r.id) {
		r.configs = []config{{0, Members{Voters: r.founders}}}
	}
	if s, ok := env.Disk.Snapshot().(Snapshot); ok {
		r.written = s.Hard
		r.restore(s)
	}
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		switch rec := env.Disk.At(at).(type) {
		case HardState:
			r.written = rec
		case Logged:
			if rec.Index > r.log.base {
				r.log.put(rec.Entry, at)
			}
		}
	}
	r.term, r.vote = r.written.Term, r.written.To
	r.rules.restarted(r)
	for _, e := range r.rules.uncommitted(r.log.entries) {
		r.govern(e)
	}
	r.notes = nil // the last one is enough
	if len(r.configs) > 0 {
		r.governs()
	}
}

// Receive is a message: the rules of "All Servers" and those of the message.
func (r *reference) Receive(env *sim.Env, from sim.NodeID, m sim.Message) bool {
	switch m := m.(type) {
	case requestVote:
		r.onRequestVote(env, from, m)
	case voted:
		r.onVoted(env, from, m)
	case appendEntries:
		r.onAppend(env, from, m)
	case installSnapshot:
		r.onSnapshot(env, from, m)
	case appended:
		r.onAppended(env, from, m)
	case proposal:
		if r.role == leader { // else it is lost
			_ = r.Propose(env, m.Command)
		}
	case timeoutNow:
		r.onTimeoutNow(env, m)
	case readIndex:
		r.read(env, reading{id: m.ID, from: from})
	case readAt:
		r.waiting = append(r.waiting, Readable(m))
		r.serve()
	default:
		return false
	}
	r.flush(env)
	return true
}

// Timeout is an election timeout, or a heartbeat that is due.
func (r *reference) Timeout(env *sim.Env, t sim.Timer) bool {
	switch t.(type) {
	case electionTimer:
		r.impatient(env)
	case heartbeatTimer:
		r.broadcast(env)
	default:
		return false
	}
	r.flush(env)
	return true
}

// Notice is nothing to this engine: it waits for its disk, and members are in its log.
func (r *reference) Notice(*sim.Env, sim.Notice) {}

// Leader is who leads, as far as this node knows.
func (r *reference) Leader() (sim.NodeID, bool) { return r.lead, r.lead != sim.Nobody }

// Term is the term.
func (r *reference) Term() int64 { return r.term }

// Take gives what has come of the calls since it was asked last.
func (r *reference) Take() []Event {
	events := r.events
	r.events = nil
	return events
}

// follow makes the node a follower, in a newer term maybe: "All Servers" of Figure 2, 5.1. Who
// leads may not be known.
func (r *reference) follow(env *sim.Env, term int64, lead sim.NodeID) {
	was := r.role
	if was == leader {
		r.depose(env)
	}
	if term > r.term {
		r.term, r.vote = term, sim.Nobody
	}
	r.role, r.lead, r.votes = follower, lead, nil
	r.rules.followed(r, was)
}

// depose ends a leader's term.
func (r *reference) depose(env *sim.Env) {
	r.note(Deposed{r.term})
	r.events = append(r.events, Led{Term: r.term})
	r.peers, r.reads, r.round, r.look = nil, nil, 0, 0
	r.heir, r.spent = sim.Nobody, false
	env.Cancel(heartbeatTimer{})
	r.wait(env)
}

// wait draws a new election timeout (5.2) and begins it.
func (r *reference) wait(env *sim.Env) {
	apart := min(election/20*time.Duration(r.id), election/2)
	r.patience = election + apart
	r.patience += time.Duration(env.Draw("patience", r.rules.spread(election-apart)))
	r.again(env)
}

// again begins the election timeout anew. It comes again and again, since who is not elected tries
// once more; and it is periodic, since one whom nobody will elect must not keep a run from coming
// to rest.
func (r *reference) again(env *sim.Env) { env.Every(r.patience, electionTimer{}) }

// clock is the monotonic clock, which only check-quorum and pre-vote look at.
func (r *reference) clock(env *sim.Env) sim.Time {
	if r.rules.NoCheckQuorum && r.rules.NoPreVote {
		return 0
	}
	return env.Monotonic()
}

// persist writes term and vote if they have changed.
func (r *reference) persist(env *sim.Env) {
	now := HardState{Term: r.term, To: r.vote}
	if r.vote != sim.Nobody {
		now.Name = env.Name(r.vote)
	}
	if now = r.rules.hard(now, r.written); now == r.written {
		return
	}
	env.Disk.Append(now)
	r.written, r.dirty = now, true
}

// write appends an entry to the log, which takes the place of those from its index on. A record of
// the term goes before, lest a crash leave an entry of a term that the node has not come to.
func (r *reference) write(env *sim.Env, e Entry) {
	r.persist(env)
	r.log.put(e, env.Disk.Append(Logged{e}))
	r.dirty = r.rules.dirty(r.dirty)
	r.reconsider(e.Index)
	r.govern(e)
}

func (r *reference) note(f sim.Fact) { r.notes = append(r.notes, f) }

func (r *reference) send(to sim.NodeID, m sim.Message) {
	r.outbox = append(r.outbox, letter{to, m})
}

// flush puts into effect what a call has brought about. What is said rests on what is durable: "on
// stable storage before responding to RPCs" (Figure 2).
func (r *reference) flush(env *sim.Env) {
	r.persist(env)
	if r.dirty && r.rules.syncsFirst() {
		env.Disk.Sync()
	}
	for _, f := range r.notes {
		env.Note(f)
	}
	for _, l := range r.outbox {
		env.Send(l.to, l.m)
	}
	if r.dirty && r.rules.SendFirst {
		env.Disk.Sync()
	}
	clear(r.notes)
	clear(r.outbox)
	r.notes, r.outbox, r.dirty = r.notes[:0], r.outbox[:0], false
}
