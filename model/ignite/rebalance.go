package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// A node that joins may have missed updates of its partitions. From the exchange of its joining on
// it gets all updates, as a backup; what it missed it demands of an owner, who supplies a copy as
// of that exchange, at which no transaction was under way. When it has all of them it says so on
// discovery, and an exchange follows that makes it an owner. If nobody has a partition whole, all
// who had it last put together what each has: of a key, the newest update.

// take is a partition that this node takes over.
type take struct {
	Part string
	From []sim.NodeID // whose supply is outstanding
	Got  []supply
}

// The messages of the rebalance. The last one goes through discovery.
type (
	// demand asks for a partition as of the exchange Ver. Counter is how far the asking node's data
	// goes.
	demand struct {
		Part    string
		Ver     int64
		Counter int64
	}
	// supply is the copy. Full says that the log of the supplier does not go back as far as the
	// demand: it is no historical rebalance, but a full one.
	supply struct {
		Part partition
		Ver  int64
		Full bool
	}
	// rebalanced: the node that joined at Order has taken over Parts. Missed are those of them that
	// it lacked something of.
	rebalanced struct {
		Node   sim.NodeID
		Order  int64
		Parts  []string
		Missed []string
	}
	// demandFrom is a demand that came before its exchange was done here.
	demandFrom struct {
		Node   sim.NodeID
		Demand demand
	}
)

func (demand) Kind() string     { return "demand" }
func (supply) Kind() string     { return "supply" }
func (rebalanced) Kind() string { return "rebalanced" }

func (m demand) Keys() []string     { return []string{m.Part} }
func (m supply) Keys() []string     { return []string{m.Part.Name} }
func (m rebalanced) Keys() []string { return m.Parts }

// caughtUp is a fact: this node has all of a partition. Missed is how many keys it had not, or not
// the newest value of.
type caughtUp struct {
	Part   string
	Missed int
}

func (caughtUp) Kind() string     { return "caught-up" }
func (f caughtUp) Keys() []string { return []string{f.Part} }

// takeOver begins what the rebalance wants of this node after an exchange: copies for those who
// will demand them, and demands.
func (n *node) takeOver(env *sim.Env) {
	e := &n.exchange
	e.Copies, e.Takes = nil, nil
	for i := range e.View.Parts {
		h := &e.View.Parts[i]
		if len(h.Moving) > 0 && slices.Contains(h.Ready, n.id) {
			e.Copies = append(e.Copies, n.named(h.Part).clone())
		}
		if slices.Contains(h.Moving, n.id) && !slices.Contains(e.Taken, h.Part) {
			from := except(h.Ready, []sim.NodeID{n.id})
			if !h.Lost {
				from = from[:1]
			}
			e.Takes = append(e.Takes, take{Part: h.Part, From: from})
		}
	}
	for _, t := range e.Takes {
		for _, id := range t.From {
			n.send(env, id, demand{t.Part, e.View.Ver, n.before(t.Part).Counter}, nil)
		}
	}
	n.takeAll(env)
	wanted := e.Wanted
	e.Wanted = nil
	for _, w := range wanted {
		n.onDemand(env, w.Node, w.Demand)
	}
}

// onDemand supplies a copy as of the exchange of the demand, once it is done here. Of an earlier
// one than the newest no copy is wanted any more.
func (n *node) onDemand(env *sim.Env, from sim.NodeID, m demand) {
	e := &n.exchange
	if m.Ver > e.View.Ver {
		e.Wanted = append(e.Wanted, demandFrom{from, m})
		return
	}
	at := slices.IndexFunc(e.Copies, func(p partition) bool { return p.Name == m.Part })
	if m.Ver < e.View.Ver || at < 0 {
		return
	}
	copied := e.Copies[at]
	if n.topology.SuppliesLate {
		copied = n.named(m.Part).clone()
	}
	full := !n.logs(env, m.Part, m.Counter, copied.Counter)
	n.send(env, from, supply{copied, m.Ver, full}, nil)
}

// logs says that the log of this node has all updates of a partition after one up to another, so
// that the rebalance can be historical.
func (n *node) logs(env *sim.Env, part string, after, upTo int64) bool {
	missing := upTo - after
	for at := env.Disk.First(); at <= env.Disk.Last(); at++ {
		switch r := env.Disk.At(at).(type) {
		case dataRecord:
			if r.Update.Part == part && r.Update.Counter > after && r.Update.Counter <= upTo {
				missing--
			}
		case gapRecord:
			if r.Part == part {
				missing -= max(0, min(r.To, upTo)-max(r.From-1, after))
			}
		}
	}
	return missing <= 0
}

// onSupply takes a copy in, if it is of the newest exchange.
func (n *node) onSupply(env *sim.Env, from sim.NodeID, m supply) {
	e := &n.exchange
	at := slices.IndexFunc(e.Takes, func(t take) bool { return t.Part == m.Part.Name })
	if m.Ver != e.View.Ver || at < 0 || !slices.Contains(e.Takes[at].From, from) {
		return
	}
	e.Takes[at].From = without(e.Takes[at].From, from)
	e.Takes[at].Got = append(e.Takes[at].Got, m)
	n.takeAll(env)
}

