package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// answersProperty is that what clients are told is so.
func answersProperty() sim.Property {
	return sim.Property{Name: "answers", Layer: dataLayer, Class: sim.Silent, Check: answers,
		Doc: "clients are told what is so: of a key the versions that a replica had since it was " +
			"asked, in the order of their calls, with the values that were put; of an object the " +
			"value that the replica had; of an event its number in the log; of a put its own " +
			"version; of a word or a tick the last stamp of the node (what a get returns is in " +
			"DeCandia and others, Dynamo, 2007, 4.4; the stamp of an event is C of Lamport, 1978)"}
}

// told is what has been read of a run up to an answer.
type told struct {
	run    *sim.Run
	ops    map[sim.CallID]sim.Op
	asked  map[sim.CallID]int          // by call: where a node took it up
	stamps []stamped                   // by node: the last
	number map[sim.CallID]int64        // by version: the number that was told
	stages map[replicaKey][]stage      // what replicas had of keys, in order
	texts  map[replicaKey][]objectSaid // what they had of objects
}

// answers goes through what clients are told.
func answers(run *sim.Run) (premises int, v *sim.Violation) {
	t := &told{run: run, ops: map[sim.CallID]sim.Op{}, asked: arrivals(run),
		stamps: make([]stamped, len(run.Nodes)), number: map[sim.CallID]int64{},
		stages: map[replicaKey][]stage{}, texts: map[replicaKey][]objectSaid{}}
	for _, s := range ledgerOf(run).stages {
		at := replicaKey{s.node, s.key}
		t.stages[at] = append(t.stages[at], s)
	}
	for _, s := range bookOf(run).said {
		t.texts[s.replica()] = append(t.texts[s.replica()], s)
	}
	for i := range run.Trace {
		e := &run.Trace[i]
		switch b := e.Body.(type) {
		case stamped:
			if e.Kind == sim.EntryNoted {
				t.stamps[e.Node] = b
			}
		case sim.Op:
			if e.Kind == sim.EntryInvoked {
				t.ops[sim.CallID(e.N)] = b
			}
		}
		if e.Kind != sim.EntryReturned {
			continue
		}
		n, why := t.wrong(e, i)
		if premises += n; why != "" {
			v = witnessed(v, fmt.Sprintf("%s is told %v by call %d, %s", run.Name(e.Node),
				sim.Text(e.Body), e.N, why), t.asked[sim.CallID(e.N)], i)
		}
	}
	return premises, v
}

// wrong says what is wrong with an answer, "" if nothing; premises is 0 if none of this is about
// it.
func (t *told) wrong(e *sim.Entry, at int) (premises int, why string) {
	id := sim.CallID(e.N)
	switch b := e.Body.(type) {
	case got:
		return 1, t.wrongGot(b, id, at)
	case wrote:
		if b.ID != id {
			return 1, fmt.Sprintf("which is of call %d", b.ID)
		}
		t.number[id] = b.Number
	case numbered:
		return t.wrongNumber(b, id)
	case looked:
		return 1, t.wrongValue(b, id, at)
	case stampedAt:
		if !b.Stamp.same(t.stamps[e.Node].Stamp) {
			return 1, fmt.Sprintf("but its last stamp is %v", t.stamps[e.Node].Stamp)
		}
	default:
		return 0, ""
	}
	return 1, ""
}

// same says that all clocks of two stamps are the same.
func (s Stamp) same(o Stamp) bool {
	return s.Lamport == o.Lamport && slices.Equal(s.Vector, o.Vector) && s.Hybrid == o.Hybrid &&
		s.Physical == o.Physical
}

// wrongGot compares what a get or a repair returns with the puts, and with what replicas had.
func (t *told) wrongGot(g got, id sim.CallID, at int) string {
	if len(g.IDs) != len(g.Values) || !slices.IsSorted(g.IDs) {
		return fmt.Sprintf("of versions %v", g.IDs)
	}
	known, top := true, int64(0)
	for i, v := range g.IDs {
		p, ok := t.ops[v].(put)
		if !ok || p.Key != g.Key || p.Value != g.Values[i] {
			return fmt.Sprintf("but version %d of %s is %v", v, g.Key, p)
		}
		n, told := t.number[v]
		known, top = known && told, max(top, n)
	}
	if known && g.Number != top {
		return fmt.Sprintf("with number %d, not %d", g.Number, top)
	}
	if _, one := t.ops[id].(get); one && !t.had(g, id, at) {
		return "which no replica had since it was asked"
	}
	return ""
}

// had says that a replica had just these versions of a key at some time from when a call was taken
// up to when it was answered.
func (t *told) had(g got, id sim.CallID, at int) bool {
	for n := range t.run.Nodes {
		list := t.stages[replicaKey{sim.NodeID(n), g.Key}]
		entry := func(i int) int { return list[i].entry }
		for i := range in(len(list), entry, t.asked[id], at) {
			if i < 0 && len(g.IDs) == 0 || i >= 0 && slices.Equal(list[i].ids, g.IDs) {
				return true
			}
		}
	}
	return false
}

// in goes through what held at some time between two entries, of a list of what began to hold where
// entry says: the last that began before, -1 if none did, and those that began between.
func in(n int, entry func(int) int, from, to int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		first := -1
		for first+1 < n && entry(first+1) <= from {
			first++
		}
		for i := first; i < n && (i < 0 || entry(i) <= to); i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// wrongNumber compares with the log. An event that is in none is the matter of stream-complete.
func (t *told) wrongNumber(b numbered, id sim.CallID) (premises int, why string) {
	c := courseOf(t.run)
	k := c.log(id)
	if k < 0 {
		return 0, ""
	}
	l := &c.logged[k]
	if l.Part != b.Part || l.Event.Text != b.Text || l.Event.Number != b.Number {
		return 1, fmt.Sprintf("but it is %s of %s, number %d", l.Event.Text, l.Part, l.Event.Number)
	}
	return 1, ""
}

// wrongValue compares with what the replica that was asked had of the object.
func (t *told) wrongValue(b looked, id sim.CallID, at int) string {
	o, _ := t.ops[id].(inspect)
	node := t.run.Trace[at].Node
	if o.At != "" {
		node = sim.NodeID(slices.Index(t.run.Nodes, o.At))
	}
	if o.Type != b.Type || o.Key != b.Key {
		return fmt.Sprintf("and asked for %v", o)
	}
	list := t.texts[replicaKey{node, b.Type.String() + " " + b.Key}]
	entry := func(i int) int { return list[i].entry }
	for i := range in(len(list), entry, t.asked[id], at) {
		if i >= 0 && list[i].Text == b.Text {
			return ""
		}
		if i < 0 {
			if _, ok := spec(b.Type, nil, b.Text); ok {
				return ""
			}
		}
	}
	return "which the replica had not since it was asked"
}
