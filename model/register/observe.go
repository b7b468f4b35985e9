package register

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What can be seen of a node, of each register that a client asked for:
//
//	value x          the value that the node has said it has on its disk, or empty
//	tag x            the tag of that value, 0 if it is empty
//	reads x          what the reads of x returned that it coordinated, in order; absent if none did
//	final x          what the last read returned, which is asked once the world has healed
//
// A node that is down shows what it had, one that has restarted what it says it found.

// view is what the facts of a run say of one node.
type view struct {
	name  string
	held  []version
	reads []shown // in the order in which registers were first read here
	final []shown
}

// shown is what reads of one register returned.
type shown struct {
	key    string
	values []string
}

func observe(run *sim.Run) []sim.Observation {
	views := make([]view, len(run.Nodes))
	var asked []string
	calls, final := int64(0), false
	for i := range run.Trace {
		e := &run.Trace[i]
		switch {
		case e.Kind == sim.EntryEpilogue:
			final = true
		case e.Kind == sim.EntryInvoked && !final:
			calls = e.N
			asked = add(asked, sim.KeysOf(e.Body)[0])
		case int(e.Node) < len(views):
			views[e.Node].see(e, calls)
		}
	}
	var seen []sim.Observation
	for i := range views {
		views[i].name = run.Nodes[i]
		seen = views[i].show(seen, asked)
	}
	return seen
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// see takes in what a node says. The calls after so many are those of the end.
func (v *view) see(e *sim.Entry, calls int64) {
	switch b := e.Body.(type) {
	case nil:
		if e.Kind == sim.EntryStarted {
			v.held = nil
		}
	case stored:
		if e.Kind == sim.EntryNoted {
			v.held = append(slices.DeleteFunc(v.held, func(h version) bool { return h.Key == b.Key }),
				b.version)
		}
	case got:
		if e.Kind != sim.EntryReturned {
			return
		}
		if e.N > calls {
			v.final = put(v.final, b)
		} else {
			v.reads = put(v.reads, b)
		}
	}
}

// put adds what a read returned.
func put(list []shown, g got) []shown {
	i := slices.IndexFunc(list, func(s shown) bool { return s.key == g.Key })
	if i < 0 {
		i, list = len(list), append(list, shown{key: g.Key})
	}
	list[i].values = append(list[i].values, orEmpty(g.Value))
	return list
}

// show lists what can be seen of a node.
func (v *view) show(seen []sim.Observation, asked []string) []sim.Observation {
	say := func(name, key, value string) {
		seen = append(seen, sim.Observation{Node: v.name, Name: name + " " + key, Value: value})
	}
	for _, key := range asked {
		held := version{Key: key}
		if i := slices.IndexFunc(v.held, func(h version) bool { return h.Key == key }); i >= 0 {
			held = v.held[i]
		}
		say("value", key, orEmpty(held.Value))
		say("tag", key, held.Tag.String())
	}
	for _, s := range v.reads {
		say("reads", s.key, strings.Join(s.values, " "))
	}
	for _, s := range v.final {
		if slices.Contains(asked, s.key) {
			say("final", s.key, s.values[len(s.values)-1])
		}
	}
	return seen
}
