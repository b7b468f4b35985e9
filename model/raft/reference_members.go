package raft

import (
	"slices"

	"github.com/downset/downset/sim"
)

// config is a configuration and where it stands in the log: 0 is before the first entry, and that
// of a snapshot stands at its index.
type config struct {
	at int64
	Members
}

// config is the one that governs: "a server always uses the latest configuration in its log,
// regardless of whether the entry is committed" (section 6).
func (r *reference) config() config { return r.configAt(r.log.last()) }

// Members is the configuration that this node goes by.
func (r *reference) Members() Members { return r.config().Members }

// configAt is the configuration after the entry at index.
func (r *reference) configAt(index int64) config {
	for i := len(r.configs) - 1; i >= 0; i-- {
		if r.configs[i].at <= index {
			return r.configs[i]
		}
	}
	return config{}
}

// govern goes by the configuration of an entry from now on, if it has one.
func (r *reference) govern(e Entry) {
	if m, ok := e.Command.(Members); ok && e.Index > r.config().at {
		r.configs = append(r.configs, config{e.Index, m})
		r.governs()
	}
}

// reconsider goes back to the configuration before an entry that has been overwritten.
func (r *reference) reconsider(index int64) {
	n := len(r.configs)
	for n > 0 && r.configs[n-1].at >= index {
		n--
	}
	if n < len(r.configs) {
		r.configs = r.configs[:n]
		r.governs()
	}
}

// governs says that another configuration governs, and lets a leader know of its nodes.
func (r *reference) governs() {
	r.note(Governs{r.config().at, r.Members()})
	if r.role == leader {
		r.regroup()
	}
}

// regroup lets a leader know of the nodes of its configuration, and of no other.
func (r *reference) regroup() {
	var peers []peer
	for _, id := range r.Members().everyone() {
		p := *r.peer(id)
		if p.id == sim.Nobody {
			p = peer{id: id, next: r.rules.next(r)}
		}
		if id != r.id {
			peers = append(peers, p)
		}
	}
	r.peers = peers
}

// Reconfigure begins a change of members, one at a time (section 6).
func (r *reference) Reconfigure(env *sim.Env, want Members) error {
	switch {
	case r.role != leader:
		return ErrNotLeader
	case r.rules.changing(r) || r.Members().Joint():
		return ErrChanging
	case r.rules.unproven(r) || r.heir != sim.Nobody || !want.wellFormed():
		return ErrNotAble
	}
	r.propose(env, r.Members().toward(want))
	r.broadcast(env)
	r.flush(env)
	return nil
}

// proven says that an entry of the leader's own term is committed: then it knows what is, and that
// no leader before it can go on (the dissertation, 4.1 as corrected in 2015; 6.4).
func (r *reference) proven() bool { return r.log.term(r.commit) == r.term }

// settle is what a leader does about a configuration that is committed: it leaves a joint one, and
// steps down if it is none of the voters (section 6).
func (r *reference) settle(env *sim.Env) {
	switch {
	case r.role != leader || r.config().at > r.commit:
	case r.Members().Joint():
		r.flush(env) // that it is committed is said before it is left
		r.propose(env, r.Members().left())
		r.broadcast(env)
	case !r.Members().Votes(r.id):
		r.follow(env, r.term, sim.Nobody)
	}
}

// Transfer begins to hand the lead to another (the dissertation, 3.10): no proposals from now on,
// and as soon as the heir has all it is told to begin an election.
func (r *reference) Transfer(env *sim.Env, to sim.NodeID) error {
	switch {
	case r.role != leader:
		return ErrNotLeader
	case to == r.id || r.heir != sim.Nobody || !slices.Contains(r.Members().Voters, to):
		return ErrNotAble
	}
	r.heir = to
	env.Every(election, electionTimer{}) // until when it is given up
	r.bequeath()
	r.flush(env)
	return nil
}

// bequeath tells an heir that has all to begin an election. Nobody keeps it from winning one, so
// that the lease is over, however long the message takes.
func (r *reference) bequeath() {
	if r.heir != sim.Nobody && r.peer(r.heir).match == r.log.last() {
		r.spent = true
		r.send(r.heir, timeoutNow{r.term})
	}
}

// onTimeoutNow begins an election at once, by order of the leader.
func (r *reference) onTimeoutNow(env *sim.Env, m timeoutNow) {
	if m.Term == r.term && r.role == follower && r.rules.mayCampaign(r) {
		r.campaign(env, true)
	}
}
