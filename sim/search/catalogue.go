package search

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// kinds is a set of kinds of fault.
type kinds uint8

const (
	delayed    kinds = 1 << iota
	lost             // of datagrams
	broken           // of streams
	tardy            // of timers
	crashed          // for good, as far as the epilogue
	restarted        // after a crash
	torn             // of a record, in a crash
	copied           // of datagrams
	everything kinds = 1<<iota - 1
)

// size is how many exceptions it takes at least to have all of some kinds.
func (k kinds) size() int {
	if k&torn != 0 {
		k |= crashed | restarted // of which a torn record comes
	}
	if k&restarted != 0 {
		k |= crashed
	}
	return bits.OnesCount8(uint8(k))
}

// stood are the kinds that a protocol stands.
func stood(p *sim.Protocol) kinds {
	all := delayed
	for _, c := range []struct {
		stands sim.Faults
		kinds  kinds
	}{{sim.Losses, lost}, {sim.Breaks, broken}, {sim.Duplicates, copied},
		{sim.LateTimers, tardy}, {sim.Crashes, crashed | restarted}, {sim.TornRecords, torn}} {
		if p.Stands.Has(c.stands) {
			all |= c.kinds
		}
	}
	return all
}

// kindsOf are the kinds of fault that a plan has, by chance or in its script.
func kindsOf(p *sim.Plan) kinds {
	var all kinds
	for i := range p.Chance {
		switch p.Chance[i].Name.What {
		case sim.Delay:
			all |= delayed
		case sim.Lost:
			all |= lost
		case sim.BreakAt:
			all |= broken
		case sim.Copy:
			all |= copied
		case sim.Tardy:
			all |= tardy
		case sim.CrashAt:
			all |= crashed
		case sim.RestartIn:
			all |= restarted
		case sim.Tear:
			all |= torn
		}
	}
	for i := range actions(p) {
		switch a := actionAt(p, i); a.Verb {
		case sim.Crash:
			all |= crashed
		case sim.Restart:
			all |= restarted
		case sim.SpoilDisk:
			if a.Fault == sim.DiskTorn {
				all |= torn
			}
		case sim.Duplicate:
			all |= copied
		}
	}
	return all
}

// fault is something that chance may do to a run: an exception, or a crash with what follows.
type fault struct {
	list  []sim.Exception
	kinds kinds
	at    int // how many entries there were before it
	rank  rank
}

// rank is how plain a fault is, the plainest first.
type rank uint8

const (
	late        rank = iota // a message
	missing                 // a datagram
	cutOff                  // a message of a stream, which breaks
	overdue                 // a timer
	down                    // a node, for good
	back                    // a node that was down for a moment
	backTorn                // and its last record is torn
	twiceAtOnce             // a datagram
	twice                   // a datagram, the copy late
)

// kindsOfRank are the kinds of fault that a fault of a rank is of.
var kindsOfRank = [...]kinds{
	late: delayed, missing: lost, cutOff: broken, overdue: tardy, down: crashed,
	back: crashed | restarted, backTorn: crashed | restarted | torn, twiceAtOnce: copied,
	twice: copied,
}

// catalogue is what chance could do to the run of a plan: see catalogueOf.
func (s *Shrinking) catalogue(p *sim.Plan, of kinds) []fault {
	s.spent++
	run, err := s.world.Execute(p, sim.Options{Boundaries: of&crashed != 0})
	if err != nil {
		return nil
	}
	s.events += run.Events
	return catalogueOf(run, of)
}

// catalogueOf are the faults of some kinds that chance could do to a run, one at a time, the
// plainest first: each message late, each datagram lost, each stream broken, each timer late, each
// node crashed before each of its effects and after its last, for good or for a moment, with or
// without a torn record, each datagram copied. The run must have been played with
// sim.Options.Boundaries.
func catalogueOf(run *sim.Run, of kinds) []fault {
	c := catalogue{run: run, of: of, seen: map[sim.Name]int32{}}
	for i := range run.Trace[:run.Epilogue] {
		c.entry(i, &run.Trace[i])
	}
	for i := range run.Boundaries {
		c.boundary(i)
	}
	slices.SortStableFunc(c.all, func(a, b fault) int { return int(a.rank) - int(b.rank) })
	return c.all
}

// catalogue is one under way.
type catalogue struct {
	run  *sim.Run
	of   kinds
	seen map[sim.Name]int32 // how often a name came up
	all  []fault
}

// The durations of the catalogue: by how much something is late, after how long a node is back.
const (
	catalogueDelay = int64(10 * time.Millisecond)
	catalogueBack  = int64(time.Millisecond)
)

// mostOfFault is how many exceptions a fault has at most.
const mostOfFault = 3

// add adds a fault, if it is of the kinds that are wanted.
func (c *catalogue) add(r rank, at int, list ...sim.Exception) {
	if k := kindsOfRank[r]; k&c.of == k {
		c.all = append(c.all, fault{list, k, at, r})
	}
}

func (c *catalogue) entry(at int, e *sim.Entry) {
	if int(e.Node) >= len(c.run.Nodes) {
		return
	}
	switch e.Kind {
	case sim.EntrySent, sim.EntryQueued:
		if e.Peer != sim.ClientEnd {
			c.message(at, e)
		}
	case sim.EntryFired:
		c.add(overdue, at, choice(c.name("clock", c.run.Name(e.Node), e.Body), sim.Tardy,
			catalogueDelay))
	}
}

// name is the next name of a decision about something on a link.
func (c *catalogue) name(at, to string, b sim.Body) sim.Name {
	n := sim.Name{At: at, To: to, Of: b.Kind(), Keys: strings.Join(sim.KeysOf(b), " ")}
	c.seen[n]++
	n.N = c.seen[n]
	return n
}

func choice(n sim.Name, what sim.Choice, v int64) sim.Exception {
	n.What = what
	return sim.Exception{Name: n, Value: v}
}

// message adds what can befall a message.
func (c *catalogue) message(at int, e *sim.Entry) {
	n := c.name(c.run.Name(e.Node), c.run.Name(e.Peer), e.Body)
	c.add(late, at, choice(n, sim.Delay, catalogueDelay))
	if e.Kind != sim.EntrySent {
		return
	}
	if e.N != 0 {
		c.add(cutOff, at, choice(n, sim.BreakAt, 1))
	} else {
		c.add(missing, at, choice(n, sim.Lost, 1))
		c.add(twiceAtOnce, at, choice(n, sim.Copy, 1))
		c.add(twice, at, choice(n, sim.Copy, 1+catalogueDelay))
	}
}

// boundary adds the crashes before an effect, and after it if it is the node's last.
func (c *catalogue) boundary(i int) {
	b := &c.run.Boundaries[i]
	c.crash(b, "before ", b.Unsynced)
	later := c.run.Boundaries[i+1:]
	if !slices.ContainsFunc(later, func(x sim.Boundary) bool { return x.Node == b.Node }) {
		c.crash(b, "after ", b.Left)
	}
}

// crash adds those on one side of an effect, where so many records are not yet durable.
func (c *catalogue) crash(b *sim.Boundary, side string, unsynced int64) {
	n := b.Name
	n.To = side + n.To
	crash := choice(n, sim.CrashAt, 1)
	of := sim.Name{At: b.Name.At, N: b.Crash}
	restart := choice(of, sim.RestartIn, 1+catalogueBack)
	c.add(down, b.Entry, crash)
	c.add(back, b.Entry, crash, restart)
	if unsynced > 0 {
		c.add(backTorn, b.Entry, crash, choice(of, sim.Tear, 1), restart)
	}
}
