package raft

import (
	"math"
	"time"

	etcd "go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"github.com/downset/downset/sim"
)

// The library counts in ticks.
const (
	electionTicks  = int(election / tick)
	heartbeatTicks = int(heartbeat / tick)
)

// library is a node around go.etcd.io/raft/v3's RawNode, which does all of Raft and no input or
// output. What comes, and the passing of time, is handed to it; then it is asked what is to be done
// (a Ready), and that is done in the order that it prescribes:
//
//	message, tick, proposal
//	        |
//	        v            records   sync    facts    messages   apply
//	     RawNode -- Ready --o--------o-------o---------o---------o-- Advance
//	        ^                                                          |
//	        +----------------------------------------------------------+   until there is none
//
// With asynchronous storage writes (library_async.go) the disk and the state machine lag behind,
// and what rests on them waits for them.
//
// The library draws nothing but election timeouts: library_timeout.go. It can be driven again and
// again to the same end, but not copied: see Opaque.
type library struct {
	id       sim.NodeID
	founders []sim.NodeID
	codec    Codec
	rules    libraryRules

	node    *etcd.RawNode
	store   storage
	timeout timeout
	came    []wireEntry // the entries of the message at hand
	asked   Members     // the configuration that the proposal at hand brings about
	fresh   []Entry     // the entries of the Ready at hand
	coming  Snapshot    // the snapshot that came last
	echo    sim.Time    // when the heartbeat at hand was sent

	said    said
	applied int64
	members Members // what governs
	lead    uint64
	reads   []awaited
	life    sim.Time // when this life began
	again   bool     // it is not the first
	peers   []beside // by node
	line    pipeline // with asynchronous storage writes
	failed  bool     // the disk failed: this life is over
	events  []Event
}

// NewLibrary makes the engine of a node from go.etcd.io/raft/v3. The founders are the same on every
// node; one that is not among them waits until it is made a member.
func NewLibrary(id sim.NodeID, founders []sim.NodeID, c Codec) Engine {
	return newLibrary(id, founders, c, libraryRules{})
}

func newLibrary(id sim.NodeID, founders []sim.NodeID, c Codec, r libraryRules) Engine {
	return &library{id: id, founders: sortedNodes(founders), codec: c, rules: r}
}

// Opaque says why a search cannot copy it.
func (l *library) Opaque() string {
	return "around go.etcd.io/raft/v3, which keeps its state to itself (explore a variant of our " +
		"own engine, or sweep this one)"
}

// The timers: the library's tick, the first of which comes out of step with those of other nodes,
// and the look at who is silent. The latter is so slow that a run which waits for its end waits for
// an election too.
type (
	libraryTick  struct{ First bool }
	libraryWatch struct{}
)

// Kind is "tick".
func (libraryTick) Kind() string { return "tick" }

// Kind is "watch".
func (libraryWatch) Kind() string { return "watch" }

// Start reads the disk, makes the library's node and sets the timers.
func (l *library) Start(env *sim.Env) {
	l.life = env.Monotonic()
	l.store.snap.Members = Members{Voters: l.founders}
	l.store.hard.To = sim.Nobody
	if !l.rules.Wiped {
		l.store.load(env.Disk)
	}
	l.again = env.Disk.Last() > 0
	l.store.encode(l.codec)
	snap := &l.store.snap
	l.applied, l.members = snap.Index, snap.Members
	l.store.commit = l.rules.commit(&l.store)
	l.said.commit = max(snap.Index, l.store.commit)
	l.said.hard = l.store.hard
	if snap.Index > 0 {
		l.events = append(l.events, Restored{snap.Index, snap.Term, snap.State})
	}
	env.Note(Governs{snap.Index, snap.Members})
	if l.said.commit > snap.Index {
		env.Note(Committed{Index: l.said.commit, Term: l.said.hard.Term})
	}
	l.make()
	env.After(tick+l.phase(env), libraryTick{First: true})
	env.Every(2*election, libraryWatch{})
	l.work(env)
}

// make makes the library's node. A library of another make is refused.
func (l *library) make() {
	node, err := etcd.NewRawNode(l.config())
	if err != nil {
		panic(err.Error())
	}
	l.node = node
	if l.timeout, err = timeoutOf(node); err != nil {
		panic(err.Error())
	}
	l.timeout.spread = l.rules.spread()
}

func (l *library) config() *etcd.Config {
	c := &etcd.Config{
		ID: raftID(l.id), Storage: &l.store, Applied: uint64(l.store.snap.Index),
		ElectionTick: electionTicks, HeartbeatTick: heartbeatTicks,
		MaxSizePerMsg: math.MaxUint64, MaxCommittedSizePerReady: math.MaxUint64,
		MaxInflightMsgs: 64, Logger: silent{}, AsyncStorageWrites: l.rules.Async,
		PreVote: !l.rules.NoPreVote, CheckQuorum: !l.rules.NoCheckQuorum,
		StepDownOnRemoval: !l.rules.Stays,
	}
	if l.rules.OneEntry {
		c.MaxSizePerMsg = 0
	}
	return c
}

