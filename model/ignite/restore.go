package ignite

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// A restore of a cut (4) is a process over discovery, as a cut is. At its first stage every node
// stops new transactions and says whether it can restore. At the second, when all can, each lets
// what is left of transactions come to its end, and replays its log. At its end all put what they
// replayed in the place of their data, or nobody does. An exchange follows: no new transaction is
// mapped until all have done so. A change of the servers, a node that joins, or the loss of the
// initiator stops it; since it is on discovery that all hear of that, all stop at the same point.

// The messages of a restore. Call is the request that it serves, which names it.
type (
	// restoreAsked, on discovery, begins it.
	restoreAsked struct {
		Cut       string
		Initiator sim.NodeID
		Call      sim.CallID
	}
	// restoreReply is a node's answer to a stage. Err is "" if all is well. Sure says that the node
	// has seen that the cut was a success. Counter is the highest update counter that it knows of.
	restoreReply struct {
		Call    sim.CallID
		Stage   restoreStep
		Err     string
		Sure    bool
		Counter int64
	}
	// restoreStage, on discovery, is the result of a stage. Counter is the highest of all replies.
	restoreStage struct {
		Call    sim.CallID
		Stage   restoreStep
		Err     string
		Counter int64
	}
	// restoreTake asks another owner for what it restores of a partition, which the log of the asking
	// node lacks. restoreGive is the answer.
	restoreTake struct {
		Call sim.CallID
		Cut  string
		Part string
	}
	restoreGive struct {
		Call sim.CallID
		Part partition
		Err  string
	}
)

// restoreStep is a stage of a restore.
type restoreStep uint8

const (
	restoreReady  restoreStep = iota // can every node do it, and has it stopped new transactions
	restoreReplay                    // has it no transaction left, and its data replayed
)

func (restoreAsked) Kind() string { return "restore" }
func (restoreReply) Kind() string { return "restore-reply" }
func (restoreStage) Kind() string { return "restore-stage" }
func (restoreTake) Kind() string  { return "restore-take" }
func (restoreGive) Kind() string  { return "restore-give" }

func (m restoreAsked) Keys() []string { return []string{m.Cut} }
func (m restoreReply) Keys() []string { return []string{m.Stage.String()} }
func (m restoreStage) Keys() []string { return []string{m.Stage.String()} }
func (m restoreTake) Keys() []string  { return []string{m.Cut, m.Part} }
func (m restoreGive) Keys() []string  { return []string{m.Part.Name} }

func (m restoreReply) String() string {
	return answered("restore-reply", txID{Name: m.Stage.String()}, m.Err)
}
func (m restoreStage) String() string {
	return answered("restore-stage", txID{Name: m.Stage.String()}, m.Err)
}

func (s restoreStep) String() string {
	switch s {
	case restoreReady:
		return "ready"
	case restoreReplay:
		return "replay"
	}
	panic(fmt.Sprintf("ignite: stage %d of a restore", uint8(s)))
}

// restoring is the restore that runs on this node, the zero value if none does.
type restoring struct {
	Call      sim.CallID
	Cut       string
	Initiator sim.NodeID
	Stage     restoreStep
	Waits     bool         // the reply to Stage is outstanding
	Members   []sim.NodeID // who takes part
	Awaits    []sim.NodeID // of the initiator: whose replies to Stage are outstanding
	Err       string       // of the initiator: the first error that was replied
	Sure      bool         // of the initiator: somebody has seen that the cut was a success
	Counter   int64        // of the initiator: the highest update counter that was replied
	Of        cutID        // the cut that was replayed
	Parts     []partition  // what was replayed
	Lost      []string     // partitions that other owners have been asked for
	Asked     []sim.NodeID // owners that have been asked for the first of them
}

// earlyReply is a reply to a stage that the initiator has not heard of yet.
type earlyReply struct {
	From  sim.NodeID
	Reply restoreReply
}

// restoredCut is a fact: this node's data is that of a cut, or of a full snapshot.
type restoredCut struct {
	Cut      string
	Call     sim.CallID   // the request for it
	Baseline []sim.NodeID // of the restore: who must do it
	Parts    []partition
}

func (restoredCut) Kind() string     { return "restored" }
func (f restoredCut) Keys() []string { return []string{f.Cut} }

