package clocks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// observeStore is what can be seen of the store, of each key that a replica has heard of or a
// client asked for:
//
//	value x          the values that the replica has said it has on its disk, or empty
//	siblings x       how many they are
//	kept x           the same values, with the object's version vector if the rule has one
//	reads x          what the gets and repairs returned that this node's clients asked for, in
//	                 order: siblings together, as in 1, 2 3, empty; without those of the end
//	puts x           what became of the puts of this node's clients, in order of their ends: ok,
//	                 conflict
//	lost x           of all nodes: the values that a client was told were written, and that nobody
//	                 has in the end, nor a version whose writer had seen them; or nothing
func observeStore(run *sim.Run) []sim.Observation {
	b := &storeBoard{Board: sim.Board{Run: run}, puts: map[int64]put{}}
	for i := range run.Trace {
		b.see(&run.Trace[i])
	}
	return append(b.Seen, b.lost()...)
}

// storeBoard is what has been seen so far.
type storeBoard struct {
	sim.Board
	puts map[int64]put // by call
	keys []string      // that were put, in the order in which they first were
	last int64         // the last call before those that are asked in the end
	done bool          // they are asked
}

// see takes in an entry.
func (b *storeBoard) see(e *sim.Entry) {
	switch b.done = b.done || e.Kind == sim.EntryEpilogue; {
	case e.Kind == sim.EntryInvoked && !b.done:
		b.last = e.N
	case e.Kind == sim.EntryReturned && e.N > b.last:
		return
	}
	switch f := e.Body.(type) {
	case holds:
		if e.Kind == sim.EntryNoted {
			values := strings.Fields(f.Text)[:len(f.IDs)]
			b.Set(e.Node, "value "+f.Key, valueText(values))
			b.Set(e.Node, "siblings "+f.Key, strconv.Itoa(len(f.IDs)))
			b.Set(e.Node, "kept "+f.Key, f.Text)
		}
	case put:
		if e.Kind == sim.EntryInvoked {
			b.puts[e.N] = f
			if !slices.Contains(b.keys, f.Key) {
				b.keys = append(b.keys, f.Key)
			}
		}
	case got:
		if e.Kind == sim.EntryReturned {
			b.Add(e.Node, "reads "+f.Key, between, valueText(f.Values))
		}
	case wrote:
		if e.Kind == sim.EntryReturned {
			b.Add(e.Node, "puts "+f.Key, between, "ok")
		}
	case refusal:
		if p, known := b.puts[e.N]; known && e.Kind == sim.EntryRefused {
			word, _, _ := strings.Cut(f.Why, ":")
			b.Add(e.Node, "puts "+p.Key, between, word)
		}
	}
}

// lost shows what has been lost of each key.
func (b *storeBoard) lost() []sim.Observation {
	l := ledgerOf(b.Run)
	var held []sim.CallID
	for _, s := range l.last() {
		held = append(held, s.ids...)
	}
	values := make([][]string, len(b.keys))
	for _, id := range l.acked {
		if p := b.puts[int64(id)]; l.lost(id, held) {
			k := slices.Index(b.keys, p.Key)
			values[k] = append(values[k], p.Value)
		}
	}
	var list []sim.Observation
	for k, key := range b.keys {
		text := "nothing"
		if len(values[k]) > 0 {
			text = strings.Join(values[k], " ")
		}
		for i := range b.Run.Nodes {
			list = append(list, sim.Observation{Node: b.Run.Nodes[i], Name: "lost " + key,
				Value: text})
		}
	}
	return list
}
