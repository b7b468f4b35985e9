package clocks

import (
	"fmt"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// streamProperties are those of streams. Within a partition two orders are promised, of which the
// first is the weaker: an event that was emitted in the knowledge of another comes after it; and
// all consumers see the order of the log. Numbers keep both. The stamps of producers keep neither,
// once clocks differ by more than the time between two events; while they differ by less and no
// event takes longer than consumers wait, they keep the first.
func streamProperties() []sim.Property {
	return []sim.Property{
		{Name: "stream-numbers", Layer: judgeLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Check: streamNumbers, Doc: "the numbers of a partition go up by one with each event, " +
				"and an event that is emitted once has one"},
		{Name: "stream-durable", Layer: dataLayer, Class: sim.Silent, Check: streamDurable,
			Doc: "a leader says that it has an event when the event is on its disk, not before"},
		{Name: "stream-causal", Layer: dataLayer, Class: sim.Silent, Check: streamCausal,
			Doc: "if an event was in the log before another of its partition was asked for, and " +
				"who asked could know that, then a consumer is given the first before the second " +
				"(E8)"},
		{Name: "stream-order", Layer: dataLayer, Class: sim.Silent, Check: streamOrdered,
			Doc: "a consumer is given the events of a partition in the order of its log"},
		{Name: "stream-once", Layer: dataLayer, Class: sim.Silent, Scope: sim.ScopeState,
			Check: streamOnce, Doc: "a consumer is given an event once"},
		{Name: "stream-retention", Layer: dataLayer, Class: sim.DetectedLoss,
			Check: streamRetention,
			Doc: "no event is dropped that is younger than asked for by the clock of its leader: " +
				"that is its age, but for how the clock was moved and drifted since"},
		{Name: "stream-complete", Layer: outcomeLayer, Class: sim.Silent, Scope: sim.ScopeEnd,
			Check: streamComplete, Doc: "in the end an event that a client was told of is in its " +
				"log, and each consumer has been given all of the log, or told that an event is " +
				"no longer kept, unless it and the leader cannot hear each other"},
	}
}

func streamNumbers(run *sim.Run) (premises int, v *sim.Violation) {
	c := courseOf(run)
	for i := range c.logged {
		l, want, witness := &c.logged[i], int64(1), []int{c.logged[i].entry}
		for k := i - 1; k >= 0; k-- {
			if before := &c.logged[k]; before.Part == l.Part {
				want, witness = before.Event.Number+1, []int{before.entry, l.entry}
				break
			}
		}
		premises++
		if l.Event.Number != want {
			return premises, &sim.Violation{Witness: witness, Reason: fmt.Sprintf(
				"%s of %s has number %d, not %d", l.Event.Text, l.Part, l.Event.Number, want)}
		}
		if first := c.log(l.Event.ID); first < i {
			return premises, &sim.Violation{Witness: []int{c.logged[first].entry, l.entry},
				Reason: fmt.Sprintf("%s of %s has the numbers %d and %d", l.Event.Text, l.Part,
					c.logged[first].Event.Number, l.Event.Number)}
		}
	}
	return premises, nil
}

// streamDurable looks at what leaders send. What they have said is on their disks is in appended
// facts.
func streamDurable(run *sim.Run) (premises int, v *sim.Violation) {
	on := map[sim.CallID]bool{}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch e.Kind {
		case sim.EntryNoted:
			fact := e.Body
			if o, ok := fact.(onDisk); ok {
				fact = o.Record
			}
			if a, ok := fact.(appended); ok {
				on[a.Event.ID] = true
			}
		case sim.EntrySent, sim.EntryQueued:
			m, ok := e.Body.(message)
			if !ok {
				continue
			}
			done, ok := m.part.(streamDone)
			if _, emits := done.Result.(numbered); !ok || !emits {
				continue
			}
			premises++
			if !on[done.ID] {
				return premises, &sim.Violation{Witness: []int{i}, Reason: fmt.Sprintf(
					"%s says %v, which is not on its disk yet", run.Name(e.Node), done.Result)}
			}
		}
	}
	return premises, nil
}

// inversions goes through the pairs of events that a consumer was given in another order than that
// of the log: late was given after early, and stands before it in the log. bad says what is wrong
// with that, "" if nothing.
func (c *course) inversions(bad func(late, early *logged) string) (premises int, v *sim.Violation) {
	for k := range c.readers {
		r := &c.readers[k]
		for i, h := range r.given {
			late := c.log(h.event.ID)
			if late < 0 || r.has(h.event.ID) != h.entry {
				continue
			}
			premises += min(i, 1)
			for _, before := range r.given[:i] {
				v = withLike(v, c.inverted(r, before, h, bad))
			}
		}
	}
	return premises, v
}

