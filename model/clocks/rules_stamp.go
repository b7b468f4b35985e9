package clocks

import (
	"time"

	"github.com/downset/downset/sim"
)

// stampRules are those of the three clocks and of who may move them.
type stampRules struct {
	NoHybrid bool // nodes have no hybrid clock, and refuse nothing by it
	NoLimit  bool // stamps are taken up however far ahead they are
	Forgets  bool // after a restart the hybrid clock begins at what the clock shows

	lamportWrongs
	vectorWrongs
	hybridWrongs
}

// The wrong decisions, of each clock.
type (
	lamportWrongs struct {
		KeepsOnReceive  bool // a receipt does not count
		ForgetsReceived bool // a receipt counts on from the node's own stamp alone
		LamportVolatile bool // it begins at 0 after a restart
		ByArrival       bool // of two words the one that came first is first
		SendsOld        bool // a message carries the stamp of the event before its sending
	}
	vectorWrongs struct {
		Adds           bool // entries are added to those received
		StillOnReceive bool // a receipt is not counted in the node's own entry
		OwnOnly        bool // what others know is not taken up
		VectorVolatile bool // it begins empty after a restart
	}
	hybridWrongs struct {
		KeepsLogical   bool // the logical part is not reset where the physical one advances
		ResetsLogical  bool // the logical part is reset where the physical one stays
		IgnoresMessage bool // a receipt heeds the node's own stamp and its clock only
		// of a message with the greatest physical part the logical one is left out
		OwnLogical bool
		ByPhysical bool // the physical part is what the clock shows, even if that went back
		// the limit counts from the node's hybrid clock, not from its physical one
		FromOwn      bool
		TakesRefused bool // the clock takes up the stamp of a message that is refused
		Batched      bool // only now and then a stamp of it is on the disk
		DropsLogical bool // a restart goes on from the physical part on the disk
		StartsAhead  bool // a restart goes on ahead of what is on the disk, and does not wait
	}
)

// refuses says that a message with this stamp is from too far ahead.
func (r *stampRules) refuses(n *node, got Hybrid, now sim.Time) bool {
	if r.FromOwn {
		now = max(now, n.clocks.Last.Hybrid.Wall)
	}
	return !r.NoHybrid && !r.NoLimit && got.Ahead(now) > n.layout.MaxOffset
}

// read is what a start has of the clocks after a record of an event, if it had sofar.
func (r *stampRules) read(sofar Stamp, t ticked) Stamp {
	if !r.LamportVolatile {
		sofar.Lamport = t.Stamp.Lamport
	}
	if !r.VectorVolatile {
		sofar.Vector = t.Stamp.Vector
	}
	sofar.Hybrid = r.hybridRead(sofar.Hybrid, t)
	return sofar
}

// Of a hybrid clock that is kept wrongly: of how many events one has its stamp on the disk, and how
// far ahead of it a bound is.
const (
	batch   = 8
	reserve = 10 * time.Millisecond
)

// hybridRead is the hybrid clock of read.
func (r *stampRules) hybridRead(sofar Hybrid, t ticked) Hybrid {
	kept := t.Stamp.Hybrid
	switch {
	case r.Forgets, r.Batched && t.What != starts && t.Stamp.Lamport.Count%batch != 0:
		return sofar
	case r.DropsLogical:
		return BeforeAll(kept.Wall)
	case r.StartsAhead:
		return BeforeAll(kept.Wall.Add(reserve))
	}
	return kept
}

// sent is the stamp that a message carries.
func (r *stampRules) sent(before, now Stamp) Stamp {
	if r.SendsOld {
		return before
	}
	return now
}

// sooner says that a word with stamp a stands before one with stamp b that is in the list already.
func (r *stampRules) sooner(a, b Lamport) bool { return !r.ByArrival && a.Compare(b) < 0 }

func (r *stampRules) lamport(last Lamport) Lamport { return last.Tick() }

func (r *stampRules) lamportReceived(last, got Lamport) Lamport {
	switch {
	case r.KeepsOnReceive:
		return Lamport{max(last.Count, got.Count), last.Node}
	case r.ForgetsReceived:
		return last.Tick()
	}
	return last.Receive(got)
}

