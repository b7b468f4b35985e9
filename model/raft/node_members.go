package raft

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// unclear is the answer to who wanted a change of which this node cannot say what came of it.
type unclear struct{}

// Kind is "unclear".
func (unclear) Kind() string { return "unclear" }

// Replaces is the fact that a leader wants a member replaced of which it hears nothing.
type Replaces struct {
	Down, By         sim.NodeID
	DownName, ByName string
}

// Kind is "replaces".
func (Replaces) Kind() string { return "replaces" }

// Keys are both nodes.
func (f Replaces) Keys() []string { return []string{f.DownName, f.ByName} }

// ids are the members that a request names.
func (o members) ids(env *sim.Env) Members {
	list := func(names []string) []sim.NodeID {
		var ids []sim.NodeID
		for _, name := range names {
			ids = append(ids, idOf(env, name))
		}
		slices.Sort(ids)
		return ids
	}
	return Members{Voters: list(o.Voters), Learners: list(o.Learners)}
}

// idOf is the node of a name. A story has it, since FitOp has been asked.
func idOf(env *sim.Env, name string) sim.NodeID {
	for _, id := range env.Nodes {
		if env.Name(id) == name {
			return id
		}
	}
	return sim.Nobody
}

// change begins a change of the configuration.
func (n *node) change(env *sim.Env, o *request) error {
	o.Term = n.engine.Term()
	return n.engine.Reconfigure(env, o.Want)
}

// changing says that the change of a request is under way, or done and not applied.
func (n *node) changing(o *request) bool {
	m := n.engine.Members()
	return o.Entered || slices.Equal(m.Voters, o.Want.Voters)
}

// changeApplied answers who waits for a change: it is done when the wanted configuration is
// applied, and lost for good when an entry of a later term is, of which it should have come
// before.
func (n *node) changeApplied(env *sim.Env, e Entry) {
	m, is := e.Command.(Members)
	for _, o := range slices.Clone(n.open) {
		_, changes := o.Op.(members)
		switch {
		case !changes:
		case is && m.Equal(o.Want):
			n.answer(env, o.ID, changed{e.Index})
		case is && m.Joint() && slices.Equal(m.Voters, o.Want.Voters):
			n.waiting(o.ID).Entered = true
		case o.Entered && is:
			n.answer(env, o.ID, unclear{})
		case !o.Entered && e.Term > o.Term:
			env.Refuse(o.ID, refused{"the change was lost with its term"})
			n.close(env, o.ID)
		}
	}
}

// changeRestored answers them when a snapshot stands for what they waited for.
func (n *node) changeRestored(env *sim.Env, e Restored) {
	for _, o := range slices.Clone(n.open) {
		_, changes := o.Op.(members)
		switch {
		case !changes:
		case n.engine.Members().Equal(o.Want):
			n.answer(env, o.ID, changed{e.Index})
		case e.Term > o.Term:
			n.answer(env, o.ID, unclear{})
		}
	}
}

// watch is what a leader knows of who is silent.
type watch struct {
	Heard []sim.Time // by node, by the monotonic clock
	Last  sim.NodeID // the spare node that was taken last
}

// watching is the timer of a node that watches.
type watching struct{}

// Kind is "watch".
func (watching) Kind() string { return "watch" }

// hear notes that a node is up.
func (w *watch) hear(n *node, env *sim.Env, from sim.NodeID) {
	if n.layout.Patience > 0 && int(from) < len(w.Heard) {
		w.Heard[from] = env.Monotonic()
	}
}

// led begins with the patience of a new leader.
func (w *watch) led(n *node, env *sim.Env, e Led) {
	if n.layout.Patience == 0 || !e.Lead {
		return
	}
	w.Heard = make([]sim.Time, len(env.Nodes))
	for i := range w.Heard {
		w.Heard[i] = env.Monotonic()
	}
}

// look replaces a voter that has been silent for too long by a spare node, if there is one. Whether
// that one is up shows when it is a member: then it is watched like any other.
func (w *watch) look(n *node, env *sim.Env) {
	lead, known := n.engine.Leader()
	if !known || lead != n.id || len(w.Heard) == 0 || n.engine.Members().Joint() {
		return
	}
	m := n.engine.Members()
	down := slices.IndexFunc(m.Voters, func(id sim.NodeID) bool { return w.silent(n, env, id) })
	spare, found := w.spare(env, m)
	if down < 0 || !found {
		return
	}
	want := Members{Voters: slices.Clone(m.Voters), Learners: m.Learners}
	gone := want.Voters[down]
	want.Voters[down] = spare
	slices.Sort(want.Voters)
	if n.engine.Reconfigure(env, want) != nil {
		return
	}
	w.Last, w.Heard[spare] = spare, env.Monotonic()
	env.Note(Replaces{gone, spare, env.Name(gone), env.Name(spare)})
}

func (w *watch) silent(n *node, env *sim.Env, id sim.NodeID) bool {
	return id != n.id && env.Monotonic().Sub(w.Heard[id]) > time.Duration(n.layout.Patience)
}

// spare is the node that is in no part of the configuration and comes next after the one that was
// taken last.
func (w *watch) spare(env *sim.Env, m Members) (id sim.NodeID, found bool) {
	free := slices.DeleteFunc(slices.Clone(env.Nodes), m.Has)
	if len(free) == 0 {
		return 0, false
	}
	next := slices.IndexFunc(free, func(id sim.NodeID) bool { return id > w.Last })
	return free[max(next, 0)], true
}
