package synchro

import (
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// shape is a course of events that requests and faults drawn one by one hardly ever take, and
// that most wrong rules take to show (5): an owner has transactions that others lack, another
// takes the queue over, and the rows of the first come back, by whatever way. All of it is drawn:
// who, what is written, how the owner is cut off, and what happens meanwhile.
type shape struct {
	*load
	owner  string // the first one
	heir   string // takes the queue over
	others []string
	from   time.Duration
	step   time.Duration
}

// shapeSteps is how many steps a shape takes, of which a few make an election.
const shapeSteps = 14

// drawShape draws one into a load that is large enough.
func (l *load) drawShape() {
	l.label++
	able := l.electable()
	if l.left < 8 || l.below(2, "no shape") == 0 {
		return
	}
	s := &shape{load: l, step: l.Span / shapeSteps}
	s.from = s.upTo(s.step, "shape from")
	if len(able) == 0 {
		s.release()
		return
	}
	if len(l.Nodes) < 3 || len(able) < 2 {
		return
	}
	at := l.below(int64(len(able)), "shape's owner")
	s.owner = able[at]
	s.heir = able[(at+1+l.below(int64(len(able))-1, "shape's heir"))%int64(len(able))]
	s.others = slices.DeleteFunc(slices.Clone(l.Nodes), func(n string) bool {
		return n == s.owner || n == s.heir
	})
	switch {
	case l.layout.Fencing == fenceOff && l.below(2, "overdue") == 0:
		s.overdue()
	case l.below(3, "deaf") == 0:
		s.deafen()
	default:
		s.draw()
	}
}

// electable are the nodes that a promotion may make the leader.
func (l *load) electable() []string {
	var names []string
	for i, n := range l.Nodes {
		if m := l.layout.mode(sim.NodeID(i)); m == modeManual || m == modeCandidate {
			names = append(names, n)
		}
	}
	return names
}

// in sets the time, with a little chance. Each request is of a client of its own, so that none
// waits for another.
func (s *shape) in(steps int64, label string) {
	s.at = s.from + time.Duration(steps)*s.step + s.upTo(s.step/4, label)
	s.client = 0
}

// draw draws its course.
func (s *shape) draw() {
	s.in(0, "promotes")
	s.ask(s.owner, "promote")
	s.in(2, "settled")
	s.pending("settled")
	s.in(3, "cut off")
	cut := s.at
	s.cutOff()
	s.at = cut - s.upTo(s.step/8, "before the cut")
	s.pending("alone")
	if s.below(2, "more") == 0 {
		s.pending("alone too")
	}
	s.in(4, "taken over")
	s.ask(s.heir, "promote")
	s.in(7, "heir writes")
	s.pendingAt(s.heir, "heir")
	s.meanwhile()
	s.in(9, "comes back")
	s.comeBack()
	s.in(11, "afterwards")
	s.afterwards()
}

// pending has the owner write.
func (s *shape) pending(label string) { s.pendingAt(s.owner, label) }

func (s *shape) pendingAt(node, label string) {
	switch s.below(8, "written "+label) {
	case 0:
		s.ask(node, "put", s.value("x"), s.value("y"))
	case 1:
		s.ask(node, "put", s.value(asyncKey), s.value("x"))
	case 2, 3:
		s.ask(node, "put", s.value(s.key()))
		s.ask(node, "put", s.value(asyncKey)) // queued behind it
	case 4:
		s.ask(node, "put", s.value("x"))
		s.ask(node, "put", s.value("x"))
	default:
		s.ask(node, "put", s.value("x"))
	}
}

// fault adds a fault.
func (s *shape) fault(a sim.Action) {
	a.Maybe = true
	s.add(s.at, a)
}

// cutOff parts the owner from all, or from all but one, or lets it crash.
func (s *shape) cutOff() {
	side := []string{s.owner}
	rest := append([]string{s.heir}, s.others...)
	if len(s.Nodes) > 3 && s.below(2, "not alone") == 0 {
		side, rest = append(side, s.others[0]), slices.Delete(rest, 1, 2)
	}
	switch s.below(4, "how it is cut off") {
	case 0:
		s.fault(sim.Action{Verb: sim.Partition, Groups: [][]string{rest, side}, OneWay: true})
	default:
		s.fault(sim.Action{Verb: sim.Partition, Groups: [][]string{side, rest}})
	}
}

// meanwhile is what may happen before the owner comes back: restarts, from snapshots too.
func (s *shape) meanwhile() {
	s.in(8, "meanwhile")
	node := append([]string{s.heir, s.owner}, s.others...)[s.below(int64(len(s.Nodes)), "restarted")]
	switch s.below(5, "meanwhile") {
	case 0:
		s.ask(node, "snapshot")
		s.at += s.step
		fallthrough
	case 1:
		s.fault(sim.Action{Verb: sim.Crash, Node: node})
		s.at += s.step / 2
		s.fault(sim.Action{Verb: sim.Restart, Node: node})
	case 2:
		s.ask(node, "get", "x", "confirmed")
	}
}

// comeBack ends the partition, and may let the owner crash before.
func (s *shape) comeBack() {
	if s.below(4, "restarts as it comes back") == 0 {
		s.fault(sim.Action{Verb: sim.Crash, Node: s.owner})
		s.fault(sim.Action{Verb: sim.Heal})
		s.at += s.step / 2
		s.fault(sim.Action{Verb: sim.Restart, Node: s.owner})
		return
	}
	s.fault(sim.Action{Verb: sim.Heal})
}

// afterwards writes go on, or the first owner takes the queue back, or a third one.
func (s *shape) afterwards() {
	switch s.below(4, "afterwards") {
	case 0:
		s.ask(s.owner, "promote")
		s.in(13, "again owner")
		s.pending("again")
	case 1:
		s.ask(s.others[0], "promote")
	default:
		s.pendingAt(s.heir, "afterwards")
	}
}

// deafen lets the owner hear nobody, while what it writes reaches all. Another takes the queue
// over; the owner writes on, and then hears all at once: ACKs, terms, rows, in any order.
func (s *shape) deafen() {
	s.in(0, "promotes")
	s.ask(s.owner, "promote")
	s.in(3, "settled")
	s.pending("settled")
	s.in(4, "deaf")
	rest := append([]string{s.heir}, s.others...)
	s.fault(sim.Action{Verb: sim.Partition, Groups: [][]string{rest, {s.owner}}, OneWay: true})
	s.ask(s.heir, "promote")
	for _, label := range []string{"deaf", "deaf too", "deaf still"} {
		s.in(5, label)
		s.at += s.upTo(2*s.step, "after "+label)
		s.pending(label)
	}
	s.in(6+s.below(3, "hears"), "hears again")
	s.fault(sim.Action{Verb: sim.Heal})
	s.in(10, "heir writes")
	s.pendingAt(s.heir, "heir")
	s.in(11, "afterwards")
	s.afterwards()
}

// overdue has a transaction wait for its quorum until its time is over, as an owner that is not
// fenced may: all must have it and one is cut off. About when its client gives up, a majority
// becomes enough, or what the set-up says.
func (s *shape) overdue() {
	all := int64(len(s.Nodes))
	s.in(0, "promotes")
	s.ask(s.owner, "promote")
	s.in(2, "wants all")
	s.ask(s.owner, "quorum", number1(all))
	away := []string{s.heir}
	rest := append([]string{s.owner}, s.others...)
	s.fault(sim.Action{Verb: sim.Partition, Groups: [][]string{away, rest}})
	s.in(3, "waits")
	s.pending("waits")
	s.at += synchroTimeout + s.upTo(replicationTimeout/2, "time is over")
	s.ask(s.owner, "quorum", number1(max(all/2+1, int64(s.layout.Quorum))))
	s.at += s.upTo(replicationTimeout/2, "another") - replicationTimeout/4
	s.pending("another")
	s.at += s.step
	s.fault(sim.Action{Verb: sim.Heal})
	if s.below(2, "restarts then") == 0 {
		s.fault(sim.Action{Verb: sim.Crash, Node: s.owner})
		s.at += s.step
		s.fault(sim.Action{Verb: sim.Restart, Node: s.owner})
	}
}

// expelled has the last of three or more be removed now and then, while nobody owns the queue, and
// write on: what it writes is nobody's business any more (#10266).
func (s *shape) expelled() {
	last := s.Nodes[len(s.Nodes)-1]
	if len(s.Nodes) < 3 || last == s.owner || s.below(4, "expelled") > 0 {
		return
	}
	s.ask(s.owner, "expel", last)
	s.in(7, "expelled writes")
	s.ask(last, "put", s.value(asyncKey))
}

// upTo is a time of at most that.
func (s *shape) upTo(most time.Duration, what string) time.Duration {
	return time.Duration(s.below(int64(most)+1, what))
}

// release has the owner give the queue up, others write meanwhile, and the owner take it again. It
// is always the same node: without elections nothing keeps two apart (7.3).
func (s *shape) release() {
	s.owner = s.Nodes[s.Int(int64(len(s.Nodes)), "promoted first")]
	s.in(3, "written")
	s.pending("written")
	s.in(5, "released")
	s.ask(s.owner, "demote")
	s.in(6, "unclaimed")
	s.pendingAt(s.someone(), "unclaimed")
	s.expelled()
	s.in(8, "claimed again")
	s.ask(s.owner, "promote")
	s.in(10, "again")
	s.pending("again")
	if s.below(2, "released again") == 0 {
		s.in(12, "released again")
		s.ask(s.owner, "demote")
	}
}
