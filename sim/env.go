package sim

import (
	"fmt"
	"slices"
	"time"
)

// Env is all that a machine may see and do. It is lent for the length of one call.
//
// What a machine does is an ordered list of effects. A crash may fall between any two of append,
// sync, send, publish and return; notes and timers ride on the effect before them. No effect tells
// how it ended.
type Env struct {
	ID    NodeID
	Nodes []NodeID // the members this node knows of, in order of NodeID, itself included
	Setup []any    // what the scenario set up, read-only
	Disk  Disk
	node  *node
}

// Now is this node's clock.
func (e *Env) Now() Time {
	if k := e.node.w.walk; k != nil {
		k.reads = true
	}
	return e.node.clock.at(e.node.w.now)
}

// Monotonic is this node's monotonic clock: what Now would be had the clock never jumped. It runs
// at the rate of the node's clock, from 0 at the start of the run, and goes on while the node is
// down: the host stays up. It tells durations on this node, and nothing of any other node's clock.
func (e *Env) Monotonic() Time {
	if k := e.node.w.walk; k != nil {
		k.reads = true
	}
	return e.node.clock.steady(e.node.w.now)
}

// JoinedAt is the position on the log lane at which a member joined last, 0 for a founder that has
// been there ever since. It is meant for Start: what comes later, Notice tells.
func (e *Env) JoinedAt(id NodeID) int64 {
	w := e.node.w
	for at := len(w.log) - 1; at >= 0; at-- {
		if m, ok := w.log[at].body.(Member); ok && m.Joined && m.Name == w.names[id] {
			return int64(at) + 1
		}
	}
	return 0
}

// Name is the name of a node.
func (e *Env) Name(id NodeID) string { return endName(e.node.w.names, id) }

// Send sends a datagram: it may be delayed, overtaken, lost, copied. To oneself it is own work.
func (e *Env) Send(to NodeID, m Message) {
	e.known(to)
	if to == e.ID {
		e.Later(m)
		return
	}
	e.node.do(effect{what: effSend, to: to, body: m})
}

// known ends the run, as a fault of the machine, if there is no such node.
func (e *Env) known(to NodeID) {
	if int(to) >= len(e.node.w.nodes) {
		panic(fmt.Sprintf("node %d is addressed, of %d", to, len(e.node.w.nodes)))
	}
}

// Later is own work: a later step of this node, lost in a crash, never touched by the network.
func (e *Env) Later(m Message) { e.node.do(effect{what: effLater, to: e.ID, body: m}) }

// Publish puts m on the log lane, which the protocol must have (Protocol.Log); it comes back as
// Logged on every node, in the same order.
func (e *Env) Publish(m Message) {
	if p := e.node.w.plan.Protocol; !p.Log {
		panic(fmt.Sprintf("Publish(%s): %s has no log lane; set Protocol.Log", Text(m), p.Name))
	}
	e.node.do(effect{what: effPublish, to: LogEnd, body: m})
}

// After sets t to fire once, when this node's clock has advanced by d. Setting it again replaces
// it.
func (e *Env) After(d time.Duration, t Timer) {
	e.node.do(effect{what: effTimer, body: t, n: int64(max(d, 0))})
}

// Every sets t to fire each time this node's clock has advanced by d, d > 0. That such timers are
// set, or that what descends from them is under way, does not keep a run from settling: it settles
// once nothing else is pending and for three of the longest periods of the timers that are set, of
// any node, there was no fact, append or answer. A handler that says a fact each time its timer
// fires renews that wait for ever, and the run ends undecided, its budget used up: see Note.
func (e *Env) Every(d time.Duration, t Timer) {
	if d <= 0 {
		panic("Every wants a positive period")
	}
	e.node.do(effect{what: effEvery, body: t, n: int64(d)})
}

// Cancel takes t off, if it is set.
func (e *Env) Cancel(t Timer) { e.node.do(effect{what: effCancel, body: t}) }

// Draw is in [0, n), a decision with the name "draw P label". Its boring value is 0.
func (e *Env) Draw(label string, n int64) int64 {
	if n <= 0 {
		panic("Draw wants a positive bound")
	}
	return e.node.w.drawFor(e.node, label, n)
}

// Note says a fact for checkers to read. It rides on the effect before it. A fact is news: a run in
// which periodic timers go on settles only when there was none for three of the longest periods, so
// what a timer looks at again and again is noted when it has changed, not each time.
func (e *Env) Note(f Fact) { e.node.do(effect{what: effNote, body: f}) }

// Return answers a call.
func (e *Env) Return(c CallID, result Body) {
	e.node.do(effect{what: effReturn, to: ClientEnd, body: result, n: int64(c)})
}

// Refuse ends a call that surely had and will have no effect.
func (e *Env) Refuse(c CallID, why Body) {
	e.node.do(effect{what: effRefuse, to: ClientEnd, body: why, n: int64(c)})
}

// Fail is the protocol's own assertion: claim does not hold, and why. The claim must be the name of
// one of Protocol.Properties or stand in Protocol.Claims, else no story could speak of it.
func (e *Env) Fail(claim, why string) {
	if p := e.node.w.plan.Protocol; claim == "panic" || !slices.Contains(p.Breakable(), claim) {
		panic(fmt.Sprintf("add %q to Protocol.Claims of %s: Fail names it (%s)", claim, p.Name,
			why))
	}
	e.node.do(effect{what: effFail, body: Failure{claim, why}})
}

// Stream is the reliable FIFO channel from this node to another on a lane. It exists from its first
// use on. A crash or a break loses a part of what is in flight, both ends are told, and it comes up
// again in a new epoch.
func (e *Env) Stream(to NodeID, l Lane) Stream {
	e.known(to)
	return Stream{e.node, e.node.touch(to, l)}
}

// Stream is this node's end of a stream.
type Stream struct {
	node *node
	at   int32 // index of World.streams
}

// Send hands m to the stream. While the stream is down, m is lost.
func (s Stream) Send(m Message) {
	s.node.do(effect{what: effStream, to: s.node.w.streams[s.at].to, body: m, n: int64(s.at)})
}

// Up says that the stream is up as far as this node has been told.
func (s Stream) Up() bool { return s.node.w.streams[s.at].upHere }

// Epoch counts how often the stream came up, from 1, as far as this node has been told.
func (s Stream) Epoch() int64 { return s.node.w.streams[s.at].toldEpoch }

// Close breaks the stream once what is in flight has arrived; it comes up again as after any break.
func (s Stream) Close() { s.node.do(effect{what: effClose, n: int64(s.at)}) }

// effectKind is what a machine can do.
type effectKind uint8

const (
	effAppend effectKind = iota + 1
	effSync
	effFlush
	effReplace
	effSend
	effStream
	effLater
	effPublish
	effReturn
	effRefuse
	effNote
	effTimer
	effEvery
	effCancel
	effFail
	effClose
)

// boundary is the name of an effect that a crash may fall before or after, "" if it has none of its
// own.
func (k effectKind) boundary() string {
	switch k {
	case effAppend, effReplace:
		return "append"
	case effSync, effFlush:
		return "sync"
	case effSend, effStream, effLater:
		return "send"
	case effPublish:
		return "publish"
	case effReturn, effRefuse:
		return "return"
	}
	return ""
}

// effect is one thing a machine did.
type effect struct {
	body Body
	n    int64
	to   NodeID
	what effectKind
}
