package ignite

import (
	"cmp"
	"slices"

	"github.com/downset/downset/sim"
)

// How near maps a transaction and asks its primaries to prepare it.

// prepare begins the first phase, or the only one: near maps the transaction and asks every primary
// that takes part (1.4).
func (n *node) prepare(env *sim.Env, o *object) {
	if o.Map.TopVer == 0 && n.exchanging() {
		n.await(o)
		return
	}
	if why := n.mapShares(env, o); why != "" {
		n.giveUp(env, o, why)
		return
	}
	env.Note(mapped{o.Key.txID, o.Map})
	n.to(env, o, preparing)
	o.Prepares, o.Voted, o.OnePhase = true, true, o.Map.OnePhase
	writers := slices.ContainsFunc(o.Map.Shares, share.isWriter)
	readers := slices.ContainsFunc(o.Map.Shares, share.isReader)
	o.Second = n.commits.ReadsFirst && o.Map.Mode == serializable && readers && writers
	n.askShares(env, o, func(s share) bool { return !o.Second || s.isReader() })
}

func (s share) isReader() bool { return len(s.Writes) == 0 }
func (s share) isWriter() bool { return len(s.Writes) > 0 }

// askShares asks the primaries of some shares to prepare, this node among them.
func (n *node) askShares(env *sim.Env, o *object, which func(share) bool) {
	here := false
	for _, s := range o.Map.Shares {
		switch {
		case !which(s):
		case s.Primary == n.id:
			o.Colocated, o.Own, o.Voted, here = true, s, false, true
		default:
			o.Waits = append(o.Waits, s.Primary)
		}
	}
	for _, p := range o.Waits {
		n.send(env, p, npq{o.Key.txID, o.Map}, o)
	}
	if here {
		n.preparePart(env, o)
		return
	}
	n.nearVoted(env, o)
}

// askWriters is the second half, where reads are validated first. Who has left meanwhile answers no
// more.
func (n *node) askWriters(env *sim.Env, o *object) {
	o.Second = false
	for _, s := range o.Map.Shares {
		if s.isWriter() && !n.there(env, o, s.Primary) {
			o.Err = "a primary left"
			n.nearVoted(env, o)
			return
		}
	}
	n.askShares(env, o, share.isWriter)
}

// mapShares maps the transaction to the owners of its keys; it says why that cannot be.
func (n *node) mapShares(env *sim.Env, o *object) string {
	if o.Map.TopVer == 0 {
		o.Map.TopVer = n.mapped()
	}
	var shares []share
	for _, w := range o.Writes {
		owners, why := n.ownersFor(env, o, w.Key)
		if why != "" {
			return why
		}
		s := shareOf(&shares, owners[0])
		s.Writes = append(s.Writes, w)
		s.Backups = union(s.Backups, owners[1:])
	}
	for _, r := range o.Reads {
		if o.Map.Mode == optimistic {
			continue // a plain read takes no part
		}
		owners, why := n.ownersFor(env, o, r.Key)
		if why != "" {
			return why
		}
		s := shareOf(&shares, owners[0])
		s.Reads = append(s.Reads, sight{r.Key, r.Counter})
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(a.Primary, b.Primary) })
	o.Map.Shares = shares
	o.Map.OnePhase = len(shares) == 1 && len(shares[0].Backups) <= 1 && n.even(env, &shares[0])
	return ""
}

// even says that all writes of a share have the same backups. Merged code looks at how many nodes
// there are in all: a key without a backup goes with one that has one, and is lost if the primary
// dies after the backup's commit.
func (n *node) even(env *sim.Env, s *share) bool {
	if !n.commits.EvenBackups {
		return true
	}
	for _, w := range s.Writes {
		if len(n.owners(env, n.layout.of(w.Key)))-1 != len(s.Backups) {
			return false
		}
	}
	return true
}

// shareOf is the share of a primary.
func shareOf(shares *[]share, p sim.NodeID) *share {
	at := slices.IndexFunc(*shares, func(s share) bool { return s.Primary == p })
	if at < 0 {
		at = len(*shares)
		*shares = append(*shares, share{Primary: p})
	}
	return &(*shares)[at]
}

// ownersFor are the owners of a key. A lock that another node has granted is worth nothing, and so
// is that of an earlier life of the primary.
func (n *node) ownersFor(env *sim.Env, o *object, k string) ([]sim.NodeID, string) {
	owners := n.owners(env, n.layout.of(k))
	if len(owners) == 0 {
		return nil, "no owner of " + k + " is there"
	}
	for _, a := range o.Locks {
		same := a.Primary == owners[0] && n.stillThere(env, a.Primary, o.Map)
		if a.Key == k && !same {
			return nil, "the primary of " + k + " has changed"
		}
	}
	return owners, ""
}
