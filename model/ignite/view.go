package ignite

import (
	"slices"

	"github.com/downset/downset/sim"
)

// view is what an exchange agrees on: the full partition map. It is made by the oldest server from
// the view before and from what discovery said since, and all take it over from discovery, so it is
// the same everywhere. A view is never changed.
type view struct {
	Ver    int64     // position on discovery of the event
	Parts  []holding // by place of the set-up
	Bases  []string  // full snapshots that are made at this exchange
	Base   string    // the newest full snapshot
	Groups []string  // groups that have data past the log, and get a snapshot now
	Count  int       // increments of it
	// Baseline are the nodes of the baseline, nil if it is that of the set-up.
	Baseline []sim.NodeID
}

// holding is who has the data of a partition.
type holding struct {
	Part string
	// Whole are those who have all of it. If Lost, they got all updates when they were last seen,
	// and since then nobody could write: when all of them are back, what each has is put together.
	Whole  []sim.NodeID
	Lost   bool
	Moving []sim.NodeID // who take over what they miss; they get all updates meanwhile
	Ready  []sim.NodeID // of Moving: who can be taken over from
}

// firstBase is the full snapshot that is there at first.
const firstBase = "base"

// founded is the view that the founders begin with: those of the owners who are there have all.
func (n *node) founded(env *sim.Env) view {
	v := blank(&n.layout)
	v.Base = firstBase
	for i := range v.Parts {
		h := &v.Parts[i]
		if there := n.living(env, h.Whole); len(there) > 0 {
			h.Whole, h.Lost = there, false
		}
	}
	return v
}

// blank is what a node knows that has been told nothing: data are where they are meant to be.
func blank(l *layout) view {
	v := view{Base: firstBase, Parts: slices.Grow([]holding(nil), len(l.Places))}
	for i := range l.Places {
		p := &l.Places[i]
		v.Parts = append(v.Parts, holding{Part: p.Part(), Whole: l.among(p.Owners), Lost: true})
	}
	return v
}

// of is the holding of a partition.
func (v *view) of(part string) *holding {
	at := 0
	for v.Parts[at].Part != part {
		at++
	}
	return &v.Parts[at]
}

// owners are the owners of a place as this node knows them now, the primary first: those alive
// whose data is whole, then those who take it over and are backups meanwhile. There are none while
// nobody has it whole. A returned node is an owner again only when an exchange after its rebalance
// has said so (late affinity), and if the primary has left, the next one is primary only after the
// exchange: it may not have yet what the old one has written. The list must not be changed.
func (n *node) owners(env *sim.Env, p *place) []sim.NodeID {
	if n.topology.OwnsAtOnce {
		return n.living(env, n.layout.among(p.Owners))
	}
	h := n.exchange.View.of(p.Part())
	if h.Lost {
		return nil
	}
	if slices.Equal(h.Whole, p.Owners) && n.allSame(env, p.Owners) {
		return p.Owners
	}
	var whole, moving []sim.NodeID
	for _, id := range p.Owners {
		switch {
		case slices.Contains(h.Whole, id) && n.same(env, id):
			whole = append(whole, id)
		case slices.Contains(h.Whole, id) && len(whole) == 0 && !n.topology.MapsOn:
			return nil
		case slices.Contains(h.Moving, id) && n.same(env, id):
			moving = append(moving, id)
		}
	}
	if len(whole) == 0 {
		return nil
	}
	return append(whole, moving...)
}

func (n *node) allSame(env *sim.Env, ids []sim.NodeID) bool {
	for _, id := range ids {
		if !n.same(env, id) {
			return false
		}
	}
	return true
}

// same says that a node is alive and has been since the view was agreed on.
func (n *node) same(env *sim.Env, id sim.NodeID) bool {
	return n.alive(env, id) && n.order.of(id) <= n.exchange.View.Ver
}

// nextView is the view of the newest event, as the oldest server makes it.
func (n *node) nextView(env *sim.Env) view {
	e := &n.exchange
	v := view{Ver: e.Want, Base: e.View.Base, Count: e.Count, Baseline: e.Baseline}
	l := n.layout
	l.Baseline = v.Baseline
	for i := range l.Places {
		v.Parts = append(v.Parts, n.nextHolding(env, &l.Places[i], &l))
	}
	for _, r := range e.Wholes {
		if n.topology.Rebalance == snapshotGroups && n.same(env, r.Node) {
			v.Groups = n.groupsOf(v.Groups, r.Missed)
		}
	}
	for _, b := range e.Asked {
		if v.incomplete() == "" {
			v.Bases, v.Base, v.Count = append(v.Bases, b.Name), b.Name, 0
		}
	}
	return v
}

// incomplete names a partition that somebody lacks, "" if there is none.
func (v *view) incomplete() string {
	for _, h := range v.Parts {
		if h.Lost || len(h.Moving) > 0 {
			return h.Part
		}
	}
	return ""
}

// groupsOf adds the groups of some partitions to a list.
func (n *node) groupsOf(groups, parts []string) []string {
	for _, name := range parts {
		if g := n.layout.of(name).Group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// nextHolding is who has a partition now. Whoever has stayed, or has taken it over, has it whole;
// if nobody has, it is lost until all are back who had it last.
func (n *node) nextHolding(env *sim.Env, p *place, l *layout) holding {
	was := n.exchange.View.of(p.Part())
	here := l.among(n.living(env, p.Owners))
	var whole []sim.NodeID
	for _, id := range here {
		stayed := n.same(env, id) && !was.Lost && slices.Contains(was.Whole, id)
		if stayed || n.same(env, id) && n.isWhole(id, p.Part()) {
			whole = append(whole, id)
		}
	}
	last := was.Whole // who had all updates
	if !was.Lost {
		last = union(last, was.Moving)
	}
	last = l.among(last)
	back := len(n.living(env, last)) == len(last)
	h := holding{Part: was.Part, Whole: whole}
	switch {
	case len(whole) > 0:
	case back && len(here) == 1:
		h.Whole = here // it has what there is
	default:
		h.Whole, h.Lost = last, true
	}
	switch {
	case h.Lost && !back:
	case h.Lost:
		h.Moving, h.Ready = here, here
	default:
		h.Moving, h.Ready = except(here, h.Whole), h.Whole
	}
	return h
}

// isWhole says that a node has said since the last exchange that it has taken a partition over.
func (n *node) isWhole(id sim.NodeID, part string) bool {
	return slices.ContainsFunc(n.exchange.Wholes, func(r rebalanced) bool {
		return r.Node == id && slices.Contains(r.Parts, part)
	})
}

// among are those of a list that are in the baseline. The list must not be changed.
func (l *layout) among(list []sim.NodeID) []sim.NodeID {
	return those(list, l.baseline)
}

// except are those of a list that are not on another.
func except(list, others []sim.NodeID) []sim.NodeID {
	return slices.DeleteFunc(slices.Clone(list), func(id sim.NodeID) bool {
		return slices.Contains(others, id)
	})
}
