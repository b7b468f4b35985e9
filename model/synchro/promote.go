package synchro

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// promotion is a PROMOTE or DEMOTE of this node on its way, or what stood in its place before
// (1.10).
type promotion struct {
	Stage promotionStage
	Type  rowType // promoteRow or demoteRow
	Term  int64   // of the row
	// What must not have changed under the latch (#7086).
	Raft  int64 // the raft term
	Limbo int64 // the term of the queue
	Last  lsn   // the last own row that was written, in stage awaitsDisk
	Alone bool  // without an election: the call gives up in time
	// How many nodes must have the last transaction, if that stays as it was; 0: it is looked at anew.
	Quorum int
	Again  bool // the operator has asked for one more while it was under way
}

// promotionStage is what it waits for.
type promotionStage uint8

const (
	noPromotion   promotionStage = iota
	awaitsClear                  // without elections: that the owner clears its queue by itself
	awaitsTerm                   // that the new term is on the disk
	awaitsQuorum                 // that Q nodes have the last synchronous transaction
	awaitsLatch                  // that no other control row is under way
	awaitsHolders                // that Q nodes have its CLAIM, if claims are announced
	awaitsDisk                   // that its rows take effect
)

// promote makes this node the owner of the queue; its old name is clear_synchro_queue. Of several
// nodes that are asked at once, one round of elections makes one the leader, the others fail.
func (n *node) promote(env *sim.Env, c sim.Call) {
	r := &n.raft
	switch {
	case n.leads():
		env.Return(c.ID, done{})
	case !n.registered(n.id):
		env.Refuse(c.ID, refusal{"an anonymous replica is never promoted"})
	case r.Call != 0:
		env.Refuse(c.ID, refusal{"a promotion is under way here"})
	case r.Mode == modeVoter:
		env.Refuse(c.ID, refusal{"a voter is never promoted"})
	case !n.running():
		n.promoteAlone(env, c.ID)
	case r.Role == leader: // elected, its PROMOTE is on its way
		r.Procedure.Again = n.rules.promote.Twice && r.Procedure.Stage != noPromotion
		n.await(env, c.ID)
	default:
		n.promoteElected(env, c.ID)
	}
}

// promoteElected is an election by hand: one, and no other if it fails.
func (n *node) promoteElected(env *sim.Env, call sim.CallID) {
	r := &n.raft
	n.campaign(env, "promote")
	r.Promoted = r.Mode != modeCandidate
	n.await(env, call)
}

// promoteAlone is a promotion without votes: mode off before P4. The owner of the queue is given
// the time to clear it.
func (n *node) promoteAlone(env *sim.Env, call sim.CallID) {
	n.raft.Procedure = promotion{Stage: awaitsClear, Type: promoteRow, Alone: true}
	n.raft.Call = call
	if !n.rules.promote.ClearEndless {
		env.After(2*synchroTimeout, quorumTimer{call})
	}
	n.promotionStep(env)
}

// demote gives leadership up in the same term if elections are on; else it gives the queue up with
// a row, in a term of its own.
func (n *node) demote(env *sim.Env, c sim.Call) {
	r := &n.raft
	switch {
	case n.rules.promote.NoDemote:
		env.Refuse(c.ID, refusal{"there is no demote yet"})
	case r.Call != 0:
		env.Refuse(c.ID, refusal{"a promotion is under way here"})
	case n.electing():
		n.resign(env, "demoted")
		env.Return(c.ID, done{})
	case n.limbo.Owner != n.id, n.rules.promote.DemoteOwnTerm && r.Term != n.limbo.Term:
		env.Return(c.ID, done{}) // nothing to give up
	default:
		r.Procedure = promotion{Type: demoteRow, Alone: true}
		n.await(env, c.ID)
		n.claim(env)
	}
}

// await has a call wait, for a while.
func (n *node) await(env *sim.Env, call sim.CallID) {
	n.raft.Call = call
	if !n.rules.raft.WaitsForever {
		env.After(electionTimeout, quorumTimer{call})
	}
}

