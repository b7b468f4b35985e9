package cut

import (
	"slices"

	"github.com/downset/downset/sim"
)

// guest is the state of a node that has joined and does not act yet. It learns the version from
// every member first: then each cut that some member drew without knowing of it lies before its
// first step, and it is a member of all later ones.
type guest struct {
	waits    bool
	awaited  []sim.NodeID // members whose welcome it waits for
	calls    []sim.Call   // what clients asked meanwhile
	messages []aside      // what it was notified of meanwhile
}

// aside is a message put aside.
type aside struct {
	From sim.NodeID
	M    notify
}

// join begins the wait. Where channels may lose messages a timer says hello again.
func (n *node) join(env *sim.Env) {
	n.guest.awaited = n.peers(env)
	if len(n.guest.awaited) == 0 {
		n.begin(env)
		return
	}
	n.greetAll(env)
	if !n.streams {
		env.Every(retry, greet{})
	}
}

// greetAll says hello to the members that have not answered, until they do.
func (n *node) greetAll(env *sim.Env) {
	for _, p := range n.guest.awaited {
		n.send(env, p, hello{})
	}
}

// onHello: a member that knows of the newcomer tells it the version. From here on each cut that
// this node draws counts the newcomer in.
func (n *node) onHello(env *sim.Env, from sim.NodeID) {
	if slices.Contains(env.Nodes, from) {
		n.send(env, from, welcome{n.version})
	}
}

// onWelcome: the version of a joiner is the newest of all members' (initialization of the version).
func (n *node) onWelcome(env *sim.Env, from sim.NodeID, m welcome) {
	if !n.guest.waits {
		return
	}
	n.learn(env, m.Version, m.Kind())
	n.welcomed(env, from)
}

// welcomed strikes a member off the list of those that are awaited.
func (n *node) welcomed(env *sim.Env, peer sim.NodeID) {
	g := &n.guest
	g.awaited = slices.DeleteFunc(g.awaited, func(id sim.NodeID) bool { return id == peer })
	if g.waits && len(g.awaited) == 0 {
		n.begin(env)
	}
}

// adopt takes over a version without drawing a point: this node has done nothing yet.
func (n *node) adopt(env *sim.Env, version int) {
	if version > n.version {
		n.version = version
		n.keep(env, adopted{version, false})
	}
}

// begin ends the wait: what was put aside is done now.
func (n *node) begin(env *sim.Env) {
	g := n.guest
	n.guest = guest{}
	env.Cancel(greet{})
	n.keep(env, adopted{n.version, true})
	n.policy.spread(n, env)
	for _, a := range g.messages {
		n.take(env, a.From, a.M)
	}
	for _, c := range g.calls {
		n.Invoke(env, c)
	}
}
