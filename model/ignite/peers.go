package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// loss is what near makes of the loss of the only primary.
type loss uint8

const (
	asksBackup loss = iota
	assumesRollback
	assumesCommit
)

const ownersLeft = "all partition owners left"

// inquiry is near's question to the backups of a primary that is gone, whether they have committed.
type inquiry struct {
	Object  key
	Primary sim.NodeID
	Waits   []sim.NodeID
	Wait    bool         // two phases: they answer once they have finished
	Heard   []sim.NodeID // who has answered
}

// peerLeft: a node has left (3.1, 3.2). Objects whose originating node it was are recovered, and
// nobody waits for it any more.
func (n *node) peerLeft(env *sim.Env, peer sim.NodeID) {
	for _, o := range slices.Clone(n.objs) {
		if n.find(o.Key) == o {
			n.partWith(env, o, peer)
		}
	}
	n.askedLeft(env, peer)
	n.checkedLeft(env, peer)
	n.replyAll(env)
}

// partWith is what an object does without a peer. A backup that is gone counts as done.
func (n *node) partWith(env *sim.Env, o *object, peer sim.NodeID) {
	switch {
	case o.Key.Role == near:
		n.nearWithout(env, o, peer)
	case o.Key.origin() == peer:
		n.orphan(env, o)
	}
	_, waiting := n.checkOf(o.Key, peer)
	switch {
	case n.find(o.Key) != o:
	case waiting:
		o.Backs = without(o.Backs, peer)
	default:
		n.strike(env, o, peer)
	}
}

// origin is the originating node of an object: of a backup the primary, of the others near (1.2).
func (k key) origin() sim.NodeID {
	if k.Role == backup {
		return k.Primary
	}
	return k.Near
}

// nearWithout is what near does without a primary: a lock that it waits for will not come; a
// prepare has failed, unless it was the only phase; a finish is made sure of at the backups.
func (n *node) nearWithout(env *sim.Env, o *object, peer sim.NodeID) {
	waits := slices.Contains(o.Waits, peer)
	switch {
	case o.State == active && n.asking(env, o, peer):
		n.unlocked(env, o)
	case waits && o.Prepares && o.OnePhase:
		n.lostOnly(env, o, peer)
	case waits && o.Prepares:
		n.primarySaid(env, o, peer, npr{txID: o.Key.txID, Err: "a primary left"})
	case waits && o.Finishes:
		n.lostPrimary(env, o, peer)
	}
}

// asking says that an ACTIVE transaction waits for a lock or a read at a peer that has just left.
func (n *node) asking(env *sim.Env, o *object, peer sim.NodeID) bool {
	return len(o.Ahead) > 0 && o.Ahead[0].Asked && o.Ahead[0].Primary == peer
}

// unlocked: a read is tried again at the next owner, once the topology is agreed; a lock is not.
func (n *node) unlocked(env *sim.Env, o *object) {
	if o.Ahead[0].Lock {
		n.giveUp(env, o, "the primary of "+o.Ahead[0].Key+" left")
		return
	}
	o.Ahead[0].Asked = false
	n.await(o)
}

// lostOnly: the primary of one phase is gone. Its backup knows what became of the transaction.
func (n *node) lostOnly(env *sim.Env, o *object, p sim.NodeID) {
	c := inquiry{Object: o.Key, Primary: p}
	switch n.rules.rescue.OnePhaseLoss {
	case assumesRollback:
		c.Heard = []sim.NodeID{n.id}
		n.oneEnded(env, c, false)
	case assumesCommit:
		n.oneEnded(env, c, true)
	default:
		n.beginCheck(env, o, c)
	}
}

// lostPrimary: a primary of two phases is gone, and near has decided. If the client waits for
// backups, it waits for those as well; a rollback always does (1.6). In fixed they answer for the
// primary if it is that which the client waits for.
func (n *node) lostPrimary(env *sim.Env, o *object, p sim.NodeID) {
	if o.State == committed && n.bereft(env, o, p) {
		o.Err = ownersLeft
	}
	asks := n.rules.rescue.AsksBackups && o.Map.Sync == primarySync
	lazy := o.State == committed && o.Map.Sync != fullSync && !asks
	if lazy || len(o.Map.of(p).Writes) == 0 {
		n.strike(env, o, p)
		return
	}
	n.beginCheck(env, o, inquiry{Object: o.Key, Primary: p, Wait: true})
}

// bereft says that all owners of a key are gone that a primary was to write.
func (n *node) bereft(env *sim.Env, o *object, p sim.NodeID) bool {
	return slices.ContainsFunc(o.Map.of(p).Writes, func(w write) bool {
		return len(n.still(env, o, n.layout.of(w.Key).Owners)) == 0
	})
}

// finishLost does the same for primaries that are gone before near's finish begins.
func (n *node) finishLost(env *sim.Env, o *object) {
	if o.OnePhase {
		return
	}
	for _, s := range o.Map.Shares {
		left := s.Primary != n.id && !n.there(env, o, s.Primary)
		if left && (o.State == committed || len(n.still(env, o, s.Backups)) > 0) {
			o.Waits = union(o.Waits, []sim.NodeID{s.Primary})
		}
	}
	for _, p := range o.Waits {
		if !n.there(env, o, p) && n.find(o.Key) == o {
			n.lostPrimary(env, o, p)
		}
	}
}

// of is the share of a primary.
func (m *mapping) of(p sim.NodeID) share {
	for _, s := range m.Shares {
		if s.Primary == p {
			return s
		}
	}
	return share{}
}

