package clocks

import (
	"slices"

	"github.com/downset/downset/sim"
)

// Anti-entropy. After each change a replica offers all that it has to each other one, and again
// until that one has replied, and then says nothing until the next change. The other takes it in
// and replies with all that it has, if that is more.

// entropy is how far that is. A state is named by the disk's last record at its time, so that names
// grow from life to life.
type entropy struct {
	State int64
	Told  []int64 // by node: the last state that it has replied to
	Sent  []int64 // by node: the last state that was offered to it
	Shuns []bool  // by node: this one refuses what it says, so there is no reply to wait for
	Tries int     // how often this state was offered again
}

// patience is how often a state is offered again before a replica waits for the next change, or for
// a request: whom it has not reached may be away for long. A node that is back offers what it has.
const patience = 20

// offer is all that a replica has, and heard the reply to it: with all that the other has, or with
// nothing if that is the same.
type (
	offer struct {
		State   int64
		Records []record
		Objects []crdtObject
	}
	heard struct {
		State   int64
		Differs bool
		Records []record
		Objects []crdtObject
	}
)

func (offer) Kind() string { return "offer" }
func (heard) Kind() string { return "heard" }

func (o offer) Keys() []string { return keysOf(o.Records, o.Objects) }
func (t heard) Keys() []string { return keysOf(t.Records, t.Objects) }

// keysOf names what is offered.
func keysOf(records []record, objects []crdtObject) []string {
	var keys []string
	for _, r := range records {
		keys = append(keys, r.Key)
	}
	for _, o := range objects {
		keys = append(keys, o.Key)
	}
	return keys
}

// offering is the timer that offers again.
type offering struct{}

func (offering) Kind() string { return "offer" }

func (o offering) ring(n *node, env *sim.Env) {
	if n.store.Tries++; n.store.Tries > patience {
		return
	}
	env.After(retry, o)
	n.offer(env)
}

// changed begins a state that nobody has replied to.
func (n *node) changed(env *sim.Env) {
	e := &n.store.entropy
	for len(e.Told) < len(n.founders) {
		e.Told, e.Sent, e.Shuns = append(e.Told, 0), append(e.Sent, 0), append(e.Shuns, false)
	}
	clear(e.Shuns)
	e.Tries = 0
	e.State = int64(env.Disk.Last())
	n.rules.store.again(env)
}

// objectsChanged is a change of this replica's own making, or its start. A node that starts for the
// first time has nothing to offer, and nothing has passed it by.
func (n *node) objectsChanged(env *sim.Env) {
	if len(n.store.Cells)+len(n.objects.List) > 0 || n.store.Before {
		n.changed(env)
		n.offer(env)
	}
}

// resume offers the present state again to those that never replied to it. Who refused it, or was
// refused, has its chance too: clocks may have been set right since.
func (n *node) resume(env *sim.Env) {
	e := &n.store.entropy
	if e.Tries <= patience && !n.despairs() {
		return
	}
	clear(e.Sent)
	e.Tries = 0
	n.rules.store.again(env)
	n.offer(env)
}

// despairs says that there are nodes that have not replied to the present state, and that no reply
// will come from any of them.
func (n *node) despairs() bool {
	some := false
	for id := range n.store.Told {
		if n.open(sim.NodeID(id)) {
			return false
		}
		some = some || sim.NodeID(id) != n.id && n.store.Told[id] < n.store.State
	}
	return some
}

// open says that the present state is to be offered to another node.
func (n *node) open(id sim.NodeID) bool {
	e := &n.store.entropy
	return id != n.id && e.Told[id] < e.State && (e.Sent[id] != e.State || !n.hopeless(id))
}

// offer offers the present state to those that have not replied to it.
func (n *node) offer(env *sim.Env) {
	e, open := &n.store.entropy, false
	for _, id := range env.Nodes {
		if !n.open(id) || n.rules.store.sulks(&n.peers) {
			continue
		}
		open, e.Sent[id] = true, e.State
		n.send(env, id, offer{e.State, n.records(), n.objects.offer()})
	}
	if !open {
		env.Cancel(offering{})
	}
}

// hopeless says that no reply will come from another node: one of the two refuses the other's
// stamps. A state is offered once all the same.
func (n *node) hopeless(id sim.NodeID) bool {
	return n.peers.refuses(id) || n.store.Shuns[id]
}

// refused is that this node has refused what another said.
func (e *entropy) refused(id sim.NodeID) {
	if int(id) < len(e.Shuns) {
		e.Shuns[id] = true
	}
}

// records are all of this replica.
func (n *node) records() []record {
	list := make([]record, len(n.store.Cells))
	for i, c := range n.store.Cells {
		list[i] = c.Record
	}
	return list
}

func (o offer) arrive(n *node, env *sim.Env, from sim.NodeID) {
	n.merge(env, (*storeRules).merge, o.Records, o.Objects)
	if n.equals(o.Records, o.Objects) {
		n.hasAll(from)
		n.send(env, from, heard{State: o.State})
		return
	}
	n.send(env, from, heard{o.State, true, n.records(), n.objects.offer()})
}

func (t heard) arrive(n *node, env *sim.Env, from sim.NodeID) {
	if n.peers.refuses(from) {
		n.rules.store.again(env) // nobody was offered anything while it refused
	}
	n.peers.accept(from)
	e := &n.store.entropy
	if int(from) < len(e.Told) {
		e.Told[from] = max(e.Told[from], t.State)
	}
	if !t.Differs {
		return
	}
	n.merge(env, (*storeRules).replied, t.Records, t.Objects)
	if n.equals(t.Records, t.Objects) {
		n.hasAll(from)
	}
}

// merge takes in what another replica has, by a rule.
func (n *node) merge(env *sim.Env, rule merging, records []record, objects []crdtObject) {
	for _, r := range records {
		n.absorb(env, rule(&n.rules.store, n.store.cell(r.Key).Record, r, n.layout.Limit))
	}
	if n.objects.merge(env, objects) {
		n.changed(env)
	}
}

// merging is what a replica that has one record has when another comes.
type merging func(r *storeRules, mine, theirs record, limit int) outcome

// equals says that this replica has what another has said it has, and no more.
func (n *node) equals(records []record, objects []crdtObject) bool {
	return len(records) == len(n.store.Cells) && len(objects) == len(n.objects.List) &&
		!slices.ContainsFunc(records, func(r record) bool {
			return !r.same(n.store.cell(r.Key).Record)
		}) &&
		!slices.ContainsFunc(objects, func(o crdtObject) bool {
			at, ok := n.objects.find(o)
			return !ok || !o.equals(n.objects.List[at])
		})
}

// hasAll says that another replica has all of the present state.
func (n *node) hasAll(id sim.NodeID) {
	if e := &n.store.entropy; int(id) < len(e.Told) {
		e.Told[id] = e.State
	}
}
