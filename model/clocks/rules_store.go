package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// storeRules are those of the replicated store and of sessions.
type storeRules struct {
	Conflict conflictRule
	Prune    pruneRule
	// The count of a writer's put is taken from what the writer has seen, not from the writer.
	ContextCounts bool
	Bare          bool // a get's answer is the client's, whatever its session has seen
	// The wrong ones.
	Blind       bool // a version does not say what its writer had seen
	ForgetsPuts bool // a session's next put has not seen its last
	ForgetsGets bool // a session's next put has not seen what it has read
	Gaps        bool // who has seen a write has seen all before it of the same replica
	KeepsOne    bool // of versions that have not seen each other one is kept
	DotsAgain   bool // the count of a replica's puts is lost in a crash
	SharedDots  bool // a put's count is the next after what its writer has seen
	Unsynced    bool // what is written is not synced
	Ties        bool // of versions with equal stamps each replica keeps the one that it has
	TakesReply  bool // the reply to an offer takes the place of what there is
	MendsOldest bool // read repair writes back the oldest
	AnyHome     bool // a record's number is checked at any replica
	Twice       bool // a put that is asked for again is done again
	ForgetsDone bool // a replica forgets in a crash which puts it has done
	OffersOnce  bool // a state is offered once
	Reversed    bool // the values that a get returns are in the other order
	Sulks       bool // who was refused offers nothing any more
}

// conflictRule is what versions of one key are compared by.
type conflictRule uint8

const (
	byDots    conflictRule = iota // what each writer had seen, by dots; what is concurrent is kept
	byServer                      // a version vector of each object, with an entry a replica
	byWriter                      // a version vector of each version, with an entry a writer
	byNumber                      // the number of the record, checked at its home before an update
	byWall                        // the last write wins, by the wall clock of its replica
	byLamport                     // the last write wins, by Lamport's clock
	byHybrid                      // the last write wins, by the hybrid clock
	byCount                       // the lesser Lamport count is before, equal ones are concurrent
)

// detects says that the rule claims to know which version descends from which.
func (c conflictRule) detects() bool { return c < byWall || c == byCount }

// pruneRule is when vectors with an entry a writer are pruned.
type pruneRule uint8

const (
	pruneAtPut pruneRule = iota // where the version is made, once it is compared
	pruneFirst                  // there, before it is compared with what it may replace
	// not there and not by read repair, but where it is written as a copy
	pruneWrites
	pruneNever // not at all
)

// pruned is a vector with at most limit pairs, where vectors are pruned.
func (r *storeRules) pruned(v VersionVector, limit int) VersionVector {
	if r.Prune == pruneNever {
		return v
	}
	return v.Prune(limit)
}

// mends is the limit of vectors that a read repair writes.
func (r *storeRules) mends(limit int) int {
	if r.Prune == pruneWrites {
		return 0
	}
	return limit
}

// remembered is what a session still knows of a vector once it is told another one.
func (r *storeRules) remembered(v VersionVector) VersionVector {
	if r.ContextCounts {
		return nil
	}
	return v
}

// home is the node that alone takes updates of a key, if the rule has one.
func (r *storeRules) home(key string, nodes []sim.NodeID) (home sim.NodeID, only bool) {
	sum := 0
	for _, b := range []byte(key) {
		sum += int(b)
	}
	return nodes[sum%len(nodes)], r.Conflict == byNumber && !r.AnyHome
}

// lacks says that a record lacks something of another, so that a session which has seen the other
// must not be answered with it.
func (r *storeRules) lacks(have, seen record) bool {
	return !r.Bare && !r.merge(have, seen, 0).Record.same(have)
}

// says is what a version says that its writer has seen.
func (r *storeRules) says(past history) history {
	if r.Blind {
		return history{}
	}
	return past
}

// dot is which put of a replica makes a version there.
func (r *storeRules) dot(actor string, count int64, c context) Dot {
	if r.SharedDots {
		count = c.Past.Front.Get(actor) + 1
	}
	return Dot{actor, count}
}

// reads is what a session learns of what it reads, and wrote of what it has written.
func (r *storeRules) reads(c *context, from record) {
	if !r.ForgetsGets {
		c.learn(from.Versions, from.Vector)
	}
}

func (r *storeRules) wrote(c *context, d done) {
	if r.ForgetsPuts {
		return
	}
	if dot := d.Made.Dot; r.Gaps && dot.Count > c.Past.Front.Get(dot.Actor) {
		c.Past.Front = c.Past.Front.Set(dot.Actor, dot.Count, 0)
	}
	c.learn([]version{d.Made}, d.Vector)
}

