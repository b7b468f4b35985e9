package synchro

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// code names a property: section 6.2 and 6.3.
type code uint8

const (
	cV1 code = iota
	cV2
	cV3
	cV4
	cV5
	cT1
	cT2
	cT3
	cE1
	cE2
	cE3
	cE4
	cE5
	cE6
	cE7
	cA1
	cA2
	cB1
	cF1
	cF2
	cO1
	cO2
	cP1
	cP2
	cW1
	cW2
	cW3
	cW4
	cM1
	cS1
	cS2
	cC2
	cR1
	cR2
	cD1
	cD2
	cD3
	cC1
	cL1
	cL2
	cL3
	cL4
	codes
)

// audit checks a run while its ledger is kept, all properties in one reading.
type audit struct {
	*ledger
	premises [codes]int
	broken   [codes]*sim.Violation
	reached  map[string]int // goals
	at       int
	e        *sim.Entry
}

// memo is under what the checks of one judging share the audit.
type memo struct{}

// audited is the audit of a whole run.
func audited(run *sim.Run) *audit {
	if a, ok := run.Memo[memo{}].(*audit); ok {
		return a
	}
	a := &audit{ledger: newLedger(run), reached: map[string]int{}}
	for i := range run.Trace {
		a.at, a.e = i, &run.Trace[i]
		a.see()
	}
	a.end()
	if run.Memo != nil {
		run.Memo[memo{}] = a
	}
	return a
}

// check is a property at an entry, with the others that would show that it does not hold.
type check struct {
	a      *audit
	code   code
	others []int
	both   []int // that cannot both be
}

// on is a property at the entry that is looked at. An entry of 0 is none.
func (a *audit) on(c code, others ...int) check { return check{a: a, code: c, others: others} }

// between is a property that two entries alone show not to hold.
func (c check) between(one, other int) check {
	c.both = []int{min(one, other), max(one, other)}
	return c
}

// must counts a premise, and is the violation if ok is false.
func (c check) must(ok bool, format string, args ...any) {
	c.a.premises[c.code]++
	if ok {
		return
	}
	if v := c.a.broken[c.code]; v != nil {
		v.Count++
		return
	}
	w := slices.DeleteFunc(slices.Clone(c.others), func(at int) bool { return at <= 0 })
	if c.a.e != nil || len(w) == 0 {
		w = append(w, max(c.a.at, 0))
	}
	slices.Sort(w)
	c.a.broken[c.code] = &sim.Violation{Reason: fmt.Sprintf(format, args...),
		Witness: slices.Compact(w), Clash: c.both, Count: 1}
}

// me is the node that the entry is of.
func (a *audit) me() *life { return &a.lives[a.e.Node] }

func (a *audit) name(id sim.NodeID) string { return ownerName(a.run, id) }

// see takes in an entry.
func (a *audit) see() {
	if int(a.e.Node) >= len(a.lives) {
		return
	}
	a.goals()
	switch a.e.Kind {
	case sim.EntryClock, sim.EntryJoined:
		a.faults.Moved = true
	case sim.EntryStarted:
		a.started()
	case sim.EntryCrashed:
		a.me().Up, a.me().Unsynced = false, nil
	case sim.EntryDisk:
		if a.e.N == int64(sim.DiskLost) {
			a.me().loseDisk()
			a.loses(a.e.Node)
		}
	case sim.EntryLeft:
		a.me().Up, a.faults.Moved = false, true
		a.left()
	case sim.EntryInvoked:
		a.calls = append(a.calls, callLife{Op: a.e.Body, Node: a.e.Node, At: a.at})
		a.asked(a.e.Body)
	case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown:
		a.answered()
	case sim.EntrySent:
		a.sent()
	case sim.EntryFired:
		if _, ok := a.e.Body.(beatTimer); ok {
			a.beats()
		}
	case sim.EntryAppended:
		if t, ok := a.e.Body.(txn); ok {
			a.appended(&t)
		}
	case sim.EntrySynced:
		a.synced()
	case sim.EntryReplaced:
		if s, ok := a.e.Body.(snapshot); ok {
			a.inherits(s)
		}
	case sim.EntryBroken, sim.EntryOpened:
		a.link(a.e.Kind == sim.EntryBroken)
	case sim.EntryDelivered:
		a.heardOf()
		if m, ok := a.e.Body.(raftMsg); ok {
			a.heardRaft(m.Conn, m.Raft)
		}
	case sim.EntryNoted:
		a.noted(a.e.Body)
	}
}

