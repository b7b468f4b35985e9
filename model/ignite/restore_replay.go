package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// tryReplay is the second stage, once no transaction is under way here.
func (n *node) tryReplay(env *sim.Env) {
	r := &n.snapshot.Run
	running := func(o *object) bool { return !o.State.done() }
	if r.Stage != restoreReplay || !r.Waits ||
		slices.ContainsFunc(n.objs, running) && !n.replay.Heedless {
		return
	}
	if n.baseline() && !n.replay.Alone {
		n.replayLog(env)
	}
	if len(r.Lost) == 0 && r.Waits {
		n.replyRestore(env, "")
	}
}

// replayLog replays the log up to the cut. What it lacks of a partition another owner is asked for.
func (n *node) replayLog(env *sim.Env) {
	r := &n.snapshot.Run
	got, err := n.replayed(env, r.Cut)
	if err != nil {
		return // the first stage has seen that there is none
	}
	r.Of, r.Parts, r.Lost = got.Cut, got.Parts, got.Lost
	n.askForLost(env)
}

// askForLost asks the next owner for the first partition that is outstanding.
func (n *node) askForLost(env *sim.Env) {
	r := &n.snapshot.Run
	if len(r.Lost) == 0 {
		return
	}
	name := r.Lost[0]
	for _, id := range n.living(env, n.layout.of(name).Owners) {
		if id != n.id && !slices.Contains(r.Asked, id) {
			r.Asked = append(r.Asked, id)
			n.post(env, id, restoreTake{r.Call, r.Cut, name})
			return
		}
	}
	r.Lost = nil
	n.replyRestore(env, "no owner can restore "+name+" from its log")
}

func (n *node) onRestoreTake(env *sim.Env, from sim.NodeID, m restoreTake) {
	give := restoreGive{Call: m.Call, Part: partition{Name: m.Part}, Err: "it is not in the log"}
	got, err := n.replayed(env, m.Cut)
	at := slices.IndexFunc(got.Parts, func(p partition) bool { return p.Name == m.Part })
	if err == nil && at >= 0 && !slices.Contains(got.Lost, m.Part) {
		give.Part, give.Err = got.Parts[at], ""
	}
	n.post(env, from, give)
}

func (n *node) onRestoreGive(env *sim.Env, m restoreGive) {
	r := &n.snapshot.Run
	if r.Call != m.Call || len(r.Lost) == 0 || r.Lost[0] != m.Part.Name {
		return
	}
	if m.Err == "" {
		at := slices.IndexFunc(r.Parts, func(p partition) bool { return p.Name == m.Part.Name })
		r.Parts = slices.Clone(r.Parts)
		r.Parts[at] = m.Part
		r.Lost, r.Asked = r.Lost[1:], nil
	}
	n.askForLost(env)
	if len(r.Lost) == 0 && r.Waits {
		n.replyRestore(env, "")
	}
}

// putInPlace makes what was replayed the data of this node. Of the versions after a restore the
// draft says that the restored one is set; merged code forbids increments until a full snapshot
// (D12). Counter is the highest that was given until now.
func (n *node) putInPlace(env *sim.Env, counter int64) {
	r := &n.snapshot.Run
	for i := range r.Parts {
		n.place(r.Parts[i])
	}
	if n.replay.CountsOn {
		n.countOn(counter + 1)
	}
	why := "it was restored to " + r.Cut
	if n.replay.Increments {
		why = ""
	}
	n.forbid(env, why)
	env.Disk.Append(restoredRecord{r.Of, clones(n.parts)})
	if n.Counter && r.Of.Version > 0 && n.replay.VersionBack {
		n.learn(env, r.Of)
	}
	env.Disk.Sync()
	env.Note(restoredCut{r.Cut, r.Call, n.baselineNodes(), clones(n.parts)})
}

// countOn gives a new counter to all that this node has, also to keys that hold nothing.
func (n *node) countOn(counter int64) {
	for i := range n.parts {
		p := &n.parts[i]
		for _, k := range n.layout.of(p.Name).Keys {
			e := p.get(k)
			p.put(e.Tx, update{k, p.Name, e.Value, counter})
		}
		p.Counter, p.Reserved = counter, counter
	}
}

// topCounter is the highest update counter that this node knows of.
func (n *node) topCounter() int64 {
	top := int64(0)
	for i := range n.parts {
		top = max(top, n.parts[i].Counter, n.parts[i].Reserved)
	}
	return top
}

func clones(list []partition) []partition {
	all := make([]partition, len(list))
	for i := range list {
		all[i] = list[i].clone()
	}
	return all
}
