package clocks

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/downset/downset/sim"
)

// subscription is what a node consumes: the application has been given Seen, in that order, which
// are all below Next that were kept, and those of Beyond. Held came early and wait.
type subscription struct {
	Part   string
	On     bool // the leader has said that this node is a consumer
	Next   int64
	Beyond []int64
	Held   []streamEvent
	Seen   []streamEvent
}

// streamHold is how long a consumer that goes by stamps waits for events with an earlier stamp.
const streamHold = 10 * time.Millisecond

// What a consumer has on its disk, and says as facts.
type (
	// consumes: this node is to be given all events from From on.
	consumes struct {
		Part string
		From int64
	}
	// delivered: the application has been given an event.
	delivered struct {
		Part  string
		Event streamEvent
	}
	// skipped: the application has been told that the events From to To are no longer kept.
	skipped struct {
		Part     string
		From, To int64
	}
	// gap is a fact only: event Got came, and Want has not.
	gap struct {
		Part      string
		Want, Got int64
	}
)

func (consumes) Kind() string  { return "consumes" }
func (delivered) Kind() string { return "delivered" }
func (skipped) Kind() string   { return "skipped" }
func (gap) Kind() string       { return "gap" }

func (c consumes) Keys() []string  { return []string{c.Part} }
func (d delivered) Keys() []string { return []string{d.Part, d.Event.Text} }
func (s skipped) Keys() []string   { return []string{s.Part} }
func (g gap) Keys() []string       { return []string{g.Part} }

func (c consumes) String() string { return fmt.Sprintf("consumes %s from %d", c.Part, c.From) }
func (d delivered) String() string {
	return fmt.Sprintf("delivered %s %s %d", d.Part, d.Event.Text, d.Event.Number)
}
func (s skipped) String() string { return fmt.Sprintf("skipped %s %d to %d", s.Part, s.From, s.To) }
func (g gap) String() string {
	return fmt.Sprintf("gap %s wants %d has %d", g.Part, g.Want, g.Got)
}

// sub is what this node consumes of a partition, or might.
func (s *streams) sub(part string) *subscription {
	for i := range s.Subs {
		if s.Subs[i].Part == part {
			return &s.Subs[i]
		}
	}
	s.Subs = append(s.Subs, subscription{Part: part})
	return &s.Subs[len(s.Subs)-1]
}

// subscribe begins a subscription.
func (s *streams) subscribe(c consumes) {
	sub := s.sub(c.Part)
	sub.On, sub.Next = true, c.From
}

// begins makes this node a consumer, once.
func (n *node) begins(env *sim.Env, c consumes) {
	if n.streams.sub(c.Part).On {
		return
	}
	n.streams.subscribe(c)
	env.Disk.Append(c)
	env.Disk.Sync()
	env.Note(c)
}

// pass takes down that the application has been given an event.
func (s *subscription) pass(e streamEvent) {
	s.Seen = append(s.Seen, e)
	if e.Number >= s.Next && !has(s.Beyond, e.Number) {
		s.Beyond = append(s.Beyond, e.Number)
		slices.Sort(s.Beyond)
	}
	s.settle()
}

// skip takes down that the application knows of events that it will not be given.
func (s *subscription) skip(k skipped) {
	s.Next = max(s.Next, k.To+1)
	s.settle()
}

// settle lets Next go past what was given to the application out of order.
func (s *subscription) settle() {
	for len(s.Beyond) > 0 && s.Beyond[0] <= s.Next {
		s.Next = max(s.Next, s.Beyond[0]+1)
		s.Beyond = s.Beyond[1:len(s.Beyond):len(s.Beyond)]
	}
}

// given says that the application has been given an event, or told that it will not be.
func (s *subscription) given(e streamEvent) bool {
	return e.Number < s.Next || has(s.Beyond, e.Number)
}