// elected is an election won: the call of one may be answered now, or has to wait until the node
// may write, as long as a transaction waits for its quorum.
func (n *node) elected(env *sim.Env) {
	switch r := &n.raft; {
	case r.Call == 0:
	case n.rules.promote.ReturnsElected:
		n.answerCall(env, done{})
	case r.Procedure.Stage != noPromotion:
		env.After(synchroTimeout, quorumTimer{r.Call})
	}
}

// answerCall answers the call that waits.
func (n *node) answerCall(env *sim.Env, result sim.Body) {
	call := n.raft.Call
	if call == 0 {
		return
	}
	n.raft.Call = 0
	env.Cancel(quorumTimer{call})
	env.Return(call, result)
}

// failCall answers it with why this node was not promoted.
func (n *node) failCall(env *sim.Env, why string) { n.answerCall(env, notPromoted{why}) }

// abandon ends what was on its way in another term, or as the leader that this node was. Rows that
// are on their way to the disk cannot be called back.
func (n *node) abandon(env *sim.Env, why string) {
	r := &n.raft
	p := &r.Procedure
	if p.Stage != noPromotion && p.Stage != awaitsDisk {
		if n.rules.promote.NoRecheck {
			return
		}
		*p = promotion{}
	}
	if n.rules.raft.Retries && r.Call != 0 && r.Mode != modeOff && !r.Campaigns {
		n.again(env)
		return
	}
	n.failCall(env, why)
}

// again is a call that does not give up as a term ends without it.
func (n *node) again(env *sim.Env) {
	r := &n.raft
	call := r.Call
	r.Call = 0
	n.campaign(env, "promote")
	r.Promoted, r.Call = r.Mode != modeCandidate, call
}

// promoteOverdue is the time of a call being over. It says whether it is one that waits here.
func (n *node) promoteOverdue(env *sim.Env, call sim.CallID) bool {
	r := &n.raft
	if call != r.Call {
		return false
	}
	p := &r.Procedure
	switch {
	case p.Stage == awaitsClear: // it is cleared without its owner
		n.claim(env)
	case p.Stage == awaitsDisk || p.Stage == awaitsTerm: // the disk always answers
		env.After(synchroTimeout, quorumTimer{call})
	case p.Alone:
		*p = promotion{}
		n.failCall(env, "no quorum of the last transaction in time")
	case r.Role == leader:
		n.failCall(env, "elected, but no quorum of the last transaction in time")
	default:
		n.failCall(env, "no leader in time")
		if r.Promoted {
			n.standDown(env, "")
		}
	}
	return true
}

// claim takes a term for a promotion without an election: of its own, and persisted without a vote.
// Before there were terms without elections, it was always the first (6034).
func (n *node) claim(env *sim.Env) {
	p := &n.raft.Procedure
	rules := &n.rules.promote
	p.Raft, p.Limbo = n.raft.Term, n.limbo.Term
	switch {
	case rules.Pair || rules.TermOne:
		p.Term = firstTerm
	case rules.ReusesTerm && p.Type == demoteRow:
		p.Term = p.Limbo
	default:
		n.rise(env, n.raft.Term+1, "promote")
		p.Term, p.Raft = n.raft.Term, n.raft.Term
		n.tellState(env)
	}
	p.Stage = awaitsTerm
	if p.Alone && p.Type == promoteRow {
		env.After(synchroTimeout, quorumTimer{n.raft.Call})
	}
	n.persist(env)
}

// beginPromotion is the procedure of a leader: at most one in a term (#9263).
func (n *node) beginPromotion(env *sim.Env, p promotion) {
	p.Stage, p.Raft, p.Limbo = awaitsQuorum, n.raft.Term, n.limbo.Term
	if n.rules.promote.FixedQuorum {
		p.Quorum = n.synchroQuorum()
	}
	n.raft.Procedure = p
	n.promotionStep(env)
}

// promotionStep goes on with the procedure under way: something that it may wait for has changed.
func (n *node) promotionStep(env *sim.Env) {
	p := &n.raft.Procedure
	if p.Stage == awaitsClear && len(n.limbo.Queue) == 0 {
		n.claim(env)
		return // it goes on once the term is on the disk
	}
	if p.Stage == awaitsTerm && !n.raft.Writing && n.raft.DurableTerm == n.raft.Term {
		p.Stage = awaitsQuorum
	}
	if p.Stage == awaitsQuorum && n.lastIsSafe() {
		p.Stage = awaitsLatch
	}
	if p.Stage == awaitsHolders && !n.ownPending(p.Last) && n.claimIsKnown() {
		p.Stage = awaitsLatch
	}
	if p.Stage == awaitsLatch {
		n.underLatch(env)
	}
	if p.Stage == awaitsDisk && !n.limbo.Latched && !n.ownPending(p.Last) {
		n.promotionDone(env)
	}
}