func (a *audit) started() {
	l := a.me()
	l.Starts++
	l.Open = 0
	l.Starting = true
	l.Up, l.Fresh, l.Queue, l.State, l.StateAt = true, false, nil, "replica", a.at
	l.Role, l.Adv, l.Acks, l.Links, l.Calls, l.Conns = follower, nil, nil, nil, nil, nil
	l.Ballots, l.Flying = nil, nil
	l.Risen, l.GaveUp, l.DoneOf = 0, 0, nil
	l.Own, l.Quiet, l.Halted = 0, nil, nil
}

// noted takes in a fact.
func (a *audit) noted(b sim.Body) {
	switch f := b.(type) {
	case stored:
		a.stored(&f.Txn)
	case entered:
		a.entered(&f)
	case committed:
		a.committed(&f)
		a.quiescent()
	case undone:
		a.undone(&f)
		a.quiescent()
	case confirms:
		a.confirms(&f)
	case rolls:
		a.rolls(&f)
	case owns:
		a.owns(&f)
	case limboState:
		a.limboIs(f.Is)
	case rises:
		a.rises(&f)
	case votes:
		a.begun(&f)
	case plays:
		a.plays(&f)
	case stops:
		a.me().halts(&f)
		a.stops(&f)
	case ends:
		a.started()
	case recovered:
		a.recovered(&f)
	case snapped:
		a.snapped(&f)
	case expelled:
		if !a.gone(f.Node) && int(f.Node) < len(a.run.Plan.Nodes) && a.registered(f.Node) {
			a.members--
			a.least = min(a.least, max(1, a.members/2+1))
		}
		a.me().expels(f.Node)
		a.faults.Expelled, a.faults.Moved = true, true
	}
}

// asked remembers what operators do.
func (a *audit) asked(op sim.Op) {
	switch op := op.(type) {
	case setQuorumOp:
		if op.N < a.voters/2+1 {
			a.faults.LowQuorum = true
		}
		a.least = min(a.least, op.N)
	case hangOp:
		a.me().Up = false
	}
}

// answered takes in how a call ended.
func (a *audit) answered() {
	c := a.call(a.e.N)
	if c == nil || c.End > 0 {
		return
	}
	c.End, c.How, c.Reply = a.at, a.e.Kind, a.e.Body
	if a.e.Kind != sim.EntryReturned {
		return
	}
	if op, ok := c.Op.(jamOp); ok {
		a.faults.Jammed = true
		a.faults.Broken = a.faults.Broken || op.N == mostJammed
	}
	switch r := a.e.Body.(type) {
	case done:
		a.toldDone(sim.CallID(a.e.N))
		a.demoted(c)
	case value:
		a.read(c, &r)
	}
}

// properties are what the rules promise, by their codes, lowest layer first.
func properties() []sim.Property {
	var list []sim.Property
	for _, p := range promises {
		list = append(list, sim.Property{Name: p.name, Doc: p.doc, Layer: p.layer, Class: p.class,
			Scope: sim.ScopeOrder, Check: func(run *sim.Run) (int, *sim.Violation) {
				a := audited(run)
				return a.premises[p.code], a.broken[p.code]
			}})
	}
	return append(list, histories()...)
}

// promise is a row of the table of properties.
type promise struct {
	code  code
	name  string
	layer uint8
	class sim.Class
	doc   string
}

