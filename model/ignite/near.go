package ignite

import (
	"cmp"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// patience is how long a transaction waits for a lock before it is rolled back.
const patience = 300 * time.Millisecond

// onBegin opens a transaction for a client.
func (n *node) onBegin(env *sim.Env, call sim.CallID, op beginOp) {
	if n.taken(op.Tx) {
		env.Refuse(call, unable{"transaction " + op.Tx + " has been there"})
		return
	}
	n.open(env, op.Tx, op.Mode, op.Sync)
	env.Return(call, done{})
}

// open makes the near object, in state ACTIVE.
func (n *node) open(env *sim.Env, name string, m mode, s syncMode) *object {
	id := txID{name, n.id}
	o := &object{Key: nearKey(id), Map: mapping{Mode: m, Sync: s}}
	n.objs = append(n.objs, o)
	env.Note(began{id})
	env.Note(made{o.Key, false})
	if n.TagAt == atBegin {
		n.tag(env, o)
	}
	return o
}

// taken says that a name cannot be used again.
func (n *node) taken(name string) bool {
	t := txID{name, n.id}
	_, known := n.outcomeOf(t)
	return known || n.find(nearKey(t)) != nil
}

// onCommit commits a transaction that is open, or all at once: locks, reads, prepare, commit.
func (n *node) onCommit(env *sim.Env, call sim.CallID, op commitOp) {
	o := n.find(nearKey(txID{op.Tx, n.id}))
	if o == nil && n.taken(op.Tx) {
		env.Refuse(call, unable{"transaction " + op.Tx + " has ended"})
		return
	}
	if o == nil && len(op.Writes)+len(op.Reads) == 0 {
		env.Refuse(call, unable{"no transaction " + op.Tx + " is open"})
		return
	}
	if o == nil {
		if why := n.unknownKey(op.Writes, op.Reads); why != "" {
			env.Refuse(call, unable{why})
			return
		}
		o = n.open(env, op.Tx, op.Mode, op.Sync)
	}
	if o.State != active || o.Call != 0 {
		env.Refuse(call, unable{"transaction " + op.Tx + " is " + o.State.String()})
		return
	}
	o.Call, o.Auto = call, true
	n.plan(o, op.Writes, op.Reads)
	n.next(env, o)
}

// onAccess writes and reads in an open transaction.
func (n *node) onAccess(env *sim.Env, call sim.CallID, op accessOp) {
	o := n.find(nearKey(txID{op.Tx, n.id}))
	why := n.unknownKey(op.Writes, op.Reads)
	switch {
	case o == nil:
		why = "no transaction " + op.Tx + " is open"
	case o.State != active || o.Call != 0:
		why = "transaction " + op.Tx + " is " + o.State.String()
	}
	if why != "" {
		env.Refuse(call, unable{why})
		return
	}
	o.Call = call
	n.plan(o, op.Writes, op.Reads)
	n.next(env, o)
}

// unknownKey says which key has no place, "" if all have.
func (n *node) unknownKey(writes []write, reads []string) string {
	for _, w := range writes {
		if n.layout.of(w.Key) == nil {
			return "no key is called " + w.Key
		}
	}
	for _, k := range reads {
		if n.layout.of(k) == nil {
			return "no key is called " + k
		}
	}
	return ""
}

// plan notes what the transaction has still to do while it is ACTIVE. A pessimistic one locks what
// it writes and what it reads, key by key; the others only read.
func (n *node) plan(o *object, writes []write, reads []string) {
	o.Writes = slices.Concat(o.Writes, writes)
	var todo []access
	for _, w := range writes {
		if o.Map.Mode == pessimistic {
			todo = append(todo, access{Key: w.Key, Lock: true})
		}
	}
	for _, k := range reads {
		todo = append(todo, access{Key: k, Lock: o.Map.Mode == pessimistic})
		o.Reads = append(o.Reads, access{Key: k, Lock: o.Map.Mode == pessimistic})
	}
	o.Todo = slices.Concat(o.Todo, todo)
}

// next goes on with what an ACTIVE transaction has to do.
func (n *node) next(env *sim.Env, o *object) {
	for o.State == active && len(o.Todo) > 0 {
		if !n.access(env, o, o.Todo[0]) {
			return // it waits
		}
	}
	switch {
	case o.State != active:
	case o.Auto:
		n.prepare(env, o)
	case o.Call != 0:
		env.Return(o.Call, done{})
		o.Call = 0
	}
}

// access locks or reads a key at its primary; it says whether that is done at once.
func (n *node) access(env *sim.Env, o *object, a access) bool {
	if o.Map.TopVer == 0 && n.exchanging() {
		n.await(o)
		return false
	}
	owners := n.owners(env, n.layout.of(a.Key))
	if len(owners) == 0 {
		n.giveUp(env, o, "no owner of "+a.Key+" is there")
		return false
	}
	if o.Map.TopVer == 0 && a.Lock {
		o.Map.TopVer = n.mapped()
	}
	p := owners[0]
	if a.Lock {
		env.After(patience, timeout{o.Key})
		if p == n.id {
			return n.lockHere(env, o, a.Key)
		}
		m := mapping{Mode: o.Map.Mode, Sync: o.Map.Sync, TopVer: o.Map.TopVer}
		o.Todo[0].Asked, o.Todo[0].Primary = true, p
		n.send(env, p, lq{o.Key.txID, m, a.Key}, o)
		return false
	}
	if p == n.id {
		n.seen(env, o, n.part(a.Key).get(a.Key), p)
		return true
	}
	o.Todo[0].Asked, o.Todo[0].Primary = true, p
	n.send(env, p, gq{o.Key.txID, a.Key}, o)
	return false
}

// mapped is the topology that a transaction is mapped on now. The first one is 1.
func (n *node) mapped() int64 { return n.topVer + 1 }

// lockHere locks a key for a near object whose node is its primary.
func (n *node) lockHere(env *sim.Env, o *object, k string) bool {
	if !n.acquire(o.Key, k) {
		o.Wants = append(o.Wants, k)
		return false
	}
	n.locksHere(env, o, k)
	return true
}

func (n *node) locksHere(env *sim.Env, o *object, k string) {
	e := n.part(k).get(k)
	env.Note(locked{o.Key.txID, k, e.Counter, e.Tx})
	n.seen(env, o, e, n.id)
}

// seen takes in what a lock or a read has brought, which was the first of what is to do.
func (n *node) seen(env *sim.Env, o *object, e entry, p sim.NodeID) {
	a := o.Todo[0]
	o.Todo = slices.Clone(o.Todo[1:])
	a.Primary, a.Counter = p, e.Counter
	if a.Lock {
		env.Cancel(timeout{o.Key})
		o.Locks = append(o.Locks, a)
	}
	for i := range o.Reads {
		if o.Reads[i].Key == a.Key {
			o.Reads[i] = a
			o.Seen = append(o.Seen, e)
			env.Note(saw{o.Key.txID, a.Key, e.Counter, a.Lock})
			return
		}
	}
}

// onLR: a lock is there, or will not come.
func (n *node) onLR(env *sim.Env, from sim.NodeID, m lr) {
	if p := n.part(m.Key); p != nil && n.commits.OwnCopy {
		m.Value = p.get(m.Key).Value
	}
	n.brought(env, from, m.txID, entry{Key: m.Key, Value: m.Value, Counter: m.Counter}, m.Err)
}

// onGR: a key was read.
func (n *node) onGR(env *sim.Env, from sim.NodeID, m gr) {
	n.brought(env, from, m.txID, entry{Key: m.Key, Value: m.Value, Counter: m.Counter}, m.Err)
}

func (n *node) brought(env *sim.Env, from sim.NodeID, t txID, e entry, err string) {
	o := n.find(nearKey(t))
	if o == nil || o.State != active || len(o.Todo) == 0 || o.Todo[0].Key != e.Key {
		return // it has given up
	}
	if err != "" {
		n.giveUp(env, o, err)
		return
	}
	n.seen(env, o, e, from)
	n.next(env, o)
}

// giveUp rolls an ACTIVE transaction back that cannot go on.
func (n *node) giveUp(env *sim.Env, o *object, why string) {
	o.Err = why
	n.to(env, o, markedRollback)
	n.rollback(env, o)
}

// prepare begins the first phase, or the only one: near maps the transaction and asks every primary
// that takes part (1.4).
func (n *node) prepare(env *sim.Env, o *object) {
	if o.Map.TopVer == 0 && n.exchanging() {
		n.await(o)
		return
	}
	if why := n.mapShares(env, o); why != "" {
		n.giveUp(env, o, why)
		return
	}
	env.Note(mapped{o.Key.txID, o.Map})
	n.to(env, o, preparing)
	o.Prepares, o.Voted, o.OnePhase = true, true, o.Map.OnePhase
	for _, s := range o.Map.Shares {
		if s.Primary == n.id {
			o.Colocated, o.Own, o.Voted = true, s, false
		} else {
			o.Waits = append(o.Waits, s.Primary)
		}
	}
	for _, p := range o.Waits {
		n.send(env, p, npq{o.Key.txID, o.Map}, o)
	}
	if o.Colocated {
		n.preparePart(env, o)
		return
	}
	n.nearVoted(env, o)
}

// mapShares maps the transaction to the owners of its keys; it says why that cannot be.
func (n *node) mapShares(env *sim.Env, o *object) string {
	if o.Map.TopVer == 0 {
		o.Map.TopVer = n.mapped()
	}
	var shares []share
	for _, w := range o.Writes {
		owners, why := n.ownersFor(env, o, w.Key)
		if why != "" {
			return why
		}
		s := shareOf(&shares, owners[0])
		s.Writes = append(s.Writes, w)
		s.Backups = union(s.Backups, owners[1:])
	}
	for _, r := range o.Reads {
		if o.Map.Mode == optimistic {
			continue // a plain read takes no part
		}
		owners, why := n.ownersFor(env, o, r.Key)
		if why != "" {
			return why
		}
		s := shareOf(&shares, owners[0])
		s.Reads = append(s.Reads, sight{r.Key, r.Counter})
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(a.Primary, b.Primary) })
	o.Map.Shares = shares
	o.Map.OnePhase = len(shares) == 1 && len(shares[0].Backups) <= 1 && n.even(env, &shares[0])
	return ""
}