// underLatch writes the rows if nothing has changed while others had the latch.
func (n *node) underLatch(env *sim.Env) {
	p := &n.raft.Procedure
	if n.limbo.Latched && !n.rules.filter.NoLatch {
		return
	}
	if !n.rules.promote.NoRecheck && n.overtaken() {
		*p = promotion{}
		n.failCall(env, "the term has changed")
		return
	}
	claim, announced := n.ownClaim()
	if !announced && !n.lastIsSafe() {
		p.Stage = awaitsQuorum // there is another last one
		return
	}
	rows := n.promotionRows()
	p.Stage = awaitsDisk
	switch {
	case announced:
		rows = []row{{Type: p.Type, Prev: claim.Prev, N: claim.N, Term: claim.Term}}
	case n.cure.ClaimsAhead:
		rows, p.Stage = []row{n.announceClaim(p.Type, p.Term)}, awaitsHolders
	}
	if len(rows) == 0 {
		n.promotionDone(env)
		return
	}
	n.limbo.Latched, n.limbo.Changing = true, p.Stage == awaitsDisk
	for _, r := range rows {
		n.write(env, write{Duty: controls, From: nobody, Txn: txn{Origin: n.id, Rows: []row{r}}})
	}
	p.Last = n.wal.Next
	n.tellState(env)
}

// overtaken says that a procedure has to be abandoned: the raft term or that of the queue has
// changed (#7086). A cure has it go on as long as its term is the newest of both.
func (n *node) overtaken() bool {
	p := &n.raft.Procedure
	if n.cure.ClaimsAgain && !p.Alone && p.Raft == n.raft.Term && n.limbo.Term < p.Term {
		p.Limbo = n.limbo.Term
	}
	return p.Raft != n.raft.Term || p.Limbo != n.limbo.Term
}

// promotionDone is the end of a procedure: the rows have taken effect.
func (n *node) promotionDone(env *sim.Env) {
	n.limbo.Fresh = true // also if there was nothing to write, before there was PROMOTE
	n.raft.Procedure = promotion{}
	n.answerCall(env, done{})
	n.tellState(env)
}

// promotionRows are the rows of a promotion: one (1.10), or what stood in its place.
func (n *node) promotionRows() []row {
	p := &n.raft.Procedure
	last, _ := n.lastSync()
	if n.rules.promote.RollsUncovered && n.copiesNow(last) < n.synchroQuorum() {
		last = n.limbo.Confirmed
	}
	rows := n.claimRows(p.Type, last, p.Term)
	if p.Again {
		rows = append(rows, rows...)
	}
	return rows
}

// lastIsSafe says that the last synchronous transaction is in the WAL of Q nodes. The draft's
// second item did not ask. With an empty queue there is none.
func (n *node) lastIsSafe() bool {
	last, known := n.lastSync()
	at := &n.rules.promote
	return known && (last <= n.limbo.Confirmed || at.Unconditional || at.RollsUncovered ||
		n.ackedBy(last) >= cmp.Or(n.raft.Procedure.Quorum, n.synchroQuorum()))
}

// copiesNow is how many nodes have the owner's rows up to an LSN, of those that are there to say so
// (#5435).
func (n *node) copiesNow(to lsn) int {
	count := 0
	for id, at := range n.limbo.Acks {
		p := sim.NodeID(id)
		if at >= to && n.counts(p) && (p == n.id || n.peers[id].relay.Conn != 0) {
			count++
		}
	}
	return count
}

// ownPending says that a row of this node up to an LSN has not yet taken effect.
func (n *node) ownPending(upto lsn) bool {
	return slices.ContainsFunc(n.wal.Pending, func(w write) bool {
		return w.Txn.Origin == n.id && !w.Txn.Local && w.Txn.LSN <= upto
	})
}
