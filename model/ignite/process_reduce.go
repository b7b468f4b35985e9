package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// older says that a node joined before another: founders did before all others, in the order of
// their ids.
func (n *node) older(a, b sim.NodeID) bool {
	x, y := n.order.of(a), n.order.of(b)
	return x < y || x == y && a < b
}

// oldestOf is the oldest server of a list.
func (n *node) oldestOf(ids []sim.NodeID) (who sim.NodeID, ok bool) {
	for _, id := range ids {
		if !n.layout.client(id) && (!ok || n.older(id, who)) {
			who, ok = id, true
		}
	}
	return who, ok
}

// reply gives this node's reply in a stage.
func (n *node) reply(env *sim.Env, r *run, why string) {
	r.Replied, r.Why = true, why
	n.sendReply(env, r)
}

// sendReply sends it to the reducer, and again to the next one if that leaves.
func (n *node) sendReply(env *sim.Env, r *run) {
	n.post(env, r.Reducer, single{r.Start.Cut, r.Stage, r.Why})
}

// onSingle keeps a reply. It may come before this node has consumed START, or that it is the
// reducer.
func (n *node) onSingle(env *sim.Env, from sim.NodeID, m single) {
	if n.over(m.Cut) && !n.rules.process.AnyReply {
		return
	}
	n.process.keep(arrived{from, m})
	for i := range n.process.Runs {
		n.reduce(env, &n.process.Runs[i])
	}
}

// keep adds a reply behind those of its sender. Senders stand in their order: which of them was
// faster makes no difference, and is not remembered.
func (p *process) keep(a arrived) {
	at := len(p.Replies)
	for at > 0 && p.Replies[at-1].From > a.From {
		at--
	}
	p.Replies = slices.Insert(p.Replies, at, a)
}

// replyOf is a node's reply in the stage that a process is in.
func (n *node) replyOf(r *run, id sim.NodeID) (single, bool) {
	for _, a := range n.process.Replies {
		own := a.Reply.Cut == r.Start.Cut || n.rules.process.AnyReply
		if a.From == id && a.Reply.Stage == r.Stage && own {
			return a.Reply, true
		}
	}
	return single{}, false
}

// awaits says that the reducer waits for a node, as long as it does not leave.
func (n *node) awaits(r *run, id sim.NodeID) bool {
	switch n.rules.process.Awaits {
	case serversOnly:
		return !n.layout.client(id)
	case listedOnly:
		return slices.Contains(r.Start.Baseline, id)
	}
	return true
}

// reduce is rule 4, and the second half of rule 5: the reducer publishes the result of a stage once
// all whom it waits for have replied or left, and END once the result of START is there.
func (n *node) reduce(env *sim.Env, r *run) {
	if r.Reducer != n.id || r.Published || r.Stage != between && !n.allIn(r) {
		return
	}
	r.Published = true
	n.publish(env, r, n.failure(r))
	if n.rules.process.Publishes == twice {
		n.publish(env, r, n.failure(r))
	}
}

// allIn says that nobody is waited for any more.
func (n *node) allIn(r *run) bool {
	missing := 0
	for _, id := range r.Members {
		if _, ok := n.replyOf(r, id); !ok && r.has(id) && n.awaits(r, id) {
			missing++
		}
	}
	return missing == 0 || missing == 1 && n.rules.process.Publishes == oneShort
}

// publish publishes what ends the stage.
func (n *node) publish(env *sim.Env, r *run, err string) {
	c := r.Start.Cut
	switch {
	case r.Stage == between:
		env.Publish(endCut{c, err})
	case r.Stage == ending:
		env.Publish(endResult{c, err, r.Start.Base, r.Start.Index})
		env.Note(result{c, "end", err})
	case n.rules.process.OneStage: // the first stage is the last one
		env.Publish(startResult{c, err, r.Start.Base, r.Start.Index})
		env.Note(result{c, "end", err})
	default:
		env.Publish(startResult{c, err, r.Start.Base, r.Start.Index})
		env.Note(result{c, "start", err})
	}
}

// failure says why a cut has failed so far, "" if it has not: every listed baseline node must have
// replied without an error and be there still, and so must the initiator.
func (n *node) failure(r *run) string {
	if r.Err != "" {
		return r.Err
	}
	for _, id := range r.Start.Baseline {
		if n.lost(r, id) {
			return whyLeft
		}
	}
	if (r.Orphan || !r.has(r.Start.Initiator)) && !n.rules.process.InitiatorOK {
		return whyInitiator
	}
	for _, id := range r.Members {
		if n.rules.process.ClientsTied && n.layout.client(id) && !r.has(id) {
			return "client left"
		}
		if m, ok := n.replyOf(r, id); ok && n.awaits(r, id) && m.Err != "" {
			return m.Err
		}
	}
	return ""
}

// lost says that a listed node is gone, which fails the cut.
func (n *node) lost(r *run, id sim.NodeID) bool {
	if r.has(id) {
		return false
	}
	if _, replied := n.replyOf(r, id); !replied && r.Stage == starting {
		return !n.rules.process.MissingOK
	}
	return !n.rules.process.MissingOK && !n.rules.process.LeavesOK
}
