package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// impatient is an election timeout without a leader being heard: a follower begins an election
// (5.2), or asks first whether it could win one. Who has no vote waits on.
func (r *reference) impatient(env *sim.Env) {
	if r.role == leader {
		r.checkQuorum(env)
		return
	}
	r.lead = sim.Nobody
	switch {
	case !r.rules.mayCampaign(r):
		r.role = follower
	case r.rules.NoPreVote:
		r.campaign(env, false)
	default:
		r.precampaign(env)
	}
}

// precampaign asks for votes without changing anything (the dissertation, 9.6).
func (r *reference) precampaign(env *sim.Env) {
	r.role, r.votes = precandidate, nil
	r.wait(env)
	r.canvass(requestVote{Term: r.term + 1, Pre: true})
	r.elect(env, r.id)
}

// campaign begins an election (Figure 2, "Candidates"): a new term, the own vote, the timer, and
// requests to all others.
func (r *reference) campaign(env *sim.Env, forced bool) {
	r.follow(env, r.term+1, sim.Nobody)
	r.role = candidate
	r.wait(env)
	r.grant(env, r.id)
	r.canvass(requestVote{Term: r.term, Forced: forced})
	r.elect(env, r.id)
}

// canvass asks all voters.
func (r *reference) canvass(m requestVote) {
	m.LastIndex = r.log.last()
	m.LastTerm = r.log.term(m.LastIndex)
	for _, id := range r.Members().everyone() {
		if id != r.id && r.Members().Votes(id) {
			r.send(id, m)
		}
	}
}

// grant gives the vote of this term, once (5.2).
func (r *reference) grant(env *sim.Env, to sim.NodeID) {
	if r.vote == to {
		return
	}
	r.vote = to
	r.note(Granted{r.term, to, env.Name(to)})
}

// onRequestVote is "RequestVote RPC" of Figure 2. Who hears a leader does not let itself be
// disturbed, unless by order of that leader (the dissertation, 4.2.3).
func (r *reference) onRequestVote(env *sim.Env, from sim.NodeID, m requestVote) {
	if m.Pre {
		r.onPreVote(env, from, m)
		return
	}
	if m.Term > r.term && !m.Forced && !r.rules.NoCheckQuorum && r.follows(env) {
		return
	}
	if m.Term > r.term {
		r.follow(env, m.Term, sim.Nobody)
	}
	granted := m.Term == r.term && r.rules.free(r, from) && r.rules.upToDate(&r.log, m)
	if granted {
		r.grant(env, from)
		r.again(env)
	}
	r.send(from, voted{Term: r.term, Granted: granted})
}

// onPreVote says whether this node would vote so. It forgets the question.
func (r *reference) onPreVote(env *sim.Env, from sim.NodeID, m requestVote) {
	if m.Term > r.term && !r.rules.disturbed(r, env) && r.rules.upToDate(&r.log, m) {
		r.send(from, voted{Term: m.Term, Pre: true, Granted: true})
		return
	}
	r.send(from, voted{Term: r.term, Pre: true})
}

// follows says that a leader was heard within the shortest election timeout. A leader hears itself.
func (r *reference) follows(env *sim.Env) bool {
	return r.role == leader || r.clock(env).Sub(r.heard) < election
}

// onVoted counts votes of either sort, each only as what was asked for.
func (r *reference) onVoted(env *sim.Env, from sim.NodeID, m voted) {
	granted := m.Granted && m.Pre && r.role == precandidate && m.Term == r.term+1 ||
		m.Granted && !m.Pre && r.role == candidate && m.Term == r.term
	switch {
	case granted:
		r.elect(env, from)
	case m.Term > r.term && !m.Granted:
		r.follow(env, m.Term, sim.Nobody)
	}
}

// elect counts a vote: with those of a majority a candidate leads (5.2).
func (r *reference) elect(env *sim.Env, voter sim.NodeID) {
	if !slices.Contains(r.votes, voter) && r.rules.counts(r, voter) {
		r.votes = append(r.votes, voter)
	}
	if !r.Members().Quorum(func(id sim.NodeID) bool { return slices.Contains(r.votes, id) }) {
		return
	}
	if r.role == precandidate {
		r.campaign(env, false)
		return
	}
	r.office(env)
}

// office begins a leader's term (Figure 2, "Leaders"): nobody is known to have anything, and an
// entry of its own will commit what went before (section 8).
func (r *reference) office(env *sim.Env) {
	r.role, r.lead, r.votes = leader, r.id, nil
	r.note(Elected{r.term})
	r.events = append(r.events, Led{r.term, true})
	r.regroup()
	env.Every(heartbeat, heartbeatTimer{})
	env.Every(election, electionTimer{})
	if !r.rules.NoNoop {
		r.propose(env, Noop{})
	}
	r.broadcast(env)
}

// checkQuorum deposes a leader that has not been answered by a majority for an election timeout
// (the dissertation, 6.2). A transfer that has not come about by then is given up (3.10).
func (r *reference) checkQuorum(env *sim.Env) {
	r.heir = sim.Nobody
	heard := r.Members().Quorum(func(id sim.NodeID) bool {
		return id == r.id || r.peer(id).round > r.look
	})
	r.look = r.round
	if !heard && !r.rules.NoCheckQuorum {
		r.follow(env, r.term, sim.Nobody)
	}
}
