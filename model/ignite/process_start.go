package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Why a cut fails or is refused: one text for each cause.
const (
	whyBusy      = "another cut is running"
	whyAgain     = "a cut of that name was asked for before"
	whyServers   = "no server is left"
	whyOffline   = "a baseline node is offline"
	whyLeft      = "baseline node left"
	whyInitiator = "initiator left"
	whyNoBase    = "there is no full snapshot"
	whyBasing    = "a full snapshot is being made"
	whyOtherBase = "a node lacks the full snapshot"
	whyForbidden = "increments are forbidden: "
	whyOlder     = "the version is not newer"
	whyTold      = "refused on request"
	whyStranger  = "a node has just joined"
	whyUntold    = "a node has not been told yet that it is in the baseline"
)

// invokeProcess takes the request for a cut. A client passes it on to the oldest server.
func (n *node) invokeProcess(env *sim.Env, c sim.Call) bool {
	op, ok := c.Op.(cutOp)
	if !ok {
		return false
	}
	a := asked{Cut: op.Cut, Call: c.ID, Client: n.id, Server: n.id}
	if !n.client() {
		n.initiate(env, a)
		return true
	}
	if a.Server, ok = n.oldestOf(env.Nodes); !ok {
		n.answerCut(env, a, whyServers)
		return true
	}
	n.process.Asked = append(n.process.Asked, a)
	n.post(env, a.Server, askCut(op))
	return true
}

// initiate is rule 1: this server checks what it can, chooses the id and publishes START.
func (n *node) initiate(env *sim.Env, a asked) {
	if why := n.unfitForCut(env, a.Cut); why != "" {
		n.answerCut(env, a, why)
		return
	}
	n.process.Asked = append(n.process.Asked, a)
	m := startCut{Cut: cutID{Name: a.Cut}, Baseline: n.living(env, n.baselineNodes()),
		Initiator: n.id, Since: n.order.of(n.id), Base: n.base(), Index: n.nextIncrement()}
	if n.Counter {
		m.Cut.Version = n.newest.Version + 1
	}
	env.Publish(m)
}

// unfitForCut says why this node may not initiate a cut now, "" if it may.
func (n *node) unfitForCut(env *sim.Env, name string) string {
	base := n.baselineNodes()
	switch {
	case n.used(env, name):
		return whyAgain
	case n.busy() || len(n.process.Asked) > 0:
		return whyBusy
	case n.strange():
		return whyStranger
	case n.basing() != "":
		return whyBasing
	case n.restores():
		return n.occupied()
	case len(n.living(env, base)) < len(base):
		return whyOffline
	case n.base() == "":
		return whyNoBase
	}
	return n.barred()
}

// barred says why this node cannot make an increment now: its data and its log differ, or it takes
// over data still. It is "" if it can.
func (n *node) barred() string {
	if why := n.forbidden(); why != "" {
		return whyForbidden + why
	}
	return n.unready()
}

// used says that a name cannot be that of a new cut: an id is used once, and a node that was down
// in between sees its mark in the log.
func (n *node) used(env *sim.Env, name string) bool {
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		s, ok := env.Disk.At(at).(startRecord)
		if ok && s.Cut.Name == name && s.Cut != n.cut.ID {
			return true
		}
	}
	return n.known(name)
}

// known says that this node has heard of a cut with that name.
func (n *node) known(name string) bool {
	_, ended := n.fate(name)
	return ended ||
		slices.ContainsFunc(n.process.Runs, func(r run) bool { return r.Start.Cut.Name == name })
}

// busy says that a cut is running, as far as this node knows: its START was accepted, here or,
// while this node was strange, by others; and its end is not consumed.
func (n *node) busy() bool {
	return len(n.process.Told) > 0 || slices.ContainsFunc(n.process.Runs, run.running)
}

func (r run) running() bool { return r.Mine || r.Theirs }

