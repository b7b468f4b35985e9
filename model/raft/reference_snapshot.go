package raft

import "github.com/downset/downset/sim"

// Compact puts a snapshot in the place of the log up to an index (section 7). Who was no founder,
// and has no configuration up to there, cannot say which one that was.
func (r *reference) Compact(env *sim.Env, index int64, state sim.Record) error {
	term := r.log.term(index)
	members := r.configAt(index).Members
	if index > r.applied || index <= r.log.base || term < 0 || len(members.Voters) == 0 {
		return ErrNotAble
	}
	s := Snapshot{index, term, members, HardState{}, state}
	r.keep(env, r.rules.snapshot(r, s))
	r.flush(env)
	return nil
}

// keep puts a snapshot on the disk, in the place of the records up to it. That of the term may be
// among them, so the snapshot has it too.
func (r *reference) keep(env *sim.Env, s Snapshot) {
	r.persist(env)
	s.Hard = r.written
	r.snap = s
	r.log.compact(s.Index, s.Term)
	r.reach(s)
	env.Disk.Replace(s, r.log.before(env.Disk.Last()))
	r.dirty = true
}

// reach lets the configurations begin with a snapshot's.
func (r *reference) reach(s Snapshot) {
	configs := []config{{s.Index, r.rules.configOf(s)}}
	for _, c := range r.configs {
		if c.at > s.Index && c.at <= r.log.last() {
			configs = append(configs, c)
		}
	}
	r.configs = configs
}

// restore lets a snapshot be all that this node has up to its index.
func (r *reference) restore(s Snapshot) {
	r.snap = s
	r.log.compact(s.Index, s.Term)
	r.reach(s)
	r.commit, r.applied = s.Index, s.Index
	r.events = append(r.events, Restored{s.Index, s.Term, s.State})
}

// onSnapshot is "InstallSnapshot RPC" of Figure 13. What it brings is committed, so it is nothing
// new to who has committed as much.
func (r *reference) onSnapshot(env *sim.Env, from sim.NodeID, m installSnapshot) {
	if !r.heed(env, from, m.Term) {
		return // 1
	}
	s := m.Snapshot
	r.send(from, appended{Term: r.term, OK: true, Match: s.Index, Round: m.Round, Sent: m.Sent})
	if s.Index <= r.commit {
		r.pledge(s.Index)
		return
	}
	before := r.Members()
	r.keep(env, s)    // 5, 6, 7
	r.restore(r.snap) // 8
	r.note(Installed{s.Index, s.Term, s.Members})
	r.note(Committed{Index: s.Index, Term: r.term})
	if !before.Equal(r.Members()) {
		r.note(Governs{r.config().at, r.Members()})
	}
	r.pledge(s.Index)
	r.serve()
}