// beginCheck asks the backups that are there.
func (n *node) beginCheck(env *sim.Env, o *object, c inquiry) {
	c.Waits = n.still(env, o, o.Map.of(c.Primary).Backups)
	n.rescue.Checks = append(n.rescue.Checks, c)
	for _, b := range c.Waits {
		n.send(env, b, ccq{o.Key.txID, c.Primary, c.Wait, o.Map.TopVer}, o)
	}
	if len(c.Waits) == 0 {
		n.checked(env, c)
	}
}

// onCCR: a backup says whether it has committed.
func (n *node) onCCR(env *sim.Env, from sim.NodeID, m ccr) {
	c, found := n.checkOf(nearKey(m.txID), m.Primary)
	if !found || !slices.Contains(c.Waits, from) {
		return
	}
	c.Waits, c.Heard = without(c.Waits, from), append(slices.Clip(c.Heard), from)
	n.keepCheck(c)
	switch {
	case !c.Wait:
		n.oneEnded(env, c, m.Committed)
	case len(c.Waits) == 0:
		n.checked(env, c)
	}
}

// checkedLeft: a backup that was asked has left.
func (n *node) checkedLeft(env *sim.Env, peer sim.NodeID) {
	for _, was := range slices.Clone(n.rescue.Checks) {
		c, found := n.checkOf(was.Object, was.Primary)
		if !found || !slices.Contains(c.Waits, peer) {
			continue
		}
		c.Waits = without(c.Waits, peer)
		n.keepCheck(c)
		if len(c.Waits) == 0 {
			n.checked(env, c)
		}
	}
}

// checked: there is nobody left to wait for.
func (n *node) checked(env *sim.Env, c inquiry) {
	if !c.Wait {
		n.oneEnded(env, c, false)
		return
	}
	n.dropCheck(c)
	o := n.find(c.Object)
	if o == nil {
		return
	}
	if n.unheard(o, c) {
		o.Err = ownersLeft
	}
	n.strike(env, o, c.Primary)
}

// unheard says that no owner of a key has answered that the primary was to write: a backup answers
// for its own keys.
func (n *node) unheard(o *object, c inquiry) bool {
	return slices.ContainsFunc(o.Map.of(c.Primary).Writes, func(w write) bool {
		return len(minus(n.layout.of(w.Key).Owners, c.Heard)) == len(n.layout.of(w.Key).Owners)
	})
}

// oneEnded ends a prepare of one phase without its primary. If the backup is gone too, near reports
// a rollback, with unknown data.
func (n *node) oneEnded(env *sim.Env, c inquiry, committed bool) {
	n.dropCheck(c)
	m := npr{txID: c.Object.txID}
	switch {
	case committed:
	case len(c.Heard) > 0:
		m.Err = "the primary left before it had committed"
	default:
		m.Err = ownersLeft
	}
	if o := n.find(c.Object); o != nil {
		n.primarySaid(env, o, c.Primary, m)
	}
}

// told is what the client is told: nobody knows what became of writes whose owners are all gone. In
// one phase merged code reports a rollback then, and they may yet return with the writes (3.2).
func (n *node) told(o *object) state {
	if o.Err == ownersLeft && (o.State == committed || n.rules.rescue.LostUnknown) {
		return unknown
	}
	return o.State
}

func (n *node) checkOf(k key, p sim.NodeID) (inquiry, bool) {
	at := slices.IndexFunc(n.rescue.Checks, inquiry{Object: k, Primary: p}.same)
	if at < 0 {
		return inquiry{}, false
	}
	return n.rescue.Checks[at], true
}

func (c inquiry) same(x inquiry) bool { return x.Object == c.Object && x.Primary == c.Primary }

func (n *node) keepCheck(c inquiry) {
	n.rescue.Checks[slices.IndexFunc(n.rescue.Checks, c.same)] = c
}

func (n *node) dropCheck(c inquiry) {
	n.rescue.Checks = slices.DeleteFunc(n.rescue.Checks, c.same)
}

// onCCQ: near asks a backup whose primary is gone.
func (n *node) onCCQ(env *sim.Env, from sim.NodeID, m ccq) {
	if n.order.of(n.id) >= m.Mapped {
		return // it was meant for this node before it lost its memory
	}
	n.rescue.Claims = append(n.rescue.Claims, claim{from, m})
	n.claimAll(env)
}

// claimAll answers those that can be answered by now: in two phases once the object is finished, in
// one phase at once, or as soon as a commit that is under way is complete.
func (n *node) claimAll(env *sim.Env) {
	for _, c := range slices.Clone(n.rescue.Claims) {
		k := key{c.CCQ.txID, backup, c.CCQ.Primary}
		o := n.find(k)
		running := o != nil && !o.State.done() && (c.CCQ.Wait || o.State == committing)
		if running || !slices.Contains(n.rescue.Claims, c) {
			continue
		}
		n.rescue.Claims = slices.DeleteFunc(n.rescue.Claims, func(x claim) bool { return x == c })
		over, _ := n.endedAs(k)
		if !over {
			n.pinRollback(env, c.CCQ, o)
		}
		n.send(env, c.From, ccr{c.CCQ.txID, c.CCQ.Primary, over}, o)
	}
}

// pinRollback: a backup that has not committed in one phase answers "rolled back", and notes that
// in the completed-versions map for the near id. The map refuses objects by their local ids, so
// that alone does not refuse a prepare request that arrives later (1.3).
func (n *node) pinRollback(env *sim.Env, q ccq, o *object) {
	if !q.Wait {
		n.ended = append(n.ended, endedTx{nearKey(q.txID), false})
	}
	n.bind(q.txID)
	if o != nil && !o.State.done() && n.refusesLate(q.txID) && n.take(env, o, byRecovery) {
		n.rollback(env, o)
	}
}
