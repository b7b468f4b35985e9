package raft

import "github.com/downset/downset/sim"

// WireCodec is the codec of the machine's commands.
var WireCodec Codec = wireCodec{}

// CommandOf is a request as the log has it.
func CommandOf(call sim.CallID, client sim.ClientID, words ...string) (Command, error) {
	op, err := parseOp(words)
	return command{Call: call, Client: client, Op: op}, err
}

// Store is the state machine.
type Store struct{ store }

// Apply puts a command into effect.
func (s *Store) Apply(index int64, c Command) sim.Body {
	return s.apply(index, c.(command), &nodeRules{})
}

// Digest is the state in words.
func (s *Store) Digest() string { return s.digest() }
