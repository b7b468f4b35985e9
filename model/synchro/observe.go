package synchro

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// What can be seen of a node:
//
//	data         what is committed: keys with their values, in the order in which they were first
//	             committed there: x=1 k; without the key that the final requests write
//	queue        the transactions in the limbo, by what they write, in order
//	owner        who owns the queue: A, or nobody
//	limbo        inactive, leader or replica (1.12)
//	term         the greatest term of a PROMOTE or DEMOTE that took effect
//	raft         the term of the elections, as decided
//	role         follower, candidate or leader
//	clock        the vclock of the WAL: A:3 B:2
//	wal          the rows in the WAL, in order: 1.1 SYNC x, 1.2 CONFIRM(1, 1)
//	stopped A    why its applier from A is stopped
//	answer k     what the client got who wrote key k last there: done, rolled-back, ...

// shows are the first words of these names.
var shows = []string{"data", "queue", "owner", "limbo", "term", "raft", "role", "clock", "wal",
	"stopped", "answer"}

// glimpse is what a run says of one node.
type glimpse struct {
	run     *sim.Run
	node    sim.NodeID
	started bool
	data    []cell
	queue   []entered
	clock   clock
	wal     []string
	names   []string
	values  map[string]string
}

func observe(run *sim.Run) []sim.Observation {
	glimpses := make([]*glimpse, len(run.Nodes))
	for i := range glimpses {
		glimpses[i] = &glimpse{run: run, node: sim.NodeID(i), values: map[string]string{}}
	}
	calls := map[int64]string{}
	for i := range run.Trace {
		if e := &run.Trace[i]; int(e.Node) < len(glimpses) {
			glimpses[e.Node].see(e, calls)
		}
	}
	var seen []sim.Observation
	for _, g := range glimpses {
		if g.started {
			seen = append(seen, g.show()...)
		}
	}
	return seen
}

// set gives something that can be seen a value.
func (g *glimpse) set(name, value string) {
	if _, known := g.values[name]; !known {
		g.names = append(g.names, name)
	}
	g.values[name] = value
}

func (g *glimpse) see(e *sim.Entry, calls map[int64]string) {
	switch e.Kind {
	case sim.EntryDisk:
		if e.N == int64(sim.DiskLost) {
			g.data, g.clock, g.wal = nil, nil, nil
		}
	case sim.EntryStarted:
		g.started, g.queue = true, nil
		for _, n := range g.names {
			if strings.HasPrefix(n, "stopped ") {
				g.values[n] = "no"
			}
		}
		g.set("limbo", "replica")
		g.set("role", follower.String())
	case sim.EntryNoted:
		g.noted(e.Body)
	case sim.EntryInvoked:
		if op, ok := e.Body.(sim.Keyed); ok {
			calls[e.N] = strings.Join(op.Keys(), " ")
		}
	case sim.EntryReturned, sim.EntryRefused:
		if k := calls[e.N]; k != "" {
			g.set("answer "+k, sim.Text(e.Body))
		}
	}
}

func (g *glimpse) noted(b sim.Body) {
	switch f := b.(type) {
	case ends:
		g.queue = nil
		g.set("limbo", "replica")
		g.set("role", follower.String())
	case recovered:
		g.data, g.clock, g.wal = inOrder(f.Data, g.data), f.Clock, nil
		for _, t := range f.Log {
			g.wal = append(g.wal, t.String())
		}
	case stored:
		if !f.Txn.Local {
			g.clock = g.clock.with(f.Txn.Origin, f.Txn.LSN)
		}
		g.wal = append(g.wal, f.Txn.String())
	case entered:
		g.queue = append(g.queue, f)
	case committed:
		g.leave(f.ID)
		for _, r := range f.Txn.Rows {
			g.data = shownAfter(g.data, r)
		}
	case undone:
		g.leave(f.ID)
	case owns:
		g.set("owner", ownerName(g.run, f.Owner))
		g.set("term", strconv.FormatInt(f.Term, 10))
	case limboState:
		g.set("limbo", f.Is)
	case rises:
		g.set("raft", strconv.FormatInt(f.Term, 10))
	case plays:
		g.set("role", f.Role.String())
	case stops:
		g.set("stopped "+g.run.Name(f.From), f.Why)
	}
}

// leave takes an entry off the queue.
func (g *glimpse) leave(id int64) {
	g.queue = slices.DeleteFunc(g.queue, func(e entered) bool { return e.ID == id && id != 0 })
}

// ownerName is the name of who owns a queue.
func ownerName(run *sim.Run, id sim.NodeID) string {
	if id == nobody {
		return "nobody"
	}
	return run.Name(id)
}

// withRow is data, sorted by key, with what a row makes of it.
func withRow(data []cell, r row) []cell {
	if r.Type != dml {
		return data
	}
	at, there := slices.BinarySearchFunc(data, r.Key, func(c cell, key string) int {
		return strings.Compare(c.Key, key)
	})
	switch {
	case r.Do == remove && there:
		return slices.Delete(data, at, at+1)
	case r.Do == remove:
		return data
	case there:
		data[at].Value = r.Value
		return data
	}
	return slices.Insert(data, at, cell{Key: r.Key, Value: r.Value, There: true})
}

// show is all that can be seen.
func (g *glimpse) show() []sim.Observation {
	name := g.run.Name(g.node)
	var data, queue, clock []string
	for _, c := range g.data {
		if c.Key == probeKey {
			continue
		}
		data = append(data, row{Type: dml, Key: c.Key, Value: c.Value}.String())
	}
	for _, e := range g.queue {
		queue = append(queue, strings.Join(e.Txn.Keys(), "+"))
	}
	for id, n := range g.clock {
		if n > 0 {
			clock = append(clock, fmt.Sprintf("%s:%d", g.run.Name(sim.NodeID(id)), n))
		}
	}
	seen := []sim.Observation{
		{Node: name, Name: "data", Value: orNothing(data, " ")},
		{Node: name, Name: "queue", Value: orNothing(queue, " ")},
		{Node: name, Name: "clock", Value: orNothing(clock, " ")},
		{Node: name, Name: "wal", Value: orNothing(g.wal, ", ")},
	}
	for _, n := range g.names {
		seen = append(seen, sim.Observation{Node: name, Name: n, Value: g.values[n]})
	}
	return seen
}

// orNothing joins words, and says so if there is none.
func orNothing(words []string, by string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, by)
}

// shownAfter is data after a row: what is new comes last.
func shownAfter(data []cell, r row) []cell {
	at := slices.IndexFunc(data, func(c cell) bool { return c.Key == r.Key })
	switch {
	case r.Type != dml:
	case r.Do == remove && at >= 0:
		return slices.Delete(data, at, at+1)
	case r.Do == remove:
	case at >= 0:
		data[at].Value = r.Value
	default:
		return append(data, cell{Key: r.Key, Value: r.Value, There: true})
	}
	return data
}

// inOrder is data in the order in which it was shown, what is new in it last.
func inOrder(data, shown []cell) []cell {
	var all []cell
	for _, was := range shown {
		if v, there := valueOf(data, was.Key); there {
			all = append(all, cell{Key: was.Key, Value: v, There: true})
		}
	}
	for _, c := range data {
		if _, there := valueOf(all, c.Key); !there {
			all = append(all, c)
		}
	}
	return all
}
