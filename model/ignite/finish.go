package ignite

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// to takes an object to a state, if the table of 1.3 lets it, and says whether it did.
func (n *node) to(env *sim.Env, o *object, s state) bool {
	if !legal(o.State, s) && !n.backsOut(o, s) && !n.commits.Illegal {
		env.Note(refusedMove{o.Key, o.State, s})
		return false
	}
	was := o.State
	o.State = s
	logged := s == prepared && !n.commits.NoRecord || s == committed || s == rolledBack
	if n.baseline() && logged {
		r := txRecord{txID: o.Key.txID, State: s}
		if s == prepared {
			r.Shares = n.sharesOf(o)
		}
		env.Disk.Append(r)
		if s != prepared {
			env.Disk.Sync()
		}
	}
	env.Note(moved{o.Key, was, s, o.By})
	return true
}

// backsOut says that a purely local object rolls back while it is committing.
func (n *node) backsOut(o *object, s state) bool {
	return s == rollingBack && o.State == committing && o.Key.Role == near && len(n.asked(o)) == 0
}

// take takes the finalization of an object: USER_FINISH can be taken from NONE only,
// RECOVERY_FINISH from NONE and again (IGNITE-17457). It says whether it was taken.
func (n *node) take(env *sim.Env, o *object, by finalization) bool {
	again := o.By == byRecovery && by == byRecovery && !n.commits.PinOnce
	loose := o.By == byRecovery && by == byUser && n.commits.PinLoose
	if o.By != nobody && !again && !loose {
		return false
	}
	if o.By != by {
		o.By = by
		env.Note(pinned{o.Key, by})
	}
	return true
}

// becomePrepared writes the TxRecord, at once or as a step of its own.
func (n *node) becomePrepared(env *sim.Env, o *object) {
	if n.SplitLog && n.baseline() {
		env.Later(logPrepared{o.Key})
		return
	}
	n.nowPrepared(env, o)
}

// onLogPrepared goes on where becomePrepared left off.
func (n *node) onLogPrepared(env *sim.Env, k key) {
	if o := n.find(k); o != nil && o.State == preparing {
		n.nowPrepared(env, o)
	}
}

// nowPrepared: an object is PREPARED, and does what its role does then.
func (n *node) nowPrepared(env *sim.Env, o *object) {
	if !n.to(env, o, prepared) {
		return
	}
	switch {
	case o.Key.Role == backup:
		n.backupPrepared(env, o)
	case o.Key.Role == primary, o.Colocated && o.OnePhase && !o.Voted:
		n.partPrepared(env, o)
	default:
		n.nearPrepared(env, o)
	}
}

// commit commits an object (1.7): COMMITTING, its data records, out of the active map, COMMITTED.
func (n *node) commit(env *sim.Env, o *object) {
	if !n.to(env, o, committing) {
		return
	}
	if o.Key.Role == backup && !n.isTurn(o) && !n.commits.NoLockOrder {
		o.Stalled = true
		return
	}
	n.steps(env, o)
}

// steps does the rest of a commit, at once or in three steps.
func (n *node) steps(env *sim.Env, o *object) {
	if n.SplitEnd && n.baseline() {
		env.Later(step{o.Key, writeData})
		return
	}
	for s := writeData; s <= complete && o.State == committing; s++ {
		n.doStep(env, o, s)
	}
}

// onStep does one step of a commit, and leaves the next one for later.
func (n *node) onStep(env *sim.Env, m step) {
	o := n.find(m.Object)
	if o == nil || o.State != committing {
		return
	}
	n.doStep(env, o, m.What)
	if m.What < complete && o.State == committing {
		env.Later(step{m.Object, m.What + 1})
	}
}

func (n *node) doStep(env *sim.Env, o *object, s commitStep) {
	switch s {
	case writeData:
		n.writeData(env, o)
	case leaveMap:
		n.off(env, o)
	case complete:
		n.to(env, o, committed)
		n.objectDone(env, o)
		n.afterwards(env, o)
	}
}

