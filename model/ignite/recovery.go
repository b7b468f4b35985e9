package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// rescueRules are those of recovery (3.1) and of near's reaction to the loss of a peer (3.2).
type rescueRules struct {
	// LostUnknown tells the client of a transaction in one phase whose owners are all gone that nobody
	// knows what became of it. Merged code reports a rollback, and the owners may come back with the
	// writes (3.2).
	LostUnknown bool
	// AsksBackups has a client that waits for primaries only wait for the backups of one that leaves
	// before it has answered. Merged code tells it of success, and none of them may have committed.
	AsksBackups bool

	Vanished     vanished // what becomes of a question whose node leaves before it answers
	RememberNo   bool     // I-18: who said no does not prepare the transaction later
	TellsGone    bool     // a question says who is gone, and who answers hears no more of those
	ReadsVote    bool     // IGNITE-12956: an object with nothing but reads counts as prepared
	OnePhaseLoss loss     // IGNITE-264: what near makes of the loss of the only primary
	NoPromise    bool     // IGNITE-12548: a yes does not bind what is PREPARED
	FallsThrough bool     // IGNITE-18590: a primary that commits by recovery rolls back after it
	DeafToLeft   bool     // ignite-3212: a question does not hear that its node has left
	LosesFlag    bool     // [hist] d85a7ae732: an answer always says no
}

// vanished is what counts if a node that was asked leaves before it answers.
type vanished uint8

const (
	countsAsYes vanished = iota // 3.1: the data on it is gone, or will be put right when it returns
	countsAsNo
	asksAnew // all are asked again, its backups in its place
)

// rescue is the recoveries and the questions under way, and the promises that have no object.
type rescue struct {
	Asks    int64      // number of the last question
	Under   []salvage  // in order of their beginning
	Asked   []question // that wait for an answer of this node
	Claims  []claim    // the same, of near nodes that check for a commit
	Checks  []inquiry  // of near objects here
	Refused []txID     // transactions that this node has said no about
	Gone    []departed // nodes that questions have called gone
}

// salvage is the recovery of one object.
type salvage struct {
	Object key
	Ask    int64        // the question that is under way, 0 if it waits for a prepare here
	Waits  []sim.NodeID // who has not answered it
	Near   bool         // it went to near
	Begun  bool         // its finalization is taken
}

// question is an RQ, and claim a CCQ, that cannot be answered yet.
type (
	question struct {
		From sim.NodeID
		RQ   rq
	}
	claim struct {
		From sim.NodeID
		CCQ  ccq
	}
)

// departed is a node that is gone for a transaction, though this node may not have consumed that.
type departed struct {
	txID
	Node sim.NodeID
}

// there says that a node is still the one that a transaction was mapped to: it has not left, it is
// not one that has joined again, without its memory, and no question has called it gone.
func (n *node) there(env *sim.Env, o *object, id sim.NodeID) bool {
	return n.stillThere(env, id, o.Map) &&
		!slices.Contains(n.rescue.Gone, departed{o.Key.txID, id})
}

// still are those of a list that are there.
func (n *node) still(env *sim.Env, o *object, ids []sim.NodeID) []sim.NodeID {
	return those(ids, func(id sim.NodeID) bool { return n.there(env, o, id) })
}

// orphan: the originating node of an object is gone (3.1). An object that is PREPARED is recovered.
// If its prepare is running, that comes first. Otherwise it is rolled back.
func (n *node) orphan(env *sim.Env, o *object) {
	r := salvage{Object: o.Key}
	switch {
	case slices.ContainsFunc(n.rescue.Under, r.same):
	case o.State == prepared:
		n.recover(env, o)
	case o.State == preparing && o.Prepares:
		n.keep(r)
	case undone.has(o.State):
		n.abandon(env, o)
	}
}

// undone are the states of an object that is not prepared, and can be rolled back.
const undone = states(1<<active | 1<<suspended | 1<<preparing | 1<<markedRollback)

