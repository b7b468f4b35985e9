package ignite

import (
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// What a primary does with its share of a transaction. The object is the primary object, or the
// near object if near and primary are one node.

// onNPQ: the primary prepares its share. A request of a node that has left is ignored (1.1), and
// what has ended here is not begun again (1.3).
func (n *node) onNPQ(env *sim.Env, from sim.NodeID, m npq) {
	if n.strayed(m.Map) || !n.stillThere(env, from, m.Map) {
		return
	}
	k := key{m.txID, primary, n.id}
	o, why := n.find(k), ""
	if _, over := n.endedAs(k); over || n.refusesLate(m.txID) {
		why = "the transaction has ended here"
	} else if o == nil {
		why = n.outdated(m.txID, m.Map)
	}
	if why != "" {
		n.send(env, from, npr{txID: m.txID, Err: why}, nil)
		return
	}
	if o == nil {
		o = n.make(env, k, m.Map)
	}
	o.Map, o.OnePhase = m.Map, m.Map.OnePhase
	for _, s := range m.Map.Shares {
		if s.Primary == n.id {
			o.Own = s
		}
	}
	n.to(env, o, preparing)
	n.preparePart(env, o)
}

// preparePart is the primary's part of the first phase: locks, if they are not there yet, then the
// backups, then PREPARED.
func (n *node) preparePart(env *sim.Env, o *object) {
	o.Prepares = true
	for _, w := range o.Own.Writes {
		if why := n.unfitHere(env, w.Key); why != "" {
			n.partFailed(env, o, why)
			return
		}
	}
	if slices.Contains(n.marks, "refuse "+o.Key.Name) {
		n.partFailed(env, o, "refused")
		return
	}
	var few [4]string // most shares are of no more keys
	for _, k := range o.Own.keys(few[:0]) {
		if !n.acquire(o.Key, k) {
			o.Wants = append(o.Wants, k)
		}
	}
	if len(o.Wants) > 0 {
		env.After(patience, timeout{o.Key})
		return
	}
	n.partLocked(env, o)
}

func (n *node) unfitHere(env *sim.Env, k string) string {
	owners := n.owners(env, n.layout.of(k))
	if len(owners) == 0 || owners[0] != n.id {
		return "not the primary of " + k
	}
	return ""
}

// keys adds to a list the keys that must be locked: those written, and those read where reads take
// part.
func (s *share) keys(keys []string) []string {
	for _, w := range s.Writes {
		if !slices.Contains(keys, w.Key) {
			keys = append(keys, w.Key)
		}
	}
	for _, r := range s.Reads {
		if !slices.Contains(keys, r.Key) {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// partLocked: all locks are held. A serializable transaction validates what it has read; the writes
// get their values and their update counters; backups are asked. A primary with one phase is
// PREPARED before it asks its backup (IGNITE-10277), and nothing can make it roll back once it has
// (IGNITE-8902).
func (n *node) partLocked(env *sim.Env, o *object) {
	if o.Map.Mode == serializable && !n.commits.NoValidation {
		for _, r := range o.Own.Reads {
			if n.part(r.Key).get(r.Key).Counter != r.Counter {
				n.partFailed(env, o, r.Key+" has changed")
				return
			}
		}
	}
	o.Updates = n.resolve(o.Own.Writes)
	o.Backs = nil
	if len(o.Updates) > 0 {
		o.Backs = n.still(env, o, o.Own.Backups)
	}
	if o.OnePhase && n.cached(o) {
		o.OnePhase, o.Demoted = false, true
	}
	if o.OnePhase && !n.commits.LatePrepared {
		n.becomePrepared(env, o)
		return
	}
	n.askBackups(env, o)
}

// cached says that clients have a key of the share in near caches.
func (n *node) cached(o *object) bool {
	return slices.ContainsFunc(o.Own.Writes, func(w write) bool { return n.layout.of(w.Key).Cached })
}

// resolve gives writes their values and their places in the update counters of their partitions.
func (n *node) resolve(writes []write) []update {
	if len(writes) == 0 {
		return nil
	}
	list := make([]update, 0, len(writes))
	for _, w := range writes {
		p := n.part(w.Key)
		value := w.Value
		if w.Adds {
			was, _ := strconv.ParseInt(p.before(list, w.Key), 10, 64)
			value = strconv.FormatInt(was+w.Add, 10)
		}
		p.Reserved = max(p.Reserved, p.Counter) + 1
		list = append(list, update{w.Key, p.Name, value, p.Reserved})
	}
	return list
}

// before is what a key holds once some updates are done.
func (p *partition) before(done []update, k string) string {
	value := p.get(k).Value
	for _, u := range done {
		if u.Key == k {
			value = u.Value
		}
	}
	return value
}

// askBackups sends DPQ to every backup that has writes.
func (n *node) askBackups(env *sim.Env, o *object) {
	o.Asked = true
	for _, b := range o.Backs {
		m := dpq{o.Key.txID, o.Map, n.updatesFor(b, o.Updates), o.OnePhase}
		n.send(env, b, m, o)
	}
	n.backupsVoted(env, o)
}

// updatesFor are the updates of the partitions that a node owns.
func (n *node) updatesFor(b sim.NodeID, all []update) []update {
	return those(all, func(u update) bool { return slices.Contains(n.layout.of(u.Key).Owners, b) })
}

// onDPR: a backup has prepared; with one phase it has committed, and the tag came with its answer.
func (n *node) onDPR(env *sim.Env, from sim.NodeID, m dpr) {
	o := n.duty(m.txID)
	if o == nil || !o.Prepares || !slices.Contains(o.Backs, from) {
		return
	}
	if m.Err != "" && o.Err == "" {
		o.Err = m.Err
	}
	o.Backs = without(o.Backs, from)
	n.backupsVoted(env, o)
}

// backupsVoted: all backups have answered, or have left.
func (n *node) backupsVoted(env *sim.Env, o *object) {
	switch {
	case !o.Prepares || o.Voted || len(o.Backs) > 0:
	case o.Err != "":
		n.partFailed(env, o, o.Err)
	case o.OnePhase && o.State == prepared:
		n.oneCommit(env, o)
	case o.Key.Role == near && !o.OnePhase:
		o.Voted = true
		n.nearVoted(env, o)
	default:
		n.becomePrepared(env, o)
	}
}

// partPrepared: in two phases the primary answers; in one it asks its backup, or commits if it has
// none.
func (n *node) partPrepared(env *sim.Env, o *object) {
	switch {
	case o.OnePhase && n.commits.LatePrepared:
		n.oneCommit(env, o)
	case o.OnePhase:
		n.askBackups(env, o)
	default:
		o.Voted, o.Prepares = true, false
		n.send(env, o.Key.Near, npr{txID: o.Key.txID, Demoted: o.Demoted}, o)
		n.prepareEnded(env, o)
		n.obey(env, o)
	}
}

// oneCommit is the commit of a primary with one phase, after its backup's.
func (n *node) oneCommit(env *sim.Env, o *object) {
	none := len(o.Own.Backups) == 0 || len(o.Updates) == 0
	if none && n.ZeroSigner == signPrimary || !none && n.OneSigner == signPrimary {
		n.tag(env, o)
	}
	o.Voted, o.Prepares = true, false
	mine := n.take(env, o, byUser)
	n.prepareEnded(env, o)
	if mine {
		n.commit(env, o)
	}
}

// partFailed: the primary cannot prepare its share. It answers so, and rolls back when near says.
func (n *node) partFailed(env *sim.Env, o *object, why string) {
	o.Err, o.Prepares, o.Voted, o.Wants = why, false, true, nil
	env.Cancel(timeout{o.Key})
	if o.Key.Role == near {
		o.Prepares = true
		n.nearVoted(env, o)
		return
	}
	n.to(env, o, markedRollback)
	n.send(env, o.Key.Near, npr{txID: o.Key.txID, Err: why}, o)
	n.prepareEnded(env, o)
	n.obey(env, o)
}

// onNFQ: near has decided. Who finishes a transaction is taken once (1.3); a prepare that is
// running comes to its end first.
func (n *node) onNFQ(env *sim.Env, from sim.NodeID, m nfq) {
	o := n.find(key{m.txID, primary, n.id})
	switch {
	case o == nil:
		n.lateFinish(env, from, m)
	case !n.take(env, o, byUser): // recovery has it
	case m.Commit && o.Prepares:
		o.Obeys = toCommit
	case m.Commit:
		n.commitOwn(env, o)
	case o.OnePhase && o.Asked && !n.commits.RollbackAfter: // the backup may have committed
	default:
		n.rollback(env, o)
	}
}

// commitOwn commits a share. Merged code leaves the tag as it came.
func (n *node) commitOwn(env *sim.Env, o *object) {
	if n.Resigns == o.Key.Role && n.Resigns != near {
		n.tag(env, o)
	}
	if n.commits.EagerBackup && o.Key.Role == primary {
		n.finishBackups(env, o, true)
	}
	n.commit(env, o)
}

// lateFinish answers a finish of what is not here: it has ended, or never began, and then it never
// will.
func (n *node) lateFinish(env *sim.Env, from sim.NodeID, m nfq) {
	k := key{m.txID, primary, n.id}
	if _, over := n.endedAs(k); !over && !m.Commit {
		n.ended = append(n.ended, endedTx{k, false})
	}
	if n.alive(env, from) {
		n.send(env, from, nfr(m), nil)
	}
}

// obey does what NFQ asked for while the prepare was running.
func (n *node) obey(env *sim.Env, o *object) {
	switch o.Obeys {
	case toCommit:
		n.commitOwn(env, o)
	case toRollback:
		n.rollback(env, o)
	}
}

// partCommitted: the primary has committed. In one phase it answers, with the tag. In two it tells
// its backups, and answers when the sync mode says (1.6).
func (n *node) partCommitted(env *sim.Env, o *object) {
	user := o.By == byUser && n.alive(env, o.Key.Near)
	if o.OnePhase && o.By == byUser {
		if user {
			n.send(env, o.Key.Near, npr{txID: o.Key.txID}, o)
		}
		n.forget(o)
		return
	}
	if o.Map.Sync == primarySync && user {
		n.send(env, o.Key.Near, nfr{o.Key.txID, true}, o)
	}
	o.Reply = o.Map.Sync != primarySync
	if !o.Finishes {
		n.finishBackups(env, o, true)
	}
	n.partFinished(env, o)
}

// finishBackups sends DFQ to the backups. A rollback is answered whatever the sync mode is
// (IGNITE-12548).
func (n *node) finishBackups(env *sim.Env, o *object, commit bool) {
	o.Finishes = true
	reply := o.Map.Sync == fullSync || !commit && !n.commits.LooseRollback
	o.Backs = nil
	if !o.Asked {
		return
	}
	backups := n.still(env, o, o.Own.Backups)
	if reply {
		o.Backs = backups
	}
	for _, b := range backups {
		m := dfq{txID: o.Key.txID, Commit: commit, Reply: reply}
		m.Rescued = o.By == byRecovery && n.TellsRescue
		n.send(env, b, m, o)
	}
}

// onDFR: a backup has finished.
func (n *node) onDFR(env *sim.Env, from sim.NodeID, m dfr) {
	o := n.duty(m.txID)
	if o == nil || !o.Finishes {
		return
	}
	o.Backs = without(o.Backs, from)
	if o.Key.Role == near {
		n.nearFinished(env, o)
		return
	}
	n.partFinished(env, o)
}

// partFinished: the backups have finished as far as anybody waits for them.
func (n *node) partFinished(env *sim.Env, o *object) {
	if !o.Finishes || len(o.Backs) > 0 {
		return
	}
	o.Finishes = false
	if o.State == rollingBack {
		n.rolledBack(env, o)
	}
	if o.Reply && n.alive(env, o.Key.Near) {
		n.send(env, o.Key.Near, nfr{o.Key.txID, o.State != rolledBack}, o)
	}
	n.forget(o)
}