// promises are those of 6.2 and 6.3. O3 and S1 are one; H1 to H4 are in histories.
var promises = []promise{
	{cV1, "V1", 0, sim.Silent, "per node and origin, LSNs in the WAL strictly increase"},
	{cV2, "V2", 0, sim.Silent, "for each origin and LSN there is one payload: copies equal it or " +
		"are NOP"},
	{cV3, "V3", 0, sim.Stopped, "per node and origin, LSNs have no gaps"},
	{cV4, "V4", 0, sim.Silent, "nothing is in a WAL that its origin has not written before"},
	{cV5, "V5", 0, sim.DetectedLoss, "who stores PROMOTE or DEMOTE(prev, n) has the rows of prev " +
		"up to n"},
	{cT1, "T1", 0, sim.Silent, "raft terms and limbo terms never decrease, not by a restart " +
		"either"},
	{cT2, "T2", 0, sim.Silent, "a PROMOTE of term T takes effect only where the raft term is at " +
		"least T"},
	{cT3, "T3", 0, sim.Stopped, "terms grow by what happens, not by themselves"},
	{cE1, "E1", 0, sim.Silent, "one leader a term at most, and one vote a node and term"},
	{cE2, "E2", 0, sim.Silent, "candidates and leaders have term and vote on the disk"},
	{cE3, "E3", 0, sim.Silent, "a vote for another becomes durable only while its vclock covers " +
		"the voter's"},
	{cE4, "E4", 0, sim.Silent, "who leads has the durable votes of an election quorum"},
	{cA2, "A2", 0, sim.Silent, "ACKs on a connection never go back, nor beyond the WAL"},
	{cW1, "W1", 0, sim.Silent, "commits are in log order, undoing in reverse"},
	{cW2, "W2", 0, sim.Silent, "no CONFIRM(n) and ROLLBACK(m), m <= n, of one owner and term"},
	{cW3, "W3", 0, sim.Silent, "nothing that was in the limbo during the write of ROLLBACK is " +
		"behind it in the log"},
	{cW4, "W4", 0, sim.Silent, "rows are filtered by the term that stands before them in the log"},
	{cM1, "M1", 0, sim.Silent, "no row of an expelled node is accepted"},
	{cB1, "B1", 1, sim.Silent, "the boundary of an owner and term only grows"},
	{cF1, "F1", 1, sim.Silent, "who knows a newer raft term writes no CONFIRM, ROLLBACK or " +
		"synchronous row"},
	{cF2, "F2", 1, sim.Silent, "nor does who has restarted, before a PROMOTE"},
	{cO1, "O1", 1, sim.Silent, "the queue holds the owner's transactions alone, and none after a " +
		"change"},
	{cO2, "O2", 1, sim.Silent, "one node a term is in leader state, and only it writes to the " +
		"queue"},
	{cP1, "P1", 1, sim.Silent, "one PROMOTE or DEMOTE a term at most"},
	{cP2, "P2", 1, sim.Silent, "the claims that took effect form a chain: prev is the owner " +
		"before"},
	{cA1, "A1", 1, sim.Silent, "CONFIRM(n) means that a quorum has the row itself, not a NOP"},
	{cS1, "S1", 2, sim.Silent, "a restart finds what was committed, and nothing is committed " +
		"before its CONFIRM is durable"},
	{cS2, "S2", 2, sim.Silent, "a snapshot is the committed state, with nothing pending in it"},
	{cC2, "C2", 2, sim.Silent, "undoing gives back what was committed before"},
	{cR1, "R1", 2, sim.DetectedLoss, "no synchronous transaction is committed on one node and " +
		"undone on another"},
	{cR2, "R2", 2, sim.Silent, "all rows of a transaction or none"},
	{cD1, "D1", 2, sim.Silent, "what a client was told is on a quorum, and every later leader " +
		"has committed it"},
	{cD2, "D2", 2, sim.Silent, "what a confirmed or linearizable read has shown is never undone"},
	{cD3, "D3", 2, sim.Silent, "who claims the queue has committed what anyone had committed in " +
		"earlier terms"},
	{cC1, "C1", 2, sim.Silent, "in the end, equal vclocks mean equal data"},
	{cE5, "E5", 3, sim.Stopped, "nobody begins an election while a connected peer says that it " +
		"sees the leader"},
	{cE6, "E6", 3, sim.Stopped, "a leader without its quorum gives up before long, lest two lead"},
	{cE7, "E7", 3, sim.Stopped, "an election begins by itself only with a healthy quorum (of E4)"},
	{cL1, "L1", 3, sim.Stopped, "no applier is stopped, unless an operator did what is not " +
		"promised to work"},
	{cL2, "L2", 3, sim.Stopped, "in the end everybody has the same rows, one owner, an empty " +
		"queue"},
	{cL3, "L3", 3, sim.Stopped, "in the end, with candidates, someone leads and a write succeeds"},
	{cL4, "L4", 3, sim.Stopped, "every call ends, and no local write is refused for whose the " +
		"queue is"},
}

// link is what a node is told of a stream with a peer.
func (a *audit) link(broken bool) {
	l := a.me()
	for int(a.e.Peer) >= len(l.Links) && int(a.e.Peer) < len(a.lives) {
		l.Links = append(l.Links, false)
	}
	if int(a.e.Peer) < len(l.Links) {
		l.Links[a.e.Peer] = broken
	}
	if broken && int(a.e.Peer) < len(l.Adv) {
		l.Adv[a.e.Peer].Seen = false // said on a connection that is gone
	}
}

// left is a member that is no member any more: quorums may be of those that are left.
func (a *audit) left() {
	if int(a.e.Node) < len(a.run.Plan.Nodes) && a.registered(a.e.Node) {
		a.members--
		a.least = min(a.least, max(1, a.members/2+1))
	}
}

// heardOf remembers when a peer was last heard of.
func (a *audit) heardOf() {
	l := a.me()
	for int(a.e.Peer) >= len(l.Heard) && int(a.e.Peer) < len(a.lives) {
		l.Heard = append(l.Heard, 0)
	}
	if int(a.e.Peer) < len(l.Heard) {
		l.Heard[a.e.Peer] = a.e.At
		l.answersTo(a.e.Peer)
	}
}