// onRestore publishes the request of a client.
func (n *node) onRestore(env *sim.Env, call sim.CallID, op restoreOp) {
	if why := n.unfitForRestore(env); why != "" {
		env.Refuse(call, unable{why})
		return
	}
	n.snapshot.Asked = append(slices.Clip(n.snapshot.Asked), call)
	env.Publish(restoreAsked{op.Cut, n.id, call})
}

// unfitForRestore says why no restore can begin as things stand, "" if one can.
func (n *node) unfitForRestore(env *sim.Env) string {
	base := n.baselineNodes()
	switch {
	case n.occupied() != "":
		return n.occupied()
	case n.busy():
		return whyBusy
	case n.pending():
		return "the topology is changing"
	case len(n.living(env, base)) < len(base):
		return whyOffline
	}
	return ""
}

// onRestoreAsked is the first stage. Every node has the same reasons to refuse, but for those of
// its log and of its own transactions.
func (n *node) onRestoreAsked(env *sim.Env, m restoreAsked) {
	n.snapshot.Asked = slices.DeleteFunc(slices.Clone(n.snapshot.Asked),
		func(c sim.CallID) bool { return c == m.Call })
	if n.snapshot.Run.Call != 0 {
		if m.Initiator == n.id {
			env.Refuse(m.Call, unable{n.occupied()})
		}
		return
	}
	why := n.unfitForRestore(env)
	if why == "" {
		why = n.unableToRestore(env, m.Cut)
	}
	n.snapshot.Run = restoring{Call: m.Call, Cut: m.Cut, Initiator: m.Initiator,
		Members: slices.Clone(env.Nodes)}
	if m.Initiator == n.id {
		n.snapshot.Run.Awaits = slices.Clone(env.Nodes)
	}
	if n.replay.Alone && why == "" && n.baseline() {
		n.replayLog(env)
		n.putInPlace(env, n.topCounter())
	}
	n.replyRestore(env, why)
	n.takeEarly(env)
}

// unableToRestore says why this node cannot restore a cut: its log does not have all of it, or a
// transaction of its clients is under way.
func (n *node) unableToRestore(env *sim.Env, cut string) string {
	for _, o := range n.objs {
		if o.Key.Role == near && !o.State.done() && !n.replay.Heedless {
			return "transaction " + o.Key.Name + " is " + o.State.String()
		}
	}
	if !n.baseline() {
		return ""
	}
	if why := n.unready(); why != "" {
		return why
	}
	if n.rebased(env, cut) {
		return whyForbids + " since then"
	}
	if _, err := n.replayed(env, cut); err != nil {
		return err.Error()
	}
	return ""
}

// rebased says that the baseline has changed since the full snapshot that a restore begins with: a
// restore wants the same one (4, step 1).
func (n *node) rebased(env *sim.Env, cut string) bool {
	log := ReadLog(env.Disk)
	p, err := log.passage(cut, n.replay)
	return err == nil && slices.ContainsFunc(log[p.Base+1:], func(r sim.Record) bool {
		m, ok := r.(metaRecord)
		return ok && m.Forbidden == whyForbids
	})
}

// replayed is what this node's log makes of a cut.
func (n *node) replayed(env *sim.Env, cut string) (restored, error) {
	return ReadLog(env.Disk).restoreOn(n.layout.owned(n.id), cut, n.replay)
}

func (n *node) replyRestore(env *sim.Env, why string) {
	r := &n.snapshot.Run
	r.Waits = false
	m := restoreReply{Call: r.Call, Stage: r.Stage, Err: why, Sure: n.sureOf(env, r.Cut)}
	if n.replay.CountsOn {
		m.Counter = n.topCounter()
	}
	if r.Initiator == n.id {
		n.onRestoreReply(env, n.id, m)
		return
	}
	n.post(env, r.Initiator, m)
}

// onRestoreReply: the initiator publishes the result of a stage when all have replied. A reply may
// come before the initiator itself has heard of the stage.
func (n *node) onRestoreReply(env *sim.Env, from sim.NodeID, m restoreReply) {
	r := &n.snapshot.Run
	if slices.Contains(n.snapshot.Asked, m.Call) || r.Call == m.Call && r.Stage < m.Stage {
		n.snapshot.Early = append(slices.Clip(n.snapshot.Early), earlyReply{from, m})
		return
	}
	if r.Call != m.Call || r.Stage != m.Stage || !slices.Contains(r.Awaits, from) {
		return
	}
	if r.Err == "" && m.Err != "" {
		r.Err = env.Name(from) + ": " + m.Err
	}
	r.Sure, r.Counter = r.Sure || m.Sure, max(r.Counter, m.Counter)
	n.strikeReply(env, from)
}

