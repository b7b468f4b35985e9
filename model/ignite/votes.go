package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// vote is what a node can say of all that it should have of a transaction.
type vote uint8

const (
	no vote = iota
	yes
	undecided // a prepare is running
)

// onRQ: a question of recovery. One that was meant for this node before it lost its memory is not
// for it.
func (n *node) onRQ(env *sim.Env, from sim.NodeID, m rq) {
	if n.order.of(n.id) >= m.Mapped {
		return
	}
	n.rescue.Asked = append(n.rescue.Asked, question{from, m})
	n.replyAll(env)
}

// replyAll answers the questions that can be answered by now.
func (n *node) replyAll(env *sim.Env) {
	for _, q := range slices.Clone(n.rescue.Asked) {
		answer := n.verdictOn(q.RQ)
		if answer == undecided || !slices.ContainsFunc(n.rescue.Asked, q.same) {
			continue
		}
		n.rescue.Asked = slices.DeleteFunc(n.rescue.Asked, q.same)
		if !q.RQ.Near {
			n.promise(env, q.RQ, answer)
		}
		said := answer == yes && !n.rules.rescue.LosesFlag
		n.send(env, q.From, rr{q.RQ.txID, q.RQ.Ask, said}, n.find(nearKey(q.RQ.txID)))
	}
	n.claimAll(env)
}

func (q question) same(x question) bool {
	return x.From == q.From && x.RQ.txID == q.RQ.txID && x.RQ.Ask == q.RQ.Ask
}

// verdictOn is the answer to a question as things stand. Near answers when its object is finished:
// yes if it committed, and what is not there is looked up (3.1, rule 1).
func (n *node) verdictOn(q rq) vote {
	if !q.Near {
		return n.votes(q.txID, q.Objects)
	}
	o := n.find(nearKey(q.txID))
	over, _ := n.endedAs(nearKey(q.txID))
	switch {
	case o != nil && !o.State.done():
		return undecided
	case o != nil && bound.has(o.State), o == nil && over:
		return yes
	}
	return no
}

// bound are the states of an object that was told to commit, well or not.
const bound = states(1<<committing | 1<<committed | 1<<unknown)

// votes counts objects that are prepared or committed, and ids that the completed-versions map has
// as committed. Nothing found is a no.
func (n *node) votes(t txID, want int) vote {
	found, failed := 0, n.refusesLate(t)
	for _, o := range n.of(t) {
		switch {
		case o.Key.Role == near:
		case o.State == preparing && o.Prepares:
			return undecided
		case len(o.Own.Writes) == 0 && !n.rules.rescue.ReadsVote: // it has nothing prepared
		case o.State == prepared || bound.has(o.State):
			found++
		default:
			failed = true
		}
	}
	for _, e := range n.ended {
		if e.Object.txID == t && e.Committed && e.Object.Role != near && n.find(e.Object) == nil {
			found++
		}
	}
	if failed || found < want {
		return no
	}
	return yes
}

// promise binds this node to its answer. After a yes what is PREPARED can be finished by recovery
// alone (IGNITE-12548). After a no what is not prepared is rolled back. What the asking node took
// for granted holds here too: who is gone is not heard any more.
func (n *node) promise(env *sim.Env, q rq, answer vote) {
	t := q.txID
	env.Note(voted{t, answer == yes})
	for _, id := range q.Gone {
		if d := (departed{t, id}); !slices.Contains(n.rescue.Gone, d) {
			n.rescue.Gone = append(n.rescue.Gone, d)
		}
	}
	if answer == no {
		n.bind(t)
	}
	for _, o := range n.of(t) {
		switch {
		case o.Key.Role == near:
		case answer == yes && o.State == prepared && !n.rules.rescue.NoPromise:
			n.take(env, o, byRecovery)
		case answer == no && undone.has(o.State):
			n.abandon(env, o)
		}
	}
}

// refusesLate says that a prepare request comes too late: an answer of this node has bound it to
// the rollback of the transaction.
func (n *node) refusesLate(t txID) bool { return slices.Contains(n.rescue.Refused, t) }

// bind binds this node to the rollback of a transaction, if its answers are remembered.
func (n *node) bind(t txID) {
	if n.rules.rescue.RememberNo && !n.refusesLate(t) {
		n.rescue.Refused = append(n.rescue.Refused, t)
	}
}

// freed says that a backup follows its primary although its finalization is taken for recovery:
// that was for a question, and the primary is there and decides for its backups.
func (n *node) freed(env *sim.Env, o *object) bool {
	_, mine := n.under(o.Key)
	return o.By == byRecovery && mine == nil && n.there(env, o, o.Key.Primary)
}
