package main

import "github.com/downset/downset/sim"

type word string
type say struct {
	Call sim.CallID
	Word word
	Back bool
}

func (word) Kind() string     { return "word" }
func (w word) String() string { return string(w) }
func (say) Kind() string      { return "say" }

type node struct{ sim.Idle }

func (node) Invoke(env *sim.Env, c sim.Call) {
	next := env.Nodes[(int(env.ID)+1)%len(env.Nodes)]
	env.Send(next, say{Call: c.ID, Word: c.Op.(word)})
}

func (node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	s := m.(say)
	if s.Back {
		env.Return(s.Call, s.Word)
		return
	}
	env.Send(from, say{s.Call, s.Word, true})
}

var Protocol = &sim.Protocol{
	Name:       "echo",
	Variants:   []sim.Variant{{Name: "plain", New: func(sim.NodeID, []sim.NodeID) sim.Machine { return &node{} }}},
	ParseOp:    func(w []string) (sim.Op, error) { return word(w[0]), nil },
	Properties: []sim.Property{sim.Replies("faithful", func(op sim.Op, got sim.Body) bool { return op == got })},
}