// sureOf says that this node has seen that a cut was a success, where increments are in doubt until
// somebody has. A full snapshot is not.
func (n *node) sureOf(env *sim.Env, cut string) bool {
	if !n.baseline() || !n.rules.process.Doubts || n.replay.TakesFailed {
		return n.baseline()
	}
	l := ReadLog(env.Disk)
	newest, at := l.increment(cut)
	return at < 0 || slices.Contains(l[:at], sim.Record(newest))
}

// takeEarly takes the replies that came before this node had heard of the stage.
func (n *node) takeEarly(env *sim.Env) {
	early := n.snapshot.Early
	n.snapshot.Early = nil
	for _, e := range early {
		n.onRestoreReply(env, e.From, e.Reply)
	}
}

func (n *node) strikeReply(env *sim.Env, peer sim.NodeID) {
	r := &n.snapshot.Run
	r.Awaits = without(r.Awaits, peer)
	if len(r.Awaits) > 0 {
		return
	}
	if r.Err == "" && !r.Sure {
		r.Err = "nobody has seen that cut " + r.Cut + " was a success"
	}
	env.Publish(restoreStage{r.Call, r.Stage, r.Err, r.Counter})
}

// onRestoreStage: all can restore, all have replayed, or it has failed.
func (n *node) onRestoreStage(env *sim.Env, what sim.Notice, m restoreStage) {
	r := &n.snapshot.Run
	switch {
	case r.Call != m.Call || r.Stage != m.Stage:
	case m.Err != "":
		n.endRestore(env, m.Err)
	case m.Stage == restoreReady:
		r.Stage, r.Waits = restoreReplay, true
		if r.Initiator == n.id {
			r.Awaits = n.living(env, r.Members) // clients may have left
		}
		n.tryReplay(env)
		n.takeEarly(env)
	default:
		if n.baseline() && !n.replay.Alone {
			n.putInPlace(env, m.Counter)
		}
		n.endRestore(env, "")
		if !n.replay.Heedless {
			n.wantExchange(env, what.Pos)
		}
	}
}

// endRestore ends it on this node; transactions may begin again.
func (n *node) endRestore(env *sim.Env, why string) {
	r := n.snapshot.Run
	n.snapshot.Run = restoring{}
	n.snapshot.Early = slices.DeleteFunc(slices.Clone(n.snapshot.Early),
		func(e earlyReply) bool { return e.Reply.Call == r.Call })
	switch {
	case r.Initiator != n.id:
	case why != "":
		env.Refuse(r.Call, unable{"restore of " + r.Cut + ": " + why})
	default:
		env.Return(r.Call, done{})
	}
}

// restoreJoined and restoreLeft stop a restore, at the same point of discovery on all nodes.
func (n *node) restoreJoined(env *sim.Env, peer sim.NodeID) {
	if n.snapshot.Run.Call != 0 {
		n.endRestore(env, env.Name(peer)+" has joined")
	}
}

func (n *node) restoreLeft(env *sim.Env, peer sim.NodeID) {
	r := &n.snapshot.Run
	switch {
	case r.Call == 0:
	case !n.layout.client(peer) || peer == r.Initiator:
		n.endRestore(env, env.Name(peer)+" has left")
	case slices.Contains(r.Awaits, peer):
		n.strikeReply(env, peer)
	}
}

// restoreDone: an object is done, which the second stage may have waited for.
func (n *node) restoreDone(env *sim.Env) { n.tryReplay(env) }

// heldBack refuses a new transaction while a restore runs: its data is about to change.
func (n *node) heldBack(env *sim.Env, c sim.Call) bool {
	if n.snapshot.Run.Call == 0 || n.replay.Heedless {
		return false
	}
	switch op := c.Op.(type) {
	case beginOp:
	case commitOp:
		if n.find(nearKey(n.idOf(op.Tx))) != nil {
			return false
		}
	default:
		return false
	}
	env.Refuse(c.ID, unable{n.occupied()})
	return true
}
