package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// store is what a node has as a replica of the store. Every node has everything, and takes up puts
// of any key.
type store struct {
	Lives   int    // of the application that writes: how often its node was started
	Before  bool   // this is not the node's first life
	Writers int    // how many sessions have put something in this life
	Cells   []cell // in the order in which this replica heard of their keys
	Done    []done // what came of puts, so that none is done twice
	Repairs []repairing
	entropy
}

// cell is what a replica has of a key, and how many puts of it this replica has made.
type cell struct {
	Record record
	Count  int64
}

// shelved is what is on the disk of a cell after each change, and what came of the put that made
// it, if one did.
type shelved struct {
	Cell cell
	Done done
}

// opened begins a life of an application whose puts are counted.
type opened struct{}

func (shelved) Kind() string { return "shelved" }
func (opened) Kind() string  { return "opened" }

func (k shelved) Keys() []string { return []string{k.Cell.Record.Key} }
func (k shelved) String() string {
	return fmt.Sprintf("shelved %s %s", k.Cell.Record.Key, k.Cell.Record.text())
}

// start reads the store from the disk, and says what is there.
func (s *store) start(n *node, env *sim.Env) {
	begun := 0 // lives: each has a record of its start
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		switch r := env.Disk.At(lsn).(type) {
		case shelved:
			s.restore(n.rules.store.restored(r))
		case opened:
			s.Lives++
		case ticked:
			if r.What == starts {
				begun++
			}
		}
	}
	s.Before = begun > 1
	if n.rules.store.Conflict == byWriter {
		s.Lives++
		env.Disk.Append(opened{})
		env.Disk.Sync()
	}
	for _, c := range s.Cells {
		env.Note(heldNow(c.Record))
	}
}

// restore takes a record of the disk in.
func (s *store) restore(k shelved) {
	s.put(k.Cell)
	if k.Done.Call != 0 {
		s.Done = append(s.Done, k.Done)
	}
}

// cell is what a replica has of a key.
func (s *store) cell(key string) cell {
	if i := s.find(key); i >= 0 {
		return s.Cells[i]
	}
	return cell{Record: record{Key: key}}
}

func (s *store) find(key string) int {
	return slices.IndexFunc(s.Cells, func(c cell) bool { return c.Record.Key == key })
}

func (s *store) put(c cell) {
	if i := s.find(c.Record.Key); i >= 0 {
		s.Cells[i] = c
		return
	}
	s.Cells = append(s.Cells, c)
}

// heldNow is the fact of what a replica has of a key.
func heldNow(r record) holds { return holds{r.Key, r.ids(), r.text(), r.pairs()} }

// absorb takes in what becomes of what this replica has of a key when another's comes.
func (n *node) absorb(env *sim.Env, out outcome) {
	c := n.store.cell(out.Record.Key)
	if !out.Record.same(c.Record) {
		n.shelve(env, shelved{Cell: cell{out.Record, c.Count}}, out.Says)
		return
	}
	for _, says := range out.Says {
		env.Note(says)
	}
}

// shelve makes a cell durable before anybody hears of it.
func (n *node) shelve(env *sim.Env, k shelved, says []compared) {
	n.store.restore(k)
	env.Disk.Append(k)
	n.rules.store.sync(env)
	if v := k.Done.Made; k.Done.Call != 0 {
		env.Note(accepted{k.Cell.Record.Key, v.ID, v.Seen, v.Value})
	}
	for _, c := range says {
		env.Note(c)
	}
	env.Note(heldNow(k.Cell.Record))
	n.changed(env)
}

// made does a put on this replica, once.
func (n *node) made(env *sim.Env, u update) done {
	for _, d := range n.store.Done {
		if n.rules.store.did(d, u.Call) {
			return d
		}
	}
	c := n.store.cell(u.Key)
	if why := n.rules.store.refuses(c.Record, u); why != "" {
		return done{Call: u.Call, Record: c.Record, Why: why}
	}
	c.Count++
	v := n.version(u, c)
	out, seen := n.rules.store.update(c.Record, v, u.Context,
		place{n.name, v.Wall, n.layout.Limit})
	c.Record = out.Record
	d := done{Call: u.Call, Made: v, Record: c.Record, Vector: seen}
	n.shelve(env, shelved{c, d}, out.Says)
	n.offer(env)
	return d
}

// version is what a put makes on this replica: its stamps are those of the replica's present event.
func (n *node) version(u update, c cell) version {
	last := n.clocks.Last
	return version{
		ID: u.Call, Value: u.Value, By: n.id, Seen: u.Context.Seen,
		Dot:  n.rules.store.dot(n.name, c.Count, u.Context),
		Past: n.rules.store.says(u.Context.Past), Number: u.Context.Number + 1,
		Wall: last.Physical, Lamport: last.Lamport, Hybrid: last.Hybrid,
	}
}
