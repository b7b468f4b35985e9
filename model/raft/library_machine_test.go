package raft_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// said is a word in the log, of a call.
type word struct {
	Call sim.CallID
	Text string
}

func (word) Kind() string        { return "word" }
func (w word) Keys() []string    { return []string{w.Text} }
func (w word) String() string    { return "say " + w.Text }
func (heap) Kind() string        { return "heap" }
func (request) Kind() string     { return "request" }
func (r request) Keys() []string { return r }
func (done) Kind() string        { return "done" }
func (retry) Kind() string       { return "retry" }
func (d done) String() string    { return string(d) }

type (
	// heap is all words in their order: the state, and what a snapshot has.
	heap struct{ Words []string }
	// request is what a client wants: "say W", "read", "lease", "members A B - C", "transfer A",
	// "compact".
	request []string
	done    string
	retry   struct{}
)

// words turns words into bytes and back.
type words struct{}

func (words) Encode(c raft.Command) []byte {
	w := c.(word)
	return fmt.Appendf(nil, "%d %s", w.Call, w.Text)
}

func (words) Decode(b []byte) (raft.Command, error) {
	var w word
	if n, err := fmt.Sscanf(string(b), "%d %s", &w.Call, &w.Text); n != 2 || err != nil {
		return nil, errors.New("no word")
	}
	return w, nil
}

// speaker is a small machine on an engine: it keeps every word in order, once.
type speaker struct {
	engine  raft.Engine
	heap    heap
	applied int64
	open    []sim.Call
	tries   int64
	every   int64 // compacts after so many entries, 0: never
	kept    int64
}

func (s *speaker) Start(env *sim.Env) {
	s.engine.Start(env)
	s.take(env)
}

func (s *speaker) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	s.engine.Receive(env, from, m)
	s.take(env)
}

func (s *speaker) Timeout(env *sim.Env, t sim.Timer) {
	if _, ok := t.(retry); ok {
		for _, c := range slices.Clone(s.open) {
			s.ask(env, c)
		}
	} else {
		s.engine.Timeout(env, t)
	}
	s.take(env)
}

func (s *speaker) Notice(env *sim.Env, n sim.Notice) {
	s.engine.Notice(env, n)
	s.take(env)
}

func (s *speaker) Invoke(env *sim.Env, c sim.Call) {
	s.open = append(s.open, c)
	env.Every(70*time.Millisecond, retry{})
	s.ask(env, c)
	s.take(env)
}

func (s *speaker) ask(env *sim.Env, c sim.Call) {
	op := c.Op.(request)
	s.tries++
	var err error
	switch op[0] {
	case "say":
		_ = s.engine.Propose(env, word{c.ID, op[1]})
		return
	case "read":
		_ = s.engine.Read(env, raft.ReadID(int64(c.ID)*1000+s.tries%1000))
		return
	case "lease":
		err = s.engine.LeaseRead(env, raft.ReadID(int64(c.ID)*1000+s.tries%1000))
		if err == nil {
			return
		}
	case "members":
		voters, learners, _ := strings.Cut(strings.Join(op[1:], " "), "-")
		err = s.engine.Reconfigure(env, raft.Members{Voters: ids(voters), Learners: ids(learners)})
	case "transfer":
		err = s.engine.Transfer(env, ids(op[1])[0])
	case "compact":
		err = s.engine.Compact(env, s.applied, s.heap.copied())
	}
	s.end(env, c.ID, done(fmt.Sprint(err)))
}

// ids are the nodes of their names "A" to "G".
func ids(names string) []sim.NodeID {
	var list []sim.NodeID
	for _, n := range strings.Fields(names) {
		list = append(list, sim.NodeID(n[0]-'A'))
	}
	return list
}

func (h heap) copied() heap { return heap{slices.Clone(h.Words)} }

func (s *speaker) end(env *sim.Env, id sim.CallID, result done) {
	i := slices.IndexFunc(s.open, func(c sim.Call) bool { return c.ID == id })
	if i < 0 {
		return
	}
	s.open = slices.Delete(s.open, i, i+1)
	if len(s.open) == 0 {
		env.Cancel(retry{})
	}
	env.Return(id, result)
}

func (s *speaker) take(env *sim.Env) {
	for list := s.engine.Take(); len(list) > 0; list = s.engine.Take() {
		for _, e := range list {
			s.handle(env, e)
		}
	}
	if s.every > 0 && s.applied >= s.kept+s.every {
		s.kept = s.applied
		_ = s.engine.Compact(env, s.applied, s.heap.copied())
	}
}

func (s *speaker) handle(env *sim.Env, e raft.Event) {
	switch e := e.(type) {
	case raft.Restored:
		s.heap, s.applied, s.kept = e.State.(heap).copied(), e.Index, e.Index
		for _, c := range slices.Clone(s.open) {
			if op := c.Op.(request); op[0] == "say" && slices.Contains(s.heap.Words, op[1]) {
				s.end(env, c.ID, "said")
			}
		}
	case raft.Applied:
		s.applied = e.Index
		if w, ok := e.Command.(word); ok {
			if !slices.Contains(s.heap.Words, w.Text) {
				s.heap.Words = append(s.heap.Words, w.Text)
			}
			s.end(env, w.Call, "said")
		}
	case raft.Wanted:
		_ = s.engine.Compact(env, s.applied, s.heap.copied())
	case raft.Readable:
		s.end(env, sim.CallID(e.ID/1000), done(strings.Join(s.heap.Words, " ")))
	}
}

// speech is the protocol of speakers around the library. Nodes beyond the first so many are spares.
func speech(founders int, every int64, r raft.LibraryRules) *sim.Protocol {
	var list []sim.NodeID
	for i := range founders {
		list = append(list, sim.NodeID(i))
	}
	return &sim.Protocol{
		Name:    "speech",
		Stands:  sim.Losses | sim.Crashes,
		ParseOp: func(w []string) (sim.Op, error) { return request(slices.Clone(w)), nil },
		Variants: []sim.Variant{{Name: "etcd", New: func(id sim.NodeID, _ []sim.NodeID) sim.Machine {
			return &speaker{engine: raft.NewLibraryWith(id, list, words{}, r), every: every}
		}}},
	}
}
