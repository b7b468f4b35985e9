package raft

import "github.com/downset/downset/sim"

// compactFor serves a client who wants the log of this node cut.
func (n *node) compactFor(env *sim.Env, c sim.Call) {
	if n.store.Index <= n.kept {
		env.Refuse(c.ID, refused{"nothing has been applied since"})
		return
	}
	if err := n.compact(env); err != nil {
		env.Refuse(c.ID, refused{err.Error()})
		return
	}
	env.Return(c.ID, compacted{n.kept})
}

// compactEvery cuts the log each time so many entries have been applied, if the story says so.
func (n *node) compactEvery(env *sim.Env) {
	if n.layout.Every > 0 && n.store.Index-n.kept >= n.layout.Every {
		_ = n.compact(env)
	}
}

// compact puts the state in the place of the log up to where it is.
func (n *node) compact(env *sim.Env) error {
	img, index := n.rules.Node.image(&n.store)
	if index <= n.kept {
		return ErrNotAble
	}
	if err := n.engine.Compact(env, index, img); err != nil {
		return err
	}
	n.kept = index
	env.Note(Image{index, n.rules.Node.text(&img.store, n.id), img.store})
	return nil
}
