package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// How near decides, commits first, and has the others finish.

// onNPR: a primary has prepared, or cannot. In one phase it has committed.
func (n *node) onNPR(env *sim.Env, from sim.NodeID, m npr) {
	o := n.find(nearKey(m.txID))
	if o != nil && n.stillThere(env, from, o.Map) { // else recovery speaks for it
		n.primarySaid(env, o, from, m)
	}
}

// primarySaid takes in what a primary has answered, or what takes the place of its answer.
func (n *node) primarySaid(env *sim.Env, o *object, from sim.NodeID, m npr) {
	if !o.Prepares || !slices.Contains(o.Waits, from) {
		return
	}
	if m.Err != "" && o.Err == "" {
		o.Err = m.Err
	}
	if m.Demoted {
		o.OnePhase = false
	}
	o.Waits = without(o.Waits, from)
	n.nearVoted(env, o)
}

// nearVoted: near has the answers that it needs, and the transaction is decided; or it waits.
func (n *node) nearVoted(env *sim.Env, o *object) {
	switch {
	case !o.Prepares || !o.Voted:
	case len(o.Waits) == 0 && o.Second && o.Err == "":
		n.askWriters(env, o)
	case len(o.Waits) == 0,
		n.commits.NearShort && len(o.Waits) == 1 && len(o.Map.Shares) > 1:
		o.Waits, o.Prepares = nil, false
		if o.Err != "" {
			n.rollback(env, o)
			return
		}
		n.becomePrepared(env, o)
	}
}

// nearPrepared is the decision point of two phases: near fixes the tag here, before its own commit,
// and never waits for a vote again.
func (n *node) nearPrepared(env *sim.Env, o *object) {
	if !o.OnePhase && n.TagAt == atDecision {
		n.tag(env, o)
	}
	n.take(env, o, byUser)
	n.prepareEnded(env, o)
	if n.commits.NearLast && !o.OnePhase {
		n.finishAll(env, o, true)
	}
	n.commit(env, o)
}

// nearCommitted: near has committed first, and now tells the primaries (two phases); in one phase
// they have committed already.
func (n *node) nearCommitted(env *sim.Env, o *object) {
	if o.OnePhase {
		n.report(env, o)
		return
	}
	if n.TagAt == atSend {
		n.tag(env, o)
	}
	if !n.commits.NearLast {
		n.finishAll(env, o, true)
	}
	if o.Map.Sync == fullAsync {
		n.answer(env, o)
	}
	n.nearFinished(env, o)
}

// finishAll sends the finish to the primaries, and to the backups of near's own share.
func (n *node) finishAll(env *sim.Env, o *object, commit bool) {
	o.Finishes = true
	o.Waits = n.still(env, o, n.asked(o))
	for _, p := range o.Waits {
		n.send(env, p, nfq{o.Key.txID, commit}, o)
	}
	if o.Colocated {
		n.finishBackups(env, o, commit)
	}
	n.finishLost(env, o)
}

// asked are the other primaries that know of the transaction.
func (n *node) asked(o *object) []sim.NodeID {
	var list []sim.NodeID
	add := func(id sim.NodeID) {
		if id != n.id && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	for i := range o.Map.Shares {
		add(o.Map.Shares[i].Primary)
	}
	for _, a := range o.Locks {
		add(a.Primary)
	}
	if len(o.Ahead) > 0 && o.Ahead[0].Lock && o.Ahead[0].Asked { // and nobody has answered
		add(o.Ahead[0].Primary)
	}
	return list
}

// onNFR: a primary has finished, with its backups where the client waits for them.
func (n *node) onNFR(env *sim.Env, from sim.NodeID, m nfr) {
	o := n.find(nearKey(m.txID))
	if o == nil || !o.Finishes {
		return
	}
	o.Waits = without(o.Waits, from)
	n.nearFinished(env, o)
}

// nearFinished: all have answered, and the client is told.
func (n *node) nearFinished(env *sim.Env, o *object) {
	if o.Finishes && len(o.Waits) == 0 && len(o.Backs) == 0 {
		o.Finishes = false
		n.report(env, o)
	}
}

// report tells the client, and forgets the transaction.
func (n *node) report(env *sim.Env, o *object) {
	n.answer(env, o)
	n.forget(o)
}

// answer tells the client what became of the transaction.
func (n *node) answer(env *sim.Env, o *object) {
	if o.Answered {
		return
	}
	o.Answered = true
	env.Cancel(timeout{o.Key})
	env.Note(outcome{o.Key.txID, n.told(o)})
	if o.Call != 0 {
		env.Return(o.Call, ended{o.Key.Name, n.told(o), o.Seen})
		o.Call = 0
	}
}