// abandon rolls an object back that was not PREPARED, if nobody else finishes it.
func (n *node) abandon(env *sim.Env, o *object) {
	n.drop(o.Key)
	if !n.take(env, o, byRecovery) {
		return
	}
	if o.State != markedRollback {
		n.to(env, o, markedRollback)
	}
	n.rollback(env, o)
}

// recover begins the recovery of a PREPARED object: whoever takes its finalization owns the finish.
// A primary in one phase waits for its backup, which commits first (3.1, rule 4).
func (n *node) recover(env *sim.Env, o *object) {
	if !n.take(env, o, byRecovery) {
		n.drop(o.Key)
		return
	}
	env.Note(recovering{o.Key, n.gone(env, o, []sim.NodeID{o.Key.Near, o.Key.Primary})})
	r := salvage{Object: o.Key, Begun: true}
	switch {
	case o.OnePhase && o.Prepares:
		n.keep(r)
	case n.there(env, o, o.Key.Near):
		r.Waits, r.Near = []sim.NodeID{o.Key.Near}, true
		n.ask(env, o, r)
	default:
		n.poll(env, o)
	}
}

// gone are those of a list that are not there any more.
func (n *node) gone(env *sim.Env, o *object, ids []sim.NodeID) []sim.NodeID {
	var list []sim.NodeID
	for _, id := range ids {
		if !n.there(env, o, id) && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// ask sends a question to all that the recovery waits for.
func (n *node) ask(env *sim.Env, o *object, r salvage) {
	n.rescue.Asks++
	r.Ask = n.rescue.Asks
	n.keep(r)
	q := rq{txID: o.Key.txID, Ask: r.Ask, Near: r.Near, Mapped: o.Map.TopVer}
	if n.rules.rescue.TellsGone {
		q.Gone = n.gone(env, o, o.Map.members(o.Key.Near))
	}
	for _, id := range r.Waits {
		q.Objects = o.Map.objects(id)
		n.send(env, id, q, o)
	}
}

// members are all nodes of a transaction.
func (m *mapping) members(near sim.NodeID) []sim.NodeID {
	list := []sim.NodeID{near}
	for _, s := range m.Shares {
		list = union(union(list, []sim.NodeID{s.Primary}), s.Backups)
	}
	return list
}

// objects is how many objects of a transaction a node should have, not counting near's.
func (m *mapping) objects(id sim.NodeID) int {
	count := 0
	for _, s := range m.Shares {
		if s.Primary == id {
			count++
		}
		if slices.Contains(s.Backups, id) {
			count++
		}
	}
	return count
}

// poll is rule 2: near is gone, and the transaction commits if all of it is prepared or committed,
// here and everywhere. The only primary asks nobody (rule 3).
func (n *node) poll(env *sim.Env, o *object) {
	r := salvage{Object: o.Key, Begun: true}
	if count := o.Map.objects(n.id); count > 1 {
		switch n.votes(o.Key.txID, count) {
		case undecided:
			n.keep(r)
			return
		case no:
			n.finish(env, o, false)
			return
		}
	}
	if r.Waits = n.voters(env, o); len(r.Waits) == 0 {
		n.finish(env, o, true)
		return
	}
	n.ask(env, o, r)
}

// voters are asked in rule 2: each other primary, or the backups of one that is gone. A backup that
// also is a primary is asked as that.
func (n *node) voters(env *sim.Env, o *object) []sim.NodeID {
	var primaries, list []sim.NodeID
	for _, s := range o.Map.Shares {
		primaries = append(primaries, s.Primary)
	}
	for _, s := range o.Map.Shares {
		switch {
		case s.Primary == n.id:
		case n.there(env, o, s.Primary):
			list = union(list, []sim.NodeID{s.Primary})
		default:
			list = union(list, n.still(env, o, minus(s.Backups, append(primaries, n.id))))
		}
	}
	return list
}

// minus are those of a list that are not in another.
func minus(list, others []sim.NodeID) []sim.NodeID {
	return slices.DeleteFunc(slices.Clone(list), func(id sim.NodeID) bool {
		return slices.Contains(others, id)
	})
}

// onRR: an answer. Near's is obeyed; of the others one no is enough.
func (n *node) onRR(env *sim.Env, from sim.NodeID, m rr) {
	at := slices.IndexFunc(n.rescue.Under, func(r salvage) bool {
		return r.Ask == m.Ask && r.Object.txID == m.txID && slices.Contains(r.Waits, from)
	})
	if at < 0 {
		return // of a question that nobody asks any more
	}
	if o := n.find(n.rescue.Under[at].Object); o != nil && n.there(env, o, from) {
		n.counted(env, n.rescue.Under[at], from, m.Yes)
	}
}

// counted takes an answer in.
func (n *node) counted(env *sim.Env, r salvage, from sim.NodeID, yes bool) {
	o := n.find(r.Object)
	r.Waits = without(r.Waits, from)
	switch {
	case o == nil:
		n.drop(r.Object)
	case !yes:
		n.finish(env, o, false)
	case len(r.Waits) == 0:
		n.finish(env, o, true)
	default:
		n.keep(r)
	}
}

// finish ends a recovery.
func (n *node) finish(env *sim.Env, o *object, commit bool) {
	n.drop(o.Key)
	if !commit {
		n.rollback(env, o)
		return
	}
	n.commit(env, o)
	if n.rules.rescue.FallsThrough && o.Key.Role == primary {
		for _, b := range o.Own.Backups {
			n.send(env, b, dfq{txID: o.Key.txID}, o)
		}
	}
}

// askedLeft: a node that was asked has left. If it was near, rule 2 follows, with both among the
// failed.
func (n *node) askedLeft(env *sim.Env, peer sim.NodeID) {
	if n.rules.rescue.DeafToLeft {
		return
	}
	for _, was := range slices.Clone(n.rescue.Under) {
		r, o := n.under(was.Object)
		if o == nil || !slices.Contains(r.Waits, peer) {
			continue
		}
		switch rule := n.rules.rescue.Vanished; {
		case r.Near, rule == asksAnew:
			n.poll(env, o)
		default:
			n.counted(env, r, peer, rule == countsAsYes)
		}
	}
}

// resume goes on with recoveries of a transaction that wait for a prepare to end here.
func (n *node) resume(env *sim.Env, t txID) {
	for _, was := range slices.Clone(n.rescue.Under) {
		r, o := n.under(was.Object)
		switch {
		case o == nil || o.Key.txID != t || r.Ask != 0 || o.Prepares && o.State != prepared:
		case undone.has(o.State):
			n.abandon(env, o)
		case o.State != prepared:
			n.drop(o.Key)
		case o.OnePhase && o.Prepares:
		case o.OnePhase && n.take(env, o, byRecovery):
			n.finish(env, o, true)
		case r.Begun:
			n.poll(env, o)
		default:
			n.recover(env, o)
		}
	}
}

// under is the recovery of an object as it is now, and the object; nil if there is none.
func (n *node) under(k key) (salvage, *object) {
	at := slices.IndexFunc(n.rescue.Under, salvage{Object: k}.same)
	if at < 0 {
		return salvage{}, nil
	}
	return n.rescue.Under[at], n.find(k)
}

func (r salvage) same(x salvage) bool { return x.Object == r.Object }

// keep notes where a recovery is.
func (n *node) keep(r salvage) {
	if at := slices.IndexFunc(n.rescue.Under, r.same); at >= 0 {
		n.rescue.Under[at] = r
		return
	}
	n.rescue.Under = append(n.rescue.Under, r)
}

// drop ends what is under way for an object.
func (n *node) drop(k key) {
	n.rescue.Under = slices.DeleteFunc(n.rescue.Under, salvage{Object: k}.same)
}

// rescuePrepared: the prepare of an object has ended, with it PREPARED or failed.
func (n *node) rescuePrepared(env *sim.Env, o *object) {
	n.resume(env, o.Key.txID)
	n.replyAll(env)
}

// rescueDone: an object is COMMITTED, ROLLED_BACK or UNKNOWN.
func (n *node) rescueDone(env *sim.Env, o *object) {
	n.drop(o.Key)
	n.replyAll(env)
}