// phase is by how much the ticks of a node are out of step.
func (l *library) phase(env *sim.Env) time.Duration {
	return time.Duration(env.Draw("phase", int64(tick)))
}

// Receive hands the library its messages.
func (l *library) Receive(env *sim.Env, from sim.NodeID, m sim.Message) bool {
	switch m := m.(type) {
	case wireMessage:
		l.step(env, from, &m)
	case applyNext:
		l.applyNext(env)
	default:
		return false
	}
	l.work(env)
	return true
}

// step hands the library a message. What it answers with an error is of no consequence: a proposal
// that is dropped, an answer of a node that is no member any more.
func (l *library) step(env *sim.Env, from sim.NodeID, m *wireMessage) {
	if l.failed || l.promised(env, m) {
		return
	}
	switch m.Type {
	case raftpb.MsgApp:
		l.came = m.Entries
	case raftpb.MsgSnap:
		l.coming = m.Snapshot.(Snapshot)
	case raftpb.MsgHeartbeat:
		l.echo = m.Sent
	}
	l.hear(from, m)
	_ = l.node.Step(m.message(from, l.id))
	if m.Type == raftpb.MsgAppResp && !m.Reject {
		l.appended(env, from, m)
	}
}

// Timeout lets the library's time pass.
func (l *library) Timeout(env *sim.Env, t sim.Timer) bool {
	switch t := t.(type) {
	case libraryTick:
		if t.First {
			env.Every(tick, libraryTick{})
		}
		if !l.failed {
			l.timeout.tick(env, l.node, l.said.leads)
		}
	case libraryWatch:
		l.lookAround()
	default:
		return false
	}
	l.work(env)
	return true
}

// Propose puts a command into the log, or sends it to the leader.
func (l *library) Propose(env *sim.Env, c Command) error {
	switch {
	case l.failed:
		return ErrNotAble
	case l.outside():
		return ErrNoLeader
	}
	if l.node.Propose(l.bytes(c)) != nil {
		return ErrNotAble
	}
	l.work(env)
	return nil
}

// outside says that this node can ask no leader: it knows of none, or it is in no group as far as
// it knows, and would not hear what came of it.
func (l *library) outside() bool { return l.lead == etcd.None || !l.members.Has(l.id) }

// bytes are a command as the library has it.
func (l *library) bytes(c Command) []byte {
	if _, ok := c.(Noop); ok {
		return nil
	}
	return l.codec.Encode(c)
}

// Reconfigure proposes a change. The library would put an empty entry in its place if one is under
// way, or if it might be: that is asked beforehand.
func (l *library) Reconfigure(env *sim.Env, want Members) error {
	want = Members{Voters: want.Voters, Learners: want.Learners}.ordered()
	change := l.members.change(want)
	switch {
	case l.failed || !l.said.leads:
		return ErrNotLeader
	case l.members.Joint() || l.store.changing(l.applied):
		return ErrChanging
	case !l.ownTerm() || len(want.Voters) == 0 || len(change.GetChanges()) == 0:
		return ErrNotAble
	}
	l.asked = l.members.after(change, want)
	if l.node.ProposeConfChange(change) != nil {
		return ErrNotAble
	}
	l.work(env)
	return nil
}

// ownTerm says that an entry of this term is applied here.
func (l *library) ownTerm() bool { return l.store.term(l.applied) == l.said.hard.Term }

// Transfer hands the lead over. No lease outlives it: the other needs no vote of those who promised
// to wait.
func (l *library) Transfer(env *sim.Env, to sim.NodeID) error {
	switch {
	case l.failed || !l.said.leads:
		return ErrNotLeader
	case to == l.id || !l.members.Votes(to):
		return ErrNotAble
	}
	l.said.handed = true
	l.node.TransferLeader(raftID(to))
	l.work(env)
	return nil
}

// Compact writes a snapshot.
func (l *library) Compact(env *sim.Env, index int64, state sim.Record) error {
	s := &l.store
	if index <= s.snap.Index || index > l.applied || l.failed {
		return ErrNotAble
	}
	snap := Snapshot{Index: index, Term: s.term(index), Members: l.kept(s.members(index)),
		Hard: s.hard, State: state}
	env.Disk.Replace(snap, s.at[index-s.snap.Index-1])
	s.compact(snap)
	l.sync(env)
	return nil
}

// kept is the configuration that a snapshot has.
func (l *library) kept(m Members) Members {
	switch {
	case l.rules.FirstMembers:
		return Members{Voters: l.founders}
	case l.rules.NoOutgoing:
		return m.left()
	}
	return m
}

// Leader is who leads, as far as the library knows.
func (l *library) Leader() (id sim.NodeID, known bool) {
	return nodeOf(l.lead), l.lead != etcd.None
}

// Term is the library's term.
func (l *library) Term() int64 { return l.said.hard.Term }

// Members is the configuration that was applied last. Who waits to be made a member has none.
func (l *library) Members() Members {
	if l.store.last() == 0 && !l.members.Has(l.id) {
		return Members{}
	}
	return l.members
}

// Take gives what has come of the calls.
func (l *library) Take() []Event {
	list := l.events
	l.events = nil
	return list
}