// keeps is what is kept of versions that have not seen each other: all.
func (r *storeRules) keeps(list []version) []version {
	if r.KeepsOne && len(list) > 1 {
		return list[:1]
	}
	return list
}

// restored is what a replica has of a cell after a crash, and what of the put that made it.
func (r *storeRules) restored(k shelved) shelved {
	if r.DotsAgain {
		k.Cell.Count = 0
	}
	if r.ForgetsDone {
		k.Done = done{}
	}
	return k
}

// sync makes what was written durable.
func (r *storeRules) sync(env *sim.Env) {
	if !r.Unsynced {
		env.Disk.Sync()
	}
}

// replied is what a replica has after the reply to an offer: that and what it had.
func (r *storeRules) replied(mine, theirs record, limit int) outcome {
	if r.TakesReply {
		return outcome{Record: theirs}
	}
	return r.merge(mine, theirs, limit)
}

// mended is what a replica has after a read repair.
func (r *storeRules) mended(mine, theirs record, limit int) outcome {
	if r.MendsOldest {
		return outcome{Record: theirs}
	}
	return r.merge(mine, theirs, r.mends(limit))
}

// left is what a read repair finds to be left of what the replicas have.
func (r *storeRules) left(had []record) record {
	all := record{Key: had[0].Key}
	for _, h := range had {
		all = r.merge(all, h, 0).Record
		if r.MendsOldest && len(h.Versions) > 0 {
			return h
		}
	}
	return all
}

// did says that a replica has done a put.
func (r *storeRules) did(d done, c sim.CallID) bool { return !r.Twice && d.Call == c }

// again sets the timer by which a state is offered again.
func (r *storeRules) again(env *sim.Env) {
	if !r.OffersOnce {
		env.After(retry, offering{})
	}
}

// gotten is the answer that a record makes.
func (r *storeRules) gotten(of record) got {
	g := got{of.Key, of.ids(), of.values(), of.number()}
	if r.Reversed {
		slices.Reverse(g.Values)
	}
	return g
}

// sulks says that a replica offers nothing, to nobody.
func (r *storeRules) sulks(p *peers) bool { return r.Sulks && p.WasRefused }

// refuses is why a replica refuses a put, "" if it does not: the record has been updated since its
// writer saw it.
func (r *storeRules) refuses(mine record, u update) string {
	if have := mine.number(); r.Conflict == byNumber && have != u.Context.Number {
		return fmt.Sprintf("conflict: %s has number %d, not %d", u.Key, have, u.Context.Number)
	}
	return ""
}

// storeRuleRows are the decisions that a scenario may set.
func storeRuleRows() []rule {
	return []rule{
		sim.Decision("conflict",
			"by what a replica compares versions of one key: dotted version vectors (Preguica "+
				"and others 2010), a version vector of the object with an entry a replica (Riak 1.0 "+
				"to 1.4), or of the version with an entry a writer (Riak before 1.0; Dynamo's are "+
				"the nodes that coordinate), the number of the record, or stamps",

			sim.Setting("dots", func(r *rules) { r.store.Conflict = byDots }),
			sim.Setting("replica-vectors", func(r *rules) { r.store.Conflict = byServer }),
			sim.Setting("writer-vectors", func(r *rules) { r.store.Conflict = byWriter }),
			sim.Setting("number", func(r *rules) { r.store.Conflict = byNumber }),
			sim.Setting("wall", func(r *rules) { r.store.Conflict = byWall }),
			sim.Setting("lamport", func(r *rules) { r.store.Conflict = byLamport }),
			sim.Setting("hybrid", func(r *rules) { r.store.Conflict = byHybrid }),
			sim.Setting("lamport-count", func(r *rules) { r.store.Conflict = byCount }),
		),
		sim.Decision("prune",
			"when vectors with an entry a writer are pruned to limit: when a put has been "+
				"compared with what is there, before it is, or where copies are written, unless by "+
				"read repair (basho/riak_kv #26, #1864); or never",
			sim.Setting("put", func(r *rules) { r.store.Prune = pruneAtPut }),
			sim.Setting("first", func(r *rules) { r.store.Prune = pruneFirst }),
			sim.Setting("copies", func(r *rules) { r.store.Prune = pruneWrites }),
			sim.Setting("never", func(r *rules) { r.store.Prune = pruneNever }),
		),
		sim.Flag("put-count", "whose count a writer's put has: the writer's own, or the next after "+
			"the vector that the writer has read, as Riak's increment of the client's entry "+
			"before 1.0",
			"writer|context", func(r *rules) *bool { return &r.store.ContextCounts }),
		sim.Flag("session", "whether a get is answered only by a replica that has what its session "+
			"has seen (Terry and others 1994)", "guarded|bare",
			func(r *rules) *bool { return &r.store.Bare }),
	}
}

