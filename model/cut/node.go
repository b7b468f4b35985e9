package cut

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// node is the machine of one node. Everything but what it waits for is on its disk as well.
type node struct {
	form
	id      sim.NodeID
	version int                      // CutVersion: it has drawn its points of all cuts up to here
	known   map[string]bool          // transactions committed here
	own     []committed              // those that its own clients asked for, in order
	came    map[sim.NodeID][]arrival // by peer: the transactions it notified this node of
	marked  map[sim.NodeID]int       // by peer: the newest marker on the channel from it
	open    []share                  // cuts drawn and neither complete nor abandoned, ascending
	guest   guest
}

// form is what variants differ in: a policy, and two rules.
type form struct {
	policy  policy
	streams bool // channels are FIFO
	tells   bool // a node asked for a cut tells the others
}

// policy is how a cut makes its way along the messages.
type policy interface {
	// stamp is what of a message goes on the wire.
	stamp(n *node, m sim.Message) sim.Message
	// sentIn is the version in which the origin of a notification committed, as far as the receiver
	// can tell.
	sentIn(n *node, from sim.NodeID, m notify) int
	// takes says that a message whose origin committed in a version crosses a cut or precedes it.
	takes(cut, version int) bool
	// spread lets the others know of the version that this node has, now or by and by.
	spread(n *node, env *sim.Env)
	// again says on a channel that is up again that this node has come to a version.
	again(n *node, env *sim.Env, peer sim.NodeID, version int)
	// whole says that everything has come that the channel from a peer carries across the cut.
	whole(n *node, s *share, peer sim.NodeID) bool
	// lossless says that the cut relies on channels that lose nothing.
	lossless() bool
}

// arrival is a transaction that a peer notified this node of.
type arrival struct {
	Tx      string
	Version int // in which its origin committed it
}

// retry is how long a node waits before it asks, and asks again.
const retry = 20 * time.Millisecond

// Start rebuilds the node from its disk. Only the last transaction of its own clients can have been
// cut off between the disk and the network, since a handler has sent before the next one begins; it
// is sent again, as it was: committed in the version that the disk says.
func (n *node) Start(env *sim.Env) {
	n.restore(env)
	if n.guest.waits {
		n.join(env)
		return
	}
	if k := len(n.own); k > 0 {
		n.tell(env, n.own[k-1])
	}
	n.reopen(env)
	n.settle(env)
}

// Receive handles the version of a message before the message itself (Algorithm, step 3).
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if s, ok := m.(signed); ok {
		n.learn(env, s.Version, s.Kind())
		m = s.Message
	}
	n.apply(env, from, m)
	n.settle(env)
}

func (n *node) apply(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case notify:
		n.onNotify(env, from, m)
	case start:
		n.learn(env, m.Cut, "start")
	case marker:
		n.onMarker(env, from, m)
	case ask:
		n.onAsk(env, from, m)
	case sent:
		n.onSent(from, m)
	case hello:
		n.onHello(env, from)
	case welcome:
		n.onWelcome(env, from, m)
	}
}

// Invoke serves a client. A node that has joined and is not yet welcome lets it wait.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	if n.guest.waits {
		n.guest.calls = append(n.guest.calls, c)
		return
	}
	switch op := c.Op.(type) {
	case commit:
		n.onCommit(env, c.ID, op)
	case draw:
		n.onDraw(env, c.ID, op)
	}
	n.settle(env)
}

// Timeout asks again for what has not come.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	switch t.(type) {
	case gather:
		n.askAll(env)
	case greet:
		n.greetAll(env)
	}
}

// Notice follows the members and the channels.
func (n *node) Notice(env *sim.Env, what sim.Notice) {
	switch what.What {
	case sim.Left:
		n.onLeft(env, what.Peer)
	case sim.Broken:
		n.onBroken(env, what.Peer)
	case sim.Opened:
		n.onBroken(env, what.Peer)
		n.onOpened(env, what)
	}
	n.settle(env)
}

// onCommit: the transaction is committed here and now, with the version in which this node stands,
// and the others are notified of it. A transaction that is known is not committed again.
func (n *node) onCommit(env *sim.Env, call sim.CallID, op commit) {
	to, stranger := n.receivers(env, op.To)
	if stranger != "" {
		env.Refuse(call, unable{"no member is called " + stranger})
		return
	}
	if !n.known[op.Tx] {
		c := committed{op.Tx, n.version, n.id, to}
		n.known[op.Tx] = true
		n.own = append(n.own, c)
		n.keep(env, c)
		n.tell(env, c)
	}
	env.Return(call, done{})
}

