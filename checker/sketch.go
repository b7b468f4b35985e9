package checker

import (
	"strconv"

	"github.com/downset/downset/sim"
)

// A sketch is a random run, written down without a world: its nodes send, work, crash and join, and
// draw points of cuts now by the rule and now anywhere. It is what the scan and its twin are
// compared on.

// The bodies of sketches.
type (
	sketchPoint struct{ Cut int64 }        // a fact: the point of a cut
	sketchAdopt struct{ Version int64 }    // a fact: joined with this version
	sketchFact  struct{ Tx int }           // a fact: something was done
	sketchSend  struct{ N, Version int64 } // a message, with the version of its sender
	sketchMark  struct{ Cut int64 }        // a message that only draws
	sketchWork  struct{ N int }            // a request, own work
)

func (sketchPoint) Kind() string { return "point" }
func (sketchAdopt) Kind() string { return "adopt" }
func (sketchFact) Kind() string  { return "done" }
func (sketchSend) Kind() string  { return "message" }
func (sketchMark) Kind() string  { return "mark" }
func (sketchWork) Kind() string  { return "work" }

// SketchCuts reads sketches.
func SketchCuts() CutModel { return sketchCuts }

var sketchCuts = CutModel{
	Point: func(b sim.Body) (string, bool) {
		p, ok := b.(sketchPoint)
		return strconv.FormatInt(p.Cut, 10), ok
	},
	Version: func(b sim.Body) (int64, bool) {
		p, ok := b.(sketchPoint)
		return p.Cut, ok
	},
	Adopt: func(b sim.Body) (int64, bool) {
		a, ok := b.(sketchAdopt)
		return a.Version, ok
	},
	Draws: func(b sim.Body) bool {
		_, ok := b.(sketchMark)
		return ok
	},
}

// sketcher writes a sketch.
type sketcher struct {
	dice   dice
	run    *sim.Run
	nodes  []sketchNode
	flight []sketchFlight
	cuts   int64
	lawful bool // points are drawn by the rule of Lai and Yang
	at     int  // the handler that is being written: its node, and its first entry
	cause  int32
}

type sketchNode struct {
	up      bool
	records int64
	version int64
	drew    map[int64]bool
}

// sketchFlight is something under way to a node.
type sketchFlight struct {
	kind  sim.EntryKind // as which it will arrive
	to    int
	peer  sim.NodeID
	cause int32
	body  sim.Body
}

// Sketch is the random run of a seed.
func Sketch(seed uint64) *sim.Run {
	s := &sketcher{dice: dice(seed * 0x9e3779b97f4a7c15), run: &sim.Run{}}
	s.cuts = int64(1 + s.dice.below(2))
	s.lawful = s.dice.below(4) == 0
	members := 2 + s.dice.below(2)
	for n := range members {
		s.run.Nodes = append(s.run.Nodes, string(rune('P'+n)))
		s.nodes = append(s.nodes, sketchNode{drew: map[int64]bool{}})
		s.start(n)
	}
	for range 3 + s.dice.below(8) {
		s.step()
	}
	for n := range s.nodes {
		for c := int64(1); c <= s.cuts; c++ {
			if s.nodes[n].up && !s.nodes[n].drew[c] && s.dice.below(10) > 0 {
				s.begin(sim.EntryArrived, n, sketchWork{})
				s.draw(c)
			}
		}
	}
	s.run.Epilogue = len(s.run.Trace)
	return s.run
}

// step writes one handler, or something that befalls a node or a message.
func (s *sketcher) step() {
	n := s.dice.below(len(s.nodes))
	switch roll := s.dice.below(20); {
	case roll < 9 && len(s.flight) > 0:
		s.arrive(s.dice.below(len(s.flight)))
	case roll < 11:
		s.work(n)
	case roll < 16:
		s.request(n)
	case roll == 16 && len(s.flight) > 0:
		s.copy(s.dice.below(len(s.flight)))
	case roll == 17 && s.nodes[n].up:
		s.crash(n)
	case roll == 18 && !s.nodes[n].up:
		s.start(n)
	case roll > 17 && len(s.nodes) < 4:
		s.join()
	default:
		s.work(n)
	}
}

func (s *sketcher) add(kind sim.EntryKind, node int, peer sim.NodeID, body sim.Body) int32 {
	at := int32(len(s.run.Trace))
	s.run.Trace = append(s.run.Trace, sim.Entry{At: sim.Time(at), Body: body, Cause: s.cause,
		Node: sim.NodeID(node), Peer: peer, Kind: kind})
	return at
}

// begin writes the first entry of a handler that nobody sent.
func (s *sketcher) begin(kind sim.EntryKind, n int, body sim.Body) {
	s.cause, s.at = -1, n
	s.cause = s.add(kind, n, sim.Nobody, body)
}

func (s *sketcher) start(n int) {
	s.nodes[n].up = true
	s.begin(sim.EntryStarted, n, nil)
}

func (s *sketcher) crash(n int) {
	s.cause = -1
	lost := int64(s.dice.below(1 + min(3, int(s.nodes[n].records))))
	s.run.Trace[s.add(sim.EntryCrashed, n, sim.Nobody, nil)].N = lost
	s.nodes[n].records -= lost
	s.nodes[n].up = false
	if s.dice.below(3) > 0 {
		s.start(n)
	}
}

