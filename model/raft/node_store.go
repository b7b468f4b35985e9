package raft

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// command is what a client's request is in the log. The call tells it apart from all others, so
// that who has the call knows its answer, and a copy of it is known for one.
type command struct {
	Call   sim.CallID
	Client sim.ClientID
	Try    int64 // 0, but for who stamps it anew
	Op     sim.Op
}

// Kind is that of the request.
func (c command) Kind() string { return c.Op.Kind() }

// Keys are those of the request.
func (c command) Keys() []string { return sim.KeysOf(c.Op) }

// String is the request.
func (c command) String() string { return sim.Text(c.Op) }

// store is the state machine: keys with values. It is a function of the log up to Index, and of
// nothing else.
type store struct {
	Index    int64
	Pairs    []pair    // by key
	Sessions []session // by client
}

type pair struct{ Key, Value string }

// session is what a client was answered last. A client asks one thing at a time, and what it asks
// later has a greater number: an older command that comes now is a copy, and so is an equal one
// (the dissertation, 6.3).
type session struct {
	Client sim.ClientID
	Call   sim.CallID
	Try    int64
	Answer sim.Body
}

// image is the state in a snapshot.
type image struct{ store }

// Kind is "image".
func (image) Kind() string { return "image" }

// String is the state.
func (i image) String() string { return i.digest() }

// Image is the fact that a state stands for all up to Index: in the snapshot that a node makes, or
// in one that it has been given. Text is the state. It is equal wherever Index is.
type Image struct {
	Index int64
	Text  string
	State store // the same, for who shows it
}

// Kind is "image".
func (Image) Kind() string { return "image" }

// String is "image 7: x=1".
func (f Image) String() string { return fmt.Sprintf("image %d: %s", f.Index, f.Text) }

// value is what a key has, "" if it has none.
func (s *store) value(key string) string {
	if i, ok := s.find(key); ok {
		return s.Pairs[i].Value
	}
	return ""
}

func (s *store) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.Pairs, key,
		func(p pair, k string) int { return cmp.Compare(p.Key, k) })
}

func (s *store) set(key, value string) {
	i, ok := s.find(key)
	if !ok {
		s.Pairs = slices.Insert(s.Pairs, i, pair{Key: key})
	}
	s.Pairs[i].Value = value
}

// apply puts a command into effect, once, and gives its answer. A copy has no effect, and the same
// answer; so has one that is older, and its client has long ceased to wait.
func (s *store) apply(index int64, c command, r *nodeRules) sim.Body {
	s.Index = index
	i, known := slices.BinarySearchFunc(s.Sessions, c.Client,
		func(t session, id sim.ClientID) int { return cmp.Compare(t.Client, id) })
	if known && !r.NoDedup && s.Sessions[i].covers(c) {
		return s.Sessions[i].Answer
	}
	answer := s.effect(c.Op)
	if !known {
		s.Sessions = slices.Insert(s.Sessions, i, session{Client: c.Client})
	}
	s.Sessions[i] = session{c.Client, c.Call, c.Try, answer}
	return answer
}

// covers says that a command is a copy of what a session has seen, or older than that.
func (t session) covers(c command) bool {
	return c.Call < t.Call || c.Call == t.Call && c.Try <= t.Try
}

// effect is what a request does, at Index.
func (s *store) effect(op sim.Op) sim.Body {
	switch op := op.(type) {
	case put:
		s.set(op.Key, op.Value)
		return wrote{s.Index}
	case get:
		return s.read(op.Key)
	case cas:
		if s.value(op.Key) != op.Old {
			return swapped{false, s.Index}
		}
		s.set(op.Key, op.New)
		return swapped{true, s.Index}
	}
	panic(fmt.Sprintf("a log with the command %T", op))
}

// read is what a read of a key gives now.
func (s *store) read(key string) got { return got{s.value(key), s.Index} }

// answered is the answer that a call has got, nil if it has got none.
func (s *store) answered(c sim.Call) sim.Body {
	for _, t := range s.Sessions {
		if t.Client == c.Client && t.Call == c.ID {
			return t.Answer
		}
	}
	return nil
}

// copied is a state that shares nothing with this one.
func (s *store) copied() store {
	return store{s.Index, slices.Clone(s.Pairs), slices.Clone(s.Sessions)}
}

// digest is the state in words: the pairs, and a sum over the sessions.
func (s *store) digest() string {
	var words []string
	for _, p := range s.Pairs {
		words = append(words, p.Key+"="+p.Value)
	}
	return s.digestOf(words)
}

func (s *store) digestOf(words []string) string {
	sum := fnv.New32a()
	for _, t := range s.Sessions {
		fmt.Fprint(sum, t.Client, " ", t.Call, " ", t.Try, " ", sim.Text(t.Answer), ";")
	}
	words = append(words, fmt.Sprintf("sessions %d %08x", len(s.Sessions), sum.Sum32()))
	return strings.Join(words, " ")
}
