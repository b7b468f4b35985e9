package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// baseAsked, on discovery, asks for the full snapshot Name. It is made at the exchange that
// follows, so no transaction is under way: all owners have it at the same point (IGNITE-17737).
type baseAsked struct{ Name string }

func (baseAsked) Kind() string     { return "snapshot" }
func (m baseAsked) Keys() []string { return []string{m.Name} }

// baseCall is a client of this node that waits for a full snapshot.
type baseCall struct {
	Name string
	Call sim.CallID
}

// pagesRecord is a checkpoint of a partition whose data came past the log: it is no record of the
// log. The node starts again with it; a restore, which reads logs, does not see it.
type pagesRecord struct{ Part partition }

// groupBaseRecord is the snapshot that follows a rebalance, of the groups concerned only.
type groupBaseRecord struct {
	Groups []string
	Data   []partition
}

func (pagesRecord) Kind() string     { return "pages" }
func (groupBaseRecord) Kind() string { return "group-base" }

func (r pagesRecord) Keys() []string { return []string{r.Part.Name} }

// onBase asks for a full snapshot.
func (n *node) onBase(env *sim.Env, call sim.CallID, op baseOp) {
	if op.Name == n.exchange.View.Base || n.basing() != "" {
		env.Refuse(call, unable{"full snapshot " + op.Name + " cannot be made: " +
			n.exchange.View.Base + " is there, " + n.basing() + " is being made"})
		return
	}
	n.exchange.Calls = append(n.exchange.Calls, baseCall{op.Name, call})
	env.Publish(baseAsked(op))
}

// onBaseAsked: a full snapshot wants an exchange.
func (n *node) onBaseAsked(env *sim.Env, what sim.Notice, m baseAsked) {
	if n.topology.Unaligned {
		n.exchange.View.Base, n.exchange.Count = m.Name, 0
		n.makeBase(env, m.Name)
		n.answerBase(env, m.Name, "")
		return
	}
	n.exchange.Asked = append(n.exchange.Asked, m)
	n.wantExchange(env, what.Pos)
}

// takeBases makes the full snapshots of an exchange, and the snapshots of groups that have data
// past the log.
func (n *node) takeBases(env *sim.Env) {
	e := &n.exchange
	asked := e.Asked
	e.Asked = nil
	for _, name := range e.View.Bases {
		e.Count, e.Since = 0, 0
		n.makeBase(env, name)
	}
	for _, b := range asked {
		why := ""
		if !slices.Contains(e.View.Bases, b.Name) {
			why = "partition " + e.View.incomplete() + " is not complete on all owners"
		}
		n.answerBase(env, b.Name, why)
	}
	if len(e.View.Groups) > 0 && n.baseline() {
		r := groupBaseRecord{Groups: e.View.Groups}
		for i := range n.parts {
			p := &n.parts[i]
			moving := slices.Contains(e.View.of(p.Name).Moving, n.id)
			if slices.Contains(r.Groups, p.Group) && !moving {
				r.Data = append(r.Data, p.clone())
			}
		}
		env.Disk.Append(r)
		n.forbid(env, "")
		env.Disk.Sync()
	}
}

// makeBase writes the full snapshot of this node: all that is in the log before it is in it. With a
// new one increments are allowed again (D12).
func (n *node) makeBase(env *sim.Env, name string) {
	if !n.baseline() {
		return
	}
	r := baseRecord{Name: name}
	for i := range n.parts {
		r.Data = append(r.Data, n.parts[i].clone())
	}
	env.Disk.Append(r)
	n.exchange.Base = name
	if !n.topology.FlagForGood {
		n.forbid(env, "")
	}
	env.Disk.Sync()
}

// answerBase tells the client that asked for it.
func (n *node) answerBase(env *sim.Env, name, why string) {
	e := &n.exchange
	at := slices.IndexFunc(e.Calls, func(c baseCall) bool { return c.Name == name })
	if at < 0 {
		return
	}
	call := e.Calls[at].Call
	e.Calls = slices.Delete(slices.Clone(e.Calls), at, at+1)
	if why != "" {
		env.Refuse(call, unable{"full snapshot " + name + ": " + why})
		return
	}
	env.Return(call, done{})
}

// basing names the full snapshot that is asked for and not made yet, "" if there is none.
func (n *node) basing() string {
	if e := &n.exchange; len(e.Asked) > 0 {
		return e.Asked[0].Name
	}
	return ""
}

// base is the newest full snapshot that this node has its part of; who has no log knows it by name.
func (n *node) base() string {
	if !n.baseline() {
		return n.exchange.View.Base
	}
	return n.exchange.Base
}

// nextIncrement is the number that the next increment of the newest full snapshot has.
func (n *node) nextIncrement() int { return n.exchange.Count + 1 }

// incremented: an increment has been made, as discovery says. It counts if it is of the newest full
// snapshot, which a node that has joined may not know yet.
func (n *node) incremented(base string, index int) {
	e := &n.exchange
	e.Since, e.Of = index, base
	if base == n.base() {
		e.Count = index
	}
}

// forbidden says why increments are forbidden here, since data and log differ; "" if they are not.
func (n *node) forbidden() string { return n.exchange.Flag }

// forbid sets the flag, and keeps it in the MetaStorage; "" clears it.
func (n *node) forbid(env *sim.Env, why string) {
	if why == n.exchange.Flag {
		return
	}
	n.exchange.Flag = why
	if n.baseline() && !n.topology.FlagVolatile {
		env.Disk.Append(metaRecord{Version: n.newest.Version, Forbidden: why})
	}
}

// allowed clears the flag, as a full snapshot does.
func (n *node) allowed() {
	if !n.topology.FlagForGood {
		n.exchange.Flag = ""
	}
}

// readBase reads from the disk how things stand: the newest full snapshot, its increments, and
// whether there may be more. A crash may have come between a snapshot and the flag that it clears.
func (n *node) readBase(env *sim.Env) {
	e := &n.exchange
	e.Base = firstBase
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		switch r := env.Disk.At(at).(type) {
		case baseRecord:
			e.Base, e.Count = r.Name, 0
			n.allowed()
		case groupBaseRecord:
			n.allowed()
		case incrementRecord:
			if r.Base != e.Base {
				break // it ended after the next full snapshot had been made
			}
			e.Count = r.Index
			if r.Removed {
				e.Count--
			}
		case metaRecord:
			if !n.topology.FlagUntilJoin {
				e.Flag = r.Forbidden
			}
		}
	}
}
