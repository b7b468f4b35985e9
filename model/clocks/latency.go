package clocks

import (
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// A node that is asked measures how long a message takes to another, and by the same answer how far
// the other's wall clock is from its own, with half of the round trip as the error. One that finds
// itself too far from most of the others stops before it does harm: it is probably the one that is
// off (as CockroachDB does, see latencyRules).

// peers is what a node knows of the clocks of others.
type peers struct {
	Stopped bool
	Seen    []sample     // by peer, the latest
	Refused []sim.NodeID // who refuses this node's stamps, in order
	// WasRefused says that somebody has refused a stamp of this node, in this life
	WasRefused bool
}

// sample is what a probe said of a peer's wall clock: that it is ahead of this node's by Offset,
// give or take Error. Base is by how much this node's wall clock was ahead of its monotonic one: if
// that has changed, the clock has jumped, and the sample is of no use.
type sample struct {
	Peer   sim.NodeID
	Offset time.Duration
	Error  time.Duration
	Base   time.Duration
}

type (
	// measure asks for how long a message takes to a node.
	measure struct{ To string }
	// probe asks a node what its clocks show. Sent is the asking node's monotonic clock.
	probe struct {
		ID   sim.CallID
		Sent sim.Time
	}
	// echo answers a probe, with both clocks of the node.
	echo struct {
		ID     sim.CallID
		Sent   sim.Time
		Steady sim.Time
		Wall   sim.Time
	}
	// tooFar tells a node that a stamp of it was so far ahead that it was refused.
	tooFar struct{ Ahead time.Duration }
	// latency is the result of a measure.
	latency struct {
		To   string
		Took time.Duration
	}
)

func (measure) Kind() string { return "measure" }
func (probe) Kind() string   { return "probe" }
func (echo) Kind() string    { return "echo" }
func (tooFar) Kind() string  { return "too-far" }
func (latency) Kind() string { return "latency" }

func (m measure) Keys() []string { return []string{m.To} }
func (l latency) String() string { return fmt.Sprintf("latency %s %v", l.To, l.Took) }
func (t tooFar) String() string  { return fmt.Sprintf("too-far by %v", t.Ahead) }

func (p probe) call() sim.CallID { return p.ID }
func (e echo) call() sim.CallID  { return e.ID }

// What a node says of its peers.
type (
	// saw: by a probe, the wall clock of Peer is ahead of this node's by Offset, give or take
	// Error.
	saw struct {
		Peer          sim.NodeID
		Name          string
		Offset, Error time.Duration
	}
	// stopped: this node takes no requests and no messages any more, since so many of its Peers are
	// further off than tolerated.
	stopped struct{ Off, Peers int }
	// shunned: a peer refuses this node's stamps.
	shunned struct{ By string }
)

func (saw) Kind() string     { return "saw" }
func (stopped) Kind() string { return "stopped" }
func (shunned) Kind() string { return "shunned" }

func (s saw) Keys() []string     { return []string{s.Name} }
func (s shunned) Keys() []string { return []string{s.By} }

func (s saw) String() string {
	return fmt.Sprintf("saw %s off by %v, give or take %v", s.Name, s.Offset, s.Error)
}
func (s stopped) String() string { return fmt.Sprintf("stopped: %d of %d are off", s.Off, s.Peers) }

// latencyOps is their form.
func latencyOps() []opForm {
	return []opForm{{"measure", "NODE", func(w []string, _ string) (sim.Op, error) {
		return measure{w[0]}, nil
	}}}
}

// start knows nothing of peers: what was so before a crash need not be so now.
func (p *peers) start(*node, *sim.Env) { *p = peers{} }

func (m measure) begin(n *node, env *sim.Env, c sim.Call) {
	if to, ok := n.find(env, c.ID, m.To); ok {
		n.ask(env, to, probe{c.ID, n.monotonic(env)})
	}
}

// arrive shows this node's clocks.
func (p probe) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.send(env, from, echo{p.ID, p.Sent, n.monotonic(env), env.Now()})
}

// arrive answers the client, and looks whether this node is off. The round trip counts from when it
// asked first: if a probe was lost, that is longer than it was, and the answer too great, but never
// less than nothing. So is the error.
func (e echo) arrive(n *node, env *sim.Env, from sim.NodeID) {
	if n.waits(e.ID) < 0 {
		return
	}
	trip := n.monotonic(env).Sub(e.Sent)
	n.answer(env, e.ID, latency{env.Name(from), n.rules.latency.took(trip, e)})
	n.peers.accept(from)
	if from != n.id {
		n.see(env, sample{Peer: from, Offset: e.Wall.Add(trip / 2).Sub(env.Now()),
			Error: (trip + 1) / 2, Base: n.base(env)})
	}
}

// base is by how much this node's wall clock is ahead of its monotonic one: it changes when the
// clock jumps, and only then.
func (n *node) base(env *sim.Env) time.Duration { return env.Now().Sub(env.Monotonic()) }

// see takes in what a probe said, and stops this node if it is off.
func (n *node) see(env *sim.Env, s sample) {
	p := &n.peers
	p.Seen = slices.DeleteFunc(p.Seen, func(o sample) bool {
		return o.Peer == s.Peer || o.Base != s.Base
	})
	p.Seen = append(p.Seen, s)
	env.Note(saw{s.Peer, env.Name(s.Peer), s.Offset, s.Error})
	off, others := p.off(n.layout.MaxOffset), len(n.founders)-1
	if n.rules.latency.stops(off, others) {
		p.Stopped = true
		env.Note(stopped{off, others})
	}
}

// off is of how many peers this node knows that their clocks are off by more than 80 % of what is
// allowed.
func (p *peers) off(most time.Duration) int {
	n := 0
	for _, s := range p.Seen {
		if s.Offset.Abs()-s.Error > most/10*8 {
			n++
		}
	}
	return n
}

// refuse tells the sender of a message that its stamp was refused; but not of such a message, for
// two nodes that refuse each other would go on for ever. What is about the clocks themselves is
// taken up without its stamp: else a node that is off could not be told.
func (p *peers) refuse(n *node, env *sim.Env, from sim.NodeID, m message) {
	n.store.refused(from)
	switch part := m.part.(type) {
	case tooFar:
	case probe:
		part.arrive(n, env, from)
	case echo:
		part.arrive(n, env, from)
	default:
		n.send(env, from, tooFar{m.Stamp.Hybrid.Ahead(n.wall(env))})
	}
}

// arrive knows from now on who refuses this node.
func (t tooFar) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.peers.WasRefused = true
	if !slices.Contains(n.peers.Refused, from) {
		n.peers.Refused = append(n.peers.Refused, from)
		slices.Sort(n.peers.Refused)
		env.Note(shunned{env.Name(from)})
	}
}

// refuses says that a peer has refused this node's stamps, and has not been heard to take one
// since.
func (p *peers) refuses(id sim.NodeID) bool { return slices.Contains(p.Refused, id) }

// accept is when a peer has answered a question of this node.
func (p *peers) accept(id sim.NodeID) {
	p.Refused = slices.DeleteFunc(p.Refused, func(r sim.NodeID) bool { return r == id })
}
