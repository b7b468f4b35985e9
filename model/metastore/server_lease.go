package metastore

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// ttl is when a lease is over, by the leader's monotonic clock, if nobody begins it anew.
// Dying: the log has been asked to end it, so nobody is told any more that it lives.
type ttl struct {
	ID    int64
	End   sim.Time
	Term  int64 // in which it is measured
	Dying bool
}

func (s *server) ttl(id int64) (at int, found bool) {
	return slices.BinarySearchFunc(s.ttls, id, func(t ttl, id int64) int {
		return cmp.Compare(t.ID, id)
	})
}

// beginTTLs: a leader that begins knows nothing of when leases were begun anew last, so they all
// begin now; with what is left of them, if the log says so.
func (s *server) beginTTLs(env *sim.Env) {
	s.ttls = nil
	for _, l := range s.state.Leases {
		end := env.Monotonic() + sim.Time(cmp.Or(l.Left, l.TTL))
		s.ttls = append(s.ttls, ttl{ID: l.ID, End: end, Term: s.term})
	}
	s.setExpiring(env)
}

// forgetTTLs: who leads no more decides no more.
func (s *server) forgetTTLs(env *sim.Env) {
	if s.rules.server.RevokesAnyway {
		return
	}
	s.ttls = nil
	env.Cancel(expiring{})
}

// leased takes up what a command has done to leases.
func (s *server) leased(env *sim.Env, c Command, a Answer) {
	if !a.OK || !s.rules.server.times(s) {
		return
	}
	switch d := c.Deed.(type) {
	case Grant:
		s.renew(env, d.ID, env.Monotonic())
	case Revoke:
		if at, found := s.ttl(d.ID); found {
			s.ttls = slices.Delete(s.ttls, at, at+1)
		}
	}
}

// renew begins a lease anew, as of a time.
func (s *server) renew(env *sim.Env, id int64, since sim.Time) {
	place, found := s.state.lease(id)
	if !found {
		return
	}
	at, known := s.ttl(id)
	if !known {
		s.ttls = slices.Insert(s.ttls, at, ttl{ID: id, Term: s.term})
	}
	s.ttls[at].End = max(s.ttls[at].End, since+sim.Time(s.state.Leases[place].TTL))
	s.setExpiring(env)
}

// setExpiring sets the timer for the lease that is over first.
func (s *server) setExpiring(env *sim.Env) {
	if len(s.ttls) == 0 {
		env.Cancel(expiring{})
		return
	}
	first := s.ttls[0].End
	for _, t := range s.ttls {
		first = min(first, t.End)
	}
	env.After(first.Sub(env.Monotonic()), expiring{})
}

// expired has the log end the leases that are over. Until it has they are there.
func (s *server) expired(env *sim.Env) {
	now := env.Monotonic()
	for i := range s.ttls {
		t := &s.ttls[i]
		if t.End > now {
			continue
		}
		t.End, t.Dying = now+sim.Time(quiet), true // if nothing comes of it, again
		s.rules.server.expire(s, env, *t)
	}
	s.setExpiring(env)
}

// keepAlive begins a lease anew: only a leader does, which must find that it still leads after it
// was asked.
func (s *server) keepAlive(env *sim.Env, w wait) {
	if !s.leads() {
		s.sendElsewhere(env, w)
		return
	}
	if s.rules.server.AliveUnchecked {
		s.keptAlive(env, w, w.What.(keepAlive).ID)
		return
	}
	s.readAt(env, w)
}

// keptAlive: it leads; whether there is such a lease is looked at now. The lease begins anew as of
// when it was asked for.
func (s *server) keptAlive(env *sim.Env, w wait, id int64) {
	a := Answer{Rev: s.state.Rev, Index: s.state.Applied, OK: true}
	switch {
	case !s.leads(), s.dying(id):
		s.sendElsewhere(env, w)
		return
	case !s.state.has(id):
		a.OK, a.Why = false, NoLease
	default:
		s.renew(env, id, w.Since)
		env.Note(renewed{id})
	}
	s.reply(env, w, a)
}

// dying says that the log has been asked to end a lease.
func (s *server) dying(id int64) bool {
	at, found := s.ttl(id)
	return found && s.ttls[at].Dying
}
