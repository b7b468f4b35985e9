package cut

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// variant is a row of the table: how a variant is made, before rules.
type variant struct {
	name string
	doc  string
	form form
	// Of a variant that is wrong on purpose: what it is made from, what must catch it, and how a
	// node is tampered with at its door; nil if it is the form that is spoiled.
	of, breaks string
	wrap       func(*node) sim.Machine
}

var published = []variant{
	{name: "unsigned", form: form{policy: unsigned{}}, breaks: "consistent-cut",
		doc: "no version on messages: a node draws its point when it is asked, and what is in a " +
			"channel nobody knows (the draft, Consistent Cut, first picture)"},
	{name: "signed", form: form{policy: byVersion{}},
		doc: "messages are signed with the version, which is handled first; channel states by counting " +
			"(the draft, Algorithm; Lai and Yang 1987, Mattern 1989)"},
	{name: "markers", form: form{policy: byMarker{}, streams: true},
		doc: "a marker on every channel at the point, no versions; wants FIFO channels that lose " +
			"nothing (Chandy and Lamport 1985)"},
}

var rules = []sim.Rule{
	{Name: "channel", Doc: "what messages travel on: datagrams overtake each other, a stream keeps " +
		"their order", Values: []string{"datagram", "stream"}},
	{Name: "start", Doc: "whether a node that is asked for a cut leaves it to the messages to " +
		"spread it, or tells the others", Values: []string{"asked", "told"}},
}

// set applies the rules of a variant's name.
func (f form) set(rules []sim.RuleValue) form {
	for _, r := range rules {
		switch r.Rule {
		case "channel":
			f.streams = r.Value == "stream"
		case "start":
			f.tells = r.Value == "told"
		}
	}
	return f
}

// machine is a node of this form. founders are the members from the start: another node has joined.
func (f form) machine(id sim.NodeID, founders []sim.NodeID) *node {
	return &node{
		form:   f,
		id:     id,
		known:  map[string]bool{},
		came:   map[sim.NodeID][]arrival{},
		marked: map[sim.NodeID]int{},
		guest:  guest{waits: !slices.Contains(founders, id)},
	}
}

// all is the whole table.
func all() []variant { return slices.Concat(published, sabotaged) }

// variants is the table as the engine wants it.
func variants() []sim.Variant {
	var list []sim.Variant
	for _, v := range all() {
		list = append(list, v.with(nil))
	}
	return list
}

// apply sets rules on a variant.
func apply(to sim.Variant, rules []sim.RuleValue) (sim.Variant, error) {
	for _, v := range all() {
		if v.name == to.Name {
			return v.with(rules), nil
		}
	}
	return to, fmt.Errorf("cut has no variant %q to set rules on", to.Name)
}

// with is the variant under some rules.
func (v variant) with(rules []sim.RuleValue) sim.Variant {
	f, wrap := v.form.set(rules), v.wrap
	return sim.Variant{Name: v.name, Doc: v.doc, Of: v.of, Breaks: v.breaks,
		New: func(id sim.NodeID, founders []sim.NodeID) sim.Machine {
			n := f.machine(id, founders)
			if wrap == nil {
				return n
			}
			return wrap(n)
		}}
}

// unsigned says nothing of versions: a message tells its receiver nothing of the cut, and what is
// in a channel nobody knows.
type unsigned struct{}

func (unsigned) stamp(_ *node, m sim.Message) sim.Message { return bare(m) }

func (unsigned) sentIn(n *node, _ sim.NodeID, _ notify) int { return n.version }

func (unsigned) takes(cut, version int) bool { return version < cut }

func (unsigned) spread(*node, *sim.Env) {}

func (unsigned) again(*node, *sim.Env, sim.NodeID, int) {}

func (unsigned) whole(*node, *share, sim.NodeID) bool { return false }

func (unsigned) lossless() bool { return false }

// bare is a message without its version.
func bare(m sim.Message) sim.Message {
	if n, ok := m.(notify); ok {
		return notify{Tx: n.Tx}
	}
	return m
}

// byVersion signs every message. It draws its points along any message, in any order of delivery;
// the channel from a peer is whole once as many messages of before the cut have come as the peer
// says it sent.
type byVersion struct{}

func (byVersion) stamp(n *node, m sim.Message) sim.Message { return signed{n.version, m} }

func (byVersion) sentIn(_ *node, _ sim.NodeID, m notify) int { return m.Version }

func (byVersion) takes(cut, version int) bool { return version < cut }

// spread leaves it to the messages, and after a while asks those that none has reached.
func (byVersion) spread(n *node, env *sim.Env) {
	if len(n.open) > 0 {
		env.Every(retry, gather{})
	}
}

func (p byVersion) again(n *node, env *sim.Env, _ sim.NodeID, _ int) { p.spread(n, env) }

func (byVersion) whole(n *node, s *share, peer sim.NodeID) bool {
	count, told := s.Sent[peer]
	return told && n.have(peer, s.Cut) >= count
}

func (byVersion) lossless() bool { return false }

// byMarker sends a marker down every channel at its point, before anything else. On a FIFO channel
// what comes before the marker of a cut was sent before the sender's point, and the rest after.
type byMarker struct{}

func (byMarker) stamp(_ *node, m sim.Message) sim.Message { return bare(m) }

func (byMarker) sentIn(n *node, from sim.NodeID, _ notify) int { return n.marked[from] }

func (byMarker) takes(cut, version int) bool { return version < cut }

func (byMarker) spread(n *node, env *sim.Env) {
	if n.version == 0 {
		return
	}
	for _, p := range n.peers(env) {
		n.send(env, p, marker{n.version})
	}
}

func (byMarker) again(n *node, env *sim.Env, peer sim.NodeID, version int) {
	n.send(env, peer, marker{version})
}

func (byMarker) whole(n *node, s *share, peer sim.NodeID) bool { return n.marked[peer] >= s.Cut }

func (byMarker) lossless() bool { return true }