// inverted says what is wrong with it that a consumer was given one event and then another, nil if
// nothing.
func (c *course) inverted(r *reader, first, then handed,
	bad func(late, early *logged) string) *sim.Violation {
	late, early := c.log(then.event.ID), c.log(first.event.ID)
	if early <= late {
		return nil
	}
	why := bad(&c.logged[late], &c.logged[early])
	if why == "" {
		return nil
	}
	return &sim.Violation{Count: 1, Witness: []int{first.entry, then.entry}, Reason: fmt.Sprintf(
		"%s is given %s of %s before %s, %s", c.run.Name(r.node), first.event.Text, r.part,
		then.event.Text, why)}
}

// withLike adds a violation to those like it.
func withLike(all, one *sim.Violation) *sim.Violation {
	if all == nil {
		return one
	}
	if one != nil {
		all.Count++
	}
	return all
}

func streamCausal(run *sim.Run) (premises int, v *sim.Violation) {
	var order *checker.Order
	c := courseOf(run)
	return c.inversions(func(late, early *logged) string {
		asked, ok := c.arrived[early.Event.ID]
		if !ok || asked < late.entry {
			return ""
		}
		if order == nil {
			order = checker.NewOrder(run)
		}
		if !order.Before(late.entry, asked) {
			return ""
		}
		return fmt.Sprintf("which was in the log before; their producers' clocks showed %v and %v",
			early.Event.At, late.Event.At)
	})
}

func streamOrdered(run *sim.Run) (premises int, v *sim.Violation) {
	return courseOf(run).inversions(func(late, early *logged) string {
		return fmt.Sprintf("which has number %d in the log, the other %d", late.Event.Number,
			early.Event.Number)
	})
}

func streamOnce(run *sim.Run) (premises int, v *sim.Violation) {
	c := courseOf(run)
	for k := range c.readers {
		r := &c.readers[k]
		for _, h := range r.given {
			premises++
			if first := r.has(h.event.ID); first != h.entry {
				return premises, &sim.Violation{Witness: []int{first, h.entry}, Reason: fmt.Sprintf(
					"%s is given %s of %s twice", run.Name(r.node), h.event.Text, r.part)}
			}
		}
	}
	return premises, nil
}

func streamRetention(run *sim.Run) (premises int, v *sim.Violation) {
	c := courseOf(run)
	if len(c.trims) == 0 {
		return 0, nil
	}
	clocks := run.Clocks()
	for _, d := range c.trims {
		now := clocks[run.Trace[d.entry].Cause]
		for i := range c.logged {
			l := &c.logged[i]
			_, said := run.Trace[l.entry].Body.(appended) // else it has been there for longer
			if !said || l.Part != d.Part || l.Event.Number < d.From || l.Event.Number > d.To {
				continue
			}
			premises++
			if age := now.Sub(clocks[run.Trace[l.entry].Cause]); age < d.Age {
				return premises, &sim.Violation{Witness: []int{l.entry, d.entry},
					Reason: fmt.Sprintf(
						"%s of %s is dropped as older than %v, but it has been in the log for %v",
						l.Event.Text, l.Part, d.Age, age)}
			}
		}
	}
	return premises, nil
}

func streamComplete(run *sim.Run) (premises int, v *sim.Violation) {
	c := courseOf(run)
	for _, a := range c.acked {
		premises++
		if c.log(a.id) < 0 {
			return premises, &sim.Violation{Witness: []int{a.entry}, Reason: fmt.Sprintf(
				"a client was told of %s of %s, which is in no log", a.Text, a.Part)}
		}
	}
	for k := range c.readers {
		n, lacks := c.lacks(&c.readers[k])
		premises += n
		if lacks != nil {
			return premises, lacks
		}
	}
	return premises, nil
}

// lacks says what a consumer should have and has not.
func (c *course) lacks(r *reader) (premises int, v *sim.Violation) {
	rifts := riftsOf(c.run)
	for i := range c.logged {
		l := &c.logged[i]
		if r.entry < 0 || l.Part != r.part || l.Event.Number < r.from {
			continue
		}
		premises++
		if r.has(l.Event.ID) >= 0 || c.gone(l) && r.knows(l.Event.Number) {
			continue
		}
		if rifts.between(r.node, l.leader) {
			continue
		}
		return premises, &sim.Violation{Witness: sorted(r.entry, l.entry),
			Reason: fmt.Sprintf("%s consumes %s, and was never given %s", c.run.Name(r.node),
				r.part, l.Event.Text)}
	}
	return premises, nil
}
