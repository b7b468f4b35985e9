package metastore

import (
	"time"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// applied does an entry of the log, tells who waits for it, and what is watched.
func (s *server) applied(env *sim.Env, e raft.Entry) {
	s.before = s.rules.server.earlier(&s.state)
	c, is := e.Command.(Command)
	if !is || s.rules.server.swallows(s, e.Index) {
		s.state.Skip(e.Index)
		return
	}
	a := s.state.Apply(e.Index, e.Term, c)
	s.said(env)
	s.answer(env, c, a)
	s.leased(env, c, a)
	s.pumpAll(env)
	if s.state.Swept < s.state.Compacted {
		s.sweepLater(env)
	}
	if s.layout.Snapshot > 0 && s.state.Applied-s.kept >= s.layout.Snapshot {
		s.cut(env)
	}
	if _, tick := c.Deed.(Tick); !tick {
		s.idle(env)
	}
}

// said says what has come of the log.
func (s *server) said(env *sim.Env) {
	env.Note(replica{s.state.Applied, s.state.Rev, s.state.Compacted, s.state.Chain,
		s.state.digest()})
}

// answer tells those who wait for a command.
func (s *server) answer(env *sim.Env, c Command, a Answer) {
	keep := s.waits[:0:0]
	for _, w := range s.waits {
		if w.Session != c.Session || w.Seq != c.Seq {
			keep = append(keep, w)
			continue
		}
		s.reply(env, w, a)
	}
	s.waits = keep
}

// restored puts a snapshot in the place of the state. Watchers go on where they were: what they
// lack is in the history of the new state, or is forgotten.
func (s *server) restored(env *sim.Env, e raft.Restored) {
	s.state = e.State.(Image).state(s.rules.store)
	s.kept = e.Index
	s.before = s.rules.server.earlier(&s.state)
	s.said(env)
	for i := range s.watchers {
		s.rules.server.rewind(&s.watchers[i].Watcher)
	}
	s.pumpAll(env)
	if s.state.Swept < s.state.Compacted {
		s.sweepLater(env)
	}
}

// cut puts a snapshot in the place of the log. It says whether there was anything to cut.
func (s *server) cut(env *sim.Env) bool {
	index := s.state.Applied
	image := s.rules.server.image(s)
	image.Applied = index
	if index <= s.kept || s.engine.Compact(env, index, image) != nil {
		return false
	}
	s.kept = index
	return true
}

// timeout takes up a timer of the server, or the log's.
func (s *server) timeout(env *sim.Env, t sim.Timer) {
	switch t.(type) {
	case idling:
		s.idled(env)
	case sweeping:
		if s.state.Sweep(2) {
			s.sweepLater(env)
		}
	case expiring:
		s.expired(env)
	default:
		s.engine.Timeout(env, t)
	}
}

// sweepLater removes some of what is compacted, each server in its own time.
func (s *server) sweepLater(env *sim.Env) {
	env.After(time.Millisecond*time.Duration(1+env.Draw("sweep", 100)), sweeping{})
}

// idle sets the timer of a leader that has nothing more to do. Where revisions have no time there
// is nothing to say.
func (s *server) idle(env *sim.Env) {
	if s.leads() && s.rules.store.Dialect.Stamped {
		env.After(quiet, idling{})
	}
}

// quiet is how long nothing comes before a leader says what time it is, and keep is how long
// answers are kept: for much longer than anybody asks again.
const (
	quiet = 50 * time.Millisecond
	keep  = 10 * time.Second
)

// idled: a leader says what time it is, has old answers forgotten and what is older than the story
// retains compacted. All of it goes through the log.
func (s *server) idled(env *sim.Env) {
	if s.rules.server.EvictsAlone {
		s.evictAlone(env)
	}
	if !s.leads() {
		return
	}
	now := s.time(env)
	s.propose(env, Command{Deed: Tick{}})
	if old := now.Add(-keep); len(s.state.Answers) > 0 && s.state.Answers[0].Time < old {
		s.propose(env, Command{Deed: Evict{old}})
	}
	if rev := s.outdated(now); rev > s.state.Compacted {
		s.propose(env, Command{Deed: Compact{rev}})
	}
}

// outdated is the newest revision that is older than the story retains, but never the current one;
// -1 if there is none.
func (s *server) outdated(now sim.Time) int64 {
	if s.layout.Retain == 0 {
		return -1
	}
	old, rev := now.Add(-s.layout.Retain), int64(-1)
	for _, r := range s.state.Revs {
		if r.Time < old && r.Rev < s.state.Rev {
			rev = r.Rev
		}
	}
	return rev
}
