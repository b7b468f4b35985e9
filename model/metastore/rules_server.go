package metastore

import "github.com/downset/downset/sim"

// serverRules are the decisions of servers. The zero value of each is right.
type serverRules struct {
	LocalReads     bool // every read is served from what the server has
	StampsByClock  bool // commands are stamped with what the clock shows
	StampsSoon     bool // and as soon as a server leads, whatever it has applied
	DataBehind     bool // a snapshot has the index of the last command, and what was before it
	Swallows       bool // what a server cannot apply for a fault of its own it passes over
	EvictsAlone    bool // each server forgets old answers by its own clock
	RevokesAnyway  bool // who led once goes on to end leases
	ExpiresAlone   bool // each server ends leases by its own clock
	AliveUnchecked bool // a lease begins anew without asking whether the leader still leads
	SkipsWhenFull  bool // a watch goes on though there was no room for what it was to be told
	Rewinds        bool // after a snapshot a watch goes on from where it began
	KeepsGone      bool // a watch that is elsewhere by now is waited for, forever
	OneLife        bool // what a server said in a life before counts as said in this one
	Hurries        bool // how far a watch is is said at once, before what is still to come
	Splits         bool // the events of a revision may come in several parcels
}

// foreign says that a client speaks of what a server said in another life.
func (r *serverRules) foreign(life, own int64) bool { return life != 0 && life != own }

// lives is the number of a life: the time at which it begins, and a draw.
func (r *serverRules) lives(env *sim.Env) int64 {
	if r.OneLife {
		return 1
	}
	return int64(env.Monotonic())<<10 + env.Draw("life", 1<<10) + 1
}

// local says that a read is served from what the server has.
func (r *serverRules) local(wanted bool) bool { return wanted || r.LocalReads }

// earlier is the state as it was, if anything wants it.
func (r *serverRules) earlier(s *State) State {
	if r.DataBehind {
		return s.Copy()
	}
	return State{}
}

// swallows says that applying an entry fails here, and that nobody is to know.
func (r *serverRules) swallows(s *server, index int64) bool {
	last := s.layout.Servers[len(s.layout.Servers)-1]
	return r.Swallows && s.id == last && index%4 == 3
}

// image is what a snapshot has.
func (r *serverRules) image(s *server) Image {
	if r.DataBehind {
		return s.before.Image()
	}
	return s.state.Image()
}

// rewind is what a snapshot that takes the place of the state does to a watch.
func (r *serverRules) rewind(w *Watcher) {
	if r.Rewinds {
		w.Next = min(w.Next, w.From)
	}
}

// hurry is what is done at once for a client that asks how far its watch is.
func (r *serverRules) hurry(s *server, env *sim.Env, w *serving) {
	if !r.Hurries {
		return
	}
	w.Asked = false
	s.post(env, w, Batch{From: w.Next, To: s.state.Rev, Compacted: -1}, true)
}

// parts are the parcels of a batch: one, since what a revision did belongs together.
func (r *serverRules) parts(b Batch) []Batch {
	if !r.Splits || len(b.Events) < 2 {
		return []Batch{b}
	}
	first, second := b, b
	half := len(b.Events) / 2
	first.Events, second.Events = b.Events[:half], b.Events[half:]
	first.To = b.Events[half].Mod - 1
	return []Batch{first, second}
}

// times says that a server measures how long leases last: the leader does.
func (r *serverRules) times(s *server) bool { return s.leads() || r.ExpiresAlone }

// expire ends a lease that is over.
func (r *serverRules) expire(s *server, env *sim.Env, t ttl) {
	if r.ExpiresAlone {
		s.alone(env, Revoke{ID: t.ID})
		return
	}
	s.propose(env, Command{Term: t.Term, Deed: Revoke{ID: t.ID, By: t.Term}})
}

// evictAlone forgets old answers without asking anybody.
func (s *server) evictAlone(env *sim.Env) {
	if len(s.state.Answers) > 0 {
		s.alone(env, Evict{env.Now().Add(-4 * quiet)})
	}
}

// alone does something to this replica that is in no log.
func (s *server) alone(env *sim.Env, d Deed) {
	s.state.execute(s.state.Applied, 0, Command{Deed: d})
	s.said(env)
	s.pumpAll(env)
}
