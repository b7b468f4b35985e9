package clocks

import (
	"fmt"
	"math"
	"slices"

	"github.com/downset/downset/sim"
)

// Stamp is what the three clocks of a node say of an event. Where there is no hybrid clock, Hybrid
// is as before all events.
type Stamp struct {
	Lamport  Lamport
	Vector   Vector
	Hybrid   Hybrid
	Physical sim.Time // what the node's own clock showed
}

func (s Stamp) String() string {
	if s.Hybrid.never() {
		return fmt.Sprintf("%v %v", s.Lamport, s.Vector)
	}
	return fmt.Sprintf("%v %v %v", s.Lamport, s.Vector, s.Hybrid)
}

// clocks are those of a node.
type clocks struct {
	Last  Stamp    // of the last event
	Got   Stamp    // of the message that is being taken up
	Words []saying // what this node has said and heard, see talk.go
}

// ticked is what a node keeps of its clocks on its disk: the stamp of each event, before anybody
// hears of it. A start goes on from the last, by all three clocks.
//
// Systems whose events are not on a disk one by one write a bound instead, somewhat ahead of the
// hybrid clock, and raise it before a stamp reaches it: one record for many events. Who starts from
// such a bound must wait until its own clock is past it, as CockroachDB does, or else each restart
// carries the hybrid clock further ahead of all clocks. Here nothing is ahead, and there is nothing
// to wait for.
type ticked struct {
	What  event
	Stamp Stamp
}

func (ticked) Kind() string { return "ticked" }

// stamped says when an event was, by the clocks of its node: a start, something local, the sending
// of a message, or its receipt. From is the node that it is from.
type stamped struct {
	What  event
	Stamp Stamp
	From  sim.NodeID
	Body  string // the kind of the message
}

// event is what is stamped.
type event uint8

const (
	starts event = iota + 1
	local
	sends
	receives
)

var eventNames = [...]string{starts: "start", local: "local", sends: "send", receives: "receive"}

func (e event) String() string { return eventNames[e] }

// refused says that a message was not taken up, since its hybrid stamp is too far ahead.
type refused struct {
	From  sim.NodeID
	Stamp Stamp
	At    sim.Time // what the node's own clock showed
}

func (stamped) Kind() string { return "stamp" }
func (refused) Kind() string { return "refused-stamp" }

func (s stamped) String() string { return fmt.Sprintf("stamp %v %v", s.What, s.Stamp) }
func (r refused) String() string {
	return fmt.Sprintf("refused-stamp %v at %v", r.Stamp.Hybrid, r.At)
}

// start reads the clocks from the disk. Each goes on from the last stamp there, which is above
// whatever this node has said; without one the hybrid clock begins at the node's own.
func (c *clocks) start(n *node, env *sim.Env) {
	c.Last = Stamp{Vector: make(Vector, len(n.founders)), Lamport: Lamport{Node: n.id},
		Hybrid: BeforeAll(n.wall(env))}
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		if t, ok := env.Disk.At(lsn).(ticked); ok {
			c.Last = n.rules.stamp.read(c.Last, t)
		}
	}
	n.event(env, stamped{What: starts, From: n.id})
}

// local stamps something that is neither sent nor received.
func (n *node) local(env *sim.Env) { n.event(env, stamped{What: local, From: n.id}) }

// send stamps a message and sends it.
func (n *node) send(env *sim.Env, to sim.NodeID, p part) {
	before := n.clocks.Last
	n.event(env, stamped{What: sends, From: n.id, Body: p.Kind()})
	env.Send(to, message{n.rules.stamp.sent(before, n.clocks.Last), p})
}

// receive stamps the receipt of a message. One whose hybrid stamp is too far ahead of this node's
// clock is refused: nothing of it is taken up, and its sender is told. A node's own work is never
// refused: its clock may just have jumped back.
func (n *node) receive(env *sim.Env, from sim.NodeID, m message) bool {
	now, r := n.wall(env), &n.rules.stamp
	if from != n.id && r.refuses(n, m.Stamp.Hybrid, now) {
		env.Note(refused{from, m.Stamp, now})
		n.clocks.Last.Hybrid = r.hybridRefused(n.clocks.Last.Hybrid, m.Stamp.Hybrid)
		n.event(env, stamped{What: local, From: n.id})
		n.peers.refuse(n, env, from, m)
		return false
	}
	n.clocks.Got = m.Stamp
	n.take(env, stamped{What: receives, From: from, Body: m.Kind()})
	return true
}

// event stamps what a node does of itself.
func (n *node) event(env *sim.Env, s stamped) {
	c, pt, r := &n.clocks, n.wall(env), &n.rules.stamp
	n.keep(env, s, Stamp{
		Lamport:  r.lamport(c.Last.Lamport),
		Vector:   r.vector(c.Last.Vector, n.id),
		Hybrid:   r.hybrid(c.Last.Hybrid, pt),
		Physical: pt,
	})
}

// take stamps the receipt of the message that is being taken up.
func (n *node) take(env *sim.Env, s stamped) {
	c, pt, r := &n.clocks, n.wall(env), &n.rules.stamp
	n.keep(env, s, Stamp{
		Lamport:  r.lamportReceived(c.Last.Lamport, c.Got.Lamport),
		Vector:   r.vectorReceived(c.Last.Vector, c.Got.Vector, n.id),
		Hybrid:   r.hybridReceived(c.Last.Hybrid, c.Got.Hybrid, pt),
		Physical: pt,
	})
}

// keep puts the clocks on the disk, and then says what they are.
func (n *node) keep(env *sim.Env, s stamped, now Stamp) {
	n.clocks.Last = now
	s.Stamp = now
	s.Stamp.Vector = slices.Clone(now.Vector)
	env.Disk.Append(ticked{s.What, s.Stamp})
	env.Disk.Sync()
	env.Note(s)
}

// wall is this node's clock as stamps read it.
func (n *node) wall(env *sim.Env) sim.Time { return n.layout.grained(env.Now()) }

// grained is a reading of a clock of the granularity that was set up. A clock does not show less
// than the least time that there is.
func (l layout) grained(t sim.Time) sim.Time {
	grain := sim.Time(l.Granularity)
	past := t % grain
	if past < 0 {
		past += grain
	}
	if t < math.MinInt64+past {
		return math.MinInt64
	}
	return t - past
}
