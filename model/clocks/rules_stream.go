package clocks

import (
	"github.com/downset/downset/sim"
)

// streamOrder is by what a consumer gives events to the application.
type streamOrder uint8

const (
	bySequence  streamOrder = iota // by the numbers of the partition, without gaps
	byTimestamp                    // by the stamps of the producers, within a while
	byArrival                      // as they come
)

// streamRules are those of streams. That events are ordered by number within a partition and not by
// the stamps of producers, and that wall clocks serve retention, is from the note on logical clocks
// ("Comment l'appliquer"); what stamps do to a stream is experiment E8 of the specification.
type streamRules struct {
	Order streamOrder
	// The wrong ones.
	SkipsGaps    bool // a consumer takes any greater number for the next
	ForgetsPlace bool // where a consumer is is not on its disk
	ForgetsCount bool // numbers begin again when a leader restarts
	PerProducer  bool // each producer's events are numbered apart
	SaysFirst    bool // a leader answers before the event is in its log
	AppendsTwice bool // an event that is asked for again is appended again
	OldByStamp   bool // what is old is told by the producers' clocks
	Unsaid       bool // a consumer is not told that what it wants is gone
	Renumbers    bool // when all is dropped, numbers begin again
	TellsNext    bool // who asks is told the number of the event that will come next
	ForgetsWho   bool // consumers are not on the leader's disk
}

// take gives an event to the application, now or later.
func (r *streamRules) take(n *node, env *sim.Env, s *subscription, e streamEvent) {
	switch {
	case r.Order == byTimestamp:
		n.byStamp(env, s, e)
	case r.Order == byArrival:
		n.deliver(env, s, e)
		n.ack(env, s)
	case r.SkipsGaps:
		s.Next = e.Number
		n.deliver(env, s, e)
		n.ack(env, s)
	default:
		n.inOrder(env, s, e)
	}
}

// release gives the application what waited for events that will not come.
func (r *streamRules) release(n *node, env *sim.Env, s *subscription) {
	if r.Order == bySequence {
		n.upToGap(env, s)
	}
}

// repeats says that an event is one that the application has been given.
func (r *streamRules) repeats(s *subscription, e streamEvent) bool { return s.given(e) }

func (r *streamRules) keepsPosition() bool { return !r.ForgetsPlace }

func (r *streamRules) tellsBehind() bool { return !r.Unsaid }

// number is the number of the next event, which a node emits.
func (r *streamRules) number(p *partition, from sim.NodeID) int64 {
	if !r.PerProducer {
		return p.Next
	}
	next := int64(1)
	for _, e := range p.Log {
		if e.From == from {
			next = max(next, e.Number+1)
		}
	}
	return next
}

// known is the number of the event of a call, 0 if it is to be appended.
func (r *streamRules) known(p *partition, id sim.CallID) int64 {
	if r.AppendsTwice {
		return 0
	}
	return p.number(id)
}

// reappend takes in an event from the disk.
func (r *streamRules) reappend(p *partition, e streamEvent) { p.add(e) }

// restarted is after all has been read from the disk.
func (r *streamRules) restarted(s *streams) {
	for i := range s.Led {
		if r.ForgetsCount {
			s.Led[i].Next = 1
		}
	}
}

// dropped is after a trim.
func (r *streamRules) dropped(p *partition) {
	if r.Renumbers && len(p.Log) == 0 {
		p.Next, p.First = 1, 1
	}
}

// remember has a consumer on the leader's disk.
func (r *streamRules) remember(env *sim.Env, f followed) {
	if !r.ForgetsWho {
		env.Disk.Append(f)
		env.Disk.Sync()
	}
}

// told is the number that who asked for an event is told.
func (r *streamRules) told(p *partition, number int64) int64 {
	if r.TellsNext {
		return p.Next
	}
	return number
}

// early is before an event is appended.
func (r *streamRules) early(n *node, env *sim.Env, e emission, from sim.NodeID) {
	if r.SaysFirst {
		p := n.streams.lead(e.Part)
		n.send(env, from, streamDone{e.ID, e.Part, numbered{e.Part, e.Text, p.Next}})
	}
}

// dated is when an event was, for what is old.
func (r *streamRules) dated(e streamEvent) sim.Time {
	if r.OldByStamp {
		return e.At
	}
	return e.Kept
}

// streamRuleRows are the decisions that a scenario may set.
func streamRuleRows() []rule {
	order := func(o streamOrder) func(*rules) { return func(r *rules) { r.stream.Order = o } }
	return []rule{sim.Decision("order", "by what a consumer puts events in order: the numbers of the "+
		"partition, the stamps of their producers within 10ms, or as they come",
		sim.Setting("sequence", order(bySequence)), sim.Setting("timestamp", order(byTimestamp)),
		sim.Setting("arrival", order(byArrival)))}
}

// streamRows are the forms that are in use and lose something.
func streamRows() []row {
	return []row{
		{name: "stamped-stream", breaks: "stream-causal",
			doc: "consumers put events in order by the wall clocks of their producers, and wait " +
				"10ms for earlier ones (E8)",
			rules: rules{stream: streamRules{Order: byTimestamp},
				stamp: stampRules{NoHybrid: true}}},
		{name: "unordered-stream", breaks: "stream-order",
			doc:   "consumers take events as they come: datagrams overtake each other",
			rules: rules{stream: streamRules{Order: byArrival}}},
	}
}
