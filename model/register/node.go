package register

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// node is the machine of one node: a replica of every register, and the coordinator of what its own
// clients ask.
type node struct {
	policy policy
	id     sim.NodeID
	name   string      // with which it signs the tags that it chooses
	quorum int         // how many replies end a phase: more than half
	held   []version   // the newest of each register that it knows, in the order it met them
	open   []operation // in the order of their calls
}

// policy is what variants differ in.
type policy interface {
	// back is what a read stores at a majority before it returns, if anything.
	back(n *node, o *operation) (v version, needed bool)
}

// operation is one that this node coordinates.
type operation struct {
	Phase  phase
	Key    string
	Writes bool
	Value  string // to be written
	Best   version
	Agree  bool         // all replies so far had the same version
	From   []sim.NodeID // who has replied in this phase, this node included
}

// retry is how long a phase waits before it asks again those that have not replied.
const retry = 20 * time.Millisecond

// Start reads the disk, which has every version that this node has answered for. A torn record
// never became durable, so nothing has come of it, and those after it count. What was under way
// here is lost: its client does not know whether it takes effect.
func (n *node) Start(env *sim.Env) {
	n.name = env.Name(n.id)
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		if s, whole := env.Disk.At(lsn).(stored); whole {
			n.take(s.version)
		}
	}
	for _, v := range n.held {
		env.Note(stored{v})
	}
}

// Invoke begins an operation, of either kind, by asking for the newest version.
func (n *node) Invoke(env *sim.Env, c sim.Call) {
	n.begin(env, n.enter(c))
}

// enter opens an operation. The version of this node is the first that it knows.
func (n *node) enter(c sim.Call) *operation {
	o := operation{Phase: phase{c.ID, querying}, Agree: true}
	switch op := c.Op.(type) {
	case write:
		o.Key, o.Value, o.Writes = op.Key, op.Value, true
	case read:
		o.Key = op.Key
	}
	o.Best = n.version(o.Key)
	n.open = append(n.open, o)
	return &n.open[len(n.open)-1]
}

// Receive is what a replica says to a coordinator, and the other way round.
func (n *node) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case query:
		env.Send(from, answer{m.Phase, n.version(m.Key)})
	case answer:
		n.onAnswer(env, from, m)
	case store:
		n.keep(env, m.version)
		env.Send(from, ack{m.Phase, m.Key, m.Tag})
	case ack:
		if o := n.awaits(m.Phase, from); o != nil {
			n.count(env, o, from)
		}
	}
}

// Timeout asks again: what was sent may be lost, or its receiver down.
func (n *node) Timeout(env *sim.Env, t sim.Timer) {
	call := t.(again).Call
	for i := range n.open {
		if o := &n.open[i]; o.Phase.Call == call {
			n.ask(env, o)
		}
	}
}

// Notice has nothing to say to a register: its members are those it began with.
func (n *node) Notice(*sim.Env, sim.Notice) {}

// keep makes a version durable, unless a newer one is. It is on the disk before it is said and
// before anybody is told.
func (n *node) keep(env *sim.Env, v version) {
	if n.take(v) {
		env.Disk.Append(stored{v})
		env.Disk.Sync()
		env.Note(stored{v})
	}
}

// take takes a version over if it is newer than what this node has of the register.
func (n *node) take(v version) bool {
	if !n.version(v.Key).Tag.less(v.Tag) {
		return false
	}
	n.put(v)
	return true
}

// put puts a version in the place of the one that this node has.
func (n *node) put(v version) {
	if i := n.find(v.Key); i >= 0 {
		n.held[i] = v
		return
	}
	n.held = append(n.held, v)
}

// version is what this node has of a register.
func (n *node) version(key string) version {
	if i := n.find(key); i >= 0 {
		return n.held[i]
	}
	return version{Key: key}
}

func (n *node) find(key string) int {
	return slices.IndexFunc(n.held, func(v version) bool { return v.Key == key })
}

// begin begins a phase. This node replies to itself at once.
func (n *node) begin(env *sim.Env, o *operation) {
	o.From = nil
	n.ask(env, o)
	env.Every(retry, again{o.Key, o.Phase.Call})
	n.count(env, o, n.id)
}

// ask sends the question of a phase to those that have not replied.
func (n *node) ask(env *sim.Env, o *operation) {
	for _, to := range env.Nodes {
		if to == n.id || slices.Contains(o.From, to) {
			continue
		}
		switch o.Phase.Round {
		case querying:
			env.Send(to, query{o.Phase, o.Key})
		case storing:
			env.Send(to, store{o.Phase, o.Best})
		}
	}
}

// onAnswer: the newest version counts.
func (n *node) onAnswer(env *sim.Env, from sim.NodeID, m answer) {
	o := n.awaits(m.Phase, from)
	if o == nil {
		return
	}
	o.Agree = o.Agree && m.Tag == o.Best.Tag
	if o.Best.Tag.less(m.Tag) {
		o.Best = m.version
	}
	n.count(env, o, from)
}

// awaits is the operation that waits for a reply from a node in a phase, nil if none does. A reply
// to a phase that has ended, or from before a restart, is awaited no more, nor is the copy of one.
func (n *node) awaits(p phase, from sim.NodeID) *operation {
	for i := range n.open {
		if o := &n.open[i]; o.Phase == p && !slices.Contains(o.From, from) {
			return o
		}
	}
	return nil
}

// count counts a reply, and ends the phase once a majority has replied.
func (n *node) count(env *sim.Env, o *operation, from sim.NodeID) {
	o.From = append(o.From, from)
	if len(o.From) < n.quorum {
		return
	}
	env.Note(quorum{o.Phase, o.Key, slices.Clone(o.From)})
	switch {
	case o.Phase.Round == storing:
		n.finish(env, o)
	case o.Writes:
		n.choose(env, o)
	default:
		n.found(env, o)
	}
}

// choose gives a write its tag, above all that the majority knows. It is also above all that this
// node has, so that two writes of its own, under way at once or before and after a crash, cannot
// choose the same: the version is on its disk before anybody else hears of it.
func (n *node) choose(env *sim.Env, o *operation) {
	o.Best = version{o.Key, n.next(o), o.Value}
	n.keep(env, o.Best)
	env.Note(chosen{o.Phase.Call, o.Best})
	n.spread(env, o)
}

// next is a tag above all that an operation has found and that this node has.
func (n *node) next(o *operation) tag {
	return tag{1 + max(o.Best.Tag.Seq, n.version(o.Key).Tag.Seq), n.name}
}

// found: a read knows what to return. It must not return what a later read might miss.
func (n *node) found(env *sim.Env, o *operation) {
	v, needed := n.policy.back(n, o)
	o.Best = v
	if !needed {
		n.finish(env, o)
		return
	}
	n.keep(env, v)
	n.spread(env, o)
}

// spread begins the second phase, which stores a version at a majority.
func (n *node) spread(env *sim.Env, o *operation) {
	o.Phase.Round = storing
	n.begin(env, o)
}

// finish answers the client.
func (n *node) finish(env *sim.Env, o *operation) {
	p, v := o.Phase, o.Best
	env.Cancel(again{o.Key, p.Call})
	if o.Writes {
		env.Return(p.Call, wrote{v.Key, v.Tag})
	} else {
		env.Return(p.Call, got{v})
	}
	n.close(p.Call)
}

func (n *node) close(call sim.CallID) {
	n.open = slices.DeleteFunc(n.open, func(o operation) bool { return o.Phase.Call == call })
}