// even says that all writes of a share have the same backups. Merged code looks at how many nodes
// there are in all: a key without a backup goes with one that has one, and is lost if the primary
// dies after the backup's commit.
func (n *node) even(env *sim.Env, s *share) bool {
	if !n.commits.EvenBackups {
		return true
	}
	for _, w := range s.Writes {
		if len(n.owners(env, n.layout.of(w.Key)))-1 != len(s.Backups) {
			return false
		}
	}
	return true
}

// shareOf is the share of a primary.
func shareOf(shares *[]share, p sim.NodeID) *share {
	at := slices.IndexFunc(*shares, func(s share) bool { return s.Primary == p })
	if at < 0 {
		at = len(*shares)
		*shares = append(*shares, share{Primary: p})
	}
	return &(*shares)[at]
}

// ownersFor are the owners of a key. A lock that another node has granted is worth nothing.
func (n *node) ownersFor(env *sim.Env, o *object, k string) ([]sim.NodeID, string) {
	owners := n.owners(env, n.layout.of(k))
	if len(owners) == 0 {
		return nil, "no owner of " + k + " is there"
	}
	for _, a := range o.Locks {
		if a.Key == k && a.Primary != owners[0] {
			return nil, "the primary of " + k + " has changed"
		}
	}
	return owners, ""
}

