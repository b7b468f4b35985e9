package spacetime

import "github.com/downset/downset/sim"

// sort is what an event of a picture is.
type sort uint8

const (
	step      sort = iota // a call of a machine, or a part of one
	point                 // a point of a cut
	asked                 // a request that is not taken up at once
	answered              // an answer that comes by itself
	crash                 // a node goes down
	pause                 // takes no events
	resume                // and goes on
	join                  // becomes a member
	leave                 // is no member any more
	fault                 // has its clock or disk tampered with
	gone                  // a message is lost on its way
	copied                // a message is copied on its way
	sequenced             // a body gets its place on the log lane
	parted                // links are cut
	healed                // and whole again
	epilogue              // chance ends
	fold                  // entries that are left out
)

// everywhere says that events of this sort concern all lanes.
func (s sort) everywhere() bool { return s >= parted }

// status is what a node is doing, and how its line is drawn.
type status uint8

const (
	absent status = iota // no member: no line
	down                 // no line
	idle                 // paused: a dotted line
	up
)

// none is the lane of what belongs to no lane, and the event of what is not drawn.
const none = -1

// event is one mark of a picture.
type event struct {
	what    sort
	lane    int
	entries []int    // of the trace, ascending
	after   []status // of each lane, once it has happened
	cut     int      // of a point
	first   bool     // of a point: the lane's first of its cut
	request bool     // a client's request arrives
	marked  bool     // some of its entries are to be pointed out
	linked  bool     // an arrow begins or ends here
	apart   bool     // the arrow that ends here is not drawn in full
	left    int      // of a fold: how many entries it stands for
	stamps  []string // logical times, one a kind
}

// fate is what became of a message.
type fate uint8

const (
	arrives fate = iota
	lost
	flying // until the end of the picture
)

// arrow is a message, or one copy of it.
type arrow struct {
	from, to   int // events; none if they are not in the picture
	start, end int // lanes
	sent, got  int // entries; got is none for what flies
	fate       fate
	lane       bool // it is one of the log lane
	backwards  bool // it runs from after a cut to before it
}

// cut is a cut as far as it has points.
type cut struct {
	name   string
	points []int // by lane: the event of its first point, or none
}

// scene is what there is to draw: lanes, and events on them in the order in which they are drawn.
type scene struct {
	run       *sim.Run
	o         Options
	from      int // the window
	to        int
	lanes     []string
	laneOf    []int // by node; none if it is not drawn
	log       int   // the log lane, or none
	begin     []status
	events    []event
	at        []int // by entry - from: its event, or none
	arrows    []arrow
	cuts      []cut
	notes     []string // what is to be said about cuts
	crossings []string // the messages that cross a cut, all of them
	fact      string   // the kind that most facts have, left out of their labels
	mail      string   // the kind that most messages have, left out too
	timed     bool     // time passes
}

func newScene(run *sim.Run, o Options) *scene {
	s := &scene{run: run, o: o, log: none}
	s.window()
	s.findLanes()
	s.gather()
	s.stampEvents()
	s.join()
	s.judge()
	s.learnWords(partInText)
	return s
}

// window bounds From and To by the trace.
func (s *scene) window() {
	s.to = len(s.run.Trace)
	if s.o.To > 0 {
		s.to = min(s.to, s.o.To)
	}
	s.from = min(max(s.o.From, 0), s.to)
	for i := s.from + 1; i < s.to; i++ {
		if s.run.Trace[i].At != s.run.Trace[s.from].At {
			s.timed = true
		}
	}
}

// findLanes gives a lane to each node that is a member at some time in the window, or does
// something in it, and one to the log lane if it is used.
func (s *scene) findLanes() {
	states := s.statesAt(s.from)
	seen := make([]bool, len(states))
	for i, st := range states {
		seen[i] = st != absent
	}
	log := false
	for i, e := range s.run.Trace[s.from:s.to] {
		if int(e.Node) < len(seen) {
			seen[e.Node] = true
		}
		log = log || e.Kind == sim.EntrySequenced && !s.hidden(s.from+i)
	}
	s.laneOf = make([]int, len(states))
	for i := range states {
		s.laneOf[i] = none
		if !seen[i] {
			continue
		}
		s.laneOf[i] = len(s.lanes)
		s.lanes = append(s.lanes, s.run.Nodes[i])
		s.begin = append(s.begin, states[i])
	}
	if log {
		s.log = len(s.lanes)
		s.lanes = append(s.lanes, "log")
		s.begin = append(s.begin, up)
	}
}

// statesAt is what each node is doing before an entry of the trace.
func (s *scene) statesAt(entry int) []status {
	states := make([]status, len(s.run.Nodes))
	for i := range states {
		if s.run.Plan == nil || i < len(s.run.Plan.Nodes) {
			states[i] = up
		}
	}
	for _, e := range s.run.Trace[:entry] {
		if int(e.Node) < len(states) {
			states[e.Node] = states[e.Node].next(e.Kind)
		}
	}
	return states
}

// next is the status after an entry of a kind.
func (s status) next(k sim.EntryKind) status {
	switch k {
	case sim.EntryStarted, sim.EntryResumed, sim.EntryJoined:
		return up
	case sim.EntryCrashed:
		return down
	case sim.EntryPaused:
		return idle
	case sim.EntryLeft:
		return absent
	}
	return s
}

// lane is the lane of a node, or none.
func (s *scene) lane(id sim.NodeID) int {
	if int(id) < len(s.laneOf) {
		return s.laneOf[id]
	}
	return none
}

// eventOf is the event of an entry, or none.
func (s *scene) eventOf(entry int) int {
	if entry < s.from || entry >= s.to {
		return none
	}
	return s.at[entry-s.from]
}