// storeForm is the rules of a form of the store. By dots and hybrid stamps its nodes have a hybrid
// clock and refuse messages by it; the others have none, as the systems that they are of.
func storeForm(s storeRules) rules {
	clockless := s.Conflict != byDots && s.Conflict != byHybrid
	return rules{store: s, stamp: stampRules{NoHybrid: clockless}}
}

// storeRows are forms that are in use. All but conditional lose something, or keep too much.
func storeRows() []row {
	return []row{
		{name: "conditional", rules: storeForm(storeRules{Conflict: byNumber}),
			doc: "each record has a number, and is updated at its home if the number is the one " +
				"that its writer has seen: UPDATE ... WHERE version = $seen"},
		{name: "wall", breaks: "descendants-win", rules: storeForm(storeRules{Conflict: byWall}),
			doc: "the last write wins by the wall clock of the replica that took it up, as in " +
				"Cassandra and in Riak's last_write_wins: a clock that is behind loses to what " +
				"its writer had read"},
		{name: "lamport", breaks: "no-lost-update", rules: storeForm(storeRules{Conflict: byLamport}),
			doc: "the last write wins by Lamport's clock: never against what its writer had " +
				"seen, but of two that had not seen each other one is lost"},
		{name: "hybrid", breaks: "no-lost-update", rules: storeForm(storeRules{Conflict: byHybrid}),
			doc: "the last write wins by the hybrid clock: as lamport, and near to time"},
		{name: "lamport-detects", breaks: "no-false-descent",
			rules: storeForm(storeRules{Conflict: byCount}),
			doc: "the lesser Lamport count is taken to be before, and equal ones to be " +
				"concurrent: the converse of the clock condition, which does not hold"},
		{name: "vectors", breaks: "siblings-concurrent", rules: storeForm(storeRules{Conflict: byServer}),
			doc: "a version vector for all siblings of an object, with an entry a replica, as " +
				"Riak 1.0 to 1.4 have it: nothing is lost, but a put with an older context " +
				"becomes a sibling of what its writer had seen"},
		{name: "unpruned", breaks: "vector-size",
			rules: storeForm(storeRules{Conflict: byWriter, Prune: pruneNever}),
			doc: "a version vector with an entry a writer, none of which is ever dropped: " +
				"nothing is lost and nothing forgotten, and it grows with all who have ever " +
				"written"},
		{name: "pruned", breaks: "no-false-conflict", rules: storeForm(storeRules{Conflict: byWriter}),
			doc: "a version vector with an entry a writer, of which the oldest are dropped " +
				"beyond limit (as Dynamo drops them, 2007, 4.4): what a version descends from is " +
				"forgotten"},
		{name: "pruned-counter", breaks: "no-false-descent",
			rules: storeForm(storeRules{Conflict: byWriter, ContextCounts: true}),
			doc: "as pruned, and a writer's count is the next after what its context has of it: " +
				"if that was pruned, or read before, one count is used twice"},
		{name: "prune-first", breaks: "no-false-conflict",
			rules: storeForm(storeRules{Conflict: byWriter, Prune: pruneFirst}),
			doc: "as pruned, and a put is pruned before it is compared, so it becomes a sibling " +
				"of what it replaces, each time"},
		{name: "prune-on-write", breaks: "converges",
			rules: storeForm(storeRules{Conflict: byWriter, Prune: pruneWrites}),
			doc: "as pruned, but a vector may grow where the version is made and by read repair, and " +
				"is pruned where the copy is written: the replicas have one version with different " +
				"vectors, and never become equal (basho/riak_kv #26, and between clusters #1864); a " +
				"put with one of them as context is then concurrent to the other"},
		{name: "bare", breaks: "read-your-writes", rules: storeForm(storeRules{Bare: true}),
			doc: "a client takes what the replica has that it asks, whatever its session has seen"},
	}
}
