package metastore

import (
	"cmp"
	"strings"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// server is one replica of the store: a state that the log makes, and who waits for what.
type server struct {
	rules  rules
	id     sim.NodeID
	layout layout
	engine raft.Engine
	state  State
	before State // what a rule takes for the state too early: see serverRules

	term  int64    // which it leads, 0: none
	ready bool     // it has applied all that was committed before its term
	stamp sim.Time // the last that it gave a command
	kept  int64    // the index of its newest snapshot

	life     int64  // differs from that of all lives before
	waits    []wait // for commands to be applied
	reads    []wait // for an index to read at
	watchers []serving
	ttls     []ttl // of a leader: when leases are over, ascending by lease
}

// wait is a question that has no answer yet.
type wait struct {
	ask
	From  sim.NodeID
	Since sim.Time // by the monotonic clock: when it came
}

func newServer(r rules, id sim.NodeID, l layout) *server {
	r.store.Backwards = r.store.MapOrder && id%2 == 1
	return &server{rules: r, id: id, layout: l, engine: engineOf(r, id, l.Servers),
		state: newState(r.store)}
}

// ask takes up a question.
func (s *server) ask(env *sim.Env, from sim.NodeID, m ask) {
	w := wait{m, from, 0}
	switch what := m.What.(type) {
	case Deed:
		s.write(env, w, what)
	case evictOld:
		s.write(env, w, Evict{s.time(env).Add(-what.Age)})
	case read:
		if s.rules.server.local(what.Local) {
			s.reply(env, w, s.state.Read(what.Query))
			return
		}
		s.readAt(env, w)
	case keepAlive:
		s.keepAlive(env, w)
	case snapshot, transfer:
		s.manage(env, w)
	}
}

// write puts a deed into the log, with the time and the term of now. Only a leader does that which
// has applied all before its term: else its times would not be later than all before.
func (s *server) write(env *sim.Env, w wait, d Deed) {
	switch why := d.fits(&s.rules.store.Dialect); {
	case why != "":
		s.reply(env, w, Answer{Rev: s.state.Rev, Index: s.state.Applied, Why: why})
		return
	case !s.leads():
		s.sendElsewhere(env, w)
		return
	}
	if s.propose(env, Command{Session: w.Session, Seq: w.Seq, Deed: d}) {
		s.waits = append(s.waits, w)
		return
	}
	s.sendElsewhere(env, w)
}

// leads says that it may put commands into the log.
func (s *server) leads() bool { return s.term > 0 && (s.ready || s.rules.server.StampsSoon) }

// propose stamps a command and puts it into the log. It says whether that was possible.
func (s *server) propose(env *sim.Env, c Command) bool {
	c.Term = cmp.Or(c.Term, s.term)
	if s.rules.store.Dialect.Stamped {
		c.Time = s.time(env)
		s.stamp = c.Time
	}
	return s.engine.Propose(env, c) == nil
}

// time is what a command is stamped with: the clock, but always more than any before.
func (s *server) time(env *sim.Env) sim.Time {
	if s.rules.server.StampsByClock {
		return env.Now()
	}
	return max(env.Now(), s.stamp+1, s.state.Time+1)
}

// readAt asks for an index to read at.
func (s *server) readAt(env *sim.Env, w wait) {
	w.Since = env.Monotonic()
	if s.engine.Read(env, readID(w.ask)) != nil {
		s.sendElsewhere(env, w)
		return
	}
	s.reads = append(s.reads, w)
}

// readID is a name that no other read has, whoever serves it. Those of leaders that begin are
// apart.
func readID(m ask) raft.ReadID { return raft.ReadID(m.Seq<<10 | m.Try&1023) }

// beginning names the read with which a leader begins.
func (s *server) beginning() raft.ReadID {
	return raft.ReadID(1<<62 | s.term<<10 | int64(s.id))
}

// event takes up what has come of the log.
func (s *server) event(env *sim.Env, e raft.Event) {
	switch e := e.(type) {
	case raft.Applied:
		s.applied(env, e.Entry)
	case raft.Restored:
		s.restored(env, e)
	case raft.Readable:
		s.readable(env, e)
	case raft.Led:
		s.led(env, e)
	}
}

// led: what a leader does first is a read, which is answered when all before its term is applied.
func (s *server) led(env *sim.Env, e raft.Led) {
	if !e.Lead {
		s.depose(env)
		return
	}
	s.term, s.ready = e.Term, false
	_ = s.engine.Read(env, s.beginning())
}

func (s *server) depose(env *sim.Env) {
	s.term, s.ready = 0, false
	env.Cancel(idling{})
	s.forgetTTLs(env)
}

// readable serves what waits for an index, which is applied now.
func (s *server) readable(env *sim.Env, e raft.Readable) {
	if s.term > 0 && e.ID == s.beginning() {
		s.begins(env)
		return
	}
	for i, w := range s.reads {
		if readID(w.ask) != e.ID {
			continue
		}
		s.reads = append(s.reads[:i:i], s.reads[i+1:]...)
		s.serve(env, w)
		return
	}
}

// begins: from here on it takes commands.
func (s *server) begins(env *sim.Env) {
	s.ready = true
	env.Note(ready{s.term})
	s.admit(env)
	s.beginTTLs(env)
	s.idle(env)
}

// admit has those that learn taken into the group, if they are not in it. Who leads next does it
// again, if nothing comes of it.
func (s *server) admit(env *sim.Env) {
	is := s.engine.Members()
	for _, id := range s.layout.Learners {
		if !is.Has(id) {
			want := raft.Members{Voters: s.layout.Servers, Learners: s.layout.Learners}
			_ = s.engine.Reconfigure(env, want)
			return
		}
	}
}

func (s *server) serve(env *sim.Env, w wait) {
	switch what := w.What.(type) {
	case read:
		s.reply(env, w, s.state.Read(what.Query))
	case keepAlive:
		s.keptAlive(env, w, what.ID)
	}
}

// reply answers.
func (s *server) reply(env *sim.Env, w wait, a Answer) {
	tell(env, w.From, reply{w.Seq, w.Try, a, strings.Join(about(w.What), " ")})
}

// sendElsewhere says that nothing was done here.
func (s *server) sendElsewhere(env *sim.Env, w wait) {
	leader, known := s.engine.Leader()
	if !known || leader == s.id {
		leader = sim.Nobody
	}
	tell(env, w.From, elsewhere{w.Seq, w.Try, leader, strings.Join(about(w.What), " ")})
}

// manage serves what is about the server itself.
func (s *server) manage(env *sim.Env, w wait) {
	ok := false
	switch what := w.What.(type) {
	case snapshot:
		ok = s.cut(env)
	case transfer:
		for _, id := range s.layout.Servers {
			if env.Name(id) == what.To {
				ok = s.engine.Transfer(env, id) == nil
			}
		}
	}
	s.reply(env, w, Answer{Rev: s.state.Rev, Index: s.state.Applied, OK: ok})
}
