package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// node is the machine of one node.
type node struct {
	rules    rules
	id       sim.NodeID
	name     string
	founders []sim.NodeID
	layout   layout // what the scenario set up
	clocks   clocks
	asked    []asking // what this node's clients wait for, in the order of their calls
	session  session
	store    store
	streams  streams
	leases   leases
	peers    peers
	objects  objects
}

// What a node takes up are values that know what they do there: a part of a message, a request of a
// client, a timer.
type (
	part interface {
		sim.Message
		arrive(n *node, env *sim.Env, from sim.NodeID)
	}
	request interface {
		sim.Op
		begin(n *node, env *sim.Env, c sim.Call)
	}
	alarm interface {
		sim.Timer
		ring(n *node, env *sim.Env)
	}
)

// Start makes of the disk what the node had before it, its clocks first.
func (n *node) Start(env *sim.Env) {
	n.name = env.Name(n.id)
	n.layout = layoutOf(env.Setup)
	n.clocks.start(n, env)
	n.store.start(n, env)
	n.objects.start(env)
	n.objectsChanged(env)
	n.streams.start(n, env)
	n.leases.start(n, env)
	n.peers.start(n, env)
}

// Invoke takes up what a client wants. A node that has stopped refuses.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	if n.peers.Stopped {
		env.Refuse(c.ID, refusal{"stopped"})
		return
	}
	n.local(env)
	c.Op.(request).begin(n, env, c)
}

// Receive takes up a message, unless its stamp is refused.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	msg := m.(message)
	if n.peers.Stopped {
		return
	}
	if n.receive(env, from, msg) {
		msg.part.arrive(n, env, from)
	}
}

// Timeout takes up a timer.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	if n.peers.Stopped {
		env.Cancel(t)
		return
	}
	n.local(env)
	t.(alarm).ring(n, env)
}

// Notice has nothing to say: the nodes are those of the start.
func (n *node) Notice(*sim.Env, sim.Notice) {}

// find is the node called name. The request is refused, surely without effect, if there is none.
func (n *node) find(env *sim.Env, c sim.CallID, name string) (id sim.NodeID, ok bool) {
	if name == "" {
		return n.id, true
	}
	at := slices.IndexFunc(env.Nodes, func(id sim.NodeID) bool { return env.Name(id) == name })
	if at < 0 {
		env.Refuse(c, refusal{fmt.Sprintf("there is no node %s", name)})
		return 0, false
	}
	return env.Nodes[at], true
}