// hold keeps an event that came early.
func (s *subscription) hold(e streamEvent) {
	if !slices.Contains(s.Held, e) {
		s.Held = append(s.Held, e)
	}
}

// deliver gives the application an event, durably and then once for all.
func (n *node) deliver(env *sim.Env, s *subscription, e streamEvent) {
	s.Held = slices.DeleteFunc(s.Held, func(h streamEvent) bool { return h == e })
	s.pass(e)
	if n.rules.stream.keepsPosition() {
		env.Disk.Append(delivered{s.Part, e})
		env.Disk.Sync()
	}
	env.Note(delivered{s.Part, e})
}

// poll asks the leader for what this node lacks.
func (n *node) poll(env *sim.Env, s *subscription) {
	if s.On {
		n.send(env, n.leaderOf(s.Part), position{s.Part, s.Next, slices.Clone(s.Beyond), true})
	}
}

// ack tells the leader what this node has.
func (n *node) ack(env *sim.Env, s *subscription) {
	n.send(env, n.leaderOf(s.Part), position{s.Part, s.Next, slices.Clone(s.Beyond), false})
}

// arrive takes up an event. What the application has been given is only acknowledged again.
func (e streamed) arrive(n *node, env *sim.Env, _ sim.NodeID) {
	s := n.streams.sub(e.Part)
	if !s.On {
		return // the leader's word that this node is a consumer has not come yet
	}
	if n.rules.stream.repeats(s, e.Event) {
		n.ack(env, s)
		return
	}
	n.rules.stream.take(n, env, s, e.Event)
}

// arrive tells the application that it has missed something for ever.
func (b behind) arrive(n *node, env *sim.Env, _ sim.NodeID) {
	s := n.streams.sub(b.Part)
	if !s.On {
		return
	}
	if b.First > s.Next {
		k := skipped{b.Part, s.Next, b.First - 1}
		s.Held = slices.DeleteFunc(s.Held, func(h streamEvent) bool { return h.Number < b.First })
		s.skip(k)
		env.Disk.Append(k)
		env.Disk.Sync()
		env.Note(k)
		n.rules.stream.release(n, env, s)
	}
	n.ack(env, s)
}

// inOrder gives the application what is next by number, and holds what is not.
func (n *node) inOrder(env *sim.Env, s *subscription, e streamEvent) {
	if e.Number > s.Next && len(s.Held) == 0 {
		env.Note(gap{s.Part, s.Next, e.Number})
	}
	s.hold(e)
	n.upToGap(env, s)
	n.ack(env, s)
}

// upToGap gives the application what is held, up to the first number that is not.
func (n *node) upToGap(env *sim.Env, s *subscription) {
	for {
		i := slices.IndexFunc(s.Held, func(h streamEvent) bool { return h.Number == s.Next })
		if i < 0 {
			return
		}
		n.deliver(env, s, s.Held[i])
	}
}

// byStamp holds an event for a while, in case one with an earlier stamp comes.
func (n *node) byStamp(env *sim.Env, s *subscription, e streamEvent) {
	if !slices.Contains(s.Held, e) {
		s.hold(e)
		env.After(streamHold, due{s.Part, e.Number})
	}
}

// ring gives the application an event that was held for long enough, and before it those with
// earlier stamps.
func (d due) ring(n *node, env *sim.Env) {
	s := n.streams.sub(d.Part)
	i := slices.IndexFunc(s.Held, func(h streamEvent) bool { return h.Number == d.Number })
	if i < 0 {
		return
	}
	last := s.Held[i]
	held := slices.Clone(s.Held)
	slices.SortStableFunc(held, stampOrder)
	for _, h := range held {
		if stampOrder(h, last) <= 0 {
			n.deliver(env, s, h)
		}
	}
	n.ack(env, s)
}

// stampOrder is the order of events by their producers' clocks.
func stampOrder(a, b streamEvent) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.From, b.From), cmp.Compare(a.ID, b.ID))
}
