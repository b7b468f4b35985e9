package raft

import (
	etcd "go.etcd.io/raft/v3"

	"github.com/downset/downset/sim"
)

// said is what a library's node has told about itself.
type said struct {
	hard    HardState // the term and vote, as the library has them
	commit  int64
	leads   bool
	led     int64 // the term in which it leads, or led
	handed  bool  // it has begun to hand the lead over
	pledged Pledged
	matched []int64 // by node
	wanted  int64   // the index of the snapshot in whose place another is wanted
}

// votes takes up the hard state, and says whether there is a new vote in it.
func (l *library) votes(rd *etcd.Ready) bool {
	h, changed := l.newHard(rd)
	l.said.hard = h
	return changed && h.To != sim.Nobody
}

// granted says for whom this node votes.
func (l *library) granted(env *sim.Env, h HardState) {
	env.Note(Granted{h.Term, h.To, env.Name(h.To)})
}

// sayRole says that this node leads from now on, or does no longer.
func (l *library) sayRole(env *sim.Env, rd *etcd.Ready) {
	s := &l.said
	if rd.SoftState == nil {
		return
	}
	l.lead = rd.SoftState.Lead
	leads := rd.SoftState.RaftState == etcd.StateLeader
	if leads == s.leads {
		return
	}
	s.leads = leads
	if leads {
		s.led, s.handed, s.matched = s.hard.Term, false, s.matched[:0]
		l.peers = l.peers[:0]
		env.Note(Elected{s.led})
	} else {
		env.Note(Deposed{s.led})
	}
	l.events = append(l.events, Led{s.led, leads})
}

// sayCommit says how much is committed.
func (l *library) sayCommit(env *sim.Env, rd *etcd.Ready) {
	s := &l.said
	if commit := int64(rd.HardState.GetCommit()); commit > s.commit {
		s.commit = commit
		env.Note(Committed{commit, s.hard.Term, s.leads})
	}
}

// pledge says that the log of this node agrees with the leader's, and is durable.
func (l *library) pledge(env *sim.Env, term, match int64) {
	p := &l.said.pledged
	if term != p.Term || match > p.Match {
		*p = Pledged{term, match}
		env.Note(*p)
	}
}

// match says that a leader believes to know how far the log of another node agrees with its own.
func (l *library) match(env *sim.Env, of sim.NodeID, match int64) {
	s := &l.said
	for len(s.matched) <= int(of) {
		s.matched = append(s.matched, 0)
	}
	if match > s.matched[of] {
		s.matched[of] = match
		env.Note(Matched{s.led, of, match})
	}
}