// join brings up a node that was not there, often with a version.
func (s *sketcher) join() {
	n := len(s.nodes)
	s.run.Nodes = append(s.run.Nodes, string(rune('P'+n)))
	s.nodes = append(s.nodes, sketchNode{drew: map[int64]bool{}})
	s.start(n)
	if s.dice.below(2) == 0 {
		s.effect()
	}
	if v := int64(s.dice.below(int(s.cuts) + 1)); v > 0 {
		s.add(sim.EntryNoted, n, sim.Nobody, sketchAdopt{v})
		s.nodes[n].version = v
	}
}

// work is a handler of a node that is up, with some effects.
func (s *sketcher) work(n int) {
	if !s.nodes[n].up {
		return
	}
	s.begin(sim.EntryArrived, n, sketchWork{})
	for range 1 + s.dice.below(2) {
		s.effect()
	}
}

// request asks a node for a cut.
func (s *sketcher) request(n int) {
	if !s.nodes[n].up {
		return
	}
	s.begin(sim.EntryArrived, n, sketchWork{})
	s.maybeDraw()
	s.effect()
}

// maybeDraw draws the next point by the rule, any point without.
func (s *sketcher) maybeDraw() {
	node := &s.nodes[s.at]
	c := node.version + 1
	if !s.lawful {
		c = int64(1 + s.dice.below(int(s.cuts)))
	}
	if c <= s.cuts && !node.drew[c] {
		s.draw(c)
	}
}

func (s *sketcher) draw(c int64) {
	node := &s.nodes[s.at]
	if s.dice.below(4) == 0 && !s.lawful {
		s.send(sketchMark{c}) // a marker that runs ahead of its point
	}
	node.drew[c] = true
	node.version = max(node.version, c)
	s.add(sim.EntryNoted, s.at, sim.Nobody, sketchPoint{c})
	if s.dice.below(4) == 0 {
		s.send(sketchMark{c})
	}
}

// effect is one thing that a handler does.
func (s *sketcher) effect() {
	switch s.dice.below(7) {
	case 0:
		s.add(sim.EntryNoted, s.at, sim.Nobody, sketchFact{len(s.run.Trace)})
	case 1:
		body := sketchWork{len(s.run.Trace)}
		queued := s.add(sim.EntryQueued, s.at, sim.NodeID(s.at), body)
		s.flight = append(s.flight,
			sketchFlight{sim.EntryWorked, s.at, sim.NodeID(s.at), queued, body})
	case 2:
		s.publish()
	case 3:
		s.nodes[s.at].records++
		written := s.add(sim.EntryAppended, s.at, sim.Nobody, sketchFact{len(s.run.Trace)})
		s.run.Trace[written].N = s.nodes[s.at].records
	default:
		s.send(sketchSend{int64(len(s.run.Trace)), s.nodes[s.at].version})
	}
}

func (s *sketcher) send(body sim.Body) {
	to := s.dice.below(len(s.nodes))
	if to == s.at {
		to = (to + 1) % len(s.nodes)
	}
	sent := s.add(sim.EntrySent, s.at, sim.NodeID(to), body)
	s.flight = append(s.flight, sketchFlight{sim.EntryDelivered, to, sim.NodeID(s.at), sent, body})
}

// publish puts a message on the log lane, from where each node takes it.
func (s *sketcher) publish() {
	body := sketchSend{int64(len(s.run.Trace)), s.nodes[s.at].version}
	was, from := s.cause, sim.NodeID(s.at)
	s.cause = s.add(sim.EntryPublished, s.at, sim.LogEnd, body)
	place := s.add(sim.EntrySequenced, int(sim.LogEnd), from, body)
	s.cause = was
	for n := range s.nodes {
		s.flight = append(s.flight, sketchFlight{sim.EntryLogged, n, from, place, body})
	}
}

// copy lets the network copy a message.
func (s *sketcher) copy(k int) {
	f := s.flight[k]
	if f.kind != sim.EntryDelivered {
		return
	}
	s.cause = f.cause
	f.cause = s.add(sim.EntryCopied, int(f.peer), sim.NodeID(f.to), f.body)
	s.flight = append(s.flight, f)
}

// arrive is the handler of something that was under way.
func (s *sketcher) arrive(k int) {
	f := s.flight[k]
	s.flight = append(s.flight[:k], s.flight[k+1:]...)
	if !s.nodes[f.to].up {
		s.cause = f.cause
		s.add(sim.EntryLost, f.to, f.peer, f.body)
		return
	}
	s.cause, s.at = f.cause, f.to
	s.cause = s.add(f.kind, f.to, f.peer, f.body)
	if s.lawful {
		s.catchUp(f.body)
	} else if s.dice.below(3) == 0 {
		s.maybeDraw()
	}
	for range s.dice.below(3) {
		s.effect()
		if !s.lawful && s.dice.below(8) == 0 {
			s.maybeDraw()
		}
	}
}

// catchUp is the rule: first the version of a message, then the message.
func (s *sketcher) catchUp(body sim.Body) {
	version := int64(0)
	switch m := body.(type) {
	case sketchSend:
		version = m.Version
	case sketchMark:
		version = m.Cut
	}
	for s.nodes[s.at].version < version {
		s.draw(s.nodes[s.at].version + 1)
	}
}

// dice are a small generator of their own: splitmix64.
type dice uint64

func (d *dice) below(n int) int {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}