// onStart is rule 2. A node that is busy answers so and does not enter. Others enter, and only then
// check whether they can go on: if not, the process fails, although the node is in the cut.
func (n *node) onStart(env *sim.Env, pos int64, m startCut) {
	env.Note(listed{m.Cut, m.Baseline, m.Initiator})
	if n.used(env, m.Cut.Name) {
		n.conclude(env, m, whyAgain)
		return
	}
	why := n.declines(m)
	n.process.Runs = append(n.process.Runs, run{Start: m, Pos: pos, Members: slices.Clone(env.Nodes),
		Mine: why == "", Theirs: why == whyStranger})
	r := n.run(m.Cut)
	r.Reducer, _ = n.oldestOf(r.Members)
	r.Orphan = !r.has(m.Initiator) || n.order.of(m.Initiator) != m.Since
	if why == "" {
		n.enter(env, m.Cut, n.topVer, m.Kind())
		r.Local = n.cut.ID
		why = n.unable(r)
	}
	r.Checked = true
	switch {
	case why != "":
		n.refuse(env, r, why)
	case !n.baseline():
		n.reply(env, r, "")
	default:
		n.processLocal(env)
	}
	n.reduce(env, r)
}

// declines says why a node does not enter a cut by its START, "" if it does: another one is
// running, a full snapshot is being made, a restore is under way, or its version is not newer than
// all that the node knows, but for the cut that it is in already.
func (n *node) declines(m startCut) string {
	switch {
	case n.busy() && !n.rules.process.BusyOK:
		return whyBusy
	case n.strange():
		return whyStranger
	case n.basing() != "":
		return whyBasing
	case n.restores():
		return n.occupied()
	case n.Counter && n.newest.Version >= m.Cut.Version && n.newest != m.Cut:
		return whyOlder
	}
	return ""
}

// unable says why a baseline node cannot make this increment, although it has entered the cut, ""
// if it can. One that is listed and does not know why will not mark the cut.
func (n *node) unable(r *run) string {
	all := slices.Concat(r.Start.Baseline, n.baselineNodes())
	gone := func(id sim.NodeID) bool { return !r.has(id) }
	switch {
	case slices.Contains(n.marks, "refuse "+r.Start.Cut.Name):
		return whyTold
	case !n.baseline() && slices.Contains(r.Start.Baseline, n.id):
		return whyUntold
	case !n.baseline():
		return ""
	case slices.ContainsFunc(r.Start.Baseline, gone):
		return whyLeft
	case slices.ContainsFunc(all, gone):
		return whyOffline
	case r.Start.Base != n.base():
		return whyOtherBase
	}
	return n.barred()
}

// baselineNodes are the nodes of the baseline, alive or not.
func (n *node) baselineNodes() []sim.NodeID {
	if n.layout.Baseline != nil {
		return n.layout.Baseline
	}
	all := slices.Clone(n.founders)
	for i := range n.layout.Places {
		for _, id := range n.layout.Places[i].Owners {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(id sim.NodeID) bool { return !n.layout.baseline(id) })
}

// refuse answers START with an error.
func (n *node) refuse(env *sim.Env, r *run, why string) {
	env.Note(refusedCut{r.Start.Cut, why})
	if !n.rules.process.Mute {
		n.reply(env, r, why)
	}
}

// processLocal is rule 3: the local cut has come to an end, FINISH is written or it has failed. The
// reply to START waits for that, and for START itself if a message brought the cut first.
func (n *node) processLocal(env *sim.Env) {
	c := n.cut
	if n.rules.process.EarlyUnsign && c.Finished {
		n.unsign(env)
	}
	for i := range n.process.Runs {
		r := &n.process.Runs[i]
		if r.Stage != starting || r.Replied || !r.Checked || !r.holds(c.ID) {
			continue
		}
		switch {
		case c.Failed != "":
			n.reply(env, r, c.Failed)
		case c.Finished:
			n.keepIncrement(env, r)
			n.reply(env, r, "")
		}
	}
}

// keepIncrement stores the metadata of the increment.
func (n *node) keepIncrement(env *sim.Env, r *run) {
	r.Kept = true
	env.Disk.Append(r.increment())
	env.Disk.Sync()
}

// dropIncrement takes it back.
func (n *node) dropIncrement(env *sim.Env, r *run) {
	if !r.Kept {
		return
	}
	r.Kept = false
	inc := r.increment()
	inc.Removed = true
	env.Disk.Append(inc)
	env.Disk.Sync()
}

// increment is its metadata.
func (r *run) increment() incrementRecord {
	return incrementRecord{Cut: r.Start.Cut, Base: r.Start.Base, Index: r.Start.Index}
}
