package search

import (
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Singles are the exceptions that chance could make to a run, one at a time, the plainest first:
// each datagram lost, each late, each copied, each timer late, each node crashed before each of
// its effects. A shrinker tries them where a fault of the script could become one of chance, and
// to choose the same exception whichever run it started from.
func Singles(run *sim.Run) []sim.Exception {
	var c catalogue
	c.seen = map[string]int32{}
	for i := range run.Trace[:run.Epilogue] {
		c.entry(run, &run.Trace[i])
	}
	return append(append(append(append(c.late, c.lost...), c.slow...), c.crash...), c.copied...)
}

type catalogue struct {
	seen                            map[string]int32 // how often a name came up
	last                            []sim.Body       // by node: the last record written
	late, lost, slow, crash, copied []sim.Exception
}

// catalogueDelay is how late a late datagram is, and a late timer.
const catalogueDelay = int64(10 * time.Millisecond)

func (c *catalogue) entry(run *sim.Run, e *sim.Entry) {
	if int(e.Node) >= len(run.Nodes) {
		return
	}
	for len(c.last) < len(run.Nodes) {
		c.last = append(c.last, nil)
	}
	name := sim.Name{At: run.Name(e.Node)}
	switch e.Kind {
	case sim.EntrySent, sim.EntryQueued:
		c.boundary(name, "send", e.Body)
		if e.Peer != sim.ClientEnd {
			c.message(run, e)
		}
	case sim.EntryAppended:
		c.boundary(name, "append", e.Body)
		c.last[e.Node] = e.Body
	case sim.EntryReplaced:
		c.boundary(name, "append", e.Body)
	case sim.EntrySynced:
		c.boundary(name, "sync", c.last[e.Node])
	case sim.EntryPublished:
		c.boundary(name, "publish", e.Body)
	case sim.EntryReturned, sim.EntryRefused:
		c.boundary(name, "return", opOf(run, e.N))
	}
}

// opOf is the request of a call.
func opOf(run *sim.Run, call int64) sim.Body {
	for i := range run.Trace {
		if e := &run.Trace[i]; e.Kind == sim.EntryInvoked && e.N == call {
			return e.Body
		}
	}
	return nil
}

// message adds what can befall a message.
func (c *catalogue) message(run *sim.Run, e *sim.Entry) {
	n := sim.Name{At: run.Name(e.Node), To: run.Name(e.Peer), Of: e.Body.Kind(),
		Keys: strings.Join(sim.KeysOf(e.Body), " ")}
	n.N = c.count(n)
	add := func(list *[]sim.Exception, what sim.Choice, v int64) {
		n.What = what
		*list = append(*list, sim.Exception{Name: n, Value: v})
	}
	add(&c.late, sim.Delay, catalogueDelay)
	if e.N == 0 && e.Kind == sim.EntrySent {
		add(&c.lost, sim.Lost, 1)
		add(&c.copied, sim.Copy, 1+catalogueDelay)
	}
}

// boundary adds a crash before an effect.
func (c *catalogue) boundary(n sim.Name, effect string, b sim.Body) {
	n.What, n.To = sim.CrashAt, "before "+effect
	if b != nil {
		n.Of, n.Keys = b.Kind(), strings.Join(sim.KeysOf(b), " ")
	}
	n.N = c.count(n)
	c.crash = append(c.crash, sim.Exception{Name: n, Value: 1})
}

func (c *catalogue) count(n sim.Name) int32 {
	key := strings.Join([]string{n.At, n.To, n.Of, n.Keys}, "|")
	c.seen[key]++
	return c.seen[key]
}

// single looks for one exception of the catalogue with which a plan fails.
func (s *Shrinking) single(p *sim.Plan) *sim.Plan {
	if actions(p) > 6 {
		return nil // a catalogue of a long run is long
	}
	q := editable(p)
	q.Chance = nil
	if s.fails(q) {
		return q
	}
	s.spent++
	run, err := s.world.Execute(q, sim.Options{})
	if err != nil {
		return nil
	}
	list := Singles(run)
	list = list[:min(len(list), s.Fresh*4)]
	for i := range list {
		q.Chance = list[i : i+1 : i+1]
		if s.fails(q) {
			return q
		}
	}
	if actions(p) > 2 || len(list) > 40 {
		return nil
	}
	return s.pair(q, list)
}

// pair looks for two exceptions of a short catalogue with which a plan fails.
func (s *Shrinking) pair(p *sim.Plan, list []sim.Exception) *sim.Plan {
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			p.Chance = []sim.Exception{list[i], list[j]}
			if s.fails(p) {
				return p
			}
		}
	}
	return nil
}
