package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// onStartResult is rule 5: a node stops signing, and collects what is still active, whatever its
// state, since a message of it may be signed. With one stage, the process is over.
func (n *node) onStartResult(env *sim.Env, m startResult) {
	r := n.run(m.Cut)
	if r == nil || r.Stage != starting {
		if r == nil && n.rules.process.OneStage {
			n.rememberEnd(endResult(m))
		}
		return
	}
	r.Err = m.Err
	if n.rules.process.OneStage {
		if m.Err != "" {
			n.dropIncrement(env, r)
		}
		n.endProcess(env, r)
		return
	}
	if n.rules.process.TellsEarly && m.Err == "" {
		n.conclude(env, r.Start, "")
	}
	r.Stage, r.Replied, r.Published = between, false, false
	if r.holds(n.cut.ID) {
		n.unsign(env)
	}
	if r.Mine && !n.rules.process.NoDrain {
		r.Drain = n.activeNow()
	}
	n.reduce(env, r)
}

// activeNow are the objects in the active map.
func (n *node) activeNow() []key {
	list := make([]key, 0, len(n.objs))
	for _, o := range n.objs {
		if !o.Off && !o.State.done() {
			list = append(list, o.Key)
		}
	}
	return list
}

// processDone: an object of a transaction is done, which the drain may have waited for.
func (n *node) processDone(env *sim.Env, o *object) {
	for i := range n.process.Runs {
		r := &n.process.Runs[i]
		if at := slices.Index(r.Drain, o.Key); at >= 0 {
			r.Drain = slices.Delete(r.Drain, at, at+1)
			n.drained(env, r)
		}
	}
}

// drained answers END once there is nothing to wait for.
func (n *node) drained(env *sim.Env, r *run) {
	if r.Stage == ending && !r.Replied && len(r.Drain) == 0 {
		n.reply(env, r, "")
	}
}

// onEnd is END. A cut that has failed leaves no increment. Who drains slowly answers later.
func (n *node) onEnd(env *sim.Env, m endCut) {
	r := n.run(m.Cut)
	if r == nil || r.Stage != between {
		return
	}
	r.Stage, r.Err, r.Published = ending, m.Err, false
	if r.Err != "" {
		n.dropIncrement(env, r)
	}
	n.drained(env, r)
	n.reduce(env, r)
}

// onEndResult is rule 6: the node forgets the cut. Only now may another one start.
func (n *node) onEndResult(env *sim.Env, m endResult) {
	r := n.run(m.Cut)
	if r == nil || r.Stage != ending {
		if r == nil { // this node joined after START
			n.rememberEnd(m)
		}
		return
	}
	r.Err = m.Err
	n.leaveCut(env, r)
	n.endProcess(env, r)
}

// leaveCut ends this node's part in the cut.
func (n *node) leaveCut(env *sim.Env, r *run) {
	if r.holds(n.cut.ID) {
		n.unsign(env)
		n.forgetCut(env)
	}
}

// endProcess ends a process: the initiator answers, and nothing of it stays but the id.
func (n *node) endProcess(env *sim.Env, r *run) {
	c := r.Start.Cut
	if r.Kept && r.Err == "" && n.rules.process.Doubts {
		n.confirm(env, r.increment())
	}
	n.conclude(env, r.Start, r.Err)
	n.rememberEnd(endResult{c, r.Err, r.Start.Base, r.Start.Index})
	n.process.Runs = those(n.process.Runs, func(x run) bool { return x.Start.Cut != c })
}

// rememberEnd keeps the id of a cut that has ended, and drops what belongs to it. The increment of
// one that succeeded counts. Of two results that two reducers have published the first is heeded.
func (n *node) rememberEnd(m endResult) {
	if n.over(m.Cut) {
		return
	}
	if m.Err == "" {
		n.incremented(m.Base, m.Index)
	}
	n.process.Ended = append(n.process.Ended, m)
	n.process.Replies = those(n.process.Replies,
		func(a arrived) bool { return a.Reply.Cut != m.Cut })
	n.process.Told = those(n.process.Told, func(f foreign) bool { return f.Cut != m.Cut })
}

// conclude answers those whose cut has ended: who asked this node for it, and clients of this node
// whose server has left.
func (n *node) conclude(env *sim.Env, m startCut, err string) {
	waits := n.process.Asked
	n.process.Asked = nil
	for _, a := range waits {
		own := a.Server == n.id && m.Initiator == n.id || a.Server == sim.Nobody
		if a.Cut == m.Cut.Name && own {
			n.answerCut(env, a, err)
		} else {
			n.process.Asked = append(n.process.Asked, a)
		}
	}
}

// answerCut tells a client how its cut has ended, directly or through its node.
func (n *node) answerCut(env *sim.Env, a asked, err string) {
	switch {
	case a.Client == n.id:
		env.Return(a.Call, cutEnded{a.Cut, err})
	case n.alive(env, a.Client):
		n.post(env, a.Client, toldCut{a.Cut, err})
	}
}

// onTold is the answer to a request that this client has passed on.
func (n *node) onTold(env *sim.Env, m toldCut) {
	at := slices.IndexFunc(n.process.Asked, func(a asked) bool { return a.Cut == m.Cut })
	if at < 0 {
		return // the server has left since, and the client was told that
	}
	a := n.process.Asked[at]
	n.process.Asked = slices.Delete(n.process.Asked, at, at+1)
	n.answerCut(env, a, m.Err)
}
