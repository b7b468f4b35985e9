package clocks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// Objects of the replicated store whose types say what becomes of concurrent edits. Any replica
// edits at once, without asking another; replicas send each other whole objects, and merge them.

// objectType is a type of replicated object. Objects of different types are different objects,
// whatever they are called.
type objectType uint8

const (
	gCounter objectType = iota + 1
	pnCounter
	orSet
	lwwRegister
	mvRegister
)

var objectTypes = []string{gCounter: "g-counter", pnCounter: "pn-counter", orSet: "or-set",
	lwwRegister: "lww-register", mvRegister: "mv-register"}

func (t objectType) String() string { return objectTypes[t] }

// crdtObject is what a replica has of an object. Calls are the edits that are in it, in order: an
// edit that is asked for twice is in it once, whichever replica was asked. A store that runs for
// ever would have to forget those whose clients ask no more.
type crdtObject struct {
	Type  objectType
	Key   string
	Calls []sim.CallID
	State crdt
}

func (o crdtObject) compare(p crdtObject) int {
	return cmp.Or(cmp.Compare(o.Type, p.Type), cmp.Compare(o.Key, p.Key))
}

// has says that an edit is in it.
func (o crdtObject) has(c sim.CallID) bool {
	_, ok := slices.BinarySearch(o.Calls, c)
	return ok
}

// merge is what both come to.
func (o crdtObject) merge(p crdtObject) crdtObject {
	o.Calls = joined(o.Calls, p.Calls)
	o.State = o.State.merged(p.State)
	return o
}

func (o crdtObject) equals(p crdtObject) bool {
	return slices.Equal(o.Calls, p.Calls) && o.State.equals(p.State)
}

// joined is the calls of both, in order.
func joined(a, b []sim.CallID) []sim.CallID {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// objects are those of a replica, in order.
type objects struct{ List []crdtObject }

// keptObject is the record of an object after a change: of the edit that made it, whose Call is 0
// if it was a merge.
type keptObject struct {
	Edit   did
	Object crdtObject
}

func (keptObject) Kind() string { return "object-kept" }

func (k keptObject) Keys() []string { return []string{k.Object.Key} }

func (k keptObject) String() string { return fmt.Sprintf("object-kept %s", k.Object.says()) }

// start reads the objects from the disk, and says what they are. The last edit may have become
// durable without having been said.
func (o *objects) start(env *sim.Env) {
	var last did
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		k, whole := env.Disk.At(lsn).(keptObject)
		if !whole {
			continue
		}
		o.put(k.Object)
		if k.Edit.Call != 0 {
			last = k.Edit
		}
	}
	if last.Call != 0 {
		env.Note(last)
	}
	for _, have := range o.List {
		env.Note(have.says())
	}
}

// find is where an object is, or belongs.
func (o *objects) find(like crdtObject) (at int, ok bool) {
	return slices.BinarySearchFunc(o.List, like, crdtObject.compare)
}

// put puts an object in the place of what there is of it.
func (o *objects) put(next crdtObject) {
	at, ok := o.find(next)
	if !ok {
		o.List = slices.Insert(slices.Clone(o.List), at, next)
		return
	}
	o.List[at] = next
}

// offer is all that this replica has, for another to merge.
func (o *objects) offer() []crdtObject { return slices.Clone(o.List) }

// merge takes in what another replica has. It is on the disk before anything else happens.
func (o *objects) merge(env *sim.Env, theirs []crdtObject) (changed bool) {
	var news []crdtObject
	for _, next := range theirs {
		if at, known := o.find(next); known {
			mine := o.List[at]
			next = mine.merge(next)
			if next.equals(mine) {
				continue
			}
		}
		o.put(next)
		news = append(news, next)
		env.Disk.Append(keptObject{Object: next})
	}
	if len(news) == 0 {
		return false
	}
	env.Disk.Sync()
	for _, next := range news {
		env.Note(next.says())
	}
	return true
}

// object is what this replica has of an object.
func (n *node) object(t objectType, key string) crdtObject {
	o := crdtObject{Type: t, Key: key, State: n.rules.crdt.fresh(t)}
	if at, ok := n.objects.find(o); ok {
		return n.objects.List[at]
	}
	return o
}

// change edits an object, unless it has the edit. It is on the disk before anybody hears of it.
func (n *node) change(env *sim.Env, c sim.CallID, m mutate) {
	have := n.object(m.Type, m.Key)
	if n.rules.crdt.done(have, c) {
		return
	}
	next := have
	next.State = have.State.edited(edit{Verb: m.Verb, Word: m.Word, N: m.N, Actor: n.name,
		Stamp: n.rules.stamp.causal(n.clocks.Last), Wall: n.clocks.Last.Physical})
	next.Calls = joined(have.Calls, []sim.CallID{c})
	n.objects.put(next)
	fact := did{c, m, have.Calls}
	n.rules.crdt.keep(env, keptObject{fact, next})
	env.Note(fact)
	env.Note(next.says())
	n.objectsChanged(env)
}