func (r *stampRules) vector(last Vector, id sim.NodeID) Vector { return last.Tick(id) }

func (r *stampRules) vectorReceived(last, got Vector, id sim.NodeID) Vector {
	switch {
	case r.Adds:
		return added(last, got).Tick(id)
	case r.StillOnReceive:
		return last.Merge(got)
	case r.OwnOnly:
		return last.Tick(id)
	}
	return last.Receive(got, id)
}

// added is the sum of two vectors; an entry of 2^40 grows no more by it, so that it ends.
func added(v, u Vector) Vector {
	sum := v.Merge(u)
	for i := range sum {
		sum[i] = max(sum[i], min(v.at(i)+u.at(i), 1<<40))
	}
	return sum
}

func (r *stampRules) hybrid(last Hybrid, pt sim.Time) Hybrid {
	if r.NoHybrid {
		return last
	}
	return r.spoilt(last, last.Tick(pt), pt)
}

// causal is a stamp above all that its node has heard of. Without a hybrid clock it is Lamport's: a
// hybrid stamp whose physical part never moves.
func (r *stampRules) causal(of Stamp) Hybrid {
	if r.NoHybrid {
		return Hybrid{Logical: of.Lamport.Count}
	}
	return of.Hybrid
}

func (r *stampRules) hybridReceived(last, got Hybrid, pt sim.Time) Hybrid {
	switch {
	case r.NoHybrid:
		return last
	case r.IgnoresMessage:
		return last.Tick(pt)
	case r.OwnLogical && got.Wall > max(last.Wall, pt):
		return Hybrid{Wall: got.Wall}
	case r.OwnLogical:
		return last.Tick(pt)
	}
	return r.spoilt(last, last.Receive(got, pt), pt)
}

// spoilt is what becomes of the right stamp of an event.
func (r *stampRules) spoilt(last, next Hybrid, pt sim.Time) Hybrid {
	switch {
	case r.KeepsLogical && next.Wall > last.Wall:
		next.Logical = max(next.Logical, last.Logical+1)
	case r.ResetsLogical:
		next.Logical = 0
	case r.ByPhysical && pt == last.Wall:
		return Hybrid{pt, last.Logical + 1}
	case r.ByPhysical:
		return Hybrid{Wall: pt}
	}
	return next
}

// hybridRefused is the hybrid clock after a message was refused.
func (r *stampRules) hybridRefused(last, got Hybrid) Hybrid {
	if r.TakesRefused && got.Compare(last) > 0 {
		return got
	}
	return last
}

// stampRuleRows are the decisions that a scenario may set.
func stampRuleRows() []rule {
	return []rule{
		sim.Flag("hybrid-clock", "whether nodes have a hybrid clock, and so a stamp to refuse a "+
			"message by: Cassandra, Riak and Dynamo have none, and take up what comes from a "+
			"clock that is off by any amount",
			"kept|none", func(r *rules) *bool { return &r.stamp.NoHybrid }),
		sim.Flag("hybrid-limit", "whether messages from more than max-offset ahead are refused "+
			"(CockroachDB; the paper of 2014, section 4.2, lets stamps from too far ahead be "+
			"ignored)",
			"on|off", func(r *rules) *bool { return &r.stamp.NoLimit }),
		sim.Flag("hybrid-restart", "how the hybrid clock goes on after a restart: from the last "+
			"stamp, which was on the disk before anybody heard of it, or at what the clock shows",
			"disk|forgets", func(r *rules) *bool { return &r.stamp.Forgets }),
	}
}

// stampRows are forms that are in use, and lose something where clocks are off by much or jump.
func stampRows() []row {
	return []row{
		{name: "unlimited", breaks: "hybrid-limit",
			doc: "hybrid clocks as in figure 5 of the paper, " +
				"without a limit: a clock that is far ahead drags those of all others after it",
			rules: rules{stamp: stampRules{NoLimit: true}}},
		{name: "restarts-by-clock", breaks: "hybrid-restart",
			doc: "the hybrid clock is in memory only " +
				"and begins anew at what the clock shows: below what was said if that was ahead",
			rules: rules{stamp: stampRules{Forgets: true}}},
	}
}