// onDraw: any node may start a cut, several may at once (step 1). One that has drawn its point does
// nothing more.
func (n *node) onDraw(env *sim.Env, call sim.CallID, op draw) {
	if op.Cut > n.version {
		n.learn(env, op.Cut, "request")
		if n.tells {
			for _, p := range n.peers(env) {
				n.send(env, p, start(op))
			}
		}
	}
	env.Return(call, done{})
}

// learn triggers the cut when a version is newer than this node's (step 4). An older one belongs to
// a message that was sent before the sender's point. One who learns of several cuts at once draws
// the points of all, here, in their order: no cut is passed over.
func (n *node) learn(env *sim.Env, version int, by string) {
	if n.guest.waits {
		n.adopt(env, version)
		return
	}
	for n.version < version {
		n.draw(env, n.version+1, by)
	}
}

// draw is the procedure of step 5: update the version (5.1) and commit the local state, which is
// what the disk holds up to the record of the point (5.2). The channel states are gathered after.
func (n *node) draw(env *sim.Env, cut int, by string) {
	n.version = cut
	p := point{cut, by, env.Nodes}
	n.open = append(n.open, newShare(p))
	n.keep(env, p)
	n.policy.spread(n, env)
}

// onNotify: a transaction told of by its origin is committed on receiving the message, once. What a
// member that has left had on its way is lost: no cut asks for it any more.
func (n *node) onNotify(env *sim.Env, from sim.NodeID, m notify) {
	if n.guest.waits {
		n.guest.messages = append(n.guest.messages, aside{from, m})
		return
	}
	if slices.Contains(env.Nodes, from) {
		n.take(env, from, m)
	}
}

// take commits a transaction that a peer told of, unless it is known.
func (n *node) take(env *sim.Env, from sim.NodeID, m notify) {
	if n.heard(from, m.Tx) {
		return // a copy, or sent again
	}
	version := n.policy.sentIn(n, from, m)
	n.came[from] = append(n.came[from], arrival{m.Tx, version})
	if n.known[m.Tx] {
		return
	}
	n.known[m.Tx] = true
	n.keep(env, committed{m.Tx, version, from, nil})
}

// say says a fact. A transaction that was sent before a cut and arrives after it is in the channel,
// and so part of the cut (step 5.2.2).
func (n *node) say(env *sim.Env, f sim.Fact) {
	if c, ok := f.(committed); ok && c.Origin != n.id {
		for i := range n.open {
			if cut := n.open[i].Cut; n.policy.takes(cut, c.Version) {
				env.Note(channel{cut, c.Origin, c.Tx})
			}
		}
	}
	env.Note(f)
}

// keep makes a fact durable before it is said, and before anything that follows from it.
func (n *node) keep(env *sim.Env, f sim.Fact) {
	env.Disk.Append(f)
	env.Disk.Sync()
	n.say(env, f)
}

// tell notifies the others of a transaction that this node's client asked for.
func (n *node) tell(env *sim.Env, c committed) {
	for _, to := range c.To {
		n.send(env, to, notify{c.Tx, c.Version})
	}
}

// send marks every message with the version (step 2).
func (n *node) send(env *sim.Env, to sim.NodeID, m sim.Message) {
	m = n.policy.stamp(n, m)
	if n.streams {
		env.Stream(to, 0).Send(m)
		return
	}
	env.Send(to, m)
}

func (n *node) heard(from sim.NodeID, tx string) bool {
	return slices.ContainsFunc(n.came[from], func(a arrival) bool { return a.Tx == tx })
}

// peers are the other members that this node knows of.
func (n *node) peers(env *sim.Env) []sim.NodeID {
	peers := make([]sim.NodeID, 0, len(env.Nodes))
	for _, id := range env.Nodes {
		if id != n.id {
			peers = append(peers, id)
		}
	}
	return peers
}

// receivers are those that a client wants notified, everyone if it names nobody.
func (n *node) receivers(env *sim.Env, names []string) (to []sim.NodeID, stranger string) {
	peers := n.peers(env)
	if names == nil {
		return peers, ""
	}
	for _, name := range names {
		if name == env.Name(n.id) {
			continue
		}
		at := slices.IndexFunc(peers, func(id sim.NodeID) bool { return env.Name(id) == name })
		if at < 0 {
			return nil, name
		}
		to = append(to, peers[at])
	}
	return to, ""
}
