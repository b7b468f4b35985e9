package clocks

import (
	"slices"
	"strconv"

	"github.com/downset/downset/sim"
)

// crdtRules are those of replicated objects: of what type their states are, and what a replica
// remembers of edits.
type crdtRules struct {
	Total    bool // a counter is one number, and the newer one stands
	TwoPhase bool // what was once deleted from a set never comes back
	ByWall   bool // a register's last write is last by wall clocks
	// The wrong ones.
	Adds       bool // counters are merged by addition
	Forgets    bool // sets are merged without what they have seen
	SameDots   bool // sets count the writes of an actor that are still there
	KeepsOne   bool // of concurrent values a register keeps one
	KeepsOwn   bool // of two last writes each replica keeps its own
	Twice      bool // an edit that is asked for again is made again
	ShowsNone  bool // who asks from another node is shown an object that nobody has edited
	FromMemory bool // a replica's own edits are not on its disk
}

// fresh is the state of an object that nobody has edited.
func (r *crdtRules) fresh(t objectType) crdt {
	switch t {
	case gCounter, pnCounter:
		return r.counter(t)
	case orSet:
		return r.set()
	case lwwRegister:
		return r.register()
	}
	if r.KeepsOne {
		return state[oneValue]{}
	}
	return state[MVRegister]{}
}

// counter: what each actor has added is kept apart.
func (r *crdtRules) counter(t objectType) crdt {
	switch {
	case r.Total:
		return state[total]{}
	case r.Adds:
		return state[sum]{}
	case t == gCounter:
		return state[GCounter]{}
	}
	return state[PNCounter]{}
}

// set: of an add and a del that had not seen each other the add wins.
func (r *crdtRules) set() crdt {
	switch {
	case r.TwoPhase:
		return state[TwoPhaseSet]{}
	case r.Forgets:
		return state[union]{}
	case r.SameDots:
		return state[sameDots]{}
	}
	return state[ORSet]{}
}

// register: the last write is last by hybrid stamps.
func (r *crdtRules) register() crdt {
	switch {
	case r.ByWall:
		return state[wallRegister]{}
	case r.KeepsOwn:
		return state[ownRegister]{}
	}
	return state[LWWRegister]{}
}

// shown is the object that a replica shows to who asks from another node.
func (r *crdtRules) shown(o crdtObject) crdtObject {
	if r.ShowsNone {
		o.State = r.fresh(o.Type)
	}
	return o
}

// done says that an edit is in an object, and need not be made again.
func (r *crdtRules) done(o crdtObject, c sim.CallID) bool { return !r.Twice && o.has(c) }

// keep writes what an edit has made of an object.
func (r *crdtRules) keep(env *sim.Env, k keptObject) {
	if !r.FromMemory {
		env.Disk.Append(k)
		env.Disk.Sync()
	}
}

// crdtRuleRows are the decisions that a scenario may set.
func crdtRuleRows() []rule {
	return []rule{
		sim.Flag("crdt-counter", "what a replicated counter is: what each replica has added, or one "+
			"number of which the newer stands", "per-actor|total",
			func(r *rules) *bool { return &r.crdt.Total }),
		sim.Flag("crdt-set", "whether what was deleted from a replicated set may come back by an add",
			"adds-win|two-phase", func(r *rules) *bool { return &r.crdt.TwoPhase }),
		sim.Flag("crdt-register", "by which clock the last write to a replicated register is last",
			"hybrid|wall", func(r *rules) *bool { return &r.crdt.ByWall }),
	}
}

// crdtRows are forms that are in use, and lose something.
func crdtRows() []row {
	return []row{
		{name: "crdt-total", breaks: "counter-exact", rules: rules{crdt: crdtRules{Total: true}},
			doc: "a counter is a record with one number, of which the newer stands: of " +
				"increments that had not seen each other one is lost"},
		{name: "crdt-two-phase", breaks: "set-adds-win",
			rules: rules{crdt: crdtRules{TwoPhase: true}},
			doc: "a set is the 2P-set of Shapiro and others 2011, specification 12: an add set " +
				"and a removed set, which wins"},
		{name: "crdt-wall", breaks: "register-keeps",
			rules: rules{crdt: crdtRules{ByWall: true}, stamp: stampRules{NoHybrid: true}},
			doc: "the last write to a register is last by the wall clocks of the replicas, as " +
				"Cassandra and Riak have it: an update is lost to one that it had seen"},
	}
}

// TwoPhaseSet is a set from which an element is deleted once and for all (Shapiro and others 2011,
// specification 12). It is a value: no method changes it. Its zero value is empty.
type TwoPhaseSet struct{ Added, Deleted []string }

func (s TwoPhaseSet) edited(e edit) TwoPhaseSet {
	switch {
	case e.Verb == verbAdd:
		return TwoPhaseSet{joinedWords(s.Added, []string{e.Word}), s.Deleted}
	case slices.Contains(s.Added, e.Word):
		return TwoPhaseSet{s.Added, joinedWords(s.Deleted, []string{e.Word})}
	}
	return s
}

// Merge has what either has of both.
func (s TwoPhaseSet) Merge(r TwoPhaseSet) TwoPhaseSet {
	return TwoPhaseSet{joinedWords(s.Added, r.Added), joinedWords(s.Deleted, r.Deleted)}
}

// Equal says that both have the same of both.
func (s TwoPhaseSet) Equal(r TwoPhaseSet) bool {
	return slices.Equal(s.Added, r.Added) && slices.Equal(s.Deleted, r.Deleted)
}

func (s TwoPhaseSet) String() string {
	return valuesText(slices.DeleteFunc(slices.Clone(s.Added), func(w string) bool {
		return slices.Contains(s.Deleted, w)
	}))
}

// joinedWords is the words of both, in order.
func joinedWords(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// wallRegister is a register whose writes are stamped with what the replica's clock shows. A write
// with an earlier time than what is there is lost at once.
type wallRegister struct{ LWWRegister }

func (r wallRegister) edited(e edit) wallRegister {
	next := r.Set(Hybrid{Wall: e.Wall}, e.Actor, e.Word)
	if next.compare(r.LWWRegister) < 0 {
		return r
	}
	return wallRegister{next}
}

func (r wallRegister) Merge(q wallRegister) wallRegister {
	return wallRegister{r.LWWRegister.Merge(q.LWWRegister)}
}

func (r wallRegister) Equal(q wallRegister) bool { return r == q }

// total is a counter as a record of one number: of two the one that was changed later stands.
type total struct {
	Last LWWRegister // when and by whom it was changed
	N    int64
}

func (t total) edited(e edit) total {
	next := total{t.Last.Set(e.Stamp, e.Actor, ""), t.N + e.N}
	if e.Verb == verbDec {
		next.N = t.N - e.N
	}
	return next
}

func (t total) Merge(u total) total {
	if t.Last.compare(u.Last) < 0 {
		return u
	}
	return t
}

func (t total) Equal(u total) bool { return t == u }

func (t total) String() string { return strconv.FormatInt(t.N, 10) }