// writeData: the completed-versions map, the data records, the commit callback (1.7, steps 1 to 3).
// A commit that fails is UNKNOWN, and stands in the map all the same.
func (n *node) writeData(env *sim.Env, o *object) {
	n.ended = append(n.ended, endedTx{o.Key, true})
	if slices.Contains(n.marks, "fail "+o.Key.Name) && len(o.Updates) > 0 {
		if n.RemembersFailed {
			n.remember(o)
		}
		n.to(env, o, unknown)
		n.off(env, o)
		n.objectDone(env, o)
		n.afterwards(env, o)
		return
	}
	for _, u := range o.Updates {
		if p := n.part(u.Key); p != nil {
			env.Disk.Append(dataRecord{o.Key.txID, u})
			p.put(o.Key.txID, u)
		}
	}
	n.remember(o)
}

// off takes an object out of the active map, and releases its locks (1.7, step 4).
func (n *node) off(env *sim.Env, o *object) {
	o.Off = true
	if o.Key.Role != backup {
		n.release(env, o)
		return
	}
	n.unstall(env)
}

// afterwards is what the role of an object does once it is COMMITTED, or UNKNOWN.
func (n *node) afterwards(env *sim.Env, o *object) {
	switch o.Key.Role {
	case near:
		n.nearCommitted(env, o)
	case primary:
		n.partCommitted(env, o)
	case backup:
		n.backupCommitted(env, o)
	}
}

// rollback rolls an object back. A primary waits for its backups before it is ROLLED_BACK, so that
// it cannot forget the transaction while a backup may still be asked by recovery (IGNITE-12548).
func (n *node) rollback(env *sim.Env, o *object) {
	n.take(env, o, byUser)
	running := o.Prepares
	o.Prepares = false
	if !n.to(env, o, rollingBack) {
		return
	}
	if running {
		n.prepareEnded(env, o)
	}
	switch o.Key.Role {
	case near:
		n.finishAll(env, o, false)
		n.rolledBack(env, o)
		n.nearFinished(env, o)
	case primary:
		o.Reply = true
		n.finishBackups(env, o, false)
		n.partFinished(env, o)
	case backup:
		n.rolledBack(env, o)
		n.backupRolledBack(env, o)
	}
}

// backupRolledBack answers a rollback if that is wanted.
func (n *node) backupRolledBack(env *sim.Env, o *object) {
	if o.Reply && n.alive(env, o.Key.Primary) {
		n.send(env, o.Key.Primary, dfr{o.Key.txID, false}, o)
	}
	n.forget(o)
}

// rolledBack ends a rollback.
func (n *node) rolledBack(env *sim.Env, o *object) {
	n.ended = append(n.ended, endedTx{o.Key, false})
	n.to(env, o, rolledBack)
	n.off(env, o)
	n.objectDone(env, o)
}

// strike: a peer that has left is not waited for any more. A backup that is gone counts as done;
// what a primary that is gone means is for near to say first.
func (n *node) strike(env *sim.Env, o *object, peer sim.NodeID) {
	waited := slices.Contains(o.Waits, peer) || slices.Contains(o.Backs, peer)
	o.Waits, o.Backs = without(o.Waits, peer), without(o.Backs, peer)
	switch {
	case !waited:
	case o.Prepares && o.Key.Role == near:
		n.backupsVoted(env, o)
		if n.find(o.Key) == o && o.Voted {
			n.nearVoted(env, o)
		}
	case o.Prepares:
		n.backupsVoted(env, o)
	case o.Finishes && o.Key.Role == near:
		n.nearFinished(env, o)
	case o.Finishes:
		n.partFinished(env, o)
	}
}

// endedAs looks a local id up in the completed-versions map.
func (n *node) endedAs(k key) (committed, known bool) {
	for i := range n.ended {
		if e := &n.ended[i]; e.Object.is(&k) && e.Object.Life == k.Life {
			return e.Committed, true
		}
	}
	return false, false
}

// refusedMove: a transition was refused, since the table does not have it.
type refusedMove struct {
	Object   key
	From, To state
}

func (refusedMove) Kind() string     { return "refused-move" }
func (f refusedMove) Keys() []string { return []string{f.Object.Name, f.Object.Role.String()} }

func (f refusedMove) String() string {
	return fmt.Sprintf("%s stays %s, not %s", f.Object, f.From, f.To)
}