// onNPR: a primary has prepared, or cannot. In one phase it has committed.
func (n *node) onNPR(env *sim.Env, from sim.NodeID, m npr) {
	o := n.find(nearKey(m.txID))
	if o != nil && n.stillThere(env, from, o.Map) { // else it has left since, and recovery speaks for it
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
	for _, s := range o.Map.Shares {
		list = union(list, []sim.NodeID{s.Primary})
	}
	for _, a := range o.Locks {
		list = union(list, []sim.NodeID{a.Primary})
	}
	if len(o.Todo) > 0 && o.Todo[0].Lock && o.Todo[0].Asked { // and nobody has answered
		list = union(list, []sim.NodeID{o.Todo[0].Primary})
	}
	return without(list, n.id)
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

// onRollback rolls an open transaction back for its client.
func (n *node) onRollback(env *sim.Env, call sim.CallID, op rollbackOp) {
	o := n.find(nearKey(txID{op.Tx, n.id}))
	if o == nil || o.Call != 0 || o.State != active && o.State != suspended {
		env.Refuse(call, unable{"no transaction " + op.Tx + " is open"})
		return
	}
	o.Call = call
	n.rollback(env, o)
}

// onSuspend and onResume are for an ACTIVE transaction that nothing is under way for.
func (n *node) onSuspend(env *sim.Env, call sim.CallID, op suspendOp) {
	n.turn(env, call, op.Tx, suspended)
}

func (n *node) onResume(env *sim.Env, call sim.CallID, op resumeOp) {
	n.turn(env, call, op.Tx, active)
}

func (n *node) turn(env *sim.Env, call sim.CallID, name string, to state) {
	o := n.find(nearKey(txID{name, n.id}))
	if o == nil || o.Call != 0 || !n.to(env, o, to) {
		env.Refuse(call, unable{"transaction " + name + " cannot become " + to.String()})
		return
	}
	env.Return(call, done{})
}

// onTimeout: a lock did not come in time.
func (n *node) onTimeout(env *sim.Env, k key) {
	o := n.find(k)
	if o == nil {
		return
	}
	late := n.commits.LateTimeout && o.OnePhase && o.Asked && !o.State.done()
	switch {
	case k.Role == near && o.State == active && len(o.Todo) > 0:
		n.giveUp(env, o, "timed out waiting for "+o.Todo[0].Key)
	case len(o.Wants) > 0 && o.State == preparing, late:
		n.partFailed(env, o, "timed out")
	}
}

func without[T comparable](list []T, id T) []T {
	at := slices.Index(list, id)
	if at < 0 {
		return list
	}
	return slices.Concat(list[:at], list[at+1:])
}

// union is both lists in one, without repetitions, in the order of first mention.
func union[T comparable](list, more []T) []T {
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(slices.Clip(list), id)
		}
	}
	return list
}
