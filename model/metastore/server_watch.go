package metastore

import "github.com/downset/downset/sim"

// serving is a watch that a server serves: what has been sent of it and not been acknowledged.
type serving struct {
	Watcher
	Node    sim.NodeID
	ID      sim.CallID
	Attempt int64
	No      int64 // of the last parcel
	Sent    []parcel
	Asked   bool // its client has asked how far it is
	Quiet   int  // how often other watches of its node have been heard since it was
}

// full says that nothing more may be sent.
func (w *serving) full(window int64) bool { return int64(len(w.Sent)) >= window }

// acked is up to where the client has said that it has everything.
func (w *serving) acked() int64 {
	if len(w.Sent) > 0 {
		return w.Sent[0].Batch.From - 1
	}
	return w.Next - 1
}

// poll takes up what the client of a watch says.
func (s *server) poll(env *sim.Env, from sim.NodeID, m poll) {
	if m.Again {
		s.leave(from, m.ID)
	}
	i := s.watcher(from, m.ID)
	switch {
	case s.rules.server.foreign(m.Life, s.life):
		env.Send(from, gone{m.ID, m.Attempt, m.Watch.Range})
		return
	case m.Close:
		if i >= 0 {
			s.watchers = append(s.watchers[:i:i], s.watchers[i+1:]...)
		}
		return
	case i >= 0 && s.watchers[i].Attempt > m.Attempt:
		return
	case i >= 0 && s.watchers[i].Attempt == m.Attempt:
		s.acknowledged(env, i, m)
		return
	case m.Got > 0:
		env.Send(from, gone{m.ID, m.Attempt, m.Watch.Range})
		return
	case i < 0:
		i = len(s.watchers)
		s.watchers = append(s.watchers, serving{})
	}
	s.watchers[i] = serving{Watcher: s.state.open(m.Watch), Node: from, ID: m.ID,
		Attempt: m.Attempt, Asked: m.Mark}
	s.open(env, &s.watchers[i])
	s.pumpAll(env)
}

func (s *server) open(env *sim.Env, w *serving) {
	env.Send(w.Node, opened{w.ID, s.life, w.Attempt, w.From, w.Range})
}

// watcher is the place of a watch, -1 if there is none.
func (s *server) watcher(from sim.NodeID, id sim.CallID) int {
	for i := range s.watchers {
		if s.watchers[i].Node == from && s.watchers[i].ID == id {
			return i
		}
	}
	return -1
}

// leave drops the watches of a node that are elsewhere by now: others are heard, and they are not.
// Where watches go in step they would be waited for.
func (s *server) leave(from sim.NodeID, heard sim.CallID) {
	of := 0
	for i := range s.watchers {
		w := &s.watchers[i]
		switch {
		case w.Node == from && w.ID == heard:
			w.Quiet = 0
		case w.Node == from:
			w.Quiet++
			of++
		}
	}
	keep := s.watchers[:0:0]
	for _, w := range s.watchers {
		if w.Node != from || w.Quiet <= patience*of || s.rules.server.KeepsGone {
			keep = append(keep, w)
		}
	}
	s.watchers = keep
}

// patience is how often a node is heard of all its other watches before one is dropped.
const patience = 4

// acknowledged takes off what the client has got, and sends the rest again.
func (s *server) acknowledged(env *sim.Env, i int, m poll) {
	w := &s.watchers[i]
	for len(w.Sent) > 0 && w.Sent[0].No <= m.Got {
		w.Sent = w.Sent[1:]
	}
	if w.Ended && len(w.Sent) == 0 {
		s.watchers = append(s.watchers[:i:i], s.watchers[i+1:]...)
		return
	}
	s.resend(env, w, m)
	if m.Mark {
		w.Asked = true
		s.rules.server.hurry(s, env, w)
	}
	was := w.No
	s.pumpAll(env)
	if w = &s.watchers[i]; m.Again && w.No == was && len(w.Sent) == 0 {
		env.Send(w.Node, alive{w.ID, w.Attempt, w.Range})
	}
}

// resend sends what is under way once more, if nothing has come of it for a while.
func (s *server) resend(env *sim.Env, w *serving, m poll) {
	if !m.Again {
		return
	}
	if m.Got == 0 {
		s.open(env, w)
	}
	for _, p := range w.Sent {
		env.Send(w.Node, p)
	}
}

// pumpAll sends every watch what it lacks. Where the watches of a node go in step, one that is done
// lets others go on.
func (s *server) pumpAll(env *sim.Env) {
	for more := true; more; {
		more = false
		for i := range s.watchers {
			more = s.pump(env, &s.watchers[i]) || more
		}
		more = more && s.rules.store.Dialect.Lockstep
	}
}

// pump sends a watch what it lacks, as far as its window allows. It says whether it has moved.
func (s *server) pump(env *sim.Env, w *serving) bool {
	was := w.Next
	for !w.full(s.layout.Window) || s.rules.server.SkipsWhenFull {
		w.Upto = s.upto(w)
		b, any := s.state.Advance(&w.Watcher, int(s.layout.Batch))
		if !any {
			break
		}
		if b.Compacted >= 0 || len(b.Events) > 0 || s.rules.store.Dialect.EveryRevision {
			s.post(env, w, b, false)
		}
	}
	s.mark(env, w)
	return w.Next != was
}

// mark tells a client that has asked how far it is, if there is nothing that it lacks.
func (s *server) mark(env *sim.Env, w *serving) {
	if !w.Asked || w.Ended || w.Next != s.state.Rev+1 || w.full(s.layout.Window) {
		return
	}
	w.Asked = false
	s.post(env, w, Batch{From: w.Next, To: w.Next - 1, Compacted: -1}, true)
}

// post puts a batch on its way.
func (s *server) post(env *sim.Env, w *serving, b Batch, mark bool) {
	if w.full(s.layout.Window) && !mark {
		return
	}
	for _, part := range s.rules.server.parts(b) {
		w.No++
		p := parcel{w.ID, s.life, w.Attempt, w.No, w.Range, part, mark}
		w.Sent = append(w.Sent[:len(w.Sent):len(w.Sent)], p)
		env.Send(w.Node, p)
	}
}

// upto is the revision up to which a watch may be told: where the watches of a node go in step, the
// next after what all of them are done with; else there is no bound.
func (s *server) upto(w *serving) int64 {
	if !s.rules.store.Dialect.Lockstep {
		return 0
	}
	least := w.acked()
	for i := range s.watchers {
		if o := &s.watchers[i]; o.Node == w.Node && !o.Ended && o.Next <= s.state.Rev+1 {
			least = min(least, o.acked())
		}
	}
	return least + 1
}
