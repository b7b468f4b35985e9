package metastore

import (
	"slices"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// node is the machine of one node: the library that its clients use, and the server if it is one.
type node struct {
	rules  rules
	id     sim.NodeID
	layout layout
	client client
	server *server // nil: it is none
}

// lane is the stream of questions and answers.
const lane = sim.Lane(0)

// Start begins with what the disk has. Of clients it has nothing.
func (n *node) Start(env *sim.Env) {
	n.layout = layoutOf(env)
	n.client = client{hint: sim.Nobody}
	votes := slices.Contains(n.layout.Servers, n.id)
	if !votes && !slices.Contains(n.layout.Learners, n.id) {
		return
	}
	env.Note(serves{n.rules.store.Dialect, votes})
	n.server = newServer(n.rules, n.id, n.layout)
	n.server.life = n.rules.server.lives(env)
	n.server.engine.Start(env)
	n.settle(env)
}

// Receive takes up a message: of a client, of a server, or of the log.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case reply:
		n.replied(env, from, m)
	case elsewhere:
		n.sentElsewhere(env, from, m)
	case opened:
		n.opened(env, from, m)
	case parcel:
		n.parcel(env, from, m)
	case alive:
		n.alive(m)
	case gone:
		n.gone(env, m)
	default:
		n.serve(env, from, m)
	}
	n.settle(env)
}

// serve takes up what is for a server.
func (n *node) serve(env *sim.Env, from sim.NodeID, m sim.Message) {
	if n.server == nil {
		return
	}
	switch m := m.(type) {
	case ask:
		n.server.ask(env, from, m)
	case poll:
		n.server.poll(env, from, m)
	default:
		n.server.engine.Receive(env, from, m)
	}
}

// Timeout takes up a timer.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	switch t := t.(type) {
	case again:
		n.again(env, t)
	case polling:
		n.pollAll(env)
	default:
		if n.server != nil {
			n.server.timeout(env, t)
		}
	}
	n.settle(env)
}

// Notice is the log's.
func (n *node) Notice(env *sim.Env, notice sim.Notice) {
	if n.server != nil {
		n.server.engine.Notice(env, notice)
	}
	n.settle(env)
}

// Invoke takes up what a client wants.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	n.begin(env, c)
	n.settle(env)
}

// settle takes up what has come of the log, until nothing does.
func (n *node) settle(env *sim.Env) {
	if n.server == nil {
		return
	}
	for events := n.server.engine.Take(); len(events) > 0; events = n.server.engine.Take() {
		for _, e := range events {
			n.server.event(env, e)
		}
	}
}

// engineOf is the log of a server.
func engineOf(r rules, id sim.NodeID, servers []sim.NodeID) raft.Engine {
	if r.Library {
		return raft.NewLibrary(id, servers, Codec{})
	}
	return raft.NewReference(id, servers)
}

// tell sends a question or an answer: on a stream, or as own work.
func tell(env *sim.Env, to sim.NodeID, m sim.Message) {
	if to == env.ID {
		env.Later(m)
		return
	}
	env.Stream(to, lane).Send(m)
}
