package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// snapshot is what this node knows of the restore that is under way, and of those that it has asked
// for and not heard of on discovery.
type snapshot struct {
	Run   restoring
	Asked []sim.CallID
	Early []earlyReply
}

// readLog rebuilds a node from its disk after a restart: the data, and which transactions ended
// how. What was PREPARED has vanished (Q16), and with it the locks.
func (n *node) readLog(env *sim.Env) {
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		switch r := env.Disk.At(at).(type) {
		case txRecord:
			if r.State != prepared {
				n.recall(r.txID, r.State == committed)
			}
		case dataRecord:
			n.recall(r.txID, true) // only a commit writes it
			n.redo(r)
		case gapRecord:
			if p := n.owned(r.Part); p != nil {
				p.Counter = max(p.Counter, r.To)
			}
		case pagesRecord:
			n.place(r.Part)
		case rebalanceRecord:
			n.redoRebalance(r)
		case restoredRecord:
			for i := range r.Data {
				n.place(r.Data[i])
			}
		}
	}
	if n.replay.Completes {
		n.completeLast(env)
	}
	for i := range n.parts {
		n.parts[i].Reserved = n.parts[i].Counter
	}
}

// recall puts an outcome into the completed-versions map. The record has the near id alone.
func (n *node) recall(t txID, yes bool) {
	e := endedTx{nearKey(t), yes}
	if !slices.Contains(n.ended, e) {
		n.ended = append(n.ended, e)
	}
}

// owned is the partition of a name, nil if this node does not own it.
func (n *node) owned(name string) *partition {
	at := slices.IndexFunc(n.parts, func(p partition) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return &n.parts[at]
}

func (n *node) redo(r dataRecord) {
	if p := n.owned(r.Update.Part); p != nil {
		p.put(r.txID, r.Update)
	}
}

// place puts a partition in the place of what this node has of it.
func (n *node) place(part partition) {
	if p := n.owned(part.Name); p != nil {
		*p = part.clone()
	}
}

func (n *node) redoRebalance(r rebalanceRecord) {
	if r.Full {
		n.place(r.Part)
		return
	}
	for _, e := range r.Part.Entries {
		n.redo(dataRecord{e.Tx, update{e.Key, r.Part.Name, e.Value, e.Counter}})
	}
	if p := n.owned(r.Part.Name); p != nil {
		p.Counter = max(p.Counter, r.Part.Counter)
	}
}

// occupied says what runs here that a cut cannot run beside, "" if nothing does.
func (n *node) occupied() string {
	switch {
	case n.basing() != "":
		return "full snapshot " + n.basing() + " is being made"
	case n.restores():
		return "cut " + n.snapshot.Run.Cut + " is being restored"
	}
	return ""
}

// restores says that a restore is under way, and the data about to change.
func (n *node) restores() bool { return n.snapshot.Run.Call != 0 && !n.replay.Heedless }

// invokeSnapshot takes the requests for a full snapshot and for a restore.
func (n *node) invokeSnapshot(env *sim.Env, c sim.Call) {
	switch op := c.Op.(type) {
	case baseOp:
		n.onBase(env, c.ID, op)
	case restoreOp:
		n.onRestore(env, c.ID, op)
	case baselineOp:
		n.onBaseline(env, c.ID, op)
	}
}

// onSnapshot takes a message of a restore.
func (n *node) onSnapshot(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case restoreReply:
		n.onRestoreReply(env, from, m)
	case restoreTake:
		n.onRestoreTake(env, from, m)
	case restoreGive:
		n.onRestoreGive(env, m)
	}
}

// onSnapshotLog takes what discovery says of a restore.
func (n *node) onSnapshotLog(env *sim.Env, what sim.Notice) {
	switch m := what.Body.(type) {
	case restoreAsked:
		n.onRestoreAsked(env, m)
	case restoreStage:
		n.onRestoreStage(env, what, m)
	}
}
