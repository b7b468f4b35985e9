package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// What a put does to a record.

// context is what the writer of a put has seen of its key.
type context struct {
	Seen   []sim.CallID
	Past   history
	Vector VersionVector
	Number int64
	Writer Pair // of whom the put is, and which of its puts, where vectors count puts of writers
}

// learn takes in what a session has been told: versions, and the vector that stands for them.
func (c *context) learn(versions []version, vector VersionVector) {
	for _, v := range versions {
		c.Seen = slices.DeleteFunc(slices.Clone(c.Seen), func(id sim.CallID) bool {
			return id == v.ID || slices.Contains(v.Seen, id)
		})
		c.Seen = append(c.Seen, v.ID)
		slices.Sort(c.Seen)
		c.Past = c.Past.merge(v.Past).with(v.Dot)
		c.Number = max(c.Number, v.Number)
		c.Vector = c.Vector.Merge(v.Vector)
	}
	c.Vector = c.Vector.Merge(vector)
}

// update is what a replica called actor keeps once a put has made version v there, and the vector
// that the writer has seen since, if it is told no more than that the put was done.
func (r *storeRules) update(mine record, v version, c context, at place) (outcome, VersionVector) {
	switch r.Conflict {
	case byServer:
		return updateAtServer(mine, v, c, at)
	case byWriter:
		return r.updateByWriter(mine, v, c, at)
	}
	return r.merge(mine, record{Key: mine.Key, Versions: []version{v}}, 0), nil
}

// place is where a put is taken up: the replica, what its clock shows, and how many pairs vectors
// may have there.
type place struct {
	Actor string
	Wall  sim.Time
	Limit int
}

// updateAtServer counts the put in the replica's entry, as the vnodes of Riak 1.0 to 1.4 do
// (riak_kv_vnode, put_merge of a coordinated put). If what the writer had seen and this put have
// then seen all of the object, the version takes its place. Else the version is put beside all that
// is there, though its writer may have seen some of it, and counted again: the vector of all
// siblings has no room for what one of them has seen. The writer has seen the object's vector only
// if its version is alone.
func updateAtServer(mine record, v version, c context, at place) (outcome, VersionVector) {
	next := record{Key: mine.Key, Versions: []version{v}, Vector: c.Vector.Bump(at.Actor, at.Wall)}
	if next.Vector.Get(at.Actor) > mine.Vector.Get(at.Actor) && next.Vector.sees(mine.Vector) {
		return outcome{next, replaced(mine, next)}, next.Vector
	}
	all := both(mine, next)
	all.Vector = all.Vector.Bump(at.Actor, at.Wall)
	return outcome{Record: all}, c.Vector
}

// updateByWriter counts the put in its writer's entry, as Dynamo and Riak before 1.0 do: there are
// as many entries as there are writers, unless vectors are pruned.
func (r *storeRules) updateByWriter(mine record, v version, c context, at place) (outcome,
	VersionVector) {
	count := c.Writer.Count
	if r.ContextCounts {
		count = c.Vector.Get(c.Writer.Actor) + 1
	}
	seen := c.Vector.Set(c.Writer.Actor, count, at.Wall)
	v.Vector = seen
	if r.Prune == pruneFirst {
		v.Vector = r.pruned(seen, at.Limit)
	}
	out := r.mergeVersions(mine, record{Key: mine.Key, Versions: []version{v}})
	for i := range out.Record.Versions {
		if u := &out.Record.Versions[i]; u.ID == v.ID && r.Prune != pruneWrites {
			u.Vector = r.pruned(u.Vector, at.Limit)
		}
	}
	return out, seen
}