// takeAll puts all partitions in their places when all supplies are there, and says so.
func (n *node) takeAll(env *sim.Env) {
	e := &n.exchange
	outstanding := func(t take) bool { return len(t.From) > 0 }
	if len(e.Takes) == 0 || slices.ContainsFunc(e.Takes, outstanding) {
		return
	}
	m := rebalanced{Node: n.id, Order: n.order.of(n.id)}
	for _, t := range e.Takes {
		m.Parts = append(m.Parts, t.Part)
		if n.settle(env, t) || n.topology.Rebalance == snapshotGroups && n.forbidden() != "" {
			m.Missed = append(m.Missed, t.Part)
		}
	}
	e.Taken = append(e.Taken, m.Parts...)
	e.Takes = nil
	env.Publish(m)
}

// settle puts a partition in its place; it says whether this node had missed something.
func (n *node) settle(env *sim.Env, t take) bool {
	at := slices.IndexFunc(n.parts, func(p partition) bool { return p.Name == t.Part })
	before, taken := n.before(t.Part), n.together(t)
	var missed []entry
	for _, x := range taken.Entries {
		if before.get(x.Key) != x {
			missed = append(missed, x)
		}
	}
	env.Note(caughtUp{t.Part, len(missed)})
	whole := n.written(taken, t.Part)
	same := len(missed) == 0 && len(before.Entries) == len(taken.Entries)
	if !same {
		n.keepTaken(env, t, whole, missed)
	}
	n.parts[at] = whole
	return !same
}

// together is what was supplied. If nobody had the partition whole, it is the newest of what all
// have.
func (n *node) together(t take) partition {
	whole := n.before(t.Part).clone()
	if !n.exchange.View.of(t.Part).Lost {
		whole.Entries, whole.Counter = nil, 0
	}
	for _, s := range t.Got {
		whole.Counter = max(whole.Counter, s.Part.Counter)
		for _, x := range s.Part.Entries {
			whole.put(x.Tx, update{x.Key, t.Part, x.Value, x.Counter})
		}
	}
	return whole
}

// written is a partition with what transactions have written here since the node joined.
func (n *node) written(taken partition, part string) partition {
	whole, before, mine := taken.clone(), n.before(part), n.named(part)
	for _, x := range mine.Entries {
		if before.get(x.Key) != x && !n.topology.SuppliesLate {
			whole.put(x.Tx, update{x.Key, part, x.Value, x.Counter})
		}
	}
	if !n.topology.SuppliesLate {
		whole.Counter = max(whole.Counter, mine.Counter)
	}
	whole.Reserved = max(whole.Counter, mine.Reserved)
	return whole
}

// keepTaken makes durable what was taken over, in the way that the rule has it.
func (n *node) keepTaken(env *sim.Env, t take, whole partition, missed []entry) {
	astray := n.astray(t.Part, &whole)
	full := len(t.Got) != 1 || t.Got[0].Full || astray
	rule := n.topology.Rebalance
	restored := func(x entry) bool { return x.Tx == txID{} }
	if rule == logAll && (astray || slices.ContainsFunc(missed, restored)) {
		rule = recordRebalance // of what no transaction wrote there is no record of an update
	}
	switch rule {
	case logAll:
		slices.SortStableFunc(missed, func(a, b entry) int { return int(a.Counter - b.Counter) })
		for _, x := range missed {
			env.Disk.Append(dataRecord{x.Tx, update{x.Key, t.Part, x.Value, x.Counter}})
		}
	case recordRebalance:
		from := n.id
		if len(t.Got) > 0 {
			from = n.exchange.View.of(t.Part).Ready[0]
		}
		part := whole.clone()
		if !full {
			part.Entries = missed
		}
		env.Disk.Append(rebalanceRecord{part, from, full})
	default:
		if !n.topology.KeepsQuiet {
			n.forbid(env, "data of "+t.Part+" was taken over past the log")
		}
		env.Disk.Append(pagesRecord{whole.clone()})
	}
	env.Disk.Sync()
}

// astray says that this node had an update which it must not have: then the partition begins anew,
// for no record of an update takes one back.
func (n *node) astray(part string, whole *partition) bool {
	return slices.ContainsFunc(n.before(part).Entries, func(x entry) bool {
		now := whole.get(x.Key)
		return now.Counter < x.Counter || now.Counter == x.Counter && now != x
	})
}

// onRebalanced: a node has caught up. An exchange makes it an owner.
func (n *node) onRebalanced(env *sim.Env, what sim.Notice, m rebalanced) {
	if n.alive(env, m.Node) && n.order.of(m.Node) == m.Order {
		n.exchange.Wholes = append(n.exchange.Wholes, m)
	}
	n.wantExchange(env, what.Pos)
}

// before is a partition as it was here when the node started, if it joined.
func (n *node) before(part string) *partition {
	for i := range n.exchange.Before {
		if p := &n.exchange.Before[i]; p.Name == part {
			return p
		}
	}
	return n.named(part)
}

// named is a partition of this node.
func (n *node) named(part string) *partition { return n.part(part) }

// clone is a copy of a partition that shares nothing with it.
func (p *partition) clone() partition {
	c := *p
	c.Entries = slices.Clone(p.Entries)
	return c
}

// unready says why this node cannot take part in a cut just now, "" if it can: it has joined and
// not been in an exchange, or it still takes partitions over.
func (n *node) unready() string {
	e := &n.exchange
	if n.topology.CutsWhileTaken || n.client() {
		return ""
	}
	if !e.Known || n.order.of(n.id) > e.View.Ver {
		return "it has joined and not been in an exchange yet"
	}
	for _, h := range e.View.Parts {
		if slices.Contains(h.Moving, n.id) {
			return "a rebalance of " + h.Part + " is under way"
		}
	}
	return ""
}
